import type { Attempt, LinkAttempt, Offer, PayinAttempt } from '../contract/backend.js';
import type { StartLink, StartPayin } from '../contract/start.js';
import type { WatchTarget } from '../contract/return-id.js';
import type { FailureReason, Hint, ReturnId } from './input.js';
import type { Phase } from './state.js';

/** What the machine asks its controllers to do. Data only; each is run once, in order. */
export type Effect =
  /** Read the offer; answer with `offer-loaded` or `offer-failed` and the same `run`. */
  | { readonly type: 'load-offer'; readonly order: string; readonly run: number }
  /** Create; answer with `created` or `create-failed` and the same key. */
  | { readonly type: 'create'; readonly idempotencyKey: string; readonly request: CreateRequest }
  /** Watch exactly these attempts from now on; those not named are let go. */
  | { readonly type: 'watch'; readonly targets: readonly WatchTarget[] }
  /** Read this attempt at once. */
  | { readonly type: 'check'; readonly target: ReturnId }
  /**
   * Check the address, dispatch the cancelable `checkout-redirect`, go. Answer with `redirect-refused` or
   * `redirect-canceled` when the browser does not leave.
   */
  | { readonly type: 'redirect'; readonly url: string; readonly attempt: Attempt }
  /** Send `tick` at this moment of the device's clock; null means no moment is awaited. Replaces the one before. */
  | { readonly type: 'schedule'; readonly atMs: number | null }
  | { readonly type: 'emit'; readonly event: CheckoutEvent }
  /** Dispatch the cancelable `checkout-finished`, then go to `finish-url` or close. */
  | { readonly type: 'finish'; readonly attempt: Attempt | null }
  /** Say it in the live region. */
  | { readonly type: 'announce'; readonly message: Announcement }
  | { readonly type: 'remember'; readonly hint: Hint }
  /** Take the return id out of the page's address. */
  | { readonly type: 'clean-address' }
  /** `performance.measure` from the start of the checkout. */
  | { readonly type: 'measure'; readonly name: 'ready' | 'created' | 'shown' | 'settled' };

export type CreateRequest =
  | { readonly kind: 'PAYIN'; readonly body: StartPayin }
  | { readonly kind: 'PAYMENT_LINK'; readonly body: StartLink };

/** What the live region says: a screen's own sentence, or one of the things that happen on a screen. */
export type Announcement =
  | Phase
  | 'offer-changed'
  | 'stalled'
  | 'checking'
  | 'nothing-yet'
  | 'unreachable'
  | 'blocked'
  | 'offline'
  | 'online'
  | 'trouble'
  | 'fix-fields';

/** Facts for the page, each dispatched as a DOM event of that name. */
export type CheckoutEvent =
  /** The offer is null for a payer who came back by an attempt's id alone. */
  | { readonly type: 'checkout-ready'; readonly offer: Offer | null }
  | { readonly type: 'payin-created'; readonly payin: PayinAttempt }
  | { readonly type: 'payin-updated'; readonly payin: PayinAttempt }
  | (PaidFacts & { readonly type: 'payin-confirmed'; readonly payin: PayinAttempt })
  | (EndFacts & {
      readonly type: 'payin-declined' | 'payin-canceled' | 'payin-lapsed';
      readonly payin: PayinAttempt;
    })
  | { readonly type: 'paymentlink-created'; readonly link: LinkAttempt }
  | (PaidFacts & { readonly type: 'paymentlink-completed'; readonly link: LinkAttempt })
  | (EndFacts & { readonly type: 'paymentlink-expired'; readonly link: LinkAttempt })
  | { readonly type: 'checkout-error'; readonly reason: FailureReason; readonly detail?: string }
  | { readonly type: 'checkout-closed' };

interface EndFacts {
  /** It was already so when the page loaded. */
  readonly resumed: boolean;
}

interface PaidFacts extends EndFacts {
  /** Paid after it had lapsed, was replaced or was reported otherwise. */
  readonly late: boolean;
  /** What arrived is not what was asked for. */
  readonly amountDiffers: boolean;
  /** Another attempt of the same order was paid too. */
  readonly duplicate: boolean;
}
