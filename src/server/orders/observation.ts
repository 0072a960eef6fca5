import { centsFromPesos } from '../../contract/cents.js';
import type { AttemptStatus } from '../../contract/status.js';
import type { ServicePayin, ServicePaymentLink } from '../../service/resources.js';
import { type AttemptRecord, type CallRecord, NO_SOURCE, type SourceRecord } from './record.js';

/** What the service said of one payment, payin or link alike, without the payer's data. */
export interface Heard {
  readonly serviceId: string;
  readonly reference: string | null;
  readonly amountInCents: number | null;
  /** Pesos or cents: the service's samples contradict each other. */
  readonly amount: number | null;
  readonly currency: string | null;
  readonly status: AttemptStatus;
  readonly confirmedAmountInCents: number | null;
  readonly errorCode: string | null;
  readonly resultAt: string | null;
  readonly chargebackAt: string | null;
  /** Only links say when they end. */
  readonly expiresAt: number | null;
  readonly source: SourceRecord;
}

export function heardPayin(payin: ServicePayin): Heard {
  const { keyString, qrString, qrText, checkoutUrl, pseUrl, cus } = payin.sourceData ?? NO_SOURCE;
  return {
    serviceId: payin.id,
    reference: payin.reference,
    amountInCents: payin.amountInCents,
    amount: payin.amount,
    currency: payin.currency,
    status: payin.status,
    confirmedAmountInCents: payin.confirmedAmountInCents,
    errorCode: payin.errorCode,
    resultAt: payin.resultAt,
    chargebackAt: payin.chargebackAt,
    expiresAt: null,
    source: { ...NO_SOURCE, keyString, qrString, qrText, checkoutUrl, pseUrl, cus },
  };
}

export function heardLink(link: ServicePaymentLink): Heard {
  return {
    serviceId: link.paymentLinkId,
    reference: link.reference,
    amountInCents: link.amountInCents,
    amount: null,
    currency: link.currency,
    status: link.status,
    // A link charges exactly what was asked.
    confirmedAmountInCents: null,
    errorCode: null,
    resultAt: link.completedAt,
    chargebackAt: null,
    expiresAt: link.expiresAt === null ? null : Date.parse(link.expiresAt),
    source: { ...NO_SOURCE, paymentLinkUrl: link.paymentLinkUrl },
  };
}

export type Mismatch = 'id' | 'reference' | 'currency' | 'amount';

/** What of the service's word does not fit what was asked of it; null when it can be believed. */
export function mismatch(attempt: AttemptRecord, call: CallRecord, heard: Heard): Mismatch | null {
  if (call.serviceId !== null && !sameId(call.serviceId, heard.serviceId)) return 'id';
  if (attempt.choice.kind === 'PAYMENT_LINK') {
    if (heard.reference !== null && heard.reference !== call.reference) return 'reference';
    if (heard.currency !== null && heard.currency !== attempt.currency) return 'currency';
    return heard.amountInCents === null || heard.amountInCents === attempt.amountInCents ? null : 'amount';
  }
  if (heard.reference !== call.reference) return 'reference';
  if (heard.currency !== attempt.currency) return 'currency';
  return isAmount(heard, attempt.amountInCents) ? null : 'amount';
}

function isAmount(heard: Heard, askedInCents: number): boolean {
  if (heard.amountInCents !== null) return heard.amountInCents === askedInCents;
  return (
    heard.amount !== null && (heard.amount === askedInCents || centsFromPesos(heard.amount) === askedInCents)
  );
}

export function sameId(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
