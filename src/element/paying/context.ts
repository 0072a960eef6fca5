import { esPaying } from '../../locales/es/paying.js';
import type {
  KeyMessages,
  LinkMessages,
  OpeningMessages,
  PayingMessages,
  PseMessages,
} from '../../locales/messages.js';
import type {
  Lapsed,
  Link,
  Paying,
  Pending,
  Preparing,
  Redirecting,
  Verifying,
} from '../../machine/state.js';
import type { ViewContext } from '../host.js';

/** The words of a payment, with those of the chunk that draws the screen. */
export type Words<More = unknown> = OpeningMessages & PayingMessages & More;

/** What a view of a payment gets: what a view of the opening gets, with more words and the facts of the page. */
export interface PayingContext<More = unknown> extends ViewContext {
  readonly messages: Words<More>;
  /** This device's clock, in epoch milliseconds, as of this render. */
  readonly nowMs: number;
  /** The payer's pointer is a finger, so this screen is probably the phone with the bank's app on it. */
  readonly touch: boolean;
}

export type KeyContext = PayingContext<KeyMessages>;
export type PseContext = PayingContext<PseMessages>;
export type LinkContext = PayingContext<KeyMessages & PseMessages & LinkMessages>;

/** The screens of a payment that is not decided yet. Each method draws its own. */
export type OpenScreen = Preparing | Paying | Redirecting | Verifying | Pending | Link | Lapsed;

export const payingContext = (context: ViewContext): PayingContext => ({
  ...context,
  messages: wordsOf(context.messages),
  nowMs: Date.now(),
  touch: matchMedia('(pointer: coarse)').matches,
});

/** The words of a payment too. Those in use bring their own where they are not the first language's. */
export const wordsOf = (words: OpeningMessages): Words => ({ ...esPaying, ...words });

/** The same context with the words that a chunk brings. */
export const withWords = <More extends object>(more: More, context: PayingContext): PayingContext<More> => ({
  ...context,
  messages: { ...more, ...context.messages },
});
