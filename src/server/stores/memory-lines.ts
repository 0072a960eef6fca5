import type { Line } from '../line.js';
import type { LineFilter, LineGroup, LineRow, LineSum, LineSumQuery } from './store.js';

/** Lines in memory, filtered and added up as a database does it. */

const DAY_MS = 86_400_000;

export function matches(line: LineRow, filter: LineFilter): boolean {
  const text = filter.text?.toLowerCase();
  const at = line[filter.time ?? 'startedAt'];
  return (
    at !== null &&
    at >= filter.from &&
    at < filter.until &&
    filter.rails?.includes(line.rail) !== false &&
    filter.exceptRails?.includes(line.rail) !== true &&
    filter.statuses?.includes(line.status) !== false &&
    (text === undefined ||
      [line.amountInCents, line.paidInCents].some((each) => each === filter.amountInCents) ||
      [line.reference, line.rowId, line.cus, line.key, line.documentEnd].some(
        (each) => each?.toLowerCase().includes(text) === true,
      ))
  );
}

/** The last started first. */
export function newestFirst(
  left: Pick<Line, 'id' | 'startedAt'>,
  right: Pick<Line, 'id' | 'startedAt'>,
): number {
  return right.startedAt - left.startedAt || (left.id === right.id ? 0 : left.id < right.id ? 1 : -1);
}

export function sumsOf(
  lines: readonly LineRow[],
  { by, time = 'startedAt', zoneMs = 0, ...filter }: LineSumQuery,
): LineSum[] {
  const valueOf = (line: Line, group: LineGroup) => {
    switch (group) {
      case 'day':
        return Math.floor(((line[time] ?? 0) + zoneMs) / DAY_MS);
      case 'wait':
        return line.paidAt === null || line.shownAt === null
          ? null
          : Math.trunc((line.paidAt - line.shownAt) / 1000);
      default:
        return line[group];
    }
  };
  const groups = new Map<string, LineSum>();
  if (by.length === 0) groups.set('{}', NOTHING);
  for (const line of lines.filter((each) => matches(each, { ...filter, time }))) {
    const group = Object.fromEntries(by.map((each) => [each, valueOf(line, each)]));
    const name = JSON.stringify(group);
    const sum = groups.get(name) ?? { ...group, ...NOTHING };
    groups.set(name, {
      ...sum,
      count: sum.count + 1,
      shown: sum.shown + Number(line.shownAt !== null),
      paid: sum.paid + Number(line.paidAt !== null),
      amountInCents: sum.amountInCents + line.amountInCents,
      paidInCents: sum.paidInCents + line.paidInCents,
    });
  }
  return [...groups.values()];
}

const NOTHING = { count: 0, shown: 0, paid: 0, amountInCents: 0, paidInCents: 0 };
