import { MONEY_OUT } from '../../contract/merchant/payouts.js';
import type { Overview } from '../../contract/merchant/sales.js';
import type { LineSum, Store } from '../../server/stores/store.js';

/** What attempts of a time add up to, and what went back to payers. */
export interface Figures {
  /** Payments by the day they arrived on; days are counted from 1 January 1970 in the span's zone. */
  readonly days: readonly DayFigures[];
  /** Attempts that were started in the span. */
  readonly methods: readonly {
    readonly rail: string;
    readonly status: string;
    readonly started: number;
    readonly shown: number;
    readonly paid: number;
  }[];
  /** From the key to the money, for payments that arrived in the span. */
  readonly waits: Overview['waits'];
  /** The most frequent first. */
  readonly reasons: Overview['reasons'];
}

export interface DayFigures {
  readonly day: number;
  readonly paid: number;
  readonly paidInCents: number;
  readonly returnedInCents: number;
}

export interface Span {
  readonly from: number;
  readonly until: number;
  /** What to add to UTC for the merchant's midnight. */
  readonly zoneMs: number;
}

const MOST_REASONS = 20;
/** A payout is no return: it pays for something else. */
const RETURNS = ['REFUND', 'CHARGEBACK'] as const satisfies readonly (typeof MONEY_OUT)[number][];

export async function dayFigures(store: Store, span: Span): Promise<DayFigures[]> {
  const [came, went] = await Promise.all([
    store.sums({ ...span, time: 'paidAt', exceptRails: MONEY_OUT, by: ['day'] }),
    store.sums({ ...span, time: 'paidAt', rails: RETURNS, by: ['day'] }),
  ]);
  const days = new Set([...came, ...went].map(({ day }) => Number(day)));
  return [...days].map((day) => {
    const isOf = (sum: LineSum) => Number(sum.day) === day;
    const { paid = 0, paidInCents = 0 } = came.find(isOf) ?? {};
    return { day, paid, paidInCents, returnedInCents: went.find(isOf)?.paidInCents ?? 0 };
  });
}

export async function figuresOf(store: Store, span: Span): Promise<Figures> {
  const [days, started, waits] = await Promise.all([
    dayFigures(store, span),
    store.sums({ ...span, exceptRails: MONEY_OUT, by: ['rail', 'status', 'reason'] }),
    store.sums({ ...span, time: 'paidAt', exceptRails: MONEY_OUT, by: ['rail', 'wait'] }),
  ]);
  return { days, methods: methodsOf(started), waits: waitsOf(waits), reasons: reasonsOf(started) };
}

function methodsOf(started: readonly LineSum[]): Figures['methods'] {
  return started
    .map(({ rail, status, count, shown, paid }) => ({
      rail: String(rail),
      status: String(status),
      started: count,
      shown,
      paid,
    }))
    .sort((left, right) => compare(left.rail, right.rail));
}

/** Nearest rank: the wait that half, or nine tenths, of the payers did not exceed, to the second. */
function waitsOf(sums: readonly LineSum[]): Figures['waits'] {
  const known = sums
    .flatMap(({ rail, wait, count }) =>
      typeof wait === 'number' ? [{ rail: String(rail), wait, count }] : [],
    )
    .sort((left, right) => left.wait - right.wait);
  const rails = [...new Set(known.map(({ rail }) => rail))].sort(compare);
  return rails.map((rail) => {
    const waits = known.filter((each) => each.rail === rail);
    const paid = waits.reduce((sum, { count }) => sum + count, 0);
    const msAt = (rank: number) => {
      let left = rank;
      return (waits.find(({ count }) => (left -= count) <= 0)?.wait ?? 0) * 1000;
    };
    return { rail, paid, medianMs: msAt(Math.ceil(paid * 0.5)), p90Ms: msAt(Math.ceil(paid * 0.9)) };
  });
}

/** Why attempts ended without a payment. */
function reasonsOf(started: readonly LineSum[]): Figures['reasons'] {
  const counts = new Map<string, Figures['reasons'][number]>();
  for (const { rail, reason, count, paid } of started) {
    if (typeof reason !== 'string' || count === paid) continue;
    const key = JSON.stringify([rail, reason]);
    counts.set(key, { rail: String(rail), reason, count: (counts.get(key)?.count ?? 0) + count - paid });
  }
  return [...counts.values()]
    .sort(
      (left, right) =>
        right.count - left.count || compare(left.rail, right.rail) || compare(left.reason, right.reason),
    )
    .slice(0, MOST_REASONS);
}

function compare(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}
