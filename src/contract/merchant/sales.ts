import type { MONEY_OUT } from './payouts.js';

/**
 * What a person sees of orders and payments: lists, figures, what needs a decision, and the comparison with the
 * service. Times are ISO 8601 in UTC. Nothing here carries personal data.
 */

export interface AttemptListItem {
  /** Of the attempt, or of the refund or payout. */
  readonly id: string;
  /** Empty for a payout, which has none. */
  readonly order: string;
  readonly reference: string;
  readonly rail: string;
  readonly status: string;
  readonly amountInCents: number;
  readonly paidInCents: number;
  readonly startedAt: string;
  readonly shownAt: string | null;
  readonly paidAt: string | null;
  /** Why it ended without money. */
  readonly reason: string | null;
  /** PSE's code of the payment, and the payer's bank. */
  readonly cus: string | null;
  readonly bank: string | null;
}

export interface AttemptListPage {
  /** The last started first. */
  readonly attempts: readonly AttemptListItem[];
  /** Give it back as `after` for the next page; null at the end. */
  readonly next: string | null;
}

export interface AttemptTotals {
  readonly count: number;
  readonly amountInCents: number;
  readonly paid: number;
  readonly paidInCents: number;
}

/** Money of some days. */
export interface Collected {
  readonly paid: number;
  readonly paidInCents: number;
  /** What went back to payers: refunds that arrived, and what banks took back. */
  readonly returnedInCents: number;
  /** What is left. */
  readonly netInCents: number;
  /** Null when nothing was paid. */
  readonly averageInCents: number | null;
}

/** Whole days, but for today, which ends now. */
export type Periods = Readonly<Record<'today' | 'yesterday' | 'weekAgo' | 'week' | 'month', Collected>>;

export interface Overview extends Collected {
  /** How many days it covers; the last is today. */
  readonly dayCount: number;
  /** Every day, also those without a payment, oldest first. */
  readonly days: readonly {
    readonly date: string;
    readonly paid: number;
    readonly paidInCents: number;
    readonly returnedInCents: number;
  }[];
  /** What became of the attempts that were started in these days. */
  readonly methods: readonly MethodFigures[];
  /** From the key on the screen to the money. */
  readonly waits: readonly {
    readonly rail: string;
    readonly paid: number;
    readonly medianMs: number;
    readonly p90Ms: number;
  }[];
  /** The most frequent first. */
  readonly reasons: readonly { readonly rail: string; readonly reason: string; readonly count: number }[];
}

export interface MethodFigures {
  readonly rail: string;
  readonly started: number;
  /** A payer saw the key or the bank's address. */
  readonly shown: number;
  readonly paid: number;
  /** Shown, and ended without money. */
  readonly declined: number;
  /** Shown, and neither paid nor ended. */
  readonly open: number;
  /** Ended before a payer saw anything to pay with. */
  readonly failed: number;
}

export const REVIEW_KINDS = [
  /** The service's data contradicts what was asked of it. */
  'quarantined',
  /** Another amount was paid than the order costs. */
  'amount_mismatch',
  /** A payment of an order that was already paid: give it back. */
  'duplicate',
  /** A payment that arrived after its time was over: the goods may be gone. */
  'late',
  /** An event says that a payment has an outcome, and no read agrees. */
  'unverified',
  /** The payer was at the bank, and a day later the outcome is unknown. */
  'stuck',
  /** A hook of yours keeps failing. */
  'hook_failing',
  /** The payer's bank has taken a payment back. */
  'chargeback',
  /** Money was sent out, or may have been, and whether it arrived is unknown. */
  'payout_unclear',
  /** What the service says of a payout does not fit together. */
  'payout_contradicted',
] as const;
export type ReviewKind = (typeof REVIEW_KINDS)[number];

/** Something of an order that needs a person. */
export interface ReviewView {
  /** What `markHandled` takes. */
  readonly key: string;
  readonly kind: ReviewKind;
  readonly reference: string;
  /** The service's id of the payin that brought the money it is about. Absent where it is about none. */
  readonly payment?: string;
  readonly since: string;
  /** What differs, the claimed status, the amount in cents (of a repeated payment what is too much) or the hook. */
  readonly detail: string;
}

export interface ReviewedOrder {
  /** Null for a payout, or a refund of a payin, that is of no order here: `checkout.payouts` has it. */
  readonly order: string | null;
  readonly items: readonly ReviewView[];
}

export interface ReviewPage {
  readonly orders: readonly ReviewedOrder[];
  /** Give it back as `after` for the next page; null at the end. */
  readonly next: string | null;
}

