/** Money that goes out, as the kit and the console speak of it. Personal data comes masked. */

export const PAYOUT_STATES = [
  /** The key was looked up; nothing has been sent. */
  'DRAFT',
  'SENDING',
  /** The service accepted it; its event brings the outcome. */
  'PROCESSING',
  /** Unknown whether it was created: never sent again. Its event or a person brings the outcome. */
  'UNCLEAR',
  /** Nothing was sent: the service refused it, could not be reached, or the key has another owner now. */
  'REFUSED',
  'CONFIRMED',
  'DECLINED',
  'CANCELED',
] as const;
export type PayoutState = (typeof PAYOUT_STATES)[number];

/** What a line of money that goes out has for a rail. */
export const MONEY_OUT = ['REFUND', 'PAYOUT', 'CHARGEBACK'] as const;

/** Of what a merchant writes about a link, a payout or a thing to review. */
export const LONGEST_NOTE = 500;

/** Who is behind a key, and who was expected. */
export interface MaskedReceiver {
  readonly name: string;
  readonly document: string | null;
  readonly account: string | null;
  readonly bank: string | null;
  readonly key: string;
  readonly keyType: string | null;
  /** Whom the merchant wants to pay, to compare with. */
  readonly typed?: { readonly name: string; readonly document: string };
  /** The key belongs to another person than was expected: only sent when that is accepted. */
  readonly differs?: boolean;
}

/** A payout, or a refund, which is a payout that belongs to a payment. Times are ISO 8601 in UTC. */
export interface PayoutView {
  readonly id: string;
  /** Grows with every change; `send` takes the draft's. */
  readonly version: number;
  readonly state: PayoutState;
  readonly reference: string;
  readonly amountInCents: number;
  readonly receiver: MaskedReceiver;
  /** The order that it gives money back for. */
  readonly order: string | null;
  /** The payin that it gives back, by the service's id; null when it is for the order as a whole. */
  readonly payment: string | null;
  /** What can still be given back: a draft's amount is at most this. Null when it is no refund. */
  readonly returnableInCents: number | null;
  /** The merchant's own; neither the receiver nor the service sees it. */
  readonly note: string | null;
  readonly serviceId: string | null;
  /** Why nothing was sent, or why it is unclear. */
  readonly reason: string | null;
  readonly errorCode: string | null;
  readonly createdAt: string;
  readonly steps: readonly { readonly step: PayoutState; readonly at: string }[];
}
