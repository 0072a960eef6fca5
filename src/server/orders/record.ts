import type { Merchant } from '../../contract/backend.js';
import type { PersonType } from '../../contract/identity.js';
import type { InlineCustomer, KeyType, Rail } from '../../contract/service-resources.js';
import type { AttemptStatus, PayinStatus } from '../../contract/status.js';
import { isPaid } from '../../contract/status.js';
import type { HookName } from '../hooks.js';

/**
 * What the kit knows of one order: the body of its row in the store. Records are replaced, never changed. Times are
 * epoch milliseconds here and become text only at the edge, except where the service's own text is kept.
 */
export interface OrderRecord {
  readonly format: 1;
  /** The merchant's id. */
  readonly order: string;
  /** Grows whenever something that a payer can see changes. */
  readonly version: number;
  /** Oldest first; the last one is the current one. */
  readonly attempts: readonly AttemptRecord[];
  /** Money that arrived, in the order it was learnt of. The first settles the order, each further one is a duplicate. */
  readonly payments: readonly PaymentRecord[];
  /** What the merchant must still be told, in order. */
  readonly notices: readonly NoticeRecord[];
  /** Only in the row of a payout, which has no attempts: the last status that was told. */
  readonly payout?: PayinStatus;
}

export interface PaymentRecord {
  readonly attempt: string;
  readonly reference: string;
  readonly amountInCents: number;
  readonly at: number;
}

export interface NoticeRecord {
  readonly key: string;
  readonly hook: HookName;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly tries: number;
  readonly nextAt: number;
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
  readonly amountInCents: number;
  readonly currency: 'COP';
  readonly description: string | null;
  readonly merchant: Merchant;
  readonly idempotencyKey: string;
  readonly fingerprint: string;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly expiresAt: number | null;
  /** What a call to the service needs; dropped as soon as none can be needed any more. */
  readonly draft: CallDraft | null;
  readonly calls: readonly CallRecord[];
  /** The one call whose key or address a payer may see. */
  readonly shown: string | null;
  /** A later attempt took its place. It stays watched; what was not shown by then never is. */
  readonly replaced: boolean;
  readonly stalled: boolean;
  readonly late: boolean;
  /** Why no payment came out of it, when the service would not or could not make one. */
  readonly ended: Ended | null;
}

export interface CallDraft {
  /** Personal data. */
  readonly customer: InlineCustomer | null;
  readonly callbackUrl: string;
  /** When the next call may be made, when the last one certainly made nothing; null while one is under way. */
  readonly nextCallAt: number | null;
}

export interface Ended {
  readonly reason: 'refused' | 'unavailable';
  readonly errorCode: string;
  readonly at: number;
}

/**
 * calling: sent, no answer yet. unclear: no telling whether it was made; being looked up. abandoned: not found in
 * time; nobody will ever see it, but it stays watched. failed: certainly not made. known: made, and its id is known.
 */
export type CallState = 'calling' | 'unclear' | 'abandoned' | 'failed' | 'known';

