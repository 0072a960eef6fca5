import type { Attempt, LinkAttempt, PayinAttempt } from '../contract/backend.js';
import type { CheckoutEvent } from '../machine/effect.js';
import {
  type CheckoutClosedEvent,
  type CheckoutErrorEvent,
  type CheckoutReadyEvent,
  FactEvent,
} from './events.js';

/** What the element tells the page about attempts. Two are intents: `checkout-redirect` and `checkout-finished`. */

/** A payin was created, or news of it arrived. */
export class PayinEvent extends FactEvent {
  declare readonly payin: PayinAttempt;
}

/** A payin was paid. */
export class PayinConfirmedEvent extends FactEvent {
  declare readonly payin: PayinAttempt;
  /** It was already so when the page loaded. */
  declare readonly resumed: boolean;
  /** Paid after it had lapsed, was replaced or was reported otherwise. */
  declare readonly late: boolean;
  /** What arrived is not what was asked for. */
  declare readonly amountDiffers: boolean;
  /** Another attempt of the same order was paid too. */
  declare readonly duplicate: boolean;
}

/** A payin ended without money, or passed its expiry while it is still watched. */
export class PayinEndedEvent extends FactEvent {
  declare readonly payin: PayinAttempt;
  /** It was already so when the page loaded. */
  declare readonly resumed: boolean;
}

/** A payment link was created. */
export class PaymentLinkCreatedEvent extends FactEvent {
  declare readonly link: LinkAttempt;
}

/** A payment link was paid. */
export class PaymentLinkCompletedEvent extends FactEvent {
  declare readonly link: LinkAttempt;
  /** It was already so when the page loaded. */
  declare readonly resumed: boolean;
  /** Paid after it had expired or was replaced. */
  declare readonly late: boolean;
  /** What arrived is not what was asked for. */
  declare readonly amountDiffers: boolean;
  /** Another attempt of the same order was paid too. */
  declare readonly duplicate: boolean;
}

/** A payment link expired without being paid. */
export class PaymentLinkExpiredEvent extends FactEvent {
  declare readonly link: LinkAttempt;
  /** It was already so when the page loaded. */
  declare readonly resumed: boolean;
}

/** The payer is about to leave for the bank or the hosted page. Cancel it to do the leaving yourself. */
export class CheckoutRedirectEvent extends FactEvent {
  /** Already checked: https, no credentials, within the allowed hosts. */
  declare readonly url: string;
  declare readonly attempt: Attempt;
}

/** The payer pressed the last button. Cancel it to keep the page from following `finish-url`. */
export class CheckoutFinishedEvent extends FactEvent {
  declare readonly attempt: Attempt | null;
}

const EVENTS = {
  'payin-created': PayinEvent,
  'payin-updated': PayinEvent,
  'payin-confirmed': PayinConfirmedEvent,
  'payin-declined': PayinEndedEvent,
  'payin-canceled': PayinEndedEvent,
  'payin-lapsed': PayinEndedEvent,
  'paymentlink-created': PaymentLinkCreatedEvent,
  'paymentlink-completed': PaymentLinkCompletedEvent,
  'paymentlink-expired': PaymentLinkExpiredEvent,
} satisfies Partial<Record<CheckoutEvent['type'], typeof FactEvent>>;

/** The DOM event for what the machine wants told. */
export const attemptEvent = (event: CheckoutEvent): Event =>
  new EVENTS[event.type as keyof typeof EVENTS]({ ...event });

export interface PayCheckoutEventMap {
  'checkout-ready': CheckoutReadyEvent;
  'payin-created': PayinEvent;
  'payin-updated': PayinEvent;
  'payin-confirmed': PayinConfirmedEvent;
  'payin-declined': PayinEndedEvent;
  'payin-canceled': PayinEndedEvent;
  'payin-lapsed': PayinEndedEvent;
  'paymentlink-created': PaymentLinkCreatedEvent;
  'paymentlink-completed': PaymentLinkCompletedEvent;
  'paymentlink-expired': PaymentLinkExpiredEvent;
  'checkout-redirect': CheckoutRedirectEvent;
  'checkout-finished': CheckoutFinishedEvent;
  'checkout-error': CheckoutErrorEvent;
  'checkout-closed': CheckoutClosedEvent;
}

declare global {
  // Events bubble and are composed, so a listener on any ancestor gets the typed event too.
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- the map is merged, not extended
  interface HTMLElementEventMap extends PayCheckoutEventMap {}
}
