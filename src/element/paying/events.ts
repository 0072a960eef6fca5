import type { Attempt, LinkAttempt, PayinAttempt } from '../../contract/backend.js';
import type { CheckoutEvent } from '../../machine/effect.js';
import { EVERYWHERE } from '../opening/events.js';

/** What the element tells the page of payments. */

type EventOf<Type extends CheckoutEvent['type']> = Extract<CheckoutEvent, { readonly type: Type }>;

const CANCELABLE = { ...EVERYWHERE, cancelable: true } as const;

/** A fact of the machine, whose members the event has as its own. */
class FactEvent<Type extends CheckoutEvent['type']> extends Event {
  constructor({ type, ...facts }: EventOf<Type>) {
    super(type, EVERYWHERE);
    Object.assign(this, facts);
  }
}

/** A payin was created, or news of it arrived. */
export class PayinEvent extends FactEvent<'payin-created' | 'payin-updated'> {
  declare readonly payin: PayinAttempt;
}

/** A payin was paid. */
export class PayinConfirmedEvent extends FactEvent<'payin-confirmed'> {
  declare readonly payin: PayinAttempt;
  /** It was already so when the page loaded. */
  declare readonly resumed: boolean;
  /** Paid after it had lapsed or expired, was replaced or was reported otherwise. */
  declare readonly late: boolean;
  /** What arrived is not what was asked for. */
  declare readonly amountDiffers: boolean;
  /** Another attempt of the same order was paid too. */
  declare readonly duplicate: boolean;
}

/** A payin ended without money, or passed its expiry while it is still watched. */
export class PayinEndedEvent extends FactEvent<'payin-declined' | 'payin-canceled' | 'payin-lapsed'> {
  declare readonly payin: PayinAttempt;
  /** It was already so when the page loaded. */
  declare readonly resumed: boolean;
}

/** A payment link was created. */
export class PaymentLinkCreatedEvent extends FactEvent<'paymentlink-created'> {
  declare readonly link: LinkAttempt;
}

/** A payment link was paid. */
export class PaymentLinkCompletedEvent extends FactEvent<'paymentlink-completed'> {
  declare readonly link: LinkAttempt;
  /** It was already so when the page loaded. */
  declare readonly resumed: boolean;
  /** Paid after it had lapsed or expired, was replaced or was reported otherwise. */
  declare readonly late: boolean;
  /** What arrived is not what was asked for. */
  declare readonly amountDiffers: boolean;
  /** Another attempt of the same order was paid too. */
  declare readonly duplicate: boolean;
}

/** A payment link expired without being paid. */
export class PaymentLinkExpiredEvent extends FactEvent<'paymentlink-expired'> {
  declare readonly link: LinkAttempt;
  /** It was already so when the page loaded. */
  declare readonly resumed: boolean;
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

const CLASSES = {
  'payin-created': PayinEvent,
  'payin-updated': PayinEvent,
  'payin-confirmed': PayinConfirmedEvent,
  'payin-declined': PayinEndedEvent,
  'payin-canceled': PayinEndedEvent,
  'payin-lapsed': PayinEndedEvent,
  'paymentlink-created': PaymentLinkCreatedEvent,
  'paymentlink-completed': PaymentLinkCompletedEvent,
  'paymentlink-expired': PaymentLinkExpiredEvent,
} as const;

/** The DOM event for a fact of the machine about a payment. */
export function payingEvent(event: CheckoutEvent): Event {
  const FactClass = CLASSES[event.type as keyof typeof CLASSES] as new (event: CheckoutEvent) => Event;
  return new FactClass(event);
}
