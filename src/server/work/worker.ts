import { ServiceError } from '../../service/errors.js';
import { lookupMissed } from '../orders/submissions.js';
import { deliver } from './run-hook.js';
import { advance, dueAt, nextTask, putOff, type Task } from '../orders/next-task.js';
import { heardLink, heardPayin, type Heard } from '../orders/observation.js';
import { errorName, type Kit } from '../context.js';
import { disbelieve, readArrived, readFailed } from '../orders/observations.js';
import { makeCall, storeAnswer } from './submit.js';
import type { StoredOrder } from '../order-repository.js';
import { adoptOrphans } from './unmatched-events.js';
import { ReadBudget } from './read-budget.js';
import { attemptById, keys, locate, type OrderRecord } from '../orders/record.js';
import { KeyTakenError, type Lease } from '../stores/store.js';
import { newReference } from '../ids.js';

/** Long enough for any single step, short enough that the work of an instance that died is not left lying. */
const SHORTEST_LEASE_MS = 30_000;
const LEASE_MARGIN_MS = 10_000;
const READ_TIMEOUT_MS = 5_000;
const LOOKUP_TIMEOUT_MS = 5_000;
const CLAIM_AT_ONCE = 16;
const MAX_ACTIVE = 64;
const POLL_EVERY_MS = 1_000;
const PURGE_EVERY_MS = 3_600_000;
/** More steps than any order needs in a row; a mistake must not turn into an endless loop. */
const MAX_STEPS = 64;

interface Run {
  done: Promise<StoredOrder | undefined>;
  again: boolean;
  watched: boolean;
}

/** Does what is due for orders: reads, lookups, further calls, notices. One instance at a time per order. */
export class Worker {
  readonly #kit: Kit;
  readonly #budget: ReadBudget;
  readonly #leaseMs: number;
  readonly #running = new Map<string, Run>();
  /** How many orders are being worked on because somebody watches. */
  #looking = 0;
  #purgedAt = -Infinity;

  constructor(kit: Kit) {
    this.#kit = kit;
    this.#budget = new ReadBudget(kit.settings.serviceReadsPerSecond, () => kit.now());
    this.#leaseMs = Math.max(SHORTEST_LEASE_MS, kit.settings.hookTimeoutMs + LEASE_MARGIN_MS);
  }

  /**
   * How many orders may be taken up now because somebody watches. Those under way count as if they had yet to read:
   * a crowd that arrives at once must not begin what only a few of them can end.
   */
  get room(): number {
    return Math.max(0, this.#budget.spare(false) - this.#looking);
  }

  /** Whether something can be done for an order that a payer has just looked at. */
  canHelp(record: OrderRecord): boolean {
    return this.#next(record, true, this.#looking) !== undefined;
  }

  /** Works on an order that somebody watches. Returns it as it is afterwards, or undefined when another is at it. */
  async look(rowId: string): Promise<StoredOrder | undefined> {
    this.#looking += 1;
    try {
      return await this.#workOn(rowId, true);
    } finally {
      this.#looking -= 1;
    }
  }

  /** Works on an order that something happened to, watched or not. */
  async follow(rowId: string): Promise<void> {
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

  /** Works on whatever is due, until nothing is or the time is up. */
  async tick(budgetMs: number): Promise<{ orders: number; more: boolean }> {
    const until = this.#kit.now() + budgetMs;
    let orders = 0;
    for (;;) {
      const leases = await this.#kit.store.claim(this.#kit.now(), this.#leaseMs, CLAIM_AT_ONCE);
      const worked = await Promise.all(leases.map((lease) => this.#claimed(lease)));
      orders += worked.filter(Boolean).length;
      // Nothing moved although it was due: the budget is used up, or the order is being worked on here.
      const stuck = !worked.includes(true);
      if (leases.length === 0 || stuck) break;
      if (this.#kit.now() >= until) return { orders, more: true };
    }
    await this.#purge();
    return { orders, more: false };
  }

  /**
   * Takes up what is due every second, once the store is ready, until stopped. Rounds do not wait for each other: a
   * slow hook of one order must not hold up the rest.
   */
  work(ready: () => Promise<void>): () => Promise<void> {
    const { clock } = this.#kit.settings;
    const active = new Set<Promise<void>>();
    let stopped = false;
    let cancelTimer: (() => void) | undefined;
    const takeUp = async (): Promise<boolean> => {
      await ready();
      const room = MAX_ACTIVE - active.size;
      if (room === 0) return false;
      const leases = await this.#kit.store.claim(
        this.#kit.now(),
        this.#leaseMs,
        Math.min(room, CLAIM_AT_ONCE),
      );
      for (const lease of leases) {
        const work = this.#kit.background('work_failed', () => this.#claimed(lease));
        active.add(work);
        void work.then(() => active.delete(work));
      }
      await this.#purge();
      return leases.length === CLAIM_AT_ONCE;
    };
    let round: Promise<void> = Promise.resolve();
    const next = () => {
      let more = false;
      round = this.#kit.background('round_failed', async () => {
        more = await takeUp();
      });
      void round.then(() => {
        if (!stopped) cancelTimer = clock.setTimer(more ? 0 : POLL_EVERY_MS, next);
      });
    };
    next();
    return async () => {
      stopped = true;
      cancelTimer?.();
      await round;
      await Promise.all(active);
    };
  }

  /** Whether anything came of it. */
  async #claimed(lease: Lease): Promise<boolean> {
    if (this.#running.has(lease.orderId)) {
      await this.#kit.store.release(lease);
      return false;
    }
    const before = await this.#kit.orders.read(lease.orderId);
    const after = await this.#start(lease.orderId, false, lease);
    return after !== undefined && after.revision !== before?.revision;
  }

  #start(rowId: string, watched: boolean, lease: Lease | undefined): Promise<StoredOrder | undefined> {
    const run: Run = { done: Promise.resolve(undefined), again: false, watched };
    this.#running.set(rowId, run);
    run.done = this.#loop(rowId, run, lease);
    return run.done;
  }

