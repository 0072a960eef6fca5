import type { StoreStats } from '../store.js';

/** Facts of rows in their columns. */

export function wholeMs(time: number | null): number | null {
  return time === null ? null : Math.trunc(time);
}

/** One row of counts and times, in one statement; each of its three values is the time now. */
export function statsSql(tables: { readonly orders: string; readonly orphans: string }): string {
  const { orders, orphans } = tables;
  return `select
    (select count(*) from ${orders} where due_at <= ?) as due,
    (select min(due_at) from ${orders} where due_at <= ?) as oldest_due,
    (select count(*) from ${orders} where notice_at is not null) as notices,
    (select min(notice_at) from ${orders} where notice_at is not null) as oldest_notice,
    (select count(*) from ${orphans}) as orphans,
    (select min(received_at) from ${orphans}) as oldest_orphan,
    (select count(*) from ${orders} where review_at <= ?) as review`;
}

/** Databases give large numbers as text. */
export function statsFrom(row: Readonly<Record<string, unknown>> | undefined): StoreStats {
  const count = (name: string) => Number(row?.[name] ?? 0);
  const time = (name: string) => ((row?.[name] ?? null) === null ? null : Number(row?.[name]));
  return {
    due: count('due'),
    oldestDueAt: time('oldest_due'),
    waitingNotices: count('notices'),
    oldestNoticeAt: time('oldest_notice'),
    orphans: count('orphans'),
    oldestOrphanAt: time('oldest_orphan'),
    review: count('review'),
  };
}
