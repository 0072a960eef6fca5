import '../../src/define.js';
import { createSimulator, type Simulator, type SimulatorOptions } from '../../src/simulator.js';
import type { PayCheckoutSimulatorElement } from '../../src/simulator.js';
import { CannedTransport } from '../element/support/canned-transport.js';
import { clearPage, Payer } from '../element/support/harness.js';

/** A page with a simulated checkout on it, and the panel that decides what happens. */
export class Stage {
  readonly simulator: Simulator;
  payer: Payer;
  readonly #settings: object;

  constructor(options: SimulatorOptions = {}, settings: object = {}) {
    this.simulator = createSimulator({ timings: QUICK, seed: 7, ...options });
    this.#settings = settings;
    this.payer = this.#arrive();
    open.add(this);
  }

  /** The page is loaded again: a new element, the same order, and what the address says. */
  reload(): void {
    this.payer.leaves();
    this.payer = this.#arrive();
  }

  get panel(): PayCheckoutSimulatorElement {
    const [panel] = document.querySelectorAll('pay-checkout-simulator');
    if (!panel) throw new Error('There is no panel');
    return panel;
  }

  get played(): HTMLDialogElement | null {
    return this.panel.shadowRoot?.querySelector('dialog[open]') ?? null;
  }

  /** Presses what has that name in the panel, or in the page it plays. */
  async press(name: string): Promise<void> {
    await this.payer.until(() => this.#button(name) !== undefined);
    this.#button(name)?.click();
    await this.panel.updateComplete;
  }

  can(name: string): boolean {
    return this.#button(name) !== undefined;
  }

  async end(): Promise<void> {
    open.delete(this);
    this.payer.leaves();
    await this.simulator.close();
  }

  #arrive(): Payer {
    const element = document.createElement('pay-checkout');
    const payer = new Payer(element, new CannedTransport());
    const transport = this.simulator;
    Object.assign(element, { order: 'A-1042', locale: 'es', transport, ...this.#settings });
    document.body.append(element);
    return payer;
  }

  #button(name: string): HTMLButtonElement | undefined {
    const scope = this.played ?? this.panel.shadowRoot;
    const buttons = [...(scope?.querySelectorAll('button') ?? [])];
    return buttons.find((button) =>
      (button.ariaLabel ?? button.textContent.trim().replaceAll(/\s+/g, ' ')).startsWith(name),
    );
  }
}

/** What the service takes its time for happens soon. */
const QUICK = { pseUrlDelayMs: 50, outcomeDelayMs: 400, slowAnswerMs: 200 };

const open = new Set<Stage>();

export async function clearStages(): Promise<void> {
  for (const stage of [...open]) await stage.end();
  clearPage();
}
