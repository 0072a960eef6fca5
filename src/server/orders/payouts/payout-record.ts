import type { MaskedReceiver, PayoutState } from '../../../contract/merchant/payouts.js';
import type { InlineCustomer } from '../../../contract/service/resources.js';
import type { PayinStatus } from '../../../contract/status.js';

/** One intent to send money, and what became of it. `payouts.ts` decides about it. */
export interface PayoutRecord {
  readonly id: string;
  /** What the service and the receiver's bank know it by. */
  readonly reference: string;
  readonly amountInCents: number;
  /** The payin that it gives back, by the service's id; null when it is for the order as a whole, or no refund. */
  readonly payment: string | null;
  readonly state: PayoutState;
  /** Grows with every change of state, so that two people do not decide about the same draft. */
  readonly version: number;
  /** The states it has been in, oldest first. */
  readonly steps: readonly { readonly state: PayoutState; readonly at: number }[];
  readonly receiver: MaskedReceiver;
  /** What sending needs; dropped before the service is called. */
  readonly request: PayoutRequest | null;
  /** When the service may be called; null unless it waits for that. */
  readonly sendAt: number | null;
  /** How often the service was certainly not reached. */
  readonly tries: number;
  /** When the state ends by itself: a draft lapses, sending is given up, an answer counts as lost. */
  readonly giveUpAt: number | null;
  readonly serviceId: string | null;
  readonly reason: string | null;
  readonly errorCode: string | null;
  readonly note: string | null;
  /** The last status that an event claimed. */
  readonly reported: PayinStatus | null;
  /** What does not fit: an outcome that was claimed after the opposite one, or a second payout of this reference. */
  readonly contradiction: string | null;
}

/** Personal data. */
export interface PayoutRequest {
  readonly customer: InlineCustomer;
  readonly keyString: string;
  /** Of the key's owner as they were shown: the key may have another owner when it is sent. */
  readonly receiverDigest: string;
}
