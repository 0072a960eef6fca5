import type { Attempt, LinkAttempt, PayinAttempt } from '../contract/backend.js';
import type { CheckoutEvent } from '../machine/effect.js';
import {
  type CheckoutClosedEvent,
  type CheckoutErrorEvent,
  type CheckoutReadyEvent,
  TELLING,
} from './events.js';

/**
 * What the element tells the page about attempts. Facts are past tense; the two intents, `checkout-redirect` and
 * `checkout-finished`, can be canceled.
 */

/** An intent. */
const ASKING: EventInit = { bubbles: true, composed: true, cancelable: true };

/** A payin was created, or news of it arrived. */
export class PayinEvent extends Event {
  readonly payin: PayinAttempt;

  constructor(type: 'payin-created' | 'payin-updated', payin: PayinAttempt) {
    super(type, TELLING);
    this.payin = payin;
  }
}

/** A payin was paid. */
export class PayinConfirmedEvent extends Event {
  readonly payin: PayinAttempt;
  /** It was already so when the page loaded. */
  readonly resumed: boolean;
  /** Paid after it had lapsed, was replaced or was reported otherwise. */
  readonly late: boolean;
  /** What arrived is not what was asked for. */
  readonly amountDiffers: boolean;
  /** Another attempt of the same order was paid too. */
  readonly duplicate: boolean;

  constructor(payin: PayinAttempt, facts: PaidFacts) {
    super('payin-confirmed', TELLING);
    this.payin = payin;
    this.resumed = facts.resumed;
    this.late = facts.late;
    this.amountDiffers = facts.amountDiffers;
    this.duplicate = facts.duplicate;
  }
}

/** A payin ended without money, or passed its expiry while it is still watched. */
export class PayinEndedEvent extends Event {
  readonly payin: PayinAttempt;
  /** It was already so when the page loaded. */
  readonly resumed: boolean;

  constructor(
    type: 'payin-declined' | 'payin-canceled' | 'payin-lapsed',
    payin: PayinAttempt,
    resumed: boolean,
  ) {
    super(type, TELLING);
    this.payin = payin;
    this.resumed = resumed;
  }
}

/** A payment link was created. */
export class PaymentLinkCreatedEvent extends Event {
  readonly link: LinkAttempt;

  constructor(link: LinkAttempt) {
    super('paymentlink-created', TELLING);
    this.link = link;
  }
}

/** A payment link was paid. */
export class PaymentLinkCompletedEvent extends Event {
  readonly link: LinkAttempt;
  /** It was already so when the page loaded. */
  readonly resumed: boolean;
  /** Paid after it had expired or was replaced. */
  readonly late: boolean;
  /** Another attempt of the same order was paid too. */
  readonly duplicate: boolean;

  constructor(link: LinkAttempt, facts: PaidFacts) {
    super('paymentlink-completed', TELLING);
    this.link = link;
    this.resumed = facts.resumed;
    this.late = facts.late;
    this.duplicate = facts.duplicate;
  }
}

/** A payment link expired without being paid. */
export class PaymentLinkExpiredEvent extends Event {
  readonly link: LinkAttempt;
  /** It was already so when the page loaded. */
  readonly resumed: boolean;

  constructor(link: LinkAttempt, resumed: boolean) {
    super('paymentlink-expired', TELLING);
    this.link = link;
    this.resumed = resumed;
  }
}

/** The payer is about to leave for the bank or the hosted page. Cancel it to do the leaving yourself. */
export class CheckoutRedirectEvent extends Event {
  /** Already checked: https, no credentials, within the allowed hosts. */
  readonly url: string;
  readonly attempt: Attempt;

  constructor(url: string, attempt: Attempt) {
    super('checkout-redirect', ASKING);
    this.url = url;
    this.attempt = attempt;
  }
}

/** The payer pressed the last button. Cancel it to keep the page from following `finish-url`. */
export class CheckoutFinishedEvent extends Event {
  readonly attempt: Attempt | null;

  constructor(attempt: Attempt | null) {
    super('checkout-finished', ASKING);
    this.attempt = attempt;
  }
}

type PaidFacts = Pick<
  Extract<CheckoutEvent, { type: 'payin-confirmed' }>,
  'resumed' | 'late' | 'amountDiffers' | 'duplicate'
>;

/** The DOM event for what the machine wants told. */
export function attemptEvent(event: CheckoutEvent): Event {
  switch (event.type) {
    case 'payin-created':
    case 'payin-updated':
      return new PayinEvent(event.type, event.payin);
    case 'payin-confirmed':
      return new PayinConfirmedEvent(event.payin, event);
    case 'payin-declined':
    case 'payin-canceled':
    case 'payin-lapsed':
      return new PayinEndedEvent(event.type, event.payin, event.resumed);
    case 'paymentlink-created':
      return new PaymentLinkCreatedEvent(event.link);
    case 'paymentlink-completed':
      return new PaymentLinkCompletedEvent(event.link, event);
    case 'paymentlink-expired':
      return new PaymentLinkExpiredEvent(event.link, event.resumed);
    default:
      throw new TypeError(`Not about an attempt: ${event.type}`);
  }
}

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
