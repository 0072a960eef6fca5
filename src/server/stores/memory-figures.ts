import { MONEY_OUT } from '../../contract/payouts.js';
import type { AttemptFilter, AttemptLine, AttemptRow, FigureSpan, StoreFigures } from './store.js';

/** Lines of attempts in memory, with the answers that a database gives. */

const DAY_MS = 86_400_000;
const MOST_REASONS = 20;

export function matches(
  { orderId, reference, rail, status, startedAt }: AttemptRow,
  filter: AttemptFilter,
): boolean {
  const text = filter.text?.toLowerCase();
  return (
    startedAt >= filter.from &&
    startedAt < filter.until &&
    (filter.direction === undefined || isIn(rail) === (filter.direction === 'in')) &&
    (filter.rail === undefined || rail === filter.rail) &&
    (filter.statuses === undefined || filter.statuses.includes(status)) &&
    (text === undefined || [reference, orderId].some((each) => each.toLowerCase().includes(text)))
  );
}

const isIn = (rail: string) => !MONEY_OUT.some((each) => each === rail);

/** The last started first. */
export function newestFirst(
  left: Pick<AttemptLine, 'id' | 'startedAt'>,
  right: Pick<AttemptLine, 'id' | 'startedAt'>,
): number {
  return right.startedAt - left.startedAt || (left.id === right.id ? 0 : left.id < right.id ? 1 : -1);
}

export function figuresOf(
  all: readonly AttemptLine[],
  { from, until, zoneMs, daysOnly = false }: FigureSpan,
): StoreFigures {
  const lines = all.filter(({ rail }) => isIn(rail));
  const started = daysOnly ? [] : lines.filter(({ startedAt }) => startedAt >= from && startedAt < until);
  const paid = lines.filter(({ paidAt }) => paidAt !== null && paidAt >= from && paidAt < until);
  return {
    days: groups(paid, ({ paidAt, rail }) => [Math.floor(((paidAt ?? 0) + zoneMs) / DAY_MS), rail]).map(
      ([[day, rail], each]) => ({
        day: Number(day),
        rail: String(rail),
        paid: each.length,
        paidInCents: each.reduce((sum, { paidInCents }) => sum + paidInCents, 0),
      }),
    ),
    methods: groups(started, ({ rail, status }) => [rail, status]).map(([[rail, status], each]) => ({
      rail: String(rail),
      status: String(status),
      started: each.length,
      shown: each.filter(({ shownAt }) => shownAt !== null).length,
      paid: each.filter(({ paidAt }) => paidAt !== null).length,
    })),
    waits: groups(
      paid.filter(({ shownAt }) => shownAt !== null && !daysOnly),
      ({ rail }) => [rail],
    ).map(([[rail], each]) => {
      const waits = each
        .map(({ paidAt, shownAt }) => (paidAt ?? 0) - (shownAt ?? 0))
        .sort((left, right) => left - right);
      const rank = (part: number) => waits[Math.ceil(waits.length * part) - 1] ?? 0;
      return { rail: String(rail), paid: waits.length, medianMs: rank(0.5), p90Ms: rank(0.9) };
    }),
    reasons: groups(
      started.filter(({ reason, paidAt }) => reason !== null && paidAt === null),
      ({ rail, reason }) => [rail, reason ?? ''],
    )
      .map(([[rail, reason], each]) => ({
        rail: String(rail),
        reason: String(reason),
        count: each.length,
      }))
      .sort((left, right) => right.count - left.count)
      .slice(0, MOST_REASONS),
  };
}

type Key = readonly (string | number)[];

/** By a key, in the order of the keys. */
function groups(lines: readonly AttemptLine[], keyOf: (line: AttemptLine) => Key): [Key, AttemptLine[]][] {
  const found = new Map<string, [Key, AttemptLine[]]>();
  for (const line of lines) {
    const key = keyOf(line);
    const name = JSON.stringify(key);
    const group = found.get(name) ?? [key, []];
    found.set(name, group);
    group[1].push(line);
  }
  return [...found.values()].sort(([left], [right]) => compare(left, right));
}

function compare(left: Key, right: Key): number {
  for (const [index, value] of left.entries()) {
    const other = right[index] ?? value;
    if (value !== other) return value < other ? -1 : 1;
  }
  return 0;
}
