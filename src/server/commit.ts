import { attemptFacts } from './orders/attempt-view.js';
import { dueAt } from './orders/next-task.js';
import { allKeys, type AttemptRecord, type OrderRecord } from './orders/record.js';
import type { OrderWrite } from './stores/store.js';

/**
 * Turns a changed record into a write. What a payer can see is compared before and after: only then the version
 * grows and waiters are woken, and nobody has to remember to do either.
 */
export function commit(
  before: OrderRecord | undefined,
  after: OrderRecord,
  now: number,
): { record: OrderRecord; write?: OrderWrite } {
  if (before === after) return { record: after };
  const seen = new Map(before?.attempts.map((attempt) => [attempt.id, visible(before, attempt)]));
  let changed = false;
  const attempts = after.attempts.map((attempt) => {
    if (seen.get(attempt.id) === visible(after, attempt)) return attempt;
    changed = true;
    return { ...attempt, changedAt: now };
  });
  const record = changed ? { ...after, attempts, version: after.version + 1 } : after;
  const known = new Set(before === undefined ? [] : allKeys(before));
  const addKeys = allKeys(record).filter((key) => !known.has(key));
  return { record, write: { body: record, dueAt: dueAt(record), addKeys, at: now, wake: changed } };
}

function visible(record: OrderRecord, attempt: AttemptRecord): string {
  return JSON.stringify(attemptFacts(record, attempt));
}
