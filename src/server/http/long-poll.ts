import type { Clock } from '../../service/clock.js';
import type { OrderRecord } from '../orders/record.js';
import { watchedDueAt } from '../orders/next-task.js';
import type { Store } from '../stores/store.js';

/**
 * Payers who wait for news. Ten thousand of them share one timer: it releases those whose time is up, and has payments
 * read that are due because a payer watches.
 */

/** One payer: all that is kept of a request while its answer is held, because there may be many. */
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
  readAt: number | undefined;
}

interface DueOrder {
  readonly rowId: string;
  readonly order: WatchedOrder;
  readonly readAt: number;
}

const SWEEP_EVERY_MS = 500;

export interface LongPollOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly maxWaiters: number;
  /** Works on a watched order; returns its record afterwards. */
  readonly readNow: (rowId: string) => Promise<OrderRecord | undefined>;
  /** How many orders may be read now. */
  readonly readsLeft: () => number;
}

export class LongPoll {
  readonly #options: LongPollOptions;
  readonly #orders = new Map<string, WatchedOrder>();
  #waiting = 0;
  #cancelSweep: (() => void) | undefined;
  #closed = false;

  constructor(options: LongPollOptions) {
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
   * Resolves when the order may have changed, the time is up or the caller hangs up. `confirm` is called once the order
   * is subscribed to: it returns when the order's payments should be read, or undefined when there is no need to wait.
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
      const readAt = await confirm();
      if (readAt === undefined) return;
      order.readAt ??= readAt;
      await released;
    } finally {
      signal.removeEventListener('abort', waiter);
      this.#leave(rowId, order, waiter);
    }
  }

  /** Releases all waiters. */
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
      order = { waiters, unsubscribe, readAt: undefined };
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
      if (order.readAt !== undefined && order.readAt <= now) due.push({ rowId, order, readAt: order.readAt });
    }
    // A crowd wants more reads than the budget has. Those who have waited longest come first, so that each has a turn.
    const readsLeft = due.length === 0 ? 0 : this.#options.readsLeft();
    if (due.length > readsLeft) due.sort((left, right) => left.readAt - right.readAt);
    for (const { rowId, order } of due.slice(0, readsLeft)) this.#readNow(rowId, order);
    this.#cancelSweep =
      this.#orders.size === 0 ? undefined : this.#options.clock.setTimer(SWEEP_EVERY_MS, () => this.#sweep());
  }

  #readNow(rowId: string, order: WatchedOrder): void {
    order.readAt = undefined;
    void this.#options.readNow(rowId).then((record) => {
      // Another instance works on it, or the read failed: try again shortly.
      const shortly = this.#options.clock.now() + 2 * SWEEP_EVERY_MS;
      order.readAt = record === undefined ? shortly : Math.max(shortly, watchedDueAt(record) ?? Infinity);
    });
  }
}
