import type { Attempt, Offer, Problem } from '../contract/backend.js';
import type { Method } from '../contract/offer.js';
import type { GivenCustomer } from '../contract/start.js';
import type { KeyType, PersonType, Rail } from '../contract/kinds.js';
import type { ProblemCode } from '../contract/problems.js';
import type { ReturnId } from '../contract/return-id.js';

export type { ReturnId };

/** What the element's attributes say about one checkout. */
export interface Config {
  /** Null on a page that only shows what became of a returning payer. */
  readonly order: string | null;
  /** Rails to offer, in this order; null means all the offer has. */
  readonly rails: readonly Rail[] | null;
  readonly keyType: KeyType | null;
  /** Code of the bank that the page prefers, for a hosted page of PSE alone. */
  readonly bank: string | null;
  /** Where the bank sends the payer back to; the page's own address unless the merchant says otherwise. */
  readonly callbackUrl: string;
  /** Only the hosted alternative is offered. */
  readonly hosted: boolean;
  /** What happens when a link exists: the payer is sent there, or the link is shown to copy, share and scan. */
  readonly linkMode: 'FOLLOW' | 'SHOW';
}

/** What this tab remembers across reloads. Nothing personal. */
export interface Hint {
  readonly attempt: ReturnId | null;
  /** Key of the last create. */
  readonly idempotencyKey: string | null;
  /** False while that create's answer has not come: its key is used again when the payer makes the same choice. */
  readonly answered: boolean;
  readonly choice: RememberedChoice;
}

export type RememberedChoice =
  | { readonly kind: 'PAYIN'; readonly rail: 'BRE_B'; readonly keyType: KeyType }
  | { readonly kind: 'PAYIN'; readonly rail: 'PSE'; readonly bank: string; readonly personType: PersonType }
  | { readonly kind: 'PAYMENT_LINK' };

/** How the payer wants to pay. */
export type Choice =
  | {
      readonly kind: 'PAYIN';
      readonly rail: 'BRE_B';
      readonly keyType: KeyType;
      readonly customer?: GivenCustomer;
    }
  | {
      readonly kind: 'PAYIN';
      readonly rail: 'PSE';
      readonly bank: string;
      readonly personType: PersonType;
      readonly customer?: GivenCustomer;
    }
  | { readonly kind: 'PAYMENT_LINK'; readonly rail: Rail | null; readonly bank: string | null };

/** Why a call failed. */
export interface Failure {
  readonly kind: 'PROBLEM' | 'NETWORK' | 'TIMEOUT' | 'MALFORMED' | 'HTTP' | 'MISCONFIGURED' | 'PART_MISSING';
  /** With `PROBLEM`: what the backend said. */
  readonly problem: Problem | null;
  readonly retryAfterMs: number | null;
  /** For the page's engineer: what was asked, and what came back. */
  readonly detail?: string;
}

export type FailureReason =
  | ProblemCode
  /** No answer came: the device or the backend is out of reach. */
  | 'network'
  /** The backend answered, but not as the contract says. */
  | 'malformed'
  /** The offer and the element's attributes have no method in common. */
  | 'no_methods'
  /** The address to send the payer to is not one a payer may be sent to. */
  | 'unsafe_address'
  /** A part of the widget could not be fetched; the payer is asked to reload the page. */
  | 'part_missing'
  /** The element's attributes make no checkout. */
  | 'misconfigured';

/** An input with the moment it came, by this device's clock. */
export type TimedInput = Input & { readonly atMs: number };

/** Everything that can happen to a checkout. What is not meaningful on the present screen changes nothing. */
export type Input =
  // The page
  | {
      /** Begins, or begins again when attributes change or `reset()` is called. */
      readonly type: 'start';
      readonly config: Config;
      readonly hint: Hint | null;
      /** From the address of the page. */
      readonly returned: ReturnId | null;
      readonly open: boolean;
    }
  | { readonly type: 'misconfigured'; readonly detail: string }
  | { readonly type: 'stop' }
  | { readonly type: 'opened' }
  | { readonly type: 'closed' }
  /** The page came back from the back/forward cache. */
  | { readonly type: 'page-restored' }
  | { readonly type: 'online' }
  | { readonly type: 'offline' }
  /** A part of the widget could not be fetched, and something waits for it. */
  | { readonly type: 'part-missing' }
  /** The moment a `schedule` effect asked for. */
  | { readonly type: 'tick' }
  // The payer
  | { readonly type: 'choose'; readonly method: Method; readonly idempotencyKey: string }
  | { readonly type: 'submit'; readonly choice: Choice; readonly idempotencyKey: string }
  | { readonly type: 'back' }
  /** "Ya pagué", "consultar estado", `refresh()`. */
  | { readonly type: 'check' }
  | { readonly type: 'another-method' }
  /** The same method again, with a new key or link. */
  | { readonly type: 'renew'; readonly idempotencyKey: string }
  /** "No autoricé el pago": take the method that was blocked. */
  | { readonly type: 'override'; readonly idempotencyKey: string }
  /** The key is used unless the failed create may have arrived: then it is sent again with its own. */
  | { readonly type: 'retry'; readonly idempotencyKey: string }
  /** The key on this screen was replaced in another tab: go to the one that took its place. */
  | { readonly type: 'show-current' }
  /** Too little was paid: pay what is missing. */
  | { readonly type: 'pay-rest' }
  /** Go (on) to the bank or to the hosted page. */
  | { readonly type: 'follow' }
  | { readonly type: 'finish' }
  // Answers
  | {
      readonly type: 'offer-loaded';
      readonly run: number;
      readonly offer: Offer;
      readonly level: 'FULL' | 'BASIC';
    }
  | { readonly type: 'offer-failed'; readonly run: number; readonly failure: Failure }
  | { readonly type: 'created'; readonly idempotencyKey: string; readonly attempt: Attempt }
  | { readonly type: 'create-failed'; readonly idempotencyKey: string; readonly failure: Failure }
  /**
   * From the watcher, another tab, or a transport that pushes. `asked` is the id that was asked for: a Basic backend
   * may find an attempt by the key that made it.
   */
  | { readonly type: 'attempt'; readonly asked: string; readonly attempt: Attempt }
  /** The backend knows no such attempt. */
  | { readonly type: 'attempt-missing'; readonly id: string }
  /** A read failed; `failures` in a row. */
  | { readonly type: 'watch-failed'; readonly id: string; readonly failures: number }
  /** The page took the `checkout-redirect` event for itself, or the browser stayed. */
  | { readonly type: 'redirect-canceled' }
  /** The address did not pass the check. */
  | { readonly type: 'redirect-refused' };
