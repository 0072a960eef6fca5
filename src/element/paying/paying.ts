import { OfferSchema } from '../../contract/backend.js';
import { transition } from '../../machine/paying/transition.js';
import { openAttempt } from '../../machine/paying/attempts.js';
import type { Paying } from '../host.js';
import { payingContext } from './context.js';
import { Effects } from './effects.js';
import { notices } from './notices.js';
import { chunksFor } from './chunks.js';
import { payingStyles, renderPaying } from './payment.js';
import { forgetTypedForm } from './typed-form.js';
import { stillOpen } from './ways.js';

/** The second act, for every way of paying: with its outcomes and its errors. */
export const paying: Paying = {
  OfferSchema,
  transition,
  chunksFor,
  effects: (checkout) => new Effects(checkout),
  notices: (state, context) => notices(state, payingContext(context)),
  stillOpen: (replacing, context) => stillOpen(replacing, payingContext(context)),
  body: (state, context) => renderPaying(state, payingContext(context)),
  asksToLeave: (state) => openAttempt(state) !== null,
  forget: forgetTypedForm,
};

export const styles = payingStyles;
