import type { Offer } from '../contract/backend.js';
import type { CheckoutEvent } from '../machine/effect.js';
import type { FailureReason } from '../machine/input.js';

/**
 * What the element tells the page, as far as it concerns no attempt yet; the rest is in `attempt-events.ts`. An event
 * is a hint to the page and never proof of a payment: goods ship on the server's word.
 */

/** A fact, in the past tense. */
export const TELLING: EventInit = { bubbles: true, composed: true };

/** The checkout knows what there is to pay, or what became of it. */
export class CheckoutReadyEvent extends Event {
  /** Null when the payer came back by an attempt alone. */
  readonly offer: Offer | null;

  constructor(offer: Offer | null) {
    super('checkout-ready', TELLING);
    this.offer = offer;
  }
}

/** The payer was told that something went wrong. */
export class CheckoutErrorEvent extends Event {
  readonly reason: FailureReason;
  /** For the page's engineer; the payer saw other words. */
  readonly message: string;

  constructor(reason: FailureReason, message: string) {
    super('checkout-error', TELLING);
    this.reason = reason;
    this.message = message;
  }
}

/** A modal checkout was closed. An open payment goes on being watched. */
export class CheckoutClosedEvent extends Event {
  constructor() {
    super('checkout-closed', TELLING);
  }
}

/** The DOM event for what the machine wants told; null when it is about an attempt. */
export function openingEvent(event: CheckoutEvent): Event | null {
  switch (event.type) {
    case 'checkout-ready':
      return new CheckoutReadyEvent(event.offer);
    case 'checkout-error':
      return new CheckoutErrorEvent(event.reason, '');
    case 'checkout-closed':
      return new CheckoutClosedEvent();
    default:
      return null;
  }
}
