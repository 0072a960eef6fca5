import { nothing } from 'lit';
import type { Attempt } from '../../contract/backend.js';
import { isOpen } from '../../machine/current.js';
import { mayBeAuthorised } from '../../machine/paying/attempts.js';
import { type Drawn, type mainButton, notice, sideButton } from '../opening/common.js';
import type { PayingContext } from './context.js';

/** The ways from one attempt to another. */

/** That the attempt the payer comes from can still be paid, before anything is chosen or filled in. */
export function stillOpen(replacing: Attempt | null, { messages }: PayingContext): Drawn {
  if (!replacing || !isOpen(replacing)) return nothing;
  return notice(
    mayBeAuthorised(replacing) ? messages.onlyIfNotAuthorised : messages.doNotPayTwice,
    'caution',
  );
}

/** The way to another method, where there may be one. */
export function anotherMethod(
  attempt: Attempt | null,
  { messages, send, others }: Pick<PayingContext, 'messages' | 'send' | 'others'>,
  button: typeof mainButton | typeof sideButton = sideButton,
): Drawn {
  if (!others) return nothing;
  const declares = attempt !== null && mayBeAuthorised(attempt);
  return button(declares ? messages.notAuthorisedOther : messages.otherMethod, () =>
    send({ type: 'another-method' }),
  );
}
