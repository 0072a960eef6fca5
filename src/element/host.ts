import type { ReactiveControllerHost } from 'lit';
import type { GivenCustomer } from '../contract/backend.js';
import type { Messages } from '../locales/messages.js';
import type { Happening } from '../machine/input.js';
import type { LazyViews } from './lazy-views.js';

/**
 * What a view gets beside its screen: words, the way to say what the payer did, and the few facts of the page that
 * change what is drawn. Views are functions of this; what must outlive a render they keep in `views`.
 */
export interface ViewContext {
  readonly messages: Messages;
  /** Tells the machine; the element stamps the time. */
  readonly send: (happening: Happening) => void;
  /** Something the payer did waits for code that is still on its way. */
  readonly waiting: boolean;
  /** A fresh idempotency key for inputs that may create. */
  readonly newKey: () => string;
  /** This device's clock, in epoch milliseconds, as of this render. */
  readonly nowMs: number;
  /** Server clock minus this device's clock. */
  readonly clockOffsetMs: number;
  /** The payer's pointer is a finger, so this screen is probably the phone with the bank's app on it. */
  readonly touch: boolean;
  /** As the page wrote it, for `safeAddress`: an address is checked before it is followed or drawn. */
  readonly redirectHosts: string | null;
  /** What the page already knows; shown in the form, where the payer can mend it. */
  readonly prefill: Prefill;
  /** Above this a Bre-B payment may be refused by the payer's bank: said, never enforced. */
  readonly brebLimitInCents: number;
  /** Views that arrive later, and what views keep for this element. */
  readonly views: LazyViews;
}

export interface Prefill {
  readonly bank: string | null;
  readonly customer: GivenCustomer;
}

/** 1,000 UVB of 2025, the network's ceiling for one payment; banks may set less. */
export const BREB_LIMIT_IN_CENTS = 1_155_200_000;

/** What the element is to its views' helpers. */
export interface ViewHost extends ReactiveControllerHost {
  readonly renderRoot: ShadowRoot;
  /** Says it in the live region. */
  announce(text: string): void;
}
