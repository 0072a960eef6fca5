export {
  createSandbox,
  type Sandbox,
  SANDBOX_DEFAULTS,
  SandboxInProductionError,
  type SandboxOptions,
} from './sandbox/sandbox.js';
export type { PageFiles } from './look/page-files.js';
export type { Clock } from './service/clock.js';
export { manualClock, type ManualClock, realClock } from './sandbox/service/clock.js';
export { type AutoOutcome, SnapshotError } from './sandbox/service/context.js';
export { MAGIC_DOCUMENTS } from './sandbox/service/creation.js';
export type { Engine } from './sandbox/service/engine.js';
export { EngineError } from './sandbox/service/engine-error.js';
export { isScenarioName, SCENARIO_NAMES, type ScenarioName, SCENARIOS } from './sandbox/service/scenarios.js';
export { DEFAULT_TIMINGS, HOURLY_RETRY_DELAYS_MS, type Timings } from './sandbox/service/timings.js';
export type { WebhookTarget } from './sandbox/service/webhooks.js';