/** One call that asks the service for a payin or link, and what became of it. */
export interface CallRecord {
  readonly reference: string;
  readonly startedAt: number;
  readonly state: CallState;
  /** When the state is left for the next one if nothing else happens (calling, unclear). */
  readonly giveUpAt: number | null;
  readonly lookups: number;
  readonly nextLookupAt: number | null;
  readonly serviceId: string | null;
  /** As verified by a read; open until then, whatever the answer or an event said. */
  readonly status: AttemptStatus;
  readonly finalAt: number | null;
  readonly source: SourceRecord;
  readonly confirmedAmountInCents: number | null;
  readonly errorCode: string | null;
  readonly resultAt: string | null;
  readonly chargebackAt: string | null;
  /** Why the service's word on this payment is not believed. */
  readonly quarantine: string | null;
  readonly hints: readonly Hint[];
  readonly readAt: number | null;
  readonly reads: number;
  /** The next background read; null when there are no more. */
  readonly nextReadAt: number | null;
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

/** An event's claim that no read has agreed with yet. One per claimed status, so that floods do not pile up. */
export interface Hint {
  readonly status: AttemptStatus;
  /** The id the event names, for a call whose own id is not known yet. */
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
  return { format: 1, order, version: 0, attempts: [], payments: [], notices: [] };
}

export function newCall(reference: string, now: number, giveUpAt: number): CallRecord {
  return {
    reference,
    startedAt: now,
    state: 'calling',
    giveUpAt,
    lookups: 0,
    nextLookupAt: null,
    serviceId: null,
    status: 'PENDING',
    finalAt: null,
    source: NO_SOURCE,
    confirmedAmountInCents: null,
    errorCode: null,
    resultAt: null,
    chargebackAt: null,
    quarantine: null,
    hints: [],
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

export function shownCall(attempt: AttemptRecord): CallRecord | undefined {
  return attempt.calls.find((call) => call.reference === attempt.shown);
}

/** The call that speaks for the attempt: the one that paid, else the one on show, else the latest. */
export function speakingCall(attempt: AttemptRecord): CallRecord {
  const call =
    attempt.calls.find((each) => isPaid(each.status)) ?? shownCall(attempt) ?? attempt.calls.at(-1);
  if (call === undefined) throw new Error('An attempt has at least one call');
  return call;
}

/** An attempt that ended without a payin to show stays ended, whatever becomes of one that nobody saw: unless it is paid. */
export function attemptStatus(attempt: AttemptRecord): AttemptStatus {
  const { status } = speakingCall(attempt);
  if (attempt.ended === null || isPaid(status)) return status;
  return attempt.choice.kind === 'PAYMENT_LINK' ? 'EXPIRED' : 'DECLINED';
}

/** The attempt that settled the order. */
export function payingAttempt(record: OrderRecord): AttemptRecord | undefined {
  const first = record.payments[0];
  return first && attemptById(record, first.attempt);
}

export interface Located {
  readonly attempt: AttemptRecord;
  readonly call: CallRecord;
}

export function callsOf(record: OrderRecord): Located[] {
  return record.attempts.flatMap((attempt) => attempt.calls.map((call) => ({ attempt, call })));
}

export function locate(record: OrderRecord, reference: string): Located | undefined {
  return callsOf(record).find(({ call }) => call.reference === reference);
}

function withAttempt(record: OrderRecord, attempt: AttemptRecord): OrderRecord {
  return {
    ...record,
    attempts: record.attempts.map((each) => (each.id === attempt.id ? attempt : each)),
  };
}

function withCall(attempt: AttemptRecord, call: CallRecord): AttemptRecord {
  return {
    ...attempt,
    calls: attempt.calls.map((each) => (each.reference === call.reference ? call : each)),
  };
}

/** Replaces a call wherever it is and leaves the rest of the record alone. */
export function updateCall(record: OrderRecord, reference: string, change: Partial<CallRecord>): OrderRecord {
  const found = locate(record, reference);
  if (found === undefined) return record;
  return withAttempt(record, withCall(found.attempt, { ...found.call, ...change }));
}

export function updateAttempt(record: OrderRecord, id: string, change: Partial<AttemptRecord>): OrderRecord {
  const found = attemptById(record, id);
  return found === undefined ? record : withAttempt(record, { ...found, ...change });
}

/** Orders and payouts share the store's rows. */
export const rowIds = {
  order: (orderId: string) => `o:${orderId}`,
  payout: (payoutId: string) => `p:${payoutId.toLowerCase()}`,
} as const;

/** Keys that lead to the order in the store. */
export const keys = {
  attempt: (id: string) => `a:${id}`,
  reference: (reference: string) => `r:${reference}`,
  service: (id: string) => `s:${id.toLowerCase()}`,
  idempotency: (key: string) => `i:${key}`,
} as const;

export function allKeys(record: OrderRecord): string[] {
  return record.attempts.flatMap((attempt) => [
    keys.attempt(attempt.id),
    keys.idempotency(attempt.idempotencyKey),
    ...attempt.calls.flatMap((call) => [
      keys.reference(call.reference),
      ...(call.serviceId === null ? [] : [keys.service(call.serviceId)]),
    ]),
  ]);
}
