import { rowIds } from '../orders/record.js';
import type { LineRow } from '../stores/store.js';

/** Where a page of the store's lines ends, as text that a caller gives back for the next one. */

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
