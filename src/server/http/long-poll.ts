import type { Clock } from '../../service/clock.js';
import type { OrderRecord } from '../orders/record.js';
import { watchedDueAt } from '../orders/next-task.js';
import type { Store } from '../stores/store.js';

/**
 * Payers who wait for news. Ten thousand of them share one timer: it lets those go whose time is up and has orders
 * looked at whose payments should be read because somebody watches.
 */

/** One payer. There may be many, so it is all that is kept of a request while its answer is held. */
class Waiter {
  readonly deadline: number;
  readonly #release: () => void;

  constructor(deadline: number, release: () => void) {
    this.deadline = deadline;
    this.#release = release;
  }

  release(): void {
    this.#release();
  }

  /** The caller hung up. */
  handleEvent(): void {
    this.#release();
  }
}

interface WatchedOrder {
  readonly waiters: Set<Waiter>;
  readonly unsubscribe: () => void;
  /** When its payments should be read next; undefined while that is being done. */
  lookAt: number | undefined;
}

interface DueOrder {
  readonly rowId: string;
  readonly order: WatchedOrder;
  readonly lookAt: number;
}

const SWEEP_EVERY_MS = 500;

export interface WatchOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly maxWaiters: number;
  /** Works on an order because it is watched; gives its record afterwards. */
  readonly look: (rowId: string) => Promise<OrderRecord | undefined>;
  /** How many orders may be looked at now. */
  readonly room: () => number;
}

export class Watch {
  readonly #options: WatchOptions;
  readonly #orders = new Map<string, WatchedOrder>();
  #waiting = 0;
  #cancelSweep: (() => void) | undefined;
  #closed = false;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Whether one more answer may be held. */
  get hasRoom(): boolean {
    return !this.#closed && this.#waiting < this.#options.maxWaiters;
  }

  /**
   * Resolves when the order may have changed, the time is up or the caller hangs up. `confirm` is asked once the
   * order is being listened to: it says when the order's payments should be looked at, or undefined when there is no
   * need to wait.
   */
  async wait(
    rowId: string,
    waitMs: number,
    signal: AbortSignal,
    confirm: () => Promise<number | undefined>,
  ): Promise<void> {
    if (signal.aborted) return;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const waiter = new Waiter(this.#options.clock.now() + waitMs, release);
    const order = this.#join(rowId, waiter);
    signal.addEventListener('abort', waiter);
    try {
      const lookAt = await confirm();
      if (lookAt === undefined) return;
      order.lookAt ??= lookAt;
      await released;
    } finally {
      signal.removeEventListener('abort', waiter);
      this.#leave(rowId, order, waiter);
    }
  }

  /** Lets everybody go. */
  close(): void {
    this.#closed = true;
    for (const { waiters } of this.#orders.values()) for (const waiter of waiters) waiter.release();
  }

  #join(rowId: string, waiter: Waiter): WatchedOrder {
    let order = this.#orders.get(rowId);
    if (order === undefined) {
      const waiters = new Set<Waiter>();
      const unsubscribe = this.#options.store.subscribe(rowId, () => {
        for (const each of waiters) each.release();
      });
      order = { waiters, unsubscribe, lookAt: undefined };
      this.#orders.set(rowId, order);
    }
    order.waiters.add(waiter);
    this.#waiting += 1;
    this.#cancelSweep ??= this.#options.clock.setTimer(SWEEP_EVERY_MS, () => this.#sweep());
    return order;
  }

  #leave(rowId: string, order: WatchedOrder, waiter: Waiter): void {
    if (!order.waiters.delete(waiter)) return;
    this.#waiting -= 1;
    if (order.waiters.size > 0) return;
    order.unsubscribe();
    if (this.#orders.get(rowId) === order) this.#orders.delete(rowId);
  }

  #sweep(): void {
    const now = this.#options.clock.now();
    const due: DueOrder[] = [];
    for (const [rowId, order] of this.#orders) {
      for (const waiter of order.waiters) if (waiter.deadline <= now) waiter.release();
      if (order.lookAt !== undefined && order.lookAt <= now) due.push({ rowId, order, lookAt: order.lookAt });
    }
    // A crowd wants more reads than may be made. To begin more than that would be work for nothing, and those who
    // have waited longest come first, so that each has its turn.
    const room = due.length === 0 ? 0 : this.#options.room();
    if (due.length > room) due.sort((left, right) => left.lookAt - right.lookAt);
    for (const { rowId, order } of due.slice(0, room)) this.#look(rowId, order);
    this.#cancelSweep =
      this.#orders.size === 0 ? undefined : this.#options.clock.setTimer(SWEEP_EVERY_MS, () => this.#sweep());
  }

  #look(rowId: string, order: WatchedOrder): void {
    order.lookAt = undefined;
    void this.#options.look(rowId).then((record) => {
      // Another instance is at it, or looking failed: try again shortly.
      const shortly = this.#options.clock.now() + 2 * SWEEP_EVERY_MS;
      order.lookAt = record === undefined ? shortly : Math.max(shortly, watchedDueAt(record) ?? Infinity);
    });
  }
}
