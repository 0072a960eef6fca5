import type { OrderRecord } from './record.js';

/** What becomes of a notice once its hook has run. */

/** Enough for any order that a person looks at; older ones are in the merchant's own books. */
const MOST_DELIVERED = 12;

/** The hook took it. The notice is kept, so that it can be delivered again under the same key. */
export function noticeDelivered(record: OrderRecord, key: string, now: number): OrderRecord {
  const notice = record.notices.find((each) => each.key === key);
  if (notice === undefined) return record;
  const { hook, payload } = notice;
  const before = record.delivered?.filter((each) => each.key !== key) ?? [];
  return {
    ...noticeDropped(record, key),
    delivered: [...before, { key, hook, payload, deliveredAt: now }].slice(-MOST_DELIVERED),
  };
}

/** The merchant has no such hook. */
export function noticeDropped(record: OrderRecord, key: string): OrderRecord {
  return { ...record, notices: record.notices.filter((notice) => notice.key !== key) };
}
