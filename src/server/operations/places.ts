import { rowIds } from '../orders/record.js';
import type { LineFilter, LineRow, Store } from '../stores/store.js';

/** Pages of the store's lines. Where one ends is text that a caller gives back for the next one. */

const PAGE = 50;

export async function pageOfLines(
  store: Store,
  filter: LineFilter,
  { after, limit = PAGE }: { readonly after?: string; readonly limit?: number },
): Promise<{ readonly rows: readonly LineRow[]; readonly next: string | null; readonly total: number }> {
  const from = after === undefined ? {} : { after: readPlace(after) };
  const rows = await store.lines({ ...filter, limit, ...from });
  const [sum] = await store.sums({ ...filter, by: [] });
  return { rows, next: placeAfter(rows, limit), total: sum?.count ?? 0 };
}

/** Null at the end: a page that is not full is the last. */
export function placeAfter(rows: readonly LineRow[], limit: number): string | null {
  const last = rows.at(-1);
  return last === undefined || rows.length < limit ? null : `${last.startedAt}.${last.id}`;
}

/** @throws RangeError when it is no place that `placeAfter` gave. */
export function readPlace(after: string): { startedAt: number; id: string } {
  const [, startedAt = '', id = ''] = /^(\d{1,15})\.(.{1,200})$/.exec(after) ?? [];
  if (id === '') throw new RangeError('after is not from a page of this list');
  return { startedAt: Number(startedAt), id };
}

/** The merchant's id of the order; empty for what is no order's. */
export function orderIn({ rowId }: Pick<LineRow, 'rowId'>): string {
  const start = rowIds.order('');
  return rowId.startsWith(start) ? rowId.slice(start.length) : '';
}
