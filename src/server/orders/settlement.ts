import type { AttemptStatus } from '../../contract/status.js';
import { isFinal, isPaid } from '../../contract/status.js';
import { isoTime } from '../../service/clock.js';
import type { HookName, PaymentNotice, PayoutHookName, ReportKind } from '../hooks.js';
import { confirmedInCents, type Observation, sameId } from './observation.js';
import {
  type AttemptRecord,
  attemptById,
  attemptStatus,
  locate,
  type Located,
  type Submission,
  type OrderRecord,
  type PaymentRecord,
  submissionsOf,
  updateAttempt,
  updateSubmission,
} from './record.js';

/** The order's verdict on money, and the notices to the merchant about it. */

export interface Verdict {
  readonly state: 'OPEN' | 'PAID' | 'AMOUNT_DIFFERS';
  /** The attempt that completed the order, else the first that paid something. */
  readonly by: string | null;
  /** Something was paid beyond what the order costs, after it was complete or while completing it. */
  readonly duplicate: boolean;
  /** All of the price is there. Nothing more may be asked for. */
  readonly isComplete: boolean;
  /** What counts towards the order: the payments up to the one that completed it. */
  readonly paidInCents: number;
  /** What the order cost when the last of these was recorded. */
  readonly orderAmountInCents: number | null;
}

/** Payments are added up until they reach the order's price; a first payment of too much is never a plain success. */
export function verdictOn({ payments }: Pick<OrderRecord, 'payments'>): Verdict {
  const [first] = payments;
  if (first === undefined) {
    return {
      state: 'OPEN',
      by: null,
      duplicate: false,
      isComplete: false,
      paidInCents: 0,
      orderAmountInCents: null,
    };
  }
  let paidInCents = 0;
  let orderAmountInCents = first.orderAmountInCents;
  for (const [index, payment] of payments.entries()) {
    paidInCents += payment.amountInCents;
    ({ orderAmountInCents } = payment);
    if (paidInCents < orderAmountInCents) continue;
    const exceeds = paidInCents > orderAmountInCents;
    return {
      state: index === 0 && exceeds ? 'AMOUNT_DIFFERS' : 'PAID',
      by: payment.attempt,
      duplicate: payments.length > index + 1 || (index > 0 && exceeds),
      isComplete: true,
      paidInCents,
      orderAmountInCents,
    };
  }
  return {
    state: 'AMOUNT_DIFFERS',
    by: first.attempt,
    duplicate: false,
    isComplete: false,
    paidInCents,
    orderAmountInCents,
  };
}

/** The payment that this payin of the service brought. */
export function paymentOf(
  { payments }: Pick<OrderRecord, 'payments'>,
  serviceId: string,
): PaymentRecord | undefined {
  return payments.find((payment) => sameId(payment.serviceId, serviceId));
}

/** What a payment is called in keys: its reference, or the payin's id where several of a link share the reference. */
export function handleOf(record: OrderRecord, payment: PaymentRecord): string {
  const found = submissionsOf(record).find(
    ({ submission: { serviceId } }) => serviceId !== null && sameId(serviceId, payment.serviceId),
  );
  return found?.submission.reference ?? payment.reference;
}

/** The attempt that completed the order. */
export function payingAttempt(record: OrderRecord): AttemptRecord | undefined {
  const { isComplete, by } = verdictOn(record);
  return isComplete && by !== null ? attemptById(record, by) : undefined;
}

/** What can be paid of an order that costs so much. */
export function amountDue(record: OrderRecord, orderAmountInCents: number): number {
  const { isComplete, paidInCents } = verdictOn(record);
  return isComplete ? orderAmountInCents : Math.max(0, orderAmountInCents - paidInCents);
}

/** The version of an offer covers what was paid, because that changes what can be paid. */
export function offerVersion(record: OrderRecord | undefined, version: string): string {
  const verdict = record && verdictOn(record);
  return verdict === undefined || verdict.isComplete || verdict.paidInCents === 0
    ? version
    : `${version}.${verdict.paidInCents}`;
}

/**
 * Records a payment that a read has just proved, against what the order costs now. A payment that is already recorded
 * is left alone, so the same proof twice changes nothing.
 */
export function recordPayment(
  record: OrderRecord,
  attempt: AttemptRecord,
  submission: Submission,
  observed: Observation,
  orderAmountInCents: number,
  now: number,
): OrderRecord {
  const { reference, link } = submission;
  const { serviceId } = observed;
  if (paymentOf(record, serviceId) !== undefined) return record;
  const amountInCents = confirmedInCents(observed, attempt.amountInCents);
  const before = verdictOn(record);
  const status = attemptStatus(attempt);
  const late =
    attempt.late ||
    (isFinal(status) && !isPaid(status)) ||
    paidAfterExpiry(attempt, submission, observed, now);

  let next = updateSubmission(record, reference, {
    status: observed.status,
    finalAt: now,
    confirmedAmountInCents: amountInCents,
    errorCode: observed.errorCode,
    resultAt: observed.resultAt,
  });
  next = updateAttempt(next, attempt.id, { late, stalled: false, draft: null });
  const payment: PaymentRecord = {
    attempt: attempt.id,
    reference: link ?? reference,
    serviceId,
    amountInCents,
    orderAmountInCents,
    at: now,
    chargebackAt: null,
  };
  next = { ...next, payments: [...next.payments, payment] };
  if (link !== null && attempt.choice.kind === 'PAYMENT_LINK') next = completeLink(next, link, observed, now);

  if (before.isComplete) {
    const extra = { settledBy: before.by, excessInCents: amountInCents };
    return addNotice(next, 'onDuplicatePayment', reference, now, extra);
  }
  const after = verdictOn(next);
  if (after.state !== 'PAID') return addNotice(next, 'onAmountMismatch', reference, now);
  next = addNotice(next, 'onConfirmed', reference, now);
  const excessInCents = after.paidInCents - orderAmountInCents;
  return excessInCents === 0
    ? next
    : addNotice(next, 'onDuplicatePayment', reference, now, { settledBy: after.by, excessInCents });
}

