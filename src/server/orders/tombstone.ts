import { newOrder, type OrderRecord } from './record.js';

/**
 * What is left of an order that money came in for, once it is removed: nothing but that it must not be paid again, nor
 * its payments given back.
 */

/** The latest time that a `Date` can hold. */
const FOR_EVER = 8.64e15;

/** Undefined when no money came in: nothing is left then. It stays as long as a token of the order may live. */
export function tombstoneOf(
  record: OrderRecord,
  now: number,
  lifetimeMs: number | null,
): OrderRecord | undefined {
  if (record.payments.length === 0) return undefined;
  const goneUntil = lifetimeMs === null ? FOR_EVER : now + lifetimeMs;
  return { ...newOrder(record.order), goneUntil, gone: record.payments.map(({ serviceId }) => serviceId) };
}

export function isTombstone(record: OrderRecord): boolean {
  return record.goneUntil !== undefined;
}
