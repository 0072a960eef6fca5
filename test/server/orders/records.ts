import type { Observation } from '../../../src/server/orders/observation.js';
import type { PayoutRecord } from '../../../src/server/orders/payouts/payout-record.js';
import {
  type AttemptRecord,
  type Choice,
  newOrder,
  newSubmission,
  NO_SOURCE,
  type NoticeRecord,
  type OrderRecord,
  type PaymentRecord,
  type Submission,
  type UnverifiedEvent,
} from '../../../src/server/orders/record.js';

/** Records as the decisions take them, each whole; a test names only what it is about. */

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** When the attempt was made. */
export const START = Date.parse('2026-01-15T15:00:00.000Z');
export const isoAt = (at: number) => new Date(at).toISOString();
export const PRICE = 5_000_000;

const BREB: Choice = { kind: 'PAYIN', rail: 'BRE_B', keyType: 'QR_CODE' };
export const PSE: Choice = {
  kind: 'PAYIN',
  rail: 'PSE',
  bank: 'CO_BBVA',
  bankName: 'BBVA',
  personType: 'INDIVIDUAL',
};
export const LINK: Choice = { kind: 'PAYMENT_LINK', rail: null, bank: null };

/** One that the service knows and that is open. */
export function submission(change: Partial<Submission> = {}): Submission {
  return {
    ...newSubmission('ref-1', START, START),
    state: 'known',
    giveUpAt: null,
    serviceId: 'id-1',
    status: 'PROCESSING',
    source: { ...NO_SOURCE, keyString: '@key' },
    ...change,
  };
}

/** One that was sent and has no answer yet. */
export function calling(change: Partial<Submission> = {}): Submission {
  return { ...newSubmission('ref-1', START, START + 12 * SECOND_MS), ...change };
}

/** A Bre-B attempt whose key a payer sees. */
export function attempt(change: Partial<AttemptRecord> = {}): AttemptRecord {
  return {
    id: 'attempt-1',
    token: 'token-1',
    choice: BREB,
    amountInCents: PRICE,
    orderAmountInCents: PRICE,
    currency: 'COP',
    description: null,
    merchant: { name: 'Tienda', taxId: null, supportEmail: null, supportPhone: null, payeeName: null },
    idempotencyKey: 'key-1',
    fingerprint: 'wish-1',
    createdAt: START,
    changedAt: START,
    expiresAt: START + 15 * MINUTE_MS,
    draft: null,
    submissions: [submission()],
    payins: [],
    disclosed: 'ref-1',
    replaced: false,
    stalled: false,
    late: false,
    ended: null,
    ...change,
  };
}

/** An attempt of which no payer has seen anything: its submission is under way. */
export function asking(change: Partial<AttemptRecord> = {}): AttemptRecord {
  return attempt({
    draft: { customer: null, callbackUrl: 'https://shop.test/', nextSubmissionAt: null },
    submissions: [calling()],
    disclosed: null,
    ...change,
  });
}

export function order(attempts: readonly AttemptRecord[], change: Partial<OrderRecord> = {}): OrderRecord {
  return { ...newOrder('order-1'), attempts, ...change };
}

export function payment(change: Partial<PaymentRecord> = {}): PaymentRecord {
  return {
    attempt: 'attempt-1',
    reference: 'ref-1',
    serviceId: 'id-1',
    amountInCents: PRICE,
    orderAmountInCents: PRICE,
    at: START + MINUTE_MS,
    chargebackAt: null,
    ...change,
  };
}

export function payout(change: Partial<PayoutRecord> = {}): PayoutRecord {
  return {
    id: 'out-1',
    reference: 'nomina-7',
    amountInCents: 500_000,
    payment: null,
    state: 'DRAFT',
    version: 1,
    steps: [{ state: 'DRAFT', at: START }],
    receiver: {
      name: 'A** G****',
      document: null,
      account: null,
      bank: null,
      key: '@a**',
      keyType: null,
    },
    request: null,
    sendAt: null,
    tries: 0,
    giveUpAt: null,
    serviceId: null,
    reason: null,
    errorCode: null,
    note: null,
    reported: null,
    contradiction: null,
    ...change,
  };
}

export function notice(change: Partial<NoticeRecord> = {}): NoticeRecord {
  return {
    key: 'confirmed.ref-1',
    hook: 'onConfirmed',
    payload: { reference: 'ref-1', at: isoAt(START) },
    tries: 0,
    nextAt: START,
    ...change,
  };
}

/** An event that claims a payment. */
export function claim(change: Partial<UnverifiedEvent> = {}): UnverifiedEvent {
  return { status: 'CONFIRMED', serviceId: 'id-1', at: START, tries: 0, nextAt: START, ...change };
}

/** What the service says of that submission. */
export function observation(change: Partial<Observation> = {}): Observation {
  return {
    serviceId: 'id-1',
    paymentLinkId: null,
    reference: 'ref-1',
    amountInCents: PRICE,
    amount: null,
    currency: 'COP',
    status: 'PROCESSING',
    confirmedAmountInCents: null,
    confirmedAmount: null,
    errorCode: null,
    createdAt: null,
    resultAt: null,
    chargebackAt: null,
    expiresAt: null,
    source: { ...NO_SOURCE, keyString: '@key' },
    ...change,
  };
}
