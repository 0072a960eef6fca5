import type {
  Attempt,
  BrebAttempt,
  LinkAttempt,
  Offer,
  PayinAttempt,
  PseAttempt,
} from '../contract/backend.js';
import type { Method } from '../contract/offer.js';
import type { Choice, Config, FailureReason, Hint, ReturnId } from './input.js';

/**
 * What the checkout knows. The screen says what the payer sees and carries exactly the data that screen needs, so a
 * receipt without an attempt or a key without an amount cannot be written down. Facts that may accompany any screen
 * stand beside it.
 */
export interface State {
  readonly screen: Screen;
  readonly config: Config;
  /** Counts reads of the offer. An answer to an earlier one is ignored. */
  readonly run: number;
  /** False while a modal checkout is closed. A closed checkout goes on watching. */
  readonly open: boolean;
  readonly connection: Connection;
  /** A Full backend reports on the whole order; with a Basic one every attempt is watched by itself. */
  readonly level: 'FULL' | 'BASIC';
  /** Attempts that were replaced. The service cannot cancel, so a payment of one of them is still recognised. */
  readonly older: readonly Attempt[];
  /** Server clock minus this device's clock, by the last answer. */
  readonly clockOffsetMs: number;
  /** What this tab remembers of the order: never more than a hint. */
  readonly hint: Hint | null;
  /** The PSE attempt that the payer declared not to have authorised: another may take its place. */
  readonly notAuthorised: string | null;
  /** Final events already dispatched, as `type id`. Kept across resets: once per element and payin. */
  readonly emitted: readonly string[];
}

export const initialState: State = {
  screen: { phase: 'idle' },
  config: {
    order: null,
    rails: null,
    keyType: null,
    bank: null,
    callbackUrl: '',
    hosted: false,
    linkMode: 'FOLLOW',
  },
  run: 0,
  open: false,
  connection: 'OK',
  level: 'FULL',
  older: [],
  clockOffsetMs: 0,
  hint: null,
  notAuthorised: null,
  emitted: [],
};

/** Offline is what the device says; trouble is several failed reads in a row. */
export type Connection = 'OK' | 'OFFLINE' | 'TROUBLE';

export type Screen =
  | Idle
  | Loading
  | Returning
  | Choosing
  | Details
  | Creating
  | Preparing
  | Paying
  | Redirecting
  | Verifying
  | Pending
  | Link
  | Lapsed
  | Settled
  | Unpaid
  | Failed;
export type Phase = Screen['phase'];

/** Nothing was asked for yet: a modal checkout before `show()`, or attributes that are not complete. */
export interface Idle {
  readonly phase: 'idle';
}

/** The offer is being read. */
export interface Loading {
  readonly phase: 'loading';
  readonly order: string;
  /** The attempt that was on the screen before, when this is not the first read. */
  readonly replacing: Attempt | null;
  /** The attempt that the address names, where only the offer can tell whether it is one of this order. */
  readonly returned?: string;
  /** The payer wants the method of `replacing` again. */
  readonly renewing?: boolean;
}

/** An attempt named by the address (or by this tab's memory) is being read. Nothing is offered until it resolves. */
export interface Returning {
  readonly phase: 'returning';
  readonly target: ReturnId;
  readonly from: 'ADDRESS' | 'MEMORY';
  /** Known when the offer was read first, as for a Basic backend. */
  readonly offer: Offer | null;
}

/** What the screens before a create share. */
export interface Offering {
  readonly offer: Offer;
  /** Methods of the offer that the element's attributes allow; never empty. */
  readonly methods: readonly [Method, ...Method[]];
  /**
   * The attempt the payer comes from. An open one is still watched, is replaced by the next, and can be gone back to; of
   * one that paid too little the rest is being paid.
   */
  readonly replacing: Attempt | null;
}

/** With one method the payer only has to press "Pagar". */
export interface Choosing extends Offering {
  readonly phase: 'choosing';
  /** The price or the methods moved since the payer last saw them. */
  readonly changed: OfferChange | null;
}

export interface OfferChange {
  readonly previousAmountInCents: number;
}

/** The payer gives what is missing. The values themselves are the form's. */
export interface Details extends Offering {
  readonly phase: 'details';
  readonly method: Extract<Method, { kind: 'PAYIN' }>;
  /** Fields the backend refused, by their names on the wire (`phone`, `bank`, ...). */
  readonly problems: readonly FieldProblem[];
  readonly changed: OfferChange | null;
}

export interface FieldProblem {
  readonly field: string;
  readonly code: string;
}

