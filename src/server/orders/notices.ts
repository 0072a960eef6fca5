import type { HookName } from '../hooks.js';
import type { NoticeRecord, OrderRecord } from './record.js';
import { backOffMs, passedOnUntil, WATCH_FOR_MS } from './schedule.js';

/** What becomes of a notice once its hook has run. */

/** Hooks about money. Their notices are delivered before others. */
const MONEY_HOOKS: readonly HookName[] = [
  'onConfirmed',
  'onAmountMismatch',
  'onDuplicatePayment',
  'onChargeback',
  'onRefunded',
  'onPayoutFailed',
];

export function isMoney({ hook }: Pick<NoticeRecord, 'hook'>): boolean {
  return MONEY_HOOKS.includes(hook);
}

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

function noticeDropped(record: OrderRecord, key: string): OrderRecord {
  return { ...record, notices: record.notices.filter((notice) => notice.key !== key) };
}

/**
 * This process has no such hook, but another may: a job beside the shop, or an earlier release during an upgrade. After
 * thirty days the merchant has none, and the notice goes.
 */
export function passNoticeOn(record: OrderRecord, key: string, now: number): OrderRecord {
  const notice = record.notices.find((each) => each.key === key);
  if (notice === undefined) return record;
  if (now - Date.parse(String(notice.payload['at'])) >= WATCH_FOR_MS) return noticeDropped(record, key);
  const { passedOn = 0 } = notice;
  return withNotice(record, key, { nextAt: passedOnUntil(passedOn, now), passedOn: passedOn + 1 });
}

/** Its hook is still running: no other process runs it before that time. */
export function holdNotice(record: OrderRecord, key: string, until: number, tries: number): OrderRecord {
  return withNotice(record, key, { nextAt: until, tries });
}

function withNotice(record: OrderRecord, key: string, change: Partial<NoticeRecord>): OrderRecord {
  const notices = record.notices.map((notice) => (notice.key === key ? { ...notice, ...change } : notice));
  return { ...record, notices };
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
  const tries = record.notices.find((notice) => notice.key === key)?.tries ?? 0;
  return withNotice(record, key, { tries: tries + 1, nextAt: now + backOffMs(tries) });
}
