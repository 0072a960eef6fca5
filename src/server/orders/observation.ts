import { centsFromPesos } from '../../contract/values/cents.js';
import { safeUrl } from '../../contract/safe-url.js';
import { type AttemptStatus, isPaid } from '../../contract/status.js';
import type { ServicePayin, ServicePaymentLink } from '../../service/resources.js';
import { type AttemptRecord, isLink, type Submission, NO_SOURCE, type SourceRecord } from './record.js';

/** What an answer or a read says of one payment, payin or link alike, without the payer's data. */
export interface Observation {
  readonly serviceId: string;
  /** The link that a payin was made through. */
  readonly paymentLinkId: string | null;
  readonly reference: string | null;
  readonly amountInCents: number | null;
  /** Pesos or cents: the service's samples contradict each other. */
  readonly amount: number | null;
  readonly currency: string | null;
  readonly status: AttemptStatus;
  readonly confirmedAmountInCents: number | null;
  /** In the unit of `amount`. */
  readonly confirmedAmount: number | null;
  readonly errorCode: string | null;
  /** When the service made it; null for links, which say when they end. */
  readonly createdAt: string | null;
  readonly resultAt: string | null;
  readonly chargebackAt: string | null;
  /** Only links say when they end. */
  readonly expiresAt: number | null;
  readonly source: SourceRecord;
}

export function observePayin(payin: ServicePayin): Observation {
  const { keyString, qrString, qrText, checkoutUrl, pseUrl, cus } = payin.sourceData ?? NO_SOURCE;
  return {
    serviceId: payin.id,
    paymentLinkId: payin.paymentLinkId,
    reference: payin.reference,
    amountInCents: payin.amountInCents,
    amount: payin.amount,
    currency: payin.currency,
    status: payin.status,
    confirmedAmountInCents: payin.confirmedAmountInCents,
    confirmedAmount: payin.confirmedAmount,
    errorCode: payin.errorCode,
    createdAt: payin.createdAt,
    resultAt: payin.resultAt,
    chargebackAt: payin.chargebackAt,
    expiresAt: null,
    source: {
      ...NO_SOURCE,
      keyString,
      qrString,
      qrText,
      checkoutUrl,
      pseUrl: usableAddress(pseUrl, payin.callbackUrl),
      cus,
    },
  };
}

/** That a link calls itself completed says nothing of the money: only a confirmed payin does. */
export function observeLink(link: ServicePaymentLink): Observation {
  return {
    serviceId: link.paymentLinkId,
    paymentLinkId: null,
    reference: link.reference,
    amountInCents: link.amountInCents,
    amount: null,
    currency: link.currency,
    status: isPaid(link.status) ? 'PENDING' : link.status,
    confirmedAmountInCents: null,
    confirmedAmount: null,
    errorCode: null,
    createdAt: null,
    resultAt: null,
    chargebackAt: null,
    expiresAt: link.expiresAt === null ? null : Date.parse(link.expiresAt),
    source: { ...NO_SOURCE, paymentLinkUrl: usableAddress(link.paymentLinkUrl) },
  };
}

/**
 * An address that cannot be visited (empty, relative, a script, with credentials, unencrypted from an encrypted page)
 * counts as absent: the good one may still come.
 */
function usableAddress(text: string | null, callbackUrl: string | null = null): string | null {
  if (text === null) return null;
  const pageProtocol = callbackUrl?.startsWith('https:') === true ? 'https:' : 'http:';
  return safeUrl(text, { pageProtocol }) === null ? null : text;
}

export type Mismatch = 'id' | 'reference' | 'currency' | 'amount';

/** What contradicts our request; null when the observation is about the payment we asked for. */
export function mismatch(
  attempt: AttemptRecord,
  submission: Submission,
  observed: Observation,
): Mismatch | null {
  if (submission.serviceId !== null && !sameId(submission.serviceId, observed.serviceId)) return 'id';
  if (isLink({ attempt, submission })) {
    if (observed.reference !== null && observed.reference !== submission.reference) return 'reference';
    if (observed.currency !== null && observed.currency !== attempt.currency) return 'currency';
    return observed.amountInCents === null || observed.amountInCents === attempt.amountInCents
      ? null
      : 'amount';
  }
  if (submission.link === null) {
    if (observed.reference !== submission.reference) return 'reference';
  } else if (!isOf(observed, attempt, submission.link)) return 'id';
  if (observed.currency !== attempt.currency) return 'currency';
  return isAmount(observed, attempt.amountInCents) ? null : 'amount';
}

/**
 * Only the service's id of the link says which link a payin was made through: how it names the payin's reference is not documented. A
 * second payin of a submission has its reference.
 */
function isOf(
  { paymentLinkId, reference: given }: Observation,
  { choice, submissions }: AttemptRecord,
  link: string,
): boolean {
  if (choice.kind === 'PAYIN') return given === link;
  const serviceId = submissions.find(({ reference }) => reference === link)?.serviceId ?? null;
  return paymentLinkId !== null && serviceId !== null && sameId(paymentLinkId, serviceId);
}

function isAmount(observed: Observation, askedInCents: number): boolean {
  if (observed.amountInCents !== null) return observed.amountInCents === askedInCents;
  return (
    observed.amount !== null &&
    (observed.amount === askedInCents || centsFromPesos(observed.amount) === askedInCents)
  );
}

/** What arrived, when the service says so. A payin without any such amount was paid as asked. */
export function confirmedInCents(observed: Observation, askedInCents: number): number {
  const { confirmedAmountInCents, confirmedAmount } = observed;
  if (confirmedAmountInCents !== null) return confirmedAmountInCents;
  if (confirmedAmount === null) return askedInCents;
  const inCents = Math.round(confirmedAmount);
  const inPesos = centsFromPesos(confirmedAmount) ?? inCents;
  // Where `amount` is absent the unit is unknown: it is pesos only if that is exactly what was asked for.
  const isPesos =
    observed.amount === null ? inPesos === askedInCents : centsFromPesos(observed.amount) === askedInCents;
  return isPesos ? inPesos : inCents;
}

export function sameId(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