export interface Creating extends Offering {
  readonly phase: 'creating';
  readonly choice: Choice;
  readonly idempotencyKey: string;
  readonly override: boolean;
  /** When the screen says that it takes long (this device's clock); null once it does. */
  readonly slowAtMs: number | null;
}

/** What the screens of an open attempt share. */
export interface Open<Kind extends Attempt> {
  readonly attempt: Kind;
  /** Null when the payer came back by an attempt's id alone; it is read when another method is asked for. */
  readonly offer: Offer | null;
  /** Another method was chosen, but this attempt of the order was already open. */
  readonly alreadyInProgress: boolean;
  readonly check: Check;
}

/** What became of "ya pagué" or "consultar estado". */
export type Check = 'NONE' | 'ASKING' | 'NOTHING_YET' | 'UNREACHABLE';

/** The attempt exists, but there is nothing to pay with yet: no key, no bank address, no link. */
export interface Preparing extends Open<Attempt> {
  readonly phase: 'preparing';
  readonly sinceMs: number;
  /** It takes longer than it should (20 s, or the backend says so): the payer may wait, retry or change method. */
  readonly stalled: boolean;
  /** The payer asked for this in this page, so the bank's address is followed as soon as it is there. */
  readonly follow: boolean;
}

/** Bre-B: the key (and perhaps the QR) is shown. */
export interface Paying extends Open<BrebAttempt> {
  readonly phase: 'paying';
  readonly source: NonNullable<BrebAttempt['sourceData']>;
}

/** The browser was sent to the address, and should be on its way. */
export interface Redirecting {
  readonly phase: 'redirecting';
  readonly attempt: PseAttempt | LinkAttempt;
  readonly offer: Offer | null;
  readonly url: string;
  /** A browser that has not left by then (this device's clock) will not leave by itself. */
  readonly untilMs: number;
}

/** The bank sent the payer back; the outcome is asked for, often, for a minute. */
export interface Verifying extends Open<PseAttempt | LinkAttempt> {
  readonly phase: 'verifying';
  readonly untilMs: number;
}

/** PSE: the bank has the payment, or may have it. Safe to close. */
export interface Pending extends Open<PseAttempt> {
  readonly phase: 'pending';
  /** Where the payer can go on at the bank. Null when the bank already sent the payer back. */
  readonly url: string | null;
  /** The backend refused another method for now: the payer may still authorise this one. */
  readonly blocked: Blocked | null;
}

export interface Blocked {
  readonly choice: Choice;
  /** Server clock; null when the backend did not say. */
  readonly retryAtMs: number | null;
}

/** Hosted: a link to follow, copy, share or scan. */
export interface Link extends Open<LinkAttempt> {
  readonly phase: 'link';
  readonly url: string | null;
}

/** Past its expiry by the server's clock, or an expired link. Still watched while open; a new one can be asked for. */
export interface Lapsed {
  readonly phase: 'lapsed';
  readonly attempt: Attempt;
  readonly offer: Offer | null;
  /** The last check at zero is still running until then (this device's clock); null when it is done. */
  readonly checkingUntilMs: number | null;
}

/** Money arrived. */
export interface Settled {
  readonly phase: 'confirmed' | 'amount-differs' | 'duplicate';
  /** The attempt that paid; on `duplicate` the one the payer was last looking at that is known to be paid. */
  readonly attempt: Attempt;
  readonly offer: Offer | null;
  /** It was paid after it had lapsed, was replaced, or was reported otherwise. */
  readonly late: boolean;
}

/** The attempt ended without money. */
export interface Unpaid {
  readonly phase: 'declined' | 'canceled';
  readonly attempt: PayinAttempt;
  readonly offer: Offer | null;
}

/** Something went wrong that the payer should know. What was being done says what "retry" does. */
export interface Failed {
  readonly phase: 'failed';
  readonly reason: FailureReason;
  /** Earliest moment to retry (this device's clock), when the backend asked for patience. */
  readonly retryAtMs: number | null;
  readonly doing: FailedStep;
}

export type FailedStep =
  | {
      readonly step: 'LOAD';
      readonly replacing: Attempt | null;
      /** Where it is known already what there is to pay. */
      readonly offer?: Offer;
    }
  | ({
      readonly step: 'CREATE';
      readonly choice: Choice;
      /** Of the create that may have arrived: it is sent again as the same one. Null when the backend has decided. */
      readonly idempotencyKey: string | null;
      readonly override: boolean;
    } & Offering)
  | {
      readonly step: 'REDIRECT';
      readonly attempt: PseAttempt | LinkAttempt;
      readonly offer: Offer | null;
    };