export interface OrderView {
  readonly order: string;
  /** What is paid for, as the payer read it last. */
  readonly description: string | null;
  /** What the order costs, as of its last attempt or payment. */
  readonly amountInCents: number;
  /** All that arrived for it. */
  readonly paidInCents: number;
  /** What can still be asked for: 0 once the price is there. */
  readonly missingInCents: number;
  readonly attempts: readonly AttemptSummary[];
  readonly payments: readonly {
    readonly reference: string;
    readonly amountInCents: number;
    readonly at: string;
  }[];
  readonly review: readonly ReviewView[];
  /** What a person has taken off the review; `reopen` puts it back. */
  readonly handled: readonly ReviewView[];
  readonly notices: readonly NoticeView[];
  /** Oldest first. */
  readonly history: readonly HistoryEntry[];
  /** When the kit works on it next; null when it is at rest. */
  readonly dueAt: string | null;
}

export interface AttemptSummary {
  readonly kind: 'PAYIN' | 'PAYMENT_LINK';
  readonly rail: string | null;
  readonly status: string;
  readonly amountInCents: number;
  readonly createdAt: string;
  /** What the service made for it: payins, and the link that some of them were made through. */
  readonly payments: readonly {
    readonly kind: 'PAYIN' | 'PAYMENT_LINK';
    readonly reference: string;
    readonly serviceId: string | null;
    readonly status: string;
    /** Null for a link, whose money is that of its payins. */
    readonly confirmedAmountInCents: number | null;
    readonly readAt: string | null;
    readonly nextReadAt: string | null;
  }[];
}

export interface NoticeView {
  /** What `repeatNotice` takes. */
  readonly key: string;
  readonly hook: string;
  readonly tries: number;
  /** Null while it waits. */
  readonly deliveredAt: string | null;
}

export const JOURNAL_EVENTS = [
  'attempt_created',
  'attempt_replaced',
  'attempt_failed',
  'payment_known',
  'event_received',
  'payment_confirmed',
  'payment_duplicate',
  'amount_mismatch',
  'payment_declined',
  'payment_canceled',
  'chargeback',
  'payout_reported',
  'payout_sent',
  'payout_unclear',
  'payout_failed',
  'payout_resolved',
  'refunded',
  'quarantined',
  'event_unverified',
  'watch_ended',
  'status_contradicted',
  'notice_delivered',
  'notice_repeated',
  'review_handled',
  'review_reopened',
  'attempts_reset',
] as const;
export type JournalEvent = (typeof JOURNAL_EVENTS)[number];

/** Something that happened to an order. */
export interface HistoryEntry {
  readonly at: string;
  readonly event: JournalEvent;
  readonly reference?: string;
  /** `BRE_B`, `PSE` or `PAYMENT_LINK`. */
  readonly rail?: string;
  readonly amountInCents?: number;
  readonly confirmedAmountInCents?: number;
  /** A status, an error's code, a notice's key: a name from the record, never a value of the payer's. */
  readonly detail?: string;
  /** What a person wrote about it. */
  readonly note?: string;
}

export const RECONCILE_RESULTS = [
  /** Both say the same. */
  'same',
  /** The service knew an outcome that the store did not: a read has settled it. */
  'settled',
  /** The store did not know the payment; its reference proves the order, which now has it. */
  'adopted',
  /** They differ, and no read has put that right. */
  'differs',
  /** No order is known for it: another system's, or an order that is gone. */
  'unknown_order',
  /** Paid here, and not in the service's list. */
  'missing_there',
] as const;
export type ReconcileResult = (typeof RECONCILE_RESULTS)[number];

export interface ReconciledPayment {
  readonly createdAt: string;
  readonly reference: string;
  readonly serviceId: string | null;
  readonly order: string | null;
  readonly rail: string | null;
  readonly theirStatus: string | null;
  readonly ourStatus: string | null;
  /** Money that was confirmed: 0 when none was. */
  readonly theirsInCents: number;
  readonly oursInCents: number;
  readonly result: ReconcileResult;
}

export interface Reconciliation {
  readonly payments: readonly ReconciledPayment[];
  readonly theirsInCents: number;
  readonly oursInCents: number;
  /**
   * Refunds, payouts and chargebacks of the time. The service has no list of them: they are as the store has them. Empty in a
   * run that goes on at a cursor: the run that began has them.
   */
  readonly moneyOut: MoneyOut;
  /** What came in here less what went out. */
  readonly netInCents: number;
  /** Null when all was compared; otherwise where to go on. */
  readonly cursor: string | null;
  /** Why it stopped early: the kind of the service's failure, or `aborted`. */
  readonly stoppedBy: string | null;
}

export interface MoneyOut {
  readonly lines: readonly MoneyOutLine[];
  readonly outInCents: number;
  readonly openInCents: number;
}

export interface MoneyOutLine {
  /** When it was sent, or taken back. */
  readonly at: string;
  readonly kind: (typeof MONEY_OUT)[number];
  readonly order: string | null;
  readonly reference: string;
  readonly status: string;
  /** What left for certain: 0 while it has no outcome, and when it failed. */
  readonly outInCents: number;
  /** What may have left: its outcome is not known. */
  readonly openInCents: number;
}
