export { PayCheckoutSimulatorElement } from './simulator/panel.js';
export { createSimulator, type Simulator, type SimulatorOptions } from './simulator/simulator.js';
export type { SimulatorStorage } from './simulator/memory.js';
export { isScenarioName, SCENARIO_NAMES, type ScenarioName, SCENARIOS } from './sandbox/service/scenarios.js';
