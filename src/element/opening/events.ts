import type { Offer } from '../../contract/backend.js';
import type { CheckoutEvent } from '../../machine/effect.js';
import type { FailureReason } from '../../machine/input.js';

/**
 * What the element tells the page. An event is a hint and never proof of a payment: goods ship on what the server
 * knows. Facts are past tense; two are intents and can be canceled: `checkout-redirect` and `checkout-finished`.
 */

/** A listener on any ancestor gets them, also outside the shadow tree that the element stands in. */
export const EVERYWHERE = { bubbles: true, composed: true } as const;

/** The checkout knows what there is to pay, or what became of it. */
export class CheckoutReadyEvent extends Event {
  /** Null when the payer came back by an attempt alone. */
  readonly offer: Offer | null;

  constructor(offer: Offer | null) {
    super('checkout-ready', EVERYWHERE);
    this.offer = offer;
  }
}

/** Something went wrong, and the payer saw it. */
export class CheckoutErrorEvent extends Event {
  readonly reason: FailureReason;
  /** For the page's engineer; the payer saw other words. */
  readonly message: string;

  constructor(reason: FailureReason, message: string) {
    super('checkout-error', EVERYWHERE);
    this.reason = reason;
    this.message = message;
  }
}

/** A modal checkout was closed. An open payment goes on being watched. */
export class CheckoutClosedEvent extends Event {
  constructor() {
    super('checkout-closed', EVERYWHERE);
  }
}

/** What a page's engineer is told where no call failed. */
const SENTENCES: Partial<Record<FailureReason, string>> = {
  no_methods: 'The offer has no method that "rails", "key-type" and "hosted" allow.',
  not_found: 'The backend does not know the payment that the page’s address names.',
  unsafe_address: 'The backend’s pseUrl or paymentLinkUrl is not https, or not within "redirect-hosts".',
  part_missing: 'A file of the widget could not be fetched. Are all files of the build on your server?',
  misconfigured: 'There is nothing to pay: the element has no "order".',
};

/** The DOM event for a fact of the machine that the opening knows; null for one of a payment. */
export function openingEvent(event: CheckoutEvent): Event | null {
  switch (event.type) {
    case 'checkout-ready':
      return new CheckoutReadyEvent(event.offer);
    case 'checkout-error':
      return new CheckoutErrorEvent(event.reason, event.detail ?? SENTENCES[event.reason] ?? event.reason);
    case 'checkout-closed':
      return new CheckoutClosedEvent();
    default:
      return null;
  }
}
