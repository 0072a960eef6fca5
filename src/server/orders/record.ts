import type { Merchant } from '../../contract/offer.js';
import type { KeyType, PersonType, Rail } from '../../contract/kinds.js';
import type { HistoryEntry } from '../../contract/merchant/sales.js';
import type { InlineCustomer } from '../../contract/service/resources.js';
import type { AttemptStatus, PayinStatus } from '../../contract/status.js';
import { isPaid } from '../../contract/status.js';
import type { HookName } from '../hooks.js';
import type { PayoutRecord } from './payouts/payout-record.js';

/**
 * What the kit knows of one order. This room decides what becomes of it: record, news and time in, record out. Nothing
 * here reads a clock, asks the service or writes to a store; `work`, `http` and `stores` do.
 * Records are replaced, never changed. Times are
 * epoch milliseconds here and become text only at the edge, except where the service's own text is kept.
 */
export interface OrderRecord {
  /** The merchant's id. */
  readonly order: string;
  /** Grows whenever something that a payer can see changes. */
  readonly version: number;
  /** Oldest first; the last one is the current one. */
  readonly attempts: readonly AttemptRecord[];
  /** Money that arrived, in the order it was read. `settlement.ts` says what it makes of the order. */
  readonly payments: readonly PaymentRecord[];
  /** Notices that hooks must still be run for, oldest first. */
  readonly notices: readonly NoticeRecord[];
  /** What happened, oldest first; only the last entries are kept. */
  readonly journal?: readonly JournalEntry[];
  /** The last notices that a hook took, so that one can be delivered again. */
  readonly delivered?: readonly DeliveredNotice[];
  /** Review items that a person has handled. */
  readonly handled?: readonly string[];
  /** Attempts before this do not count towards the most an order may have. */
  readonly attemptsResetAt?: number;
  /** Only in a tombstone: when it is removed too. */
  readonly goneUntil?: number;
  /** Only in a tombstone: the service's ids of its payins that were paid. */
  readonly gone?: readonly string[];
  /** Money that goes back out: the order's refunds, or the one payout of a row that is no order's. Oldest first. */
  readonly payouts?: readonly PayoutRecord[];
  /** Only of a payment link that is for no order of the shop, which has no hook that could know it. */
  readonly link?: LinkWords;
  /** Only in the row of a payout that the kit did not make: the last status that was passed on. */
  readonly payout?: PayinStatus;
}

/** What the merchant wrote on a payment link. The service has no field for any of it. */
export interface LinkWords {
  readonly concept: string | null;
  readonly note: string | null;
  /** Who is to pay, masked. */
  readonly customer: string | null;
  readonly callbackUrl: string;
}

export interface PaymentRecord {
  readonly attempt: string;
  /** As the service knows it. All payins of one link have the link's, so it does not identify a payment. */
  readonly reference: string;
  /** The payin that brought the money, by its id at the service, which identifies the payment (`paymentOf`). */
  readonly serviceId: string;
  readonly amountInCents: number;
  /** What the order cost when the payment was recorded. */
  readonly orderAmountInCents: number;
  readonly at: number;
  /** When the payer's bank took it back, in the service's own text. */
  readonly chargebackAt: string | null;
}

export interface NoticeRecord {
  readonly key: string;
  readonly hook: HookName;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly tries: number;
  readonly nextAt: number;
  /** How often a process without such a hook has left it to others. */
  readonly passedOn?: number;
}

export interface DeliveredNotice {
  readonly key: string;
  readonly hook: HookName;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly deliveredAt: number;
}

export interface JournalEntry extends Omit<HistoryEntry, 'at'> {
  readonly at: number;
}

/** What the payer chose. */
export type Choice =
  | { readonly kind: 'PAYIN'; readonly rail: 'BRE_B'; readonly keyType: KeyType }
  | {
      readonly kind: 'PAYIN';
      readonly rail: 'PSE';
      readonly bank: string;
      readonly bankName: string | null;
      readonly personType: PersonType;
    }
  | { readonly kind: 'PAYMENT_LINK'; readonly rail: Rail | null; readonly bank: string | null };

export interface AttemptRecord {
  readonly id: string;
  /** The order as the browser named it. */
  readonly token: string;
  readonly choice: Choice;
  /** What this attempt asks for: the order's price, or what is still missing of it. */
  readonly amountInCents: number;
  /** What the order cost when the attempt was made. */
  readonly orderAmountInCents: number;
  readonly currency: 'COP';
  readonly description: string | null;
  readonly merchant: Merchant;
  readonly idempotencyKey: string;
  readonly fingerprint: string;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly expiresAt: number | null;
  /** The last four of the payer's document, to find the payment by when they ask for it. */
  readonly documentEnd?: string;
  /** What a submission needs; dropped as soon as there will be no further one. */
  readonly draft: SubmissionDraft | null;
  readonly submissions: readonly Submission[];
  /** Payins that were found at the service: made through a link of this attempt, or a second one under a reference of it. */
  readonly payins: readonly Submission[];
  /** The one submission whose key or address a payer may see. */
  readonly disclosed: string | null;
  /** A later attempt took its place. It stays watched; what was not disclosed by then never will be. */
  readonly replaced: boolean;
  readonly stalled: boolean;
  readonly late: boolean;
  /** Why no payment came out of it, when the service would not or could not make one. */
  readonly ended: Ended | null;
}

