import type { Offer } from '../contract/backend.js';
import type { CheckoutEvent } from '../machine/effect.js';
import type { FailureReason } from '../machine/input.js';

/**
 * What the element tells the page, as far as it concerns no attempt yet; the rest is in `attempt-events.ts`. An event
 * is a hint to the page and never proof of a payment: goods ship on the server's word.
 */

/** An event whose facts are fields of its own. Facts are past tense; an intent can be canceled. */
export class FactEvent extends Event {
  constructor(
    { type, ...facts }: { readonly type: string; readonly [fact: string]: unknown },
    cancelable = false,
  ) {
    super(type, { bubbles: true, composed: true, cancelable });
    Object.assign(this, facts);
  }
}

/** The checkout knows what there is to pay, or what became of it. */
export class CheckoutReadyEvent extends FactEvent {
  /** Null when the payer came back by an attempt alone. */
  declare readonly offer: Offer | null;
}

/** The payer was told that something went wrong. */
export class CheckoutErrorEvent extends FactEvent {
  declare readonly reason: FailureReason;
  /** For the page's engineer; the payer saw other words. */
  declare readonly message: string;
}

/** A modal checkout was closed. An open payment goes on being watched. */
export class CheckoutClosedEvent extends FactEvent {}

/** The DOM event for what the machine wants told; null when it is about an attempt. */
export function openingEvent(event: CheckoutEvent): Event | null {
  switch (event.type) {
    case 'checkout-ready':
      return new CheckoutReadyEvent(event);
    case 'checkout-error':
      return new CheckoutErrorEvent({ message: '', ...event });
    case 'checkout-closed':
      return new CheckoutClosedEvent(event);
    default:
      return null;
  }
}
