import type { PayoutState } from '../contract/merchant/payouts.js';
import type { Rail } from '../contract/kinds.js';
import type { AttemptStatus, PayinStatus } from '../contract/status.js';

/**
 * What the merchant's hooks receive. Each notice is recorded with the state it is about in one transaction,
 * delivered at least once and in order per order; `key` is the same at each delivery, so that a handler recognises a
 * repetition. No notice carries personal data.
 */
export interface PaymentNotice {
  readonly key: string;
  /** The merchant's own id of the order. */
  readonly order: string;
  readonly attempt: string;
  readonly kind: 'PAYIN' | 'PAYMENT_LINK';
  readonly rail: Rail | null;
  /** What the service and the payer's bank know the payment by. */
  readonly reference: string;
  readonly serviceId: string | null;
  readonly status: AttemptStatus;
  /** What the payer was asked for. */
  readonly amountInCents: number;
  /** What this payment brought; null until something was confirmed. */
  readonly confirmedAmountInCents: number | null;
  /** What the order cost when the payment was recorded, or when the attempt was made. */
  readonly orderAmountInCents: number;
  /** What has been paid towards the order so far, by all its attempts. */
  readonly paidInCents: number;
  readonly currency: 'COP';
  readonly errorCode: string | null;
  /** Paid after it had lapsed, or after another outcome had been reported. */
  readonly late: boolean;
  readonly resultAt: string | null;
  /** When the kit learnt of it. */
  readonly at: string;
}

export interface DuplicateNotice extends PaymentNotice {
  /** The attempt that completed the order: an earlier one, or this one when it brought more than was missing. */
  readonly settledBy: string;
  /** What to give back. */
  readonly excessInCents: number;
}

export interface ChargebackNotice extends PaymentNotice {
  readonly chargebackAt: string;
}

/** The service offers no call that reads a payout, so this rests on its event alone. */
export interface PayoutNotice {
  readonly key: string;
  readonly payout: string;
  readonly reference: string | null;
  readonly status: PayinStatus;
  readonly errorCode: string | null;
  readonly verified: false;
  readonly at: string;
}

/** What became of a payout or refund that the kit sent. No read can prove it: it rests on the service's answer or event. */
export interface PayoutOutcomeNotice {
  readonly key: string;
  /** The kit's id, as `checkout.payouts.find` takes it. */
  readonly payout: string;
  /** The merchant's own id of the order that it gives money back for; null when it is for none. */
  readonly order: string | null;
  /** The payin that it gives back, by the service's id; null when it is for the order as a whole, or no refund. */
  readonly payment: string | null;
  readonly reference: string;
  readonly serviceId: string | null;
  readonly status: PayoutState;
  readonly amountInCents: number;
  readonly currency: 'COP';
  readonly errorCode: string | null;
  readonly at: string;
}

export interface RefundNotice extends PayoutOutcomeNotice {
  /** What has been given back of the order so far, by all its refunds. */
  readonly refundedInCents: number;
}

export const REPORT_KINDS = [
  /** A payin at the service differs from what was asked of it; nothing was believed. */
  'quarantined',
  /** An event said something that 24 hours of reads never agreed with. */
  'event_unverified',
  /** Thirty days without an outcome: the kit no longer reads this payment. */
  'watch_ended',
  /** A paid payment is now said not to be paid; it stays paid here. */
  'status_contradicted',
] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

export interface ReportNotice extends PaymentNotice {
  readonly report: ReportKind;
  /** What differed, or which status was claimed. A name, never a value of the payer's. */
  readonly detail: string;
}

type Handler<Notice> = (notice: Notice) => void | Promise<void>;

export interface Hooks {
  /** The order is paid in full, by one payment or by several together: ship the goods. */
  readonly onConfirmed: Handler<PaymentNotice>;
  readonly onDeclined?: Handler<PaymentNotice>;
  /** Canceled, or a payment link that expired. */
  readonly onCanceled?: Handler<PaymentNotice>;
  /** More was paid than the order costs: give `excessInCents` back. */
  readonly onDuplicatePayment?: Handler<DuplicateNotice>;
  /**
   * What was paid is not what the order costs now. Too little (`paidInCents` below `orderAmountInCents`) can be completed
   * by a further payment, for which `onConfirmed` is called; for too much it is not called.
   */
  readonly onAmountMismatch?: Handler<PaymentNotice>;
  readonly onChargeback?: Handler<ChargebackNotice>;
  /** An event of a payout, made by the kit or by another program. */
  readonly onPayout?: Handler<PayoutNotice>;
  /** A refund has arrived. */
  readonly onRefunded?: Handler<RefundNotice>;
  /** A refund or payout was refused, declined or canceled: its receiver got nothing. */
  readonly onPayoutFailed?: Handler<PayoutOutcomeNotice>;
  readonly onReport?: Handler<ReportNotice>;
}

export type HookName = keyof Hooks;

/** Hooks about money that goes out. */
export type PayoutHookName = 'onPayout' | 'onRefunded' | 'onPayoutFailed';

export const HOOK_NAMES = [
  'onConfirmed',
  'onDeclined',
  'onCanceled',
  'onDuplicatePayment',
  'onAmountMismatch',
  'onChargeback',
  'onPayout',
  'onRefunded',
  'onPayoutFailed',
  'onReport',
] as const satisfies readonly HookName[];