  async #loop(rowId: string, run: Run, claimed: Lease | undefined): Promise<StoredOrder | undefined> {
    let lease = claimed;
    let order: StoredOrder | undefined;
    try {
      for (let round = 0; round < MAX_STEPS; round++) {
        run.again = false;
        lease ??= await this.#kit.store.claimOne(rowId, this.#kit.now(), this.#leaseMs);
        // Whoever holds it looks once more after giving it back, so what made us come is not overlooked.
        if (lease === undefined) return order;
        let steps: number;
        try {
          steps = await this.#workLeased(lease, run);
        } finally {
          await this.#kit.store.release(lease);
          lease = undefined;
        }
        order = await this.#kit.orders.read(rowId);
        if (order === undefined) break;
        // After a round without a step another would be one as well, but for what came meanwhile.
        if (run.again || (steps > 0 && this.#next(order.record, run.watched) !== undefined)) continue;
        if ((dueAt(order.record) ?? Infinity) > this.#kit.now()) break;
        await this.#kit.orders.apply(rowId, (record, now) => putOff(record, now, this.#budget.nextTurnAt()));
        order = await this.#kit.orders.read(rowId);
        if (!run.again) break;
      }
    } finally {
      // In the same turn as the last look at `again`: whoever comes now starts a run of their own.
      this.#running.delete(rowId);
    }
    return order;
  }

  /** Does what there is to do. Returns how many steps that were. */
  async #workLeased(lease: Lease, run: Run): Promise<number> {
    for (let step = 0; step < MAX_STEPS; step++) {
      const record = (await this.#kit.orders.read(lease.orderId))?.record;
      const task = record && this.#next(record, run.watched);
      if (record === undefined || task === undefined) return step;
      // Too little of the lease is left for a hook: give it back, take a new one.
      if (step > 0 && lease.until - this.#kit.now() < this.#kit.settings.hookTimeoutMs) return step;
      await this.#perform(lease.orderId, record, task);
    }
    return MAX_STEPS;
  }

  /** What there is to do for an order, when so many reads are as good as made. */
  #next(record: OrderRecord, watched: boolean, promised = 0): Task | undefined {
    return nextTask(record, this.#kit.now(), {
      watched,
      promptedReads: this.#budget.spare(true) > promised,
      otherReads: this.#budget.spare(false) > promised,
    });
  }

  async #perform(rowId: string, record: OrderRecord, task: Task): Promise<void> {
    switch (task.task) {
      case 'advance':
        return this.#advance(rowId, record);
      case 'lookup':
        return this.#lookup(rowId, task.reference);
      case 'read':
        return this.#read(rowId, record, task.reference, task.serviceId);
      case 'deliver':
        return deliver(this.#kit, rowId, task.notice);
      default:
        throw new TypeError(`Unknown task: ${String(task satisfies never)}`);
    }
  }

  async #advance(rowId: string, { order }: OrderRecord): Promise<void> {
    const { createTimeoutMs } = this.#kit.settings;
    const reference = newReference(order);
    const { record, result: begun } = await this.#kit.orders.change(rowId, (before, now) => {
      if (before === undefined) return { record: undefined, result: undefined };
      const advanced = advance(before, now, reference, createTimeoutMs);
      return { record: advanced.record, result: advanced.begun };
    });
    const found = begun === undefined || record === undefined ? undefined : locate(record, begun);
    if (found === undefined || record === undefined) return;
    const { draft } = attemptById(record, found.attempt.id) ?? found.attempt;
    if (draft !== null) await makeCall(this.#kit, rowId, found.attempt, draft, found.call.reference);
  }

  async #lookup(rowId: string, reference: string): Promise<void> {
    this.#budget.spend();
    const found = await this.#kit.service
      .findPayinByReference(reference, { timeoutMs: LOOKUP_TIMEOUT_MS })
      .catch((error: unknown) => this.#noteFailure('lookup_failed', reference, error));
    if (found === undefined || found === null) {
      await this.#kit.orders.apply(rowId, (record, now) => lookupMissed(record, reference, now));
      return;
    }
    await storeAnswer(this.#kit, rowId, reference, heardPayin(found));
    await adoptOrphans(this.#kit, rowId, [keys.reference(reference), keys.service(found.id)]);
  }

  async #read(rowId: string, record: OrderRecord, reference: string, serviceId: string): Promise<void> {
    this.#budget.spend();
    const { chargebackWatchMs } = this.#kit.settings;
    const startedAt = this.#kit.now();
    const asked = locate(record, reference)?.call.hints ?? [];
    const heard = await this.#retrieve(record, reference, serviceId).catch((error: unknown) =>
      this.#noteFailure('read_failed', reference, error),
    );
    if (heard === undefined) {
      await this.#kit.orders.apply(rowId, (each, now) =>
        readFailed(each, reference, asked, now, chargebackWatchMs),
      );
      return;
    }
    this.#kit.measure({ name: 'service.read', value: this.#kit.now() - startedAt, unit: 'ms' });
    try {
      await this.#kit.orders.apply(rowId, (each, now) =>
        readArrived(each, reference, heard, asked, now, chargebackWatchMs),
      );
    } catch (error) {
      if (!(error instanceof KeyTakenError)) throw error;
      await this.#kit.orders.apply(rowId, (each, now) => disbelieve(each, reference, 'id', now));
    }
  }

  async #retrieve(record: OrderRecord, reference: string, serviceId: string): Promise<Heard> {
    const isLink = locate(record, reference)?.attempt.choice.kind === 'PAYMENT_LINK';
    const options = { timeoutMs: READ_TIMEOUT_MS };
    return isLink
      ? heardLink(await this.#kit.service.paymentLinks.retrieve(serviceId, options))
      : heardPayin(await this.#kit.service.payins.retrieve(serviceId, options));
  }

  #noteFailure(event: string, reference: string, error: unknown): undefined {
    const code = error instanceof ServiceError ? error.kind : errorName(error);
    this.#kit.log({ level: 'warn', event, reference, code }, error);
    this.#kit.measure({ name: 'service.read.failed', value: 1, unit: 'count', label: code });
    return undefined;
  }

  async #purge(): Promise<void> {
    const now = this.#kit.now();
    if (now - this.#purgedAt < PURGE_EVERY_MS) return;
    this.#purgedAt = now;
    const orders = await this.#kit.store.purge(now - this.#kit.settings.retentionMs);
    if (orders > 0) this.#kit.measure({ name: 'orders.purged', value: orders, unit: 'count' });
  }
}
