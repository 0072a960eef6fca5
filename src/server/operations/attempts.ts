import type { CheckoutContext } from '../context.js';
import { collected, type Collected, type Overview, overviewOf, startOfDays } from '../orders/overview.js';
import { rowIds } from '../orders/record.js';
import type { AttemptFilter, AttemptRow, AttemptTotals } from '../stores/store.js';

/** Lists and figures of attempts, for a person. They come from lines that the store adds up, not from the orders. */

/** Attempts that were started from one moment to before another; all that are kept when absent. */
export interface AttemptsQuery {
  readonly from?: Date;
  readonly until?: Date;
  /** `BRE_B`, `PSE` or `PAYMENT_LINK`. */
  readonly rail?: string;
  readonly state?: AttemptState;
  /** Part of a reference or of an order's id. */
  readonly search?: string;
  /** Also lists refunds, payouts and chargebacks, by their rail: `REFUND`, `PAYOUT` and `CHARGEBACK`. */
  readonly withMoneyOut?: boolean;
}

export const ATTEMPT_STATES = ['open', 'paid', 'declined', 'canceled'] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

/** Times are ISO 8601 in UTC. */
export interface AttemptListItem {
  readonly order: string;
  readonly reference: string;
  readonly rail: string;
  readonly status: string;
  readonly amountInCents: number;
  readonly paidInCents: number;
  readonly startedAt: string;
  readonly shownAt: string | null;
  readonly paidAt: string | null;
  /** Why it ended without money. */
  readonly reason: string | null;
}

export interface AttemptListPage {
  /** The last started first. */
  readonly attempts: readonly AttemptListItem[];
  /** Give it back as `after` for the next page; null at the end. */
  readonly next: string | null;
}

export interface AttemptOperations {
  list(
    query?: AttemptsQuery & { readonly after?: string; readonly limit?: number },
  ): Promise<AttemptListPage>;
  /** How many match, and what they asked for and brought in. */
  totals(query?: AttemptsQuery): Promise<AttemptTotals>;
  /** Today, the last 7 and the last 30 days, in Colombian time. */
  collected(): Promise<Readonly<Record<'today' | 'week' | 'month', Collected>>>;
  /** The last days in full: per day, per method, how long it took and why payments failed. */
  overview(dayCount: number): Promise<Overview>;
}

const PAGE = 50;
/** Colombia is five hours behind UTC all year. */
const ZONE_MS = -5 * 3_600_000;
const STATUSES: Readonly<Record<AttemptState, readonly string[]>> = {
  open: ['PENDING', 'PROCESSING'],
  paid: ['CONFIRMED', 'COMPLETED'],
  declined: ['DECLINED'],
  canceled: ['CANCELED', 'EXPIRED'],
};

export function attemptOperations(
  context: CheckoutContext,
  ready: () => Promise<void> | undefined,
): AttemptOperations {
  const { store } = context;
  const daysUntilNow = async (dayCount: number, daysOnly = false) => {
    await ready();
    const now = context.now();
    const from = startOfDays(now, dayCount, ZONE_MS);
    const figures = await store.figures({ from, until: now + 1, zoneMs: ZONE_MS, daysOnly });
    return overviewOf(figures, now, dayCount, ZONE_MS);
  };
  return {
    async list({ after, limit = PAGE, ...query } = {}) {
      await ready();
      const rows = await store.attempts({
        ...filterOf(query),
        limit,
        ...(after !== undefined && { after: readPlace(after) }),
      });
      const last = rows.at(-1);
      return {
        attempts: rows.map(listItem),
        next: last === undefined || rows.length < limit ? null : `${last.startedAt}.${last.id}`,
      };
    },
    async totals(query = {}) {
      await ready();
      return store.attemptTotals(filterOf(query));
    },
    async collected() {
      const { days } = await daysUntilNow(30, true);
      return {
        today: collected(days.slice(-1)),
        week: collected(days.slice(-7)),
        month: collected(days),
      };
    },
    overview: (dayCount) => daysUntilNow(dayCount),
  };
}

function filterOf({ from, until, rail, state, search, withMoneyOut }: AttemptsQuery): AttemptFilter {
  return {
    ...(withMoneyOut !== true && { direction: 'in' }),
    from: from?.getTime() ?? 0,
    until: until?.getTime() ?? Number.MAX_SAFE_INTEGER,
    ...(rail !== undefined && { rail }),
    ...(state !== undefined && { statuses: STATUSES[state] }),
    ...(search !== undefined && { text: search }),
  };
}

/** @throws RangeError when it is no place that `list` gave. */
export function readPlace(after: string): { startedAt: number; id: string } {
  const [, startedAt = '', id = ''] = /^(\d{1,15})\.(.{1,200})$/.exec(after) ?? [];
  if (id === '') throw new RangeError('after is not from a page of this list');
  return { startedAt: Number(startedAt), id };
}

function listItem(row: AttemptRow): AttemptListItem {
  return {
    order: orderIn(row),
    reference: row.reference,
    rail: row.rail,
    status: row.status,
    amountInCents: row.amountInCents,
    paidInCents: row.paidInCents,
    startedAt: iso(row.startedAt),
    shownAt: row.shownAt === null ? null : iso(row.shownAt),
    paidAt: row.paidAt === null ? null : iso(row.paidAt),
    reason: row.reason,
  };
}

/** The merchant's id of the order; empty for what is no order's. */
export function orderIn({ orderId }: Pick<AttemptRow, 'orderId'>): string {
  const start = rowIds.order('');
  return orderId.startsWith(start) ? orderId.slice(start.length) : '';
}

const iso = (at: number) => new Date(at).toISOString();
