export { PayCheckoutSimulatorElement } from './simulator/panel/panel.js';
export { createSimulator, type Simulator, type SimulatorOptions } from './simulator/create-simulator.js';
export type { SimulatorStorage } from './simulator/saved-state.js';
export { isScenarioName, SCENARIO_NAMES, type ScenarioName, SCENARIOS } from './sandbox/service/scenarios.js';
