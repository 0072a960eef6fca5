/**
 * An attempt, or a sum of money that goes out, as lists and sums need it. `orders` writes it and the store keeps it
 * beside the order. Times are epoch milliseconds.
 */
export interface Line {
  /** The attempt's id, which is its key. */
  readonly id: string;
  readonly reference: string;
  /** `BRE_B`, `PSE` or `PAYMENT_LINK`; for money that goes out `REFUND`, `PAYOUT` or `CHARGEBACK`. */
  readonly rail: string;
  readonly status: string;
  readonly amountInCents: number;
  readonly startedAt: number;
  /** When a payer could first see its key or address; null when none ever could. */
  readonly shownAt: number | null;
  /** When its first payment arrived, and all that arrived. */
  readonly paidAt: number | null;
  readonly paidInCents: number;
  /** Why it ended without money: a code of the service or of the kit. */
  readonly reason: string | null;
  /** PSE's code of the payment, the key that was paid to, the payer's bank and the end of their document: to find it by. */
  readonly cus?: string;
  readonly key?: string;
  readonly bank?: string;
  readonly documentEnd?: string;
}
