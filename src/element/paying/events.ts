import type { Attempt, LinkAttempt, PayinAttempt } from '../../contract/backend.js';
import type { CheckoutEvent } from '../../machine/effect.js';
import { EVERYWHERE } from '../opening/events.js';

/** What the element tells the page of payments. */

type EventOf<Type extends CheckoutEvent['type']> = Extract<CheckoutEvent, { readonly type: Type }>;

const CANCELABLE = { ...EVERYWHERE, cancelable: true } as const;

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
  /** Paid after it had lapsed or expired, was replaced or was reported otherwise. */
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
  /** Paid after it had lapsed or expired, was replaced or was reported otherwise. */
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

/** The DOM event for a fact of the machine about a payment. */
export function payingEvent(event: CheckoutEvent): Event {
  switch (event.type) {
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
    default:
      throw new TypeError(`Not of a payment: ${event.type}`);
  }
}
