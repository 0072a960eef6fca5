import { offerOf } from '../current.js';
import type { Effect } from '../effect.js';
import type { Input, TimedInput } from '../input.js';
import type { State } from '../state.js';
import { type Handlers, type Step, connected, load, offerMethods } from '../step.js';
import { readAgain, shared } from './shared.js';

/**
 * The first act: the offer is read and shown, or why it could not be. What belongs to a payment (a choice, an attempt)
 * waits for the second, `paying`, whose `transition` takes every input of either act. Pure, like that one.
 */
export function opening(
  state: State,
  input: TimedInput,
): readonly [state: State, effects: readonly Effect[], waits: boolean] {
  const handler = handlers[input.type] as ((state: State, input: TimedInput) => Step | null) | undefined;
  const step = handler?.(state, input);
  const [after, ...effects] = step ?? [state];
  // An attempt that the address names is the second act's, behind a screen that says so.
  const waits = !step || (input.type === 'start' && input.returned !== null);
  return [after, [...ready(state, after), ...effects, ...announced(state, after)], waits];
}

/** Null leaves an input to the second act, like an input without a handler. */
const handlers: Partial<Handlers<Input['type'], Step | null>> = {
  ...shared,

  'offer-loaded'(state, { run, offer, level, atMs }) {
    const { screen, hint } = state;
    if (run !== state.run) return [state];
    if (offer.attempt || (level === 'BASIC' && hint?.attempt)) return null;
    const next = { ...connected(state, offer.now, atMs), level };
    if (screen.phase === 'loading') return offerMethods(next, offer, null);
    // The same offer once more leaves the screen alone: a choice that waits is one of its methods.
    return screen.phase === 'choosing' && screen.offer.version === offer.version ? [next] : null;
  },

  retry: (state) =>
    state.screen.phase === 'failed' && state.screen.doing.step === 'LOAD'
      ? load(state, state.screen.doing.replacing)
      : null,

  check: readAgain,

  'page-restored': (state) => [state],
};

/** Whether the page just loaded and nothing is known yet: what is final by then was final before. */
export function isResuming({ screen }: State): boolean {
  return screen.phase === 'returning' || (screen.phase === 'loading' && screen.replacing === null);
}

/** Notifies the page once it is known what there is to pay. */
export function ready(before: State, after: State): readonly Effect[] {
  const { screen } = after;
  if (!isResuming(before) || isResuming(after) || /^(failed|idle)$/.test(screen.phase)) return [];
  return [
    { type: 'emit', event: { type: 'checkout-ready', offer: offerOf(screen) } },
    { type: 'measure', name: 'ready' },
  ];
}

/** Another screen is announced, unless it is in a closed dialog. */
export function announced(before: State, { screen: { phase }, open }: State): readonly Effect[] {
  return open && phase !== before.screen.phase ? [{ type: 'announce', message: phase }] : [];
}
