import type { AttemptStatus } from '../../contract/status.js';
import { isFinal } from '../../contract/status.js';
import type { HookName, PaymentNotice, ReportKind } from '../hooks.js';
import type { Observation } from './observation.js';
import {
  type AttemptRecord,
  attemptStatus,
  type Submission,
  type OrderRecord,
  updateAttempt,
  updateSubmission,
} from './record.js';

/** The order's verdict on money, and the notices that tell the merchant of it. */

/**
 * Records a payment that a read has just proved. The first one settles the order; every further one is a duplicate.
 * A payment that is already recorded is left alone, so the same proof twice changes nothing.
 */
export function recordPayment(
  record: OrderRecord,
  attempt: AttemptRecord,
  submission: Submission,
  observed: Observation,
  now: number,
): OrderRecord {
  if (record.payments.some((payment) => payment.reference === submission.reference)) return record;
  const amountInCents = observed.confirmedAmountInCents ?? attempt.amountInCents;
  const settledBy = record.payments[0]?.attempt;
  const late = attempt.late || isFinal(attemptStatus(attempt)) || paidAfterExpiry(attempt, observed, now);

  let next = updateSubmission(record, submission.reference, {
    status: observed.status,
    finalAt: now,
    confirmedAmountInCents: amountInCents,
    errorCode: observed.errorCode,
    resultAt: observed.resultAt,
  });
  next = updateAttempt(next, attempt.id, { late, stalled: false, draft: null });
  next = {
    ...next,
    payments: [
      ...next.payments,
      { attempt: attempt.id, reference: submission.reference, amountInCents, at: now },
    ],
  };
  if (settledBy !== undefined)
    return addNotice(next, 'onDuplicatePayment', submission.reference, now, { settledBy });
  return addNotice(
    next,
    amountInCents === attempt.amountInCents ? 'onConfirmed' : 'onAmountMismatch',
    submission.reference,
    now,
  );
}

function paidAfterExpiry(attempt: AttemptRecord, observed: Observation, now: number): boolean {
  const paidAt = observed.resultAt === null ? now : Date.parse(observed.resultAt);
  return attempt.expiresAt !== null && paidAt > attempt.expiresAt;
}

/** Queues a notice about a submission as the record has it now. */
export function addNotice(
  record: OrderRecord,
  hook: Exclude<HookName, 'onPayout'>,
  reference: string,
  now: number,
  extra: Readonly<Record<string, unknown>> = {},
  keySuffix = '',
): OrderRecord {
  for (const attempt of record.attempts) {
    const submission = attempt.submissions.find((each) => each.reference === reference);
    if (submission === undefined) continue;
    const key = `${KEY_NAMES[hook]}.${reference}${keySuffix}`;
    const payload = { ...paymentNotice(record, attempt, submission, key, now), ...extra };
    return { ...record, notices: [...record.notices, { key, hook, payload, tries: 0, nextAt: now }] };
  }
  return record;
}

/** Reports are sent once per kind and detail. */
export function addReport(
  record: OrderRecord,
  kind: ReportKind,
  reference: string,
  detail: string,
  now: number,
): OrderRecord {
  return addNotice(record, 'onReport', reference, now, { report: kind, detail }, `.${kind}.${detail}`);
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
  const last = attempt.submissions.at(-1);
  return last === undefined || attempt.replaced ? next : addNotice(next, 'onDeclined', last.reference, now);
}

const KEY_NAMES = {
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
  submission: Submission,
  key: string,
  now: number,
): PaymentNotice {
  const status: AttemptStatus = isFinal(submission.status) ? submission.status : attemptStatus(attempt);
  return {
    key,
    order: record.order,
    attempt: attempt.id,
    kind: attempt.choice.kind,
    rail: attempt.choice.rail,
    reference: submission.reference,
    serviceId: submission.serviceId,
    status,
    amountInCents: attempt.amountInCents,
    confirmedAmountInCents: submission.confirmedAmountInCents,
    currency: attempt.currency,
    errorCode: submission.errorCode ?? attempt.ended?.errorCode ?? null,
    late: attempt.late,
    resultAt: submission.resultAt,
    at: new Date(now).toISOString(),
  };
}
