import type { NoticeRecord, OrderRecord } from './record.js';
import { backOffMs } from './schedule.js';

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

/** Puts a notice at the end of the line again: one that was delivered, or one that waits for its next try. */
export function repeatNotice(record: OrderRecord, key: string, now: number): OrderRecord {
  const waiting = record.notices.find((each) => each.key === key);
  if (waiting !== undefined) {
    const notices = record.notices.map((each) => (each === waiting ? { ...each, nextAt: now } : each));
    return { ...record, notices };
  }
  const delivered = record.delivered?.find((each) => each.key === key);
  if (delivered === undefined) return record;
  const { hook, payload } = delivered;
  const notice: NoticeRecord = { key, hook, payload, tries: 0, nextAt: now };
  return { ...record, notices: [...record.notices, notice] };
}

/** The hook failed: it is run again after a second, then after twice as long each time, at most an hour. */
export function postponeNotice(record: OrderRecord, key: string, now: number): OrderRecord {
  return {
    ...record,
    notices: record.notices.map((notice) =>
      notice.key === key
        ? { ...notice, tries: notice.tries + 1, nextAt: now + backOffMs(notice.tries) }
        : notice,
    ),
  };
}
