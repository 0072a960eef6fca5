import type { Effect } from '../effect.js';
import type { Input, TimedInput } from '../input.js';
import { shared } from '../opening/shared.js';
import type { State } from '../state.js';
import type { Handlers, Step } from '../step.js';
import { answers } from './answers.js';
import { consequences } from './consequences.js';
import { page } from './page.js';
import { payer } from './payer.js';

const handlers: Handlers<Input['type']> = { ...shared, ...page, ...payer, ...answers };

/** The whole behaviour of the checkout, of both acts. Pure: time is in the input, work is in the effects. */
export function transition(state: State, input: TimedInput): [State, readonly Effect[]] {
  const handler = handlers[input.type] as (state: State, input: TimedInput) => Step;
  const [after, ...effects] = handler(state, input);
  return consequences(state, after, effects);
}
