import type { Attempt } from '../contract/backend.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import type { Clock } from '../service/clock.js';
import type { ScenarioName } from '../sandbox/service/scenarios.js';
import type { Timings } from '../sandbox/service/timings.js';
import type { Checkout } from '../server/checkout.js';
import type { MerchantOption, MerchantOrder, MethodOption } from '../server/options.js';
import type { Transport } from '../transport/port.js';
import type { SimulatorStorage } from './saved-state.js';

export interface SimulatorOptions {
  /** What happens to payments, by itself; the names are the sandbox's. Without one, the panel's buttons decide. */
  readonly scenario?: ScenarioName;
  readonly merchant?: MerchantOption;
  /** What is being paid, whatever `order` the element has. */
  readonly order?: MerchantOrder;
  readonly methods?: readonly MethodOption[];
  /** How long things take: the sandbox's timings. */
  readonly timings?: Partial<Timings>;
  /** Keeps the simulation across reloads: `sessionStorage`, for example. Without it a reload begins anew. */
  readonly storage?: SimulatorStorage;
  /** Same seed, same keys. */
  readonly seed?: number;
  readonly clock?: Clock;
}

/**
 * A whole checkout inside the page: the merchant's backend and the payment service, wired to each other. This part adds
 * only the wiring, a clock that skips, saving, and the panel. What a payment does is the kit's and the sandbox's.
 */
export interface Simulator extends Transport {
  readonly sandbox: Sandbox;
  readonly checkout: Checkout;
  /** What happens to the next payments; null leaves it to the panel's buttons. */
  scenario: ScenarioName | null;
  /** False plays a network that is down: every call fails until it is true again. */
  online: boolean;
  /** The payin or link that the widget got last. */
  readonly attempt: Attempt | null;
  /** Moves the simulation's time ahead. */
  skip(durationMs: number): void;
  /** Whether an address is of a page that only exists here, such as the bank's. */
  owns(url: string): boolean;
  /** Calls the listener on every change of the service, the network or the scenario. Returns how to stop. */
  subscribe(listener: () => void): () => void;
  /** Ends timers and background work. */
  close(): Promise<void>;
}
