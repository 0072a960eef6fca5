import type { ReviewKind } from '../../../contract/merchant/sales.js';
import { isFinal } from '../../../contract/status.js';
import type { Line } from '../../line.js';
import { linesOf } from './lines.js';
import type { PayoutRecord } from '../payouts/payout-record.js';
import { isMoney } from '../notices.js';
import { handleOf } from '../settlement.js';
import {
  attemptById,
  disclosedSubmission,
  type Located,
  type OrderRecord,
  type PaymentRecord,
  submissionsOf,
} from '../record.js';
import { payoutsOf } from '../payouts/refunds.js';

/** What of an order needs a person: nothing here is ever put right by waiting alone. */

export interface ReviewItem {
  /** What `markHandled` takes. It covers what the item says, so that news of the same payment is another item. */
  readonly key: string;
  readonly kind: ReviewKind;
  readonly reference: string;
  /** The service's id of the payin that brought the money it is about. */
  readonly payment?: string;
  /** Since when it needs a person, in epoch milliseconds. */
  readonly since: number;
  /** What differs, the claimed status or the hook. */
  readonly detail: string;
}

const MINUTE_MS = 60_000;
const UNVERIFIED_AFTER_MS = 10 * MINUTE_MS;
const STUCK_AFTER_MS = 24 * 60 * MINUTE_MS;
const HOOK_FAILING_AFTER_MS = 5 * MINUTE_MS;

/** What needs a person now. */
export function reviewItems(record: OrderRecord, now: number): ReviewItem[] {
  return openItems(record).filter(({ since }) => since <= now);
}

/** Items that a person has handled. */
export function handledItems(record: OrderRecord): ReviewItem[] {
  return allItems(record).filter(({ key }) => record.handled?.includes(key) === true);
}

/** When an order first needs a person if nothing else happens; null when it does not. */
function reviewAt(record: OrderRecord): number | null {
  const times = openItems(record).map(({ since }) => since);
  return times.length === 0 ? null : Math.min(...times);
}

/** What the store keeps beside the record, to find it by. */
export function rowFacts(record: OrderRecord): {
  reviewAt: number | null;
  noticeAt: number | null;
  lines: readonly Line[];
} {
  return { reviewAt: reviewAt(record), noticeAt: noticeAt(record), lines: linesOf(record) };
}

/** Forgets that an item was handled once it is gone: if it comes back, it is news. */
export function withoutOldMarks(record: OrderRecord): OrderRecord {
  if (record.handled === undefined) return record;
  const present = new Set(allItems(record).map(({ key }) => key));
  const handled = record.handled.filter((key) => present.has(key));
  return handled.length === record.handled.length ? record : { ...record, handled };
}

/**
 * Since when the oldest notice waits for its hook; null when none does. A notice without money that this process has
 * passed on is nearly always for a hook that the merchant does not have.
 */
function noticeAt(record: OrderRecord): number | null {
  const waiting = record.notices.filter((notice) => isMoney(notice) || (notice.passedOn ?? 0) === 0);
  const times = waiting.map((notice) => Date.parse(String(notice.payload['at'])));
  return times.length === 0 ? null : Math.min(...times);
}

function openItems(record: OrderRecord): ReviewItem[] {
  const handled = new Set(record.handled ?? []);
  return allItems(record).filter(({ key }) => !handled.has(key));
}

function allItems(record: OrderRecord): ReviewItem[] {
  return [
    ...paymentItems(record),
    ...submissionsOf(record).flatMap(submissionItems),
    ...payoutsOf(record).flatMap(payoutItems),
    ...hookItems(record),
  ];
}

function item(
  kind: ReviewKind,
  reference: string,
  since: number,
  detail: string,
  handle = reference,
): ReviewItem {
  return { key: keyOf(kind, handle, detail), kind, reference, since, detail };
}

function keyOf(kind: ReviewKind, about: string, says: string): string {
  return `${kind}.${about}.${says.replaceAll(/[^\w.-]+/g, '-')}`;
}

/** The same sums as the settlement's verdict: what falls short, what is too much, what came after. */
function paymentItems(record: OrderRecord): ReviewItem[] {
  const { payments } = record;
  const items: ReviewItem[] = [];
  let paidInCents = 0;
  let isComplete = false;
  const about = (kind: ReviewKind, payment: PaymentRecord, detailInCents: number) => ({
    ...item(kind, payment.reference, payment.at, String(detailInCents), handleOf(record, payment)),
    payment: payment.serviceId,
  });
  for (const [index, payment] of payments.entries()) {
    const { amountInCents, orderAmountInCents } = payment;
    paidInCents += amountInCents;
    const excessInCents = isComplete ? amountInCents : paidInCents - orderAmountInCents;
    if (excessInCents > 0 && index > 0) items.push(about('duplicate', payment, excessInCents));
    else if (excessInCents > 0) items.push(about('amount_mismatch', payment, amountInCents));
    else if (attemptById(record, payment.attempt)?.late === true)
      items.push(about('late', payment, amountInCents));
    isComplete ||= paidInCents >= orderAmountInCents;
  }
  const last = payments.at(-1);
  return last === undefined || isComplete ? items : [...items, about('amount_mismatch', last, paidInCents)];
}

function submissionItems(located: Located): ReviewItem[] {
  const { quarantine, chargebackAt, startedAt, status, unverifiedEvents } = located.submission;
  const about = (kind: ReviewKind, since: number, detail: string) => {
    const { reference, link } = located.submission;
    return item(kind, link ?? reference, since, detail, reference);
  };
  const items = unverifiedEvents
    .filter((event) => isFinal(event.status))
    .map((event) => about('unverified', event.at + UNVERIFIED_AFTER_MS, event.status));
  if (quarantine !== null) items.push(about('quarantined', startedAt, quarantine));
  if (chargebackAt !== null) items.push(about('chargeback', Date.parse(chargebackAt), chargebackAt));
  if (isStuck(located)) items.push(about('stuck', startedAt + STUCK_AFTER_MS, status));
  return items;
}

/** A payer who was sent to a bank may have authorised the payment. A Bre-B key that was not paid needs no person. */
function isStuck({ attempt, submission }: Located): boolean {
  const isDisclosed = submission === disclosedSubmission(attempt);
  return isDisclosed && submission.source.pseUrl !== null && !isFinal(submission.status);
}

/** Payouts cannot be read: an unclear one needs a person at once, and one whose event has not come does after a day. */
function payoutItems({ state, reference, steps, reason, contradiction }: PayoutRecord): ReviewItem[] {
  const since = steps.at(-1)?.at ?? 0;
  const items: ReviewItem[] = [];
  if (state === 'UNCLEAR') items.push(item('payout_unclear', reference, since, reason ?? state));
  if (state === 'PROCESSING') items.push(item('payout_unclear', reference, since + STUCK_AFTER_MS, state));
  if (contradiction !== null) items.push(item('payout_contradicted', reference, since, contradiction));
  return items;
}

function hookItems(record: OrderRecord): ReviewItem[] {
  return record.notices
    .filter(({ tries }) => tries > 0)
    .map(({ key, hook, tries, payload }) => ({
      key: keyOf('hook_failing', key, String(tries)),
      kind: 'hook_failing',
      reference: String(payload['reference'] ?? ''),
      since: Date.parse(String(payload['at'])) + HOOK_FAILING_AFTER_MS,
      detail: hook,
    }));
}
