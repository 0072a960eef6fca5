import type { CheckoutContext } from '../context.js';
import { type StoredOrder, storedOrder } from '../order-repository.js';
import { dueAt, nextTask, postpone, type Task } from '../orders/next-task.js';
import type { OrderRecord } from '../orders/record.js';
import type { Lease } from '../stores/store.js';
import { ReadBudget } from './read-budget.js';
import { perform } from './tasks.js';

/** Long enough for any single step, short enough that another instance soon takes over from one that died. */
const SHORTEST_LEASE_MS = 30_000;
const LEASE_MARGIN_MS = 10_000;
const CLAIM_AT_ONCE = 16;
const MAX_ACTIVE = 64;
const POLL_EVERY_MS = 1_000;
/** Also how long what was deleted may stay in SQLite's log. */
const PURGE_EVERY_MS = 600_000;
/** Orphans hold nothing personal, and an operator may still find the order of such a payment. */
const ORPHANS_FOR_MS = 45 * 86_400_000;
/** More steps than any order needs in a row, so that a mistake does not become an endless loop. */
const MAX_STEPS = 64;

interface Run {
  done: Promise<StoredOrder | undefined>;
  again: boolean;
  watched: boolean;
  /** The order cannot be advanced although that is due. The rest of its work goes on without. */
  stuck: boolean;
}

/** A lease, and when it was asked for by the kit’s clock, from when on it lasts at least. */
interface Claim extends Lease {
  readonly at: number;
}

/**
 * Decides which order is worked on when: one instance at a time per order, by a lease. What is to be done next is
 * decided in `orders/next-task`; `tasks` does it.
 */
export class Worker {
  readonly #context: CheckoutContext;
  readonly #budget: ReadBudget;
  readonly #leaseMs: number;
  readonly #running = new Map<string, Run>();
  /** How many orders are being worked on because a payer watches. */
  #watchedRuns = 0;
  #purgedAt = -Infinity;
  #startedAt = -Infinity;
  #roundAt: number | null = null;
  #loops = 0;

  constructor(context: CheckoutContext) {
    this.#context = context;
    this.#budget = new ReadBudget(context.settings.serviceReadsPerSecond, () => context.now());
    this.#leaseMs = Math.max(SHORTEST_LEASE_MS, context.settings.hookTimeoutMs + LEASE_MARGIN_MS);
  }

  /** Whether `work` runs, since when, when it last looked for work, and what may still be read from the service. */
  get condition(): {
    readonly running: boolean;
    readonly startedAt: number;
    readonly roundAt: number | null;
    readonly readsLeft: number;
  } {
    return {
      running: this.#loops > 0,
      startedAt: this.#startedAt,
      roundAt: this.#roundAt,
      readsLeft: this.#budget.spare('event'),
    };
  }

  /** For requests that are made beside the orders' own reads. */
  get budget(): ReadBudget {
    return this.#budget;
  }

  /**
   * How many watched orders may be read now. Those under way count as if they had yet to read, so that a crowd does not
   * begin more than the budget can end.
   */
  get readsLeft(): number {
    return Math.max(0, this.#budget.spare('payment') - this.#watchedRuns);
  }

  /** Whether something can be done now for an order that a payer watches. */
  hasWork(record: OrderRecord): boolean {
    return this.#next(record, { watched: true, stuck: false }, this.#watchedRuns) !== undefined;
  }

  /** Works on an order that a payer watches. Returns it afterwards, or undefined when another instance has the lease. */
  async readNow(rowId: string): Promise<StoredOrder | undefined> {
    this.#watchedRuns += 1;
    try {
      return await this.#workOn(rowId, true);
    } finally {
      this.#watchedRuns -= 1;
    }
  }

  /** Works on an order that an event changed. */
  async process(rowId: string): Promise<void> {
    await this.#workOn(rowId, false);
  }

  #workOn(rowId: string, watched: boolean): Promise<StoredOrder | undefined> {
    const running = this.#running.get(rowId);
    if (running !== undefined) {
      running.again = true;
      running.watched ||= watched;
      return running.done;
    }
    return this.#start(rowId, watched, undefined);
  }

