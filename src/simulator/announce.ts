import { PayCheckoutSimulatorElement } from './panel/panel.js';
import type { Simulator } from './simulator.js';

const corners = new WeakMap<Simulator, PayCheckoutSimulatorElement>();
const said = new WeakSet<Simulator>();

/**
 * Shows on the page that this is no real checkout: in the panel that the page placed, or else in one in the corner. It
 * is asked again with every call, so that no page simulates payments without saying so. Silent where there is no page.
 */
export function announce(simulator: Simulator): void {
  const { document } = globalThis as { document?: Document };
  if (!document?.body || typeof customElements === 'undefined') return;
  PayCheckoutSimulatorElement.define();
  const corner = corners.get(simulator);
  const placed = PayCheckoutSimulatorElement.panelsOf(simulator).some((panel) => panel !== corner);
  if (placed) corner?.remove();
  else if (!corner?.isConnected) {
    const panel = corner ?? new PayCheckoutSimulatorElement();
    corners.set(simulator, panel);
    panel.simulator = simulator;
    panel.floating = true;
    document.body.append(panel);
  }
  if (said.has(simulator)) return;
  said.add(simulator);
  // eslint-disable-next-line no-console -- said to the page's engineer
  console.warn('pay-checkout: payments on this page are simulated. No money moves.');
}

/** Removes the corner panel. */
export function withdraw(simulator: Simulator): void {
  corners.get(simulator)?.remove();
}
