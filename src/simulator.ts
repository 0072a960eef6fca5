export { PayCheckoutSimulatorElement } from './simulator/panel/panel.js';
export { createSimulator } from './simulator/create-simulator.js';
export type { Simulator, SimulatorOptions } from './simulator/simulator.js';
export type { SimulatorStorage } from './simulator/saved-state.js';
export { isScenarioName, SCENARIO_NAMES, type ScenarioName, SCENARIOS } from './sandbox/service/scenarios.js';