export interface SubmissionDraft {
  /** Personal data. */
  readonly customer: InlineCustomer | null;
  readonly callbackUrl: string;
  /** When the next submission may be made, when the last one certainly made nothing; null while one is under way. */
  readonly nextSubmissionAt: number | null;
}

export interface Ended {
  readonly reason: 'refused' | 'unavailable';
  readonly errorCode: string;
  readonly at: number;
}

/**
 * calling: sent, no answer yet. unclear: it may or may not have been made; being looked up. abandoned: not found in
 * time; never disclosed, but still watched. failed: certainly not made. known: made, and its id is known.
 */
export type SubmissionState = 'calling' | 'unclear' | 'abandoned' | 'failed' | 'known';

/**
 * One call that asks the service to make the attempt's payin or link, and what became of it. A payin that was made
 * through a link is kept in the same shape, because it is read, settled and watched in the same way.
 */
export interface Submission {
  /** Unique in the order. A payin made through a link has the link's reference at the service; here it is its id. */
  readonly reference: string;
  /** For such a payin: the reference of the link's submission, or of the one whose reference it shares. */
  readonly link: string | null;
  readonly startedAt: number;
  readonly state: SubmissionState;
  /** When the state is left for the next one if nothing else happens (calling, unclear). */
  readonly giveUpAt: number | null;
  readonly lookups: number;
  readonly nextLookupAt: number | null;
  /** A search of the service's list that was cut short and goes on; what it has not reached is unknown. */
  readonly search: ListSearch | null;
  /** When the last search began that reached the end. */
  readonly searchedAt: number | null;
  readonly serviceId: string | null;
  /** As proved by a read; open until then, whatever the answer or an event said. */
  readonly status: AttemptStatus;
  readonly finalAt: number | null;
  readonly source: SourceRecord;
  readonly confirmedAmountInCents: number | null;
  readonly errorCode: string | null;
  readonly resultAt: string | null;
  readonly chargebackAt: string | null;
  /** Set when the service's data contradicts our request. */
  readonly quarantine: string | null;
  readonly unverifiedEvents: readonly UnverifiedEvent[];
  readonly readAt: number | null;
  readonly reads: number;
  /** The next background read; null when there are no more. */
  readonly nextReadAt: number | null;
}

export interface ListSearch {
  readonly beganAt: number;
  /** Where the list goes on. */
  readonly cursor: string;
}

export interface SourceRecord {
  readonly keyString: string | null;
  readonly qrString: string | null;
  readonly qrText: string | null;
  readonly checkoutUrl: string | null;
  readonly pseUrl: string | null;
  readonly cus: string | null;
  readonly paymentLinkUrl: string | null;
}

/** An event whose claim no read has proved yet. One per claimed status, so that a flood does not pile up. */
export interface UnverifiedEvent {
  readonly status: AttemptStatus;
  /** The id the event names, for a submission whose own id is not known yet. */
  readonly serviceId: string | null;
  readonly at: number;
  readonly tries: number;
  readonly nextAt: number;
}

export const NO_SOURCE: SourceRecord = {
  keyString: null,
  qrString: null,
  qrText: null,
  checkoutUrl: null,
  pseUrl: null,
  cus: null,
  paymentLinkUrl: null,
};

export function newOrder(order: string): OrderRecord {
  return { order, version: 0, attempts: [], payments: [], notices: [] };
}

export function newSubmission(reference: string, now: number, giveUpAt: number): Submission {
  return {
    reference,
    link: null,
    startedAt: now,
    state: 'calling',
    giveUpAt,
    lookups: 0,
    nextLookupAt: null,
    search: null,
    searchedAt: null,
    serviceId: null,
    status: 'PENDING',
    finalAt: null,
    source: NO_SOURCE,
    confirmedAmountInCents: null,
    errorCode: null,
    resultAt: null,
    chargebackAt: null,
    quarantine: null,
    unverifiedEvents: [],
    readAt: null,
    reads: 0,
    nextReadAt: null,
  };
}

export function currentAttempt(record: OrderRecord): AttemptRecord | undefined {
  return record.attempts.at(-1);
}

export function attemptById(record: OrderRecord, id: string): AttemptRecord | undefined {
  return record.attempts.find((attempt) => attempt.id === id);
}

export function disclosedSubmission(attempt: AttemptRecord): Submission | undefined {
  return attempt.submissions.find((submission) => submission.reference === attempt.disclosed);
}