/** A link is completed by its first payin; what it brought is what all of them brought. */
function completeLink(
  record: OrderRecord,
  link: string,
  { resultAt }: Observation,
  now: number,
): OrderRecord {
  const known = record.attempts
    .flatMap(({ submissions }) => submissions)
    .find((each) => each.reference === link);
  if (known === undefined) return record;
  const paid = record.payments.filter(({ reference }) => reference === link);
  return updateSubmission(record, link, {
    status: 'COMPLETED',
    finalAt: known.finalAt !== null && isPaid(known.status) ? known.finalAt : now,
    confirmedAmountInCents: paid.reduce((sum, { amountInCents }) => sum + amountInCents, 0),
    resultAt: known.resultAt ?? resultAt,
    unverifiedEvents: [],
  });
}

/**
 * Completes an order whose price was lowered to what is already there, or below: the last payment is compared with the
 * new price, and what exceeds it is to be given back.
 */
export function applyPrice(record: OrderRecord, orderAmountInCents: number, now: number): OrderRecord {
  const { isComplete, paidInCents } = verdictOn(record);
  const last = record.payments.at(-1);
  if (last === undefined || isComplete || paidInCents < orderAmountInCents) return record;
  const payments = [...record.payments.slice(0, -1), { ...last, orderAmountInCents }];
  const reference = handleOf(record, last);
  const next = addNotice({ ...record, payments }, 'onConfirmed', reference, now);
  const excessInCents = paidInCents - orderAmountInCents;
  if (excessInCents === 0) return next;
  return addNotice(next, 'onDuplicatePayment', reference, now, {
    settledBy: last.attempt,
    excessInCents,
  });
}

/** The service's clock and ours may differ: how long it took to pay is measured by the service's alone. */
function paidAfterExpiry(
  { expiresAt }: AttemptRecord,
  { startedAt }: Submission,
  { createdAt, resultAt }: Observation,
  now: number,
): boolean {
  if (expiresAt === null) return false;
  const paidAt = resultAt === null ? now : Date.parse(resultAt);
  if (resultAt === null || createdAt === null) return paidAt > expiresAt;
  return paidAt - Date.parse(createdAt) > expiresAt - startedAt;
}

/** Queues a notice about a submission as the record has it now. */
export function addNotice(
  record: OrderRecord,
  hook: Exclude<HookName, PayoutHookName>,
  reference: string,
  now: number,
  extra: Readonly<Record<string, unknown>> = {},
  keySuffix = '',
): OrderRecord {
  const found = locate(record, reference);
  if (found === undefined) return record;
  const key = `${KEY_NAMES[hook]}.${reference}${keySuffix}`;
  const payload = { ...paymentNotice(record, found, key, now), ...extra };
  return { ...record, notices: [...record.notices, { key, hook, payload, tries: 0, nextAt: now }] };
}

/** Its key is of its kind and detail: what is reported again, since it came back, has the key it had before. */
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
  const hook = reason === 'refused' ? 'onDeclined' : 'onCanceled';
  return last === undefined || attempt.replaced ? next : addNotice(next, hook, last.reference, now);
}

const KEY_NAMES = {
  onConfirmed: 'confirmed',
  onDeclined: 'declined',
  onCanceled: 'canceled',
  onDuplicatePayment: 'duplicate',
  onAmountMismatch: 'amount-mismatch',
  onChargeback: 'chargeback',
  onReport: 'report',
} as const satisfies Record<Exclude<HookName, PayoutHookName>, string>;

function paymentNotice(
  record: OrderRecord,
  { attempt, submission }: Located,
  key: string,
  now: number,
): PaymentNotice {
  const payment = submission.serviceId === null ? undefined : paymentOf(record, submission.serviceId);
  const isOwn = submission.link === null && isFinal(submission.status);
  const status: AttemptStatus = isOwn ? submission.status : attemptStatus(attempt);
  return {
    key,
    order: record.order,
    attempt: attempt.id,
    kind: attempt.choice.kind,
    rail: attempt.choice.rail,
    reference: submission.link ?? submission.reference,
    serviceId: submission.serviceId,
    status,
    amountInCents: attempt.amountInCents,
    confirmedAmountInCents: submission.confirmedAmountInCents,
    orderAmountInCents: payment?.orderAmountInCents ?? attempt.orderAmountInCents,
    paidInCents: verdictOn(record).paidInCents,
    currency: attempt.currency,
    errorCode: submission.errorCode ?? attempt.ended?.errorCode ?? null,
    late: attempt.late,
    resultAt: submission.resultAt,
    at: isoTime(now),
  };
}
