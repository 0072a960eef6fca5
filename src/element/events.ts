import type { Attempt, LinkAttempt, Offer, PayinAttempt } from '../contract/backend.js';
import type { CheckoutEvent } from '../machine/effect.js';
import type { FailureReason } from '../machine/input.js';

/**
 * What the element tells the page. An event is a hint and never proof of a payment: goods ship on what the server
 * knows. Facts are past tense; two are intents and can be canceled: `checkout-redirect` and `checkout-finished`.
 */

type EventOf<Type extends CheckoutEvent['type']> = Extract<CheckoutEvent, { readonly type: Type }>;

/** A listener on any ancestor gets them, also outside the shadow tree that the element stands in. */
const EVERYWHERE = { bubbles: true, composed: true } as const;
const CANCELABLE = { ...EVERYWHERE, cancelable: true } as const;

/** The checkout knows what there is to pay, or what became of it. */
export class CheckoutReadyEvent extends Event {
  /** Null when the payer came back by an attempt alone. */
  readonly offer: Offer | null;

  constructor(offer: Offer | null) {
    super('checkout-ready', EVERYWHERE);
    this.offer = offer;
  }
}

/** A payin was created, or news of it arrived. */
export class PayinEvent extends Event {
  readonly payin: PayinAttempt;

  constructor({ type, payin }: EventOf<'payin-created' | 'payin-updated'>) {
    super(type, EVERYWHERE);
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

  constructor(event: EventOf<'payin-confirmed'>) {
    super(event.type, EVERYWHERE);
    this.payin = event.payin;
    this.resumed = event.resumed;
    this.late = event.late;
    this.amountDiffers = event.amountDiffers;
    this.duplicate = event.duplicate;
  }
}

/** A payin ended without money, or passed its expiry while it is still watched. */
export class PayinEndedEvent extends Event {
  readonly payin: PayinAttempt;
  /** It was already so when the page loaded. */
  readonly resumed: boolean;

  constructor({ type, payin, resumed }: EventOf<'payin-declined' | 'payin-canceled' | 'payin-lapsed'>) {
    super(type, EVERYWHERE);
    this.payin = payin;
    this.resumed = resumed;
  }
}

/** A payment link was created. */
export class PaymentLinkCreatedEvent extends Event {
  readonly link: LinkAttempt;

  constructor({ type, link }: EventOf<'paymentlink-created'>) {
    super(type, EVERYWHERE);
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
  /** What arrived is not what was asked for. */
  readonly amountDiffers: boolean;
  /** Another attempt of the same order was paid too. */
  readonly duplicate: boolean;

  constructor(event: EventOf<'paymentlink-completed'>) {
    super(event.type, EVERYWHERE);
    this.link = event.link;
    this.resumed = event.resumed;
    this.late = event.late;
    this.amountDiffers = event.amountDiffers;
    this.duplicate = event.duplicate;
  }
}

/** A payment link expired without being paid. */
export class PaymentLinkExpiredEvent extends Event {
  readonly link: LinkAttempt;
  /** It was already so when the page loaded. */
  readonly resumed: boolean;

  constructor({ type, link, resumed }: EventOf<'paymentlink-expired'>) {
    super(type, EVERYWHERE);
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
    super('checkout-redirect', CANCELABLE);
    this.url = url;
    this.attempt = attempt;
  }
}

/** The payer pressed the last button. Cancel it to keep the page from following `finish-url`. */
export class CheckoutFinishedEvent extends Event {
  readonly attempt: Attempt | null;

  constructor(attempt: Attempt | null) {
    super('checkout-finished', CANCELABLE);
    this.attempt = attempt;
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

/** The DOM event for a fact of the machine. */
export function domEvent(event: CheckoutEvent): Event {
  switch (event.type) {
    case 'checkout-ready':
      return new CheckoutReadyEvent(event.offer);
    case 'payin-created':
    case 'payin-updated':
      return new PayinEvent(event);
    case 'payin-confirmed':
      return new PayinConfirmedEvent(event);
    case 'payin-declined':
    case 'payin-canceled':
    case 'payin-lapsed':
      return new PayinEndedEvent(event);
    case 'paymentlink-created':
      return new PaymentLinkCreatedEvent(event);
    case 'paymentlink-completed':
      return new PaymentLinkCompletedEvent(event);
    case 'paymentlink-expired':
      return new PaymentLinkExpiredEvent(event);
    case 'checkout-error':
      return new CheckoutErrorEvent(event.reason, event.detail ?? SENTENCES[event.reason] ?? event.reason);
    case 'checkout-closed':
      return new CheckoutClosedEvent();
    default:
      throw new TypeError(`Unknown event: ${JSON.stringify(event satisfies never)}`);
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
