export {
  createSandbox,
  type Sandbox,
  SANDBOX_DEFAULTS,
  SandboxInProductionError,
  type SandboxOptions,
} from './sandbox/app.js';
export { type Clock, manualClock, type ManualClock, realClock } from './sandbox/clock.js';
export { type AutoOutcome, SnapshotError } from './sandbox/core.js';
export { MAGIC_DOCUMENTS } from './sandbox/creation.js';
export { type Engine, EngineError } from './sandbox/engine.js';
export { isScenarioName, SCENARIO_NAMES, type ScenarioName, SCENARIOS } from './sandbox/scenarios.js';
export { DEFAULT_TIMINGS, HOURLY_RETRY_DELAYS_MS, type Timings } from './sandbox/timings.js';
export type { WebhookTarget } from './sandbox/webhooks.js';
