import { JOURNAL_EVENTS, type JournalEvent } from '../../../contract/merchant/sales.js';
import { isFinal } from '../../../contract/status.js';
import type { HookName, PaymentNotice } from '../../hooks.js';
import type { AttemptRecord, JournalEntry, NoticeRecord, OrderRecord } from '../record.js';

/** What changed from one record of an order to the next. The entries are its history, and the audit lines of the log. */

/** A row must not grow without end; what is older is in the log. */
const LONGEST_JOURNAL = 60;

export function withEntries(record: OrderRecord, entries: readonly JournalEntry[]): OrderRecord {
  if (entries.length === 0) return record;
  return { ...record, journal: [...(record.journal ?? []), ...entries].slice(-LONGEST_JOURNAL) };
}

/** What happened between two states of an order. */
export function journalEntries(
  before: OrderRecord | undefined,
  after: OrderRecord,
  now: number,
): JournalEntry[] {
  return [
    ...after.attempts.flatMap((attempt) => {
      const known = before?.attempts.find(({ id }) => id === attempt.id);
      return known === attempt ? [] : attemptEntries(known, attempt, now);
    }),
    ...payoutEntries(before, after, now),
    ...noticeEntries(before, after, now),
  ];
}

/** Outcomes are taken from notices; the steps before them have none and are compared. */
function payoutEntries(before: OrderRecord | undefined, after: OrderRecord, now: number): JournalEntry[] {
  return (after.payouts ?? []).flatMap((payout) => {
    const { state, reference, amountInCents, reason } = payout;
    const known = before?.payouts?.find(({ id }) => id === payout.id);
    if (known?.state === state || (state !== 'SENDING' && state !== 'UNCLEAR')) return [];
    const event = state === 'SENDING' ? 'payout_sent' : 'payout_unclear';
    return [
      { at: now, event, reference, amountInCents, ...(reason !== null && { detail: reason }) } as const,
    ];
  });
}

function attemptEntries(
  before: AttemptRecord | undefined,
  after: AttemptRecord,
  now: number,
): JournalEntry[] {
  const entries: JournalEntry[] = [];
  const rail = railOf(after);
  const { amountInCents } = after;
  if (before === undefined) {
    const reference = after.submissions[0]?.reference;
    entries.push({
      at: now,
      event: 'attempt_created',
      ...(reference && { reference }),
      rail,
      amountInCents,
    });
  }
  for (const submission of [...after.submissions, ...after.payins]) {
    const known = [...(before?.submissions ?? []), ...(before?.payins ?? [])].find(
      (each) => each.reference === submission.reference,
    );
    const { serviceId } = submission;
    const reference = submission.link ?? submission.reference;
    if (serviceId !== null && (known?.serviceId ?? null) === null) {
      entries.push({
        at: now,
        event: 'payment_known',
        reference,
        rail,
        amountInCents,
        detail: serviceId,
      });
    }
    for (const event of submission.unverifiedEvents) {
      const isNew =
        known?.unverifiedEvents.some(({ status, at }) => status === event.status && at === event.at) !== true;
      // Only an outcome is worth a line: events repeat what is open as often as they like.
      if (isNew && isFinal(event.status)) {
        entries.push({ at: now, event: 'event_received', reference, rail, detail: event.status });
      }
    }
  }
  const reference = after.submissions.at(-1)?.reference;
  const about = { at: now, ...(reference && { reference }), rail };
  if (after.replaced && before?.replaced === false) entries.push({ ...about, event: 'attempt_replaced' });
  if (after.ended !== null && (before?.ended ?? null) === null) {
    entries.push({ ...about, event: 'attempt_failed', amountInCents, detail: after.ended.errorCode });
  }
  return entries;
}

function noticeEntries(before: OrderRecord | undefined, after: OrderRecord, now: number): JournalEntry[] {
  const known = new Set(before?.notices.map(({ key }) => key));
  const waiting = new Set(after.notices.map(({ key }) => key));
  const delivered = new Set(before?.delivered?.map(({ key }) => key));
  const gone = after.delivered?.filter((notice) => notice.deliveredAt === now && known.has(notice.key)) ?? [];
  const added = after.notices.filter(({ key }) => !known.has(key));
  return [
    ...gone
      .filter(({ key }) => !waiting.has(key))
      .map((notice) => ({
        at: now,
        event: 'notice_delivered' as const,
        ...aboutPayment(notice),
        detail: notice.key,
      })),
    ...added.map((notice) => ({
      at: now,
      event: delivered.has(notice.key) ? ('notice_repeated' as const) : eventOf(notice),
      ...aboutPayment(notice),
      detail: detailOf(notice),
    })),
  ];
}

type Notice = Pick<NoticeRecord, 'key' | 'hook' | 'payload'>;

const EVENTS = {
  onConfirmed: 'payment_confirmed',
  onDuplicatePayment: 'payment_duplicate',
  onAmountMismatch: 'amount_mismatch',
  onDeclined: 'payment_declined',
  onCanceled: 'payment_canceled',
  onChargeback: 'chargeback',
  onPayout: 'payout_reported',
  onRefunded: 'refunded',
  onPayoutFailed: 'payout_failed',
} as const satisfies Record<Exclude<HookName, 'onReport'>, JournalEvent>;

function eventOf({ hook, payload }: Notice): JournalEvent {
  if (hook !== 'onReport') return EVENTS[hook];
  const { report } = payload;
  return JOURNAL_EVENTS.find((event) => event === report) ?? 'quarantined';
}

/** What differs or was claimed, for a report; the outcome's status otherwise. */
function detailOf({ payload }: Notice): string {
  return String(payload['detail'] ?? payload['errorCode'] ?? payload['status']);
}

function aboutPayment({ payload }: Notice): Partial<JournalEntry> {
  const { reference, rail, kind, amountInCents, confirmedAmountInCents } = payload as Partial<PaymentNotice>;
  return {
    ...(typeof reference === 'string' && { reference }),
    ...(kind !== undefined && { rail: kind === 'PAYMENT_LINK' ? kind : (rail ?? kind) }),
    ...(typeof amountInCents === 'number' && { amountInCents }),
    ...(typeof confirmedAmountInCents === 'number' && { confirmedAmountInCents }),
  };
}

function railOf({ choice }: AttemptRecord): string {
  return choice.kind === 'PAYMENT_LINK' ? choice.kind : choice.rail;
}
