import type { CallStatus, StoreStatus } from '../../contract/merchant/status.js';
import { isoTimeOrNull } from '../../service/clock.js';
import { type CheckoutContext, errorName } from '../context.js';
import type { Worker } from '../work/worker.js';
import type { StoreStats } from '../stores/store.js';
import type { Tally } from '../log/tally.js';

/** How a checkout is doing. What the store knows is about all instances, the rest about this process since it began. */
export interface CheckoutStatus {
  /** The store answers, and the background work (where it runs) has looked for work in the last minute. */
  readonly ready: boolean;
  /** Null when the store cannot be reached. */
  readonly store: StoreStatus | null;
  readonly work: {
    /** False where only `tick` is used. */
    readonly running: boolean;
    /** False when it runs and has not looked for work in the last minute. */
    readonly alive: boolean;
    readonly lastRoundAt: string | null;
  };
  /** Answers that are held open. */
  readonly waiters: number;
  readonly reads: {
    readonly perSecond: number;
    /** What may be asked of the service right now. */
    readonly left: number;
  };
  readonly service: {
    readonly creates: CallStatus;
    readonly reads: CallStatus;
  };
  /** Attempts that were started, by rail. */
  readonly attempts: Readonly<Record<string, number>>;
  /** Outcomes by name (`confirmed`, `declined`, `duplicate`, …) and rail. */
  readonly outcomes: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** A round that is this old means that the work has stopped. */
const ALIVE_FOR_MS = 60_000;

const OUTCOMES = {
  confirmed: 'payment_confirmed',
  declined: 'payment_declined',
  canceled: 'payment_canceled',
  duplicate: 'payment_duplicate',
  amount_mismatch: 'amount_mismatch',
  quarantined: 'quarantined',
  failed: 'attempt_failed',
  chargeback: 'chargeback',
} as const;

export async function checkoutStatus(
  context: CheckoutContext,
  worker: Worker,
  tally: Tally,
  waiters: number,
): Promise<CheckoutStatus> {
  const now = context.now();
  const { running, roundAt, startedAt, readsLeft } = worker.condition;
  const stats = await readStats(context, now);
  const alive = !running || now - (roundAt ?? startedAt) < ALIVE_FOR_MS;
  const calls = (name: string): CallStatus => {
    const { count, sum, largest } = tally.total(name);
    return {
      answered: count,
      failed: tally.counts(`${name}.failed`),
      meanMs: count === 0 ? 0 : Math.round(sum / count),
      slowestMs: Math.round(largest),
    };
  };
  return {
    ready: stats !== undefined && alive,
    store: stats === undefined ? null : storeStatus(stats),
    work: { running, alive, lastRoundAt: isoTimeOrNull(roundAt) },
    waiters,
    reads: { perSecond: context.settings.serviceReadsPerSecond, left: readsLeft },
    service: { creates: calls('service.create'), reads: calls('service.read') },
    attempts: tally.counts('order.attempt_created'),
    outcomes: Object.fromEntries(
      Object.entries(OUTCOMES).map(([name, event]) => [name, tally.counts(`order.${event}`)]),
    ),
  };
}

/** Undefined when the store cannot be reached: that is an answer here, not a failure. */
async function readStats(context: CheckoutContext, now: number): Promise<StoreStats | undefined> {
  try {
    return await context.store.stats(now);
  } catch (error) {
    context.logSparingly({ level: 'error', event: 'store_unreachable', code: errorName(error) });
    return undefined;
  }
}

function storeStatus(stats: StoreStats): StoreStatus {
  return {
    due: stats.due,
    oldestDueAt: isoTimeOrNull(stats.oldestDueAt),
    waitingNotices: stats.waitingNotices,
    oldestNoticeAt: isoTimeOrNull(stats.oldestNoticeAt),
    unmatchedEvents: stats.orphans,
    oldestUnmatchedEventAt: isoTimeOrNull(stats.oldestOrphanAt),
    review: stats.review,
  };
}
