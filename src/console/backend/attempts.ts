import { MONEY_OUT } from '../../contract/merchant/payouts.js';
import type {
  AttemptListItem,
  AttemptListPage,
  AttemptTotals,
  Overview,
  Periods,
} from '../../contract/merchant/sales.js';
import { parseDay } from '../../contract/values/dates.js';
import { COLOMBIA_MS } from '../../contract/values/moment.js';
import { isoTime, isoTimeOrNull } from '../../service/clock.js';
import { orderIn, placeAfter, readPlace } from '../../server/operations/places.js';
import { migration } from '../../server/stores/migration.js';
import type { LineFilter, LineRow, Store } from '../../server/stores/store.js';
import { dayFigures, figuresOf } from './figures.js';
import { collected, daysUntil, overviewOf, startOfDays, sum } from './overview.js';

/** Lists and figures of attempts, for a person. They come from lines that the store adds up, not from the orders. */

/** Attempts that were started from one moment to before another; all that are kept when absent. */
export interface AttemptsQuery {
  readonly from?: Date;
  readonly until?: Date;
  /** `BRE_B`, `PSE` or `PAYMENT_LINK`. */
  readonly rail?: string;
  readonly state?: AttemptState;
  /** What a customer has at hand: order, reference, CUS, key, exact sum, end of the document, or a day. */
  readonly search?: string;
  /** Also lists refunds, payouts and chargebacks, by their rail: `REFUND`, `PAYOUT` and `CHARGEBACK`. */
  readonly withMoneyOut?: boolean;
}

export const ATTEMPT_STATES = ['open', 'paid', 'declined', 'canceled'] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

export interface AttemptOperations {
  list(
    query?: AttemptsQuery & { readonly after?: string; readonly limit?: number },
  ): Promise<AttemptListPage>;
  /** How many match, and what those of payers asked for and brought in. */
  totals(query?: AttemptsQuery): Promise<AttemptTotals>;
  /** Today, yesterday, the same day a week ago, the last 7 and the last 30 days, in Colombian time. */
  collected(): Promise<Periods>;
  /** The last days in full: per day, per method, how long it took and why payments failed. */
  overview(dayCount: number): Promise<Overview>;
}

const PAGE = 50;
const STATUSES: Readonly<Record<AttemptState, readonly string[]>> = {
  open: ['PENDING', 'PROCESSING'],
  // With money out, what was paid and what banks took back of it add up to what is left.
  paid: ['CONFIRMED', 'COMPLETED', 'CHARGED_BACK'],
  declined: ['DECLINED'],
  canceled: ['CANCELED', 'EXPIRED'],
};

/** The checkout's store has all that it needs. */
export function attemptsOf(store: Store, clock: () => number = Date.now): AttemptOperations {
  const ready = migration(store);
  const lastDays = async (dayCount: number) => {
    await ready();
    const now = clock();
    return {
      now,
      span: { from: startOfDays(now, dayCount, COLOMBIA_MS), until: now + 1, zoneMs: COLOMBIA_MS },
    };
  };
  return {
    async list({ after, limit = PAGE, ...query } = {}) {
      await ready();
      const rows = await store.lines({
        ...filterOf(query),
        limit,
        ...(after !== undefined && { after: readPlace(after) }),
      });
      return { attempts: rows.map(listItem), next: placeAfter(rows, limit) };
    },
    async totals(query = {}) {
      await ready();
      const sums = await store.sums({ ...filterOf(query), by: ['rail'] });
      const came = sums.filter(({ rail }) => !MONEY_OUT.some((each) => each === rail));
      return {
        count: sum(sums, 'count'),
        amountInCents: sum(came, 'amountInCents'),
        paid: sum(came, 'paid'),
        paidInCents: sum(came, 'paidInCents'),
      };
    },
    async collected() {
      const { now, span } = await lastDays(30);
      const days = daysUntil(await dayFigures(store, span), now, 30, COLOMBIA_MS);
      return {
        today: collected(days.slice(-1)),
        yesterday: collected(days.slice(-2, -1)),
        weekAgo: collected(days.slice(-8, -7)),
        week: collected(days.slice(-7)),
        month: collected(days),
      };
    },
    async overview(dayCount) {
      const { now, span } = await lastDays(dayCount);
      return overviewOf(await figuresOf(store, span), now, dayCount, COLOMBIA_MS);
    },
  };
}

function filterOf({ from, until, rail, state, search = '', withMoneyOut }: AttemptsQuery): LineFilter {
  const day = dayIn(search);
  const typed = sumIn(search);
  return {
    ...(withMoneyOut !== true && { exceptRails: MONEY_OUT }),
    from: day ?? from?.getTime() ?? 0,
    until: day === undefined ? (until?.getTime() ?? Number.MAX_SAFE_INTEGER) : day + DAY_MS,
    ...(rail !== undefined && { rails: [rail] }),
    ...(state !== undefined && { statuses: STATUSES[state] }),
    ...(search !== '' && day === undefined && { text: search }),
    ...(typed !== undefined && { amountInCents: typed }),
  };
}

const DAY_MS = 86_400_000;

/** Colombian midnight of a day that is written as `2026-11-18` or `18/11/2026`. */
function dayIn(search: string): number | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(search) ?? [];
  const [, otherDay, otherMonth, otherYear] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(search) ?? [];
  const date = [year ?? otherYear, month ?? otherMonth, day ?? otherDay].map((part = '') =>
    part.padStart(2, '0'),
  );
  return parseDay(date.join('-')) ?? undefined;
}

/** Cents of a sum that is written with either language's separators: `42.900`, `$ 42,900`, `42900,50`. */
function sumIn(search: string): number | undefined {
  const typed = search.replaceAll(/[\s$]/g, '');
  const [, pesos = '', cents = ''] =
    /^(\d{1,11}|\d{1,3}(?:[.,]\d{3}){1,3})(?:[.,](\d{1,2}))?$/.exec(typed) ?? [];
  return pesos === '' ? undefined : Number(pesos.replaceAll(/[.,]/g, '') + cents.padEnd(2, '0'));
}

function listItem(row: LineRow): AttemptListItem {
  return {
    id: row.id,
    order: orderIn(row),
    reference: row.reference,
    rail: row.rail,
    status: row.status,
    amountInCents: row.amountInCents,
    paidInCents: row.paidInCents,
    startedAt: isoTime(row.startedAt),
    shownAt: isoTimeOrNull(row.shownAt),
    paidAt: isoTimeOrNull(row.paidAt),
    reason: row.reason,
    cus: row.cus ?? null,
    bank: row.bank ?? null,
  };
}