  /**
   * Works on what is due, until nothing is or the time is up. It says that more is due only when it got on itself, so
   * that repeating it for as long as more is due comes to an end, whatever fails.
   */
  async tick(budgetMs: number): Promise<{ orders: number; more: boolean }> {
    const until = this.#context.now() + budgetMs;
    const failed = new Set<string>();
    let orders = 0;
    for (;;) {
      const leases = await this.#claim(CLAIM_AT_ONCE);
      const [ordersBefore, failedBefore] = [orders, failed.size];
      await Promise.all(
        leases.map(async (lease) => {
          const changed = await this.#attempted(lease);
          if (changed === undefined) failed.add(lease.row.id);
          else if (changed) orders += 1;
        }),
      );
      // Nothing changed although it was due: the budget is spent, the order is being worked on here, or it fails again.
      const stuck = orders === ordersBefore && failed.size === failedBefore;
      if (stuck) break;
      // Orders that fail, each of which counts once, do not use up the time of those behind them.
      if (orders > 0 && this.#context.now() >= until) return { orders, more: true };
    }
    await this.#purge();
    return { orders, more: false };
  }

  /**
   * Claims what is due every second, until stopped. Rounds do not wait for each other, so that a slow hook of one order
   * does not hold up the rest.
   */
  work(): () => Promise<void> {
    const { clock } = this.#context.settings;
    const active = new Set<Promise<unknown>>();
    let stopped = false;
    let cancelTimer: (() => void) | undefined;
    const claimDue = async (): Promise<boolean> => {
      const free = MAX_ACTIVE - active.size;
      if (free === 0) {
        this.#roundAt = this.#context.now();
        return false;
      }
      const leases = await this.#claim(Math.min(free, CLAIM_AT_ONCE));
      for (const lease of leases) {
        const work = this.#attempted(lease);
        active.add(work);
        void work.then(() => active.delete(work));
      }
      await this.#purge();
      this.#roundAt = this.#context.now();
      return leases.length === CLAIM_AT_ONCE;
    };
    let round: Promise<void> = Promise.resolve();
    const next = () => {
      let more = false;
      round = this.#context.background('round_failed', async () => {
        more = await claimDue();
      });
      void round.then(() => {
        if (!stopped) cancelTimer = clock.setTimer(more ? 0 : POLL_EVERY_MS, next);
      });
    };
    this.#loops += 1;
    this.#startedAt = this.#context.now();
    next();
    return async () => {
      if (!stopped) this.#loops -= 1;
      stopped = true;
      cancelTimer?.();
      await round;
      await Promise.all(active);
    };
  }

  async #claim(limit: number): Promise<Claim[]> {
    const at = this.#context.now();
    const leases = await this.#context.store.claim(at, this.#leaseMs, limit);
    return leases.map((lease) => ({ ...lease, at }));
  }

  async #claimOne(rowId: string): Promise<Claim | undefined> {
    const at = this.#context.now();
    const lease = await this.#context.store.claimOne(rowId, at, this.#leaseMs);
    return lease && { ...lease, at };
  }

  /** Whether the order changed; undefined when the work on it failed, which is logged and stops no other order. */
  async #attempted(lease: Claim): Promise<boolean | undefined> {
    let changed: boolean | undefined;
    await this.#context.background('work_failed', async () => {
      changed = await this.#claimed(lease);
    });
    return changed;
  }

  /** Whether the order changed. */
  async #claimed(lease: Claim): Promise<boolean> {
    const { id, revision } = lease.row;
    if (this.#running.has(id)) {
      await this.#context.store.release(lease);
      return false;
    }
    const after = await this.#start(id, false, lease);
    return after?.revision !== revision;
  }

  #start(rowId: string, watched: boolean, lease: Claim | undefined): Promise<StoredOrder | undefined> {
    const run: Run = { done: Promise.resolve(undefined), again: false, watched, stuck: false };
    this.#running.set(rowId, run);
    run.done = this.#loop(rowId, run, lease);
    return run.done;
  }

  async #loop(rowId: string, run: Run, claimed: Claim | undefined): Promise<StoredOrder | undefined> {
    let lease = claimed;
    let order: StoredOrder | undefined;
    try {
      for (let round = 0; round < MAX_STEPS; round++) {
        run.again = false;
        lease ??= await this.#claimOne(rowId);
        // The instance that holds the lease looks at the order once more when it releases it, so nothing is overlooked.
        if (lease === undefined) return order;
        // An order that another release wrote throws here: its lease runs out before it is tried again.
        order = storedOrder(lease.row);
        let steps: number;
        try {
          steps = await this.#workLeased(lease, order, run);
        } finally {
          order = storedOrder(await this.#context.store.release(lease));
          lease = undefined;
        }
        if (order === undefined) break;
        // A round without a step would repeat itself, unless something came meanwhile.
        if (run.again || (steps > 0 && this.#next(order.record, run) !== undefined)) continue;
        if ((dueAt(order.record) ?? Infinity) > this.#context.now()) break;
        order = await this.#context.repository.apply(rowId, (record, now) =>
          postpone(record, now, this.#budget.nextTurnAt()),
        );
        if (!run.again) break;
      }
    } finally {
      // In the same turn as the last check of `again`: a later caller starts a run of its own.
      this.#running.delete(rowId);
    }
    return order;
  }

  /** Does what there is to do. Returns the number of steps. */
  async #workLeased(lease: Claim, leased: StoredOrder | undefined, run: Run): Promise<number> {
    let advancedFrom: number | undefined;
    let order = leased;
    for (let step = 0; step < MAX_STEPS; step++) {
      if (order !== undefined && order.revision === advancedFrom) {
        // A mistake of ours: trying again would change nothing again.
        run.stuck = true;
        this.#context.logSparingly({ level: 'error', event: 'advance_stuck', order: order.record.order });
      }
      const task = order && this.#next(order.record, run);
      if (order === undefined || task === undefined) return step;
      // Too little of the lease is left for a hook: release it and claim a new one.
      const leftMs = lease.at + this.#leaseMs - this.#context.now();
      if (step > 0 && leftMs < this.#context.settings.hookTimeoutMs) return step;
      advancedFrom = task.task === 'advance' ? order.revision : undefined;
      order = await perform(this.#context, this.#budget, order, task);
    }
    return MAX_STEPS;
  }

  /** What there is to do for an order, when `promised` reads of the budget are already taken. */
  #next(
    record: OrderRecord,
    { watched, stuck }: Pick<Run, 'watched' | 'stuck'>,
    promised = 0,
  ): Task | undefined {
    return nextTask(record, this.#context.now(), {
      watched,
      advance: !stuck,
      promptedReads: this.#budget.spare('event') > promised,
      otherReads: this.#budget.spare('payment') > promised,
      // A payer may be waiting for the lookup, so it has the budget of watched orders.
      pages: this.#budget.spare(watched ? 'payment' : 'page') > promised,
    });
  }

  async #purge(): Promise<void> {
    const now = this.#context.now();
    if (now - this.#purgedAt < PURGE_EVERY_MS) return;
    this.#purgedAt = now;
    const { settings } = this.#context;
    const orphansBefore = now - Math.max(settings.retentionMs, ORPHANS_FOR_MS);
    const before = now - settings.retentionMs;
    const purged = await this.#context.repository.purge(before, orphansBefore, settings.tombstoneMs);
    if (purged > 0) this.#context.measure({ name: 'orders.purged', value: purged, unit: 'count' });
  }
}