/** The submission an attempt is judged by: the one that paid, else the disclosed one, else the latest. */
export function representative(attempt: AttemptRecord): Submission {
  const submission =
    [...attempt.submissions, ...attempt.payins].find((each) => isPaid(each.status)) ??
    disclosedSubmission(attempt) ??
    attempt.submissions.at(-1);
  if (submission === undefined) throw new Error('An attempt has at least one submission');
  return submission;
}

/** An attempt that ended without disclosing a payin stays ended, unless one of its submissions is paid after all. */
export function attemptStatus(attempt: AttemptRecord): AttemptStatus {
  const { status } = representative(attempt);
  if (attempt.ended === null || isPaid(status)) return status;
  if (attempt.choice.kind === 'PAYMENT_LINK') return 'EXPIRED';
  // A service that could not be reached has not declined the payment.
  return attempt.ended.reason === 'refused' ? 'DECLINED' : 'CANCELED';
}

export interface Located {
  readonly attempt: AttemptRecord;
  readonly submission: Submission;
}

/** Whether it is the link itself, not a payin: links are read, but only payins bring money. */
export function isLink({ attempt, submission }: Located): boolean {
  return attempt.choice.kind === 'PAYMENT_LINK' && submission.link === null;
}

/** All that the order waits for at the service, payins made through its links too. */
export function submissionsOf(record: OrderRecord): Located[] {
  return record.attempts.flatMap((attempt) =>
    [...attempt.submissions, ...attempt.payins].map((submission) => ({ attempt, submission })),
  );
}

export function locate(record: OrderRecord, reference: string): Located | undefined {
  return submissionsOf(record).find(({ submission }) => submission.reference === reference);
}

function withAttempt(record: OrderRecord, attempt: AttemptRecord): OrderRecord {
  return {
    ...record,
    attempts: record.attempts.map((each) => (each.id === attempt.id ? attempt : each)),
  };
}

function withSubmission(attempt: AttemptRecord, submission: Submission): AttemptRecord {
  const place = (each: Submission) => (each.reference === submission.reference ? submission : each);
  return submission.link === null
    ? { ...attempt, submissions: attempt.submissions.map(place) }
    : { ...attempt, payins: attempt.payins.map(place) };
}

/** Replaces a submission wherever it is and leaves the rest of the record alone. */
export function updateSubmission(
  record: OrderRecord,
  reference: string,
  change: Partial<Submission>,
): OrderRecord {
  const found = locate(record, reference);
  if (found === undefined) return record;
  return withAttempt(record, withSubmission(found.attempt, { ...found.submission, ...change }));
}

export function updateAttempt(record: OrderRecord, id: string, change: Partial<AttemptRecord>): OrderRecord {
  const found = attemptById(record, id);
  return found === undefined ? record : withAttempt(record, { ...found, ...change });
}

/** Orders and payouts share the store's rows, with payins that are refunded and of no order here. */
export const rowIds = {
  order: (orderId: string) => `o:${orderId}`,
  payin: (payinId: string) => `q:${payinId.toLowerCase()}`,
  payout: (payoutId: string) => `p:${payoutId.toLowerCase()}`,
} as const;

/** Keys that lead to the order in the store. */
export const keys = {
  attempt: (id: string) => `a:${id}`,
  reference: (reference: string) => `r:${reference}`,
  service: (id: string) => `s:${id.toLowerCase()}`,
  idempotency: (key: string) => `i:${key}`,
  payout: (id: string) => `p:${id}`,
  gone: (id: string) => `g:${id.toLowerCase()}`,
} as const;

export function allKeys(record: OrderRecord): string[] {
  const attemptKeys = record.attempts.flatMap((attempt) => [
    keys.attempt(attempt.id),
    keys.idempotency(attempt.idempotencyKey),
    ...attempt.submissions.flatMap((submission) => [
      keys.reference(submission.reference),
      ...(submission.serviceId === null ? [] : [keys.service(submission.serviceId)]),
    ]),
    ...attempt.payins.map(({ reference }) => keys.service(reference)),
  ]);
  const payoutKeys = (record.payouts ?? []).flatMap(({ id, reference, state, serviceId }) => [
    keys.payout(id),
    // A draft may lapse, and its reference be used by another.
    ...(state === 'DRAFT' ? [] : [keys.reference(reference)]),
    ...(serviceId === null ? [] : [keys.service(serviceId)]),
  ]);
  return [...attemptKeys, ...payoutKeys, ...(record.gone ?? []).map(keys.gone)];
}

/** Whether the service knows something of this order by that name, which it takes once. */
export function hasReference(record: OrderRecord, reference: string): boolean {
  return allKeys(record).includes(keys.reference(reference));
}

/**
 * Computes a value once for each object and caches it as long as the object lives. For records and stored bodies,
 * which are replaced and never changed, so that the cache cannot be out of date.
 */
export function oncePer<Source extends object, Result>(
  work: (source: Source) => Result,
): (source: Source) => Result {
  const results = new WeakMap<Source, { readonly result: Result }>();
  return (source) => {
    let known = results.get(source);
    if (known === undefined) {
      known = { result: work(source) };
      results.set(source, known);
    }
    return known.result;
  };
}
