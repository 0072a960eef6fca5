import type { AttemptStatus } from '../../contract/status.js';
import { isFinal } from '../../contract/status.js';
import type { HookName, PaymentNotice, ReportKind } from '../hooks.js';
import type { Heard } from './observation.js';
import {
  type AttemptRecord,
  attemptStatus,
  type CallRecord,
  type OrderRecord,
  updateAttempt,
  updateCall,
} from './record.js';

/** The one place where money that arrived is booked and where the merchant's notices are written. */

/**
 * Books a payment that a read has just proved. The first one settles the order; every further one is a duplicate.
 * A call that is already booked is left alone, so the same proof twice changes nothing.
 */
export function book(
  record: OrderRecord,
  attempt: AttemptRecord,
  call: CallRecord,
  heard: Heard,
  now: number,
): OrderRecord {
  if (record.payments.some((payment) => payment.reference === call.reference)) return record;
  const amountInCents = heard.confirmedAmountInCents ?? attempt.amountInCents;
  const settledBy = record.payments[0]?.attempt;
  const late = attempt.late || isFinal(attemptStatus(attempt)) || paidAfterExpiry(attempt, heard, now);

  let next = updateCall(record, call.reference, {
    status: heard.status,
    finalAt: now,
    confirmedAmountInCents: amountInCents,
    errorCode: heard.errorCode,
    resultAt: heard.resultAt,
  });
  next = updateAttempt(next, attempt.id, { late, stalled: false, draft: null });
  next = {
    ...next,
    payments: [...next.payments, { attempt: attempt.id, reference: call.reference, amountInCents, at: now }],
  };
  if (settledBy !== undefined) return notify(next, 'onDuplicatePayment', call.reference, now, { settledBy });
  return notify(
    next,
    amountInCents === attempt.amountInCents ? 'onConfirmed' : 'onAmountMismatch',
    call.reference,
    now,
  );
}

function paidAfterExpiry(attempt: AttemptRecord, heard: Heard, now: number): boolean {
  const paidAt = heard.resultAt === null ? now : Date.parse(heard.resultAt);
  return attempt.expiresAt !== null && paidAt > attempt.expiresAt;
}

/** Queues a notice about a call as the record has it now. */
export function notify(
  record: OrderRecord,
  hook: Exclude<HookName, 'onPayout'>,
  reference: string,
  now: number,
  extra: Readonly<Record<string, unknown>> = {},
  keySuffix = '',
): OrderRecord {
  for (const attempt of record.attempts) {
    const call = attempt.calls.find((each) => each.reference === reference);
    if (call === undefined) continue;
    const key = `${KEY_WORDS[hook]}.${reference}${keySuffix}`;
    const payload = { ...paymentNotice(record, attempt, call, key, now), ...extra };
    return { ...record, notices: [...record.notices, { key, hook, payload, tries: 0, nextAt: now }] };
  }
  return record;
}

/** Reports are sent once per kind and detail. */
export function report(
  record: OrderRecord,
  kind: ReportKind,
  reference: string,
  detail: string,
  now: number,
): OrderRecord {
  return notify(record, 'onReport', reference, now, { report: kind, detail }, `.${kind}.${detail}`);
}

/** Ends an attempt that the service would not or could not make. */
export function endAttempt(
  record: OrderRecord,
  attempt: AttemptRecord,
  reason: 'refused' | 'unavailable',
  errorCode: string,
  now: number,
): OrderRecord {
  const next = updateAttempt(record, attempt.id, {
    ended: { reason, errorCode, at: now },
    draft: null,
    stalled: false,
  });
  const last = attempt.calls.at(-1);
  return last === undefined || attempt.replaced ? next : notify(next, 'onDeclined', last.reference, now);
}

const KEY_WORDS = {
  onConfirmed: 'confirmed',
  onDeclined: 'declined',
  onCanceled: 'canceled',
  onDuplicatePayment: 'duplicate',
  onAmountMismatch: 'amount-mismatch',
  onChargeback: 'chargeback',
  onReport: 'report',
} as const satisfies Record<Exclude<HookName, 'onPayout'>, string>;

function paymentNotice(
  record: OrderRecord,
  attempt: AttemptRecord,
  call: CallRecord,
  key: string,
  now: number,
): PaymentNotice {
  const status: AttemptStatus = isFinal(call.status) ? call.status : attemptStatus(attempt);
  return {
    key,
    order: record.order,
    attempt: attempt.id,
    kind: attempt.choice.kind,
    rail: attempt.choice.rail,
    reference: call.reference,
    serviceId: call.serviceId,
    status,
    amountInCents: attempt.amountInCents,
    confirmedAmountInCents: call.confirmedAmountInCents,
    currency: attempt.currency,
    errorCode: call.errorCode ?? attempt.ended?.errorCode ?? null,
    late: attempt.late,
    resultAt: call.resultAt,
    at: new Date(now).toISOString(),
  };
}
