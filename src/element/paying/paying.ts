import { transition } from '../../machine/paying/transition.js';
import { openAttempt } from '../../machine/paying/attempts.js';
import type { Paying } from '../host.js';
import { payingContext, wordsOf } from './context.js';
import { Effects } from './effects.js';
import { typedInTab } from './filled.js';
import { notices } from './notices.js';
import { payingStyles, renderPaying } from './views/payment.js';
import { stillOpen } from './views/ways.js';

/** The second act, whole: nothing else is fetched to show a key, an outcome or an error. */
export const paying: Paying = {
  transition,
  effects: (checkout) => new Effects(checkout),
  notices: (state, context) => notices(state, payingContext(context)),
  stillOpen: (replacing, context) => stillOpen(replacing, payingContext(context)),
  body: (state, context) => renderPaying(state, payingContext(context)),
  words: wordsOf,
  asksToLeave: (state) => openAttempt(state) !== null,
  forget: () => typedInTab.remember(null),
  styles: payingStyles,
};
