import { esPaying } from '../../locales/es/paying.js';
import type { Messages, OpeningMessages } from '../../locales/messages.js';
import type { ViewContext } from '../host.js';

/** What a view of a payment gets: what a view of the opening gets, with all words and the facts of the page. */
export interface PayingContext extends ViewContext {
  readonly messages: Messages;
  /** This device's clock, in epoch milliseconds, as of this render. */
  readonly nowMs: number;
  /** The payer's pointer is a finger, so this screen is probably the phone with the bank's app on it. */
  readonly touch: boolean;
}

export const payingContext = (context: ViewContext): PayingContext => ({
  ...context,
  messages: wordsOf(context.messages),
  nowMs: Date.now(),
  touch: matchMedia('(pointer: coarse)').matches,
});

/** All words. Those in use bring their own of a payment where they are not the first language's. */
export const wordsOf = (words: OpeningMessages): Messages => ({ ...esPaying, ...words });
