import type { ReactiveControllerHost, TemplateResult, nothing } from 'lit';
import type { Attempt, OfferSchema } from '../contract/backend.js';
import type { GivenCustomer } from '../contract/start.js';
import type { OpeningMessages } from '../locales/messages.js';
import type { Effect } from '../machine/effect.js';
import type { Failure, Hint, Input, TimedInput } from '../machine/input.js';
import type { State } from '../machine/state.js';
import type { Memory } from '../transport/memory.js';
import type { OfferOptions } from '../transport/http/offer.js';
import type { CheckoutProperties, QrStyle } from './properties.js';

/**
 * What the parts of the element know of each other. Interfaces only: controllers, views and effects see the element
 * through these, so that none of them imports its class.
 */

/** The element as its controllers see it. */
export interface Host extends ReactiveControllerHost {
  readonly renderRoot: ShadowRoot;
  /** Says it to screen readers, politely. */
  announce(text: string): void;
}

/** The element as the checkout that runs in it sees it. */
export interface CheckoutHost extends Host, CheckoutProperties, ParentNode {
  readonly localName: string;
  readonly isConnected: boolean;
  /** The words in use. */
  readonly words: OpeningMessages;
  /** Helpers stay for as long as the payer is concerned with the same order. */
  readonly helper: GetHelper;
  dispatchEvent(event: Event): boolean;
  /** Says what the screen is about, once it is drawn. */
  announceScreen(): void;
  show(): void;
  close(): void;
}

/** The one instance of a helper for this element, made when first asked for. */
export type GetHelper = <Helper extends object>(Type: new (host: Host) => Helper) => Helper;

/**
 * What a view gets beside its screen: words, the way to say what the payer did, and the few facts of the page that
 * change what is drawn. Views are functions of this; what must outlive a render is a `helper`'s.
 */
export interface ViewContext {
  readonly messages: OpeningMessages;
  /** The second act, once it is here. */
  readonly paying: Paying | null;
  /** The payer has chosen, and the second act is on its way. */
  readonly waits: boolean;
  /** Gives the machine an input; the time is added on the way. */
  readonly send: (input: Input) => void;
  /** A fresh idempotency key for inputs that may create. */
  readonly newKey: () => string;
  /** Server clock minus this device's clock. */
  readonly clockOffsetMs: number;
  /** Whether the order can be paid by another method too. Without an offer this is not known, and true: the offer is read when the payer asks. */
  readonly others: boolean;
  /** As the page wrote it, for `safeAddress`: an address is checked before it is followed or drawn. */
  readonly redirectHosts: string | null;
  /** As the page wrote it. */
  readonly qrStyle: QrStyle | string | null;
  /** What the page already knows; shown in the form, where the payer can correct it. */
  readonly prefill: Prefill;
  readonly helper: GetHelper;
  readonly announce: (text: string) => void;
  /** Draws again what a helper has changed. */
  readonly redraw: () => void;
  /** Fetches what the method that is ticked will need. */
  readonly prepare: () => void;
}

export interface Prefill {
  readonly bank: string | null;
  readonly customer: GivenCustomer;
  /** The merchant lets payers have their details remembered on the device. */
  readonly mayRemember: boolean;
}

/**
 * A checkout has two acts. The opening is in the first download: the offer, the choice of a method, the failure to load.
 * Paying is everything after the choice: a file for all payments, which the opening imports after its first frame, or at
 * once when an attempt is known, and a file each for the screens that only some payments show. The opening knows them by
 * this interface alone.
 */
export interface Paying {
  /** How an offer with an attempt is read. */
  readonly OfferSchema: typeof OfferSchema;
  /** The whole machine. */
  readonly transition: (state: State, input: TimedInput) => readonly [State, readonly Effect[]];
  /** The files that must be here before an input is taken, or before the present screen can be drawn. */
  readonly chunksFor: (state: State, input: Input | null) => readonly ChunkType[];
  /** What the machine asks for beyond the opening. */
  readonly effects: (checkout: Checkout) => PayingEffects;
  /** What else the payer should know, on any screen. */
  readonly notices: (state: State, context: ViewContext) => TemplateResult | typeof nothing;
  /** That the attempt the payer comes from can still be paid. */
  readonly stillOpen: (replacing: Attempt | null, context: ViewContext) => TemplateResult | typeof nothing;
  /** The screens that the opening does not draw. */
  readonly body: (state: State, context: ViewContext) => TemplateResult | typeof nothing | null;
  /** Whether leaving is worth a question. */
  readonly asksToLeave: (state: State) => boolean;
  /** Forgets what was typed in this tab. */
  readonly forget: () => void;
}

/** A file of the widget that is fetched when it is needed. */
export interface LazyChunk {
  /** Null until it is here. */
  readonly module: object | null;
  load(): Promise<object>;
}

export type ChunkType = new (host: Host) => LazyChunk;

export interface PayingEffects {
  run(effect: Effect): void;
  stop(): void;
}

/** What effects need of the checkout that asks for them. */
export interface Checkout {
  readonly host: CheckoutHost;
  readonly state: State;
  /** What this tab remembers of the order. */
  readonly memory: Memory<Hint> | null;
  readonly send: (input: Input) => void;
  /** The merchant's backend, for a page without a `transport` of its own. */
  readonly http: OfferOptions;
  /** Runs a call to the backend and sends how it ended, unless the element has left meanwhile. */
  call<Value>(
    call: (signal: AbortSignal) => Promise<Value>,
    done: (value: Value) => Input,
    failed: (failure: Failure) => Input,
  ): void;
  dispatch(event: Event): void;
  /** Says a mistake that the payer does not see to the page's engineer, once. */
  report(mistake: string): void;
}
