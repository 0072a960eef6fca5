import { offerOf } from '../current.js';
import type { Effect } from '../effect.js';
import type { Input, TimedInput } from '../input.js';
import type { State } from '../state.js';
import { type Turn, change, connect, load, offerMethods } from '../turn.js';
import { begin, failOffer, readAgain, takePage } from './steps.js';

/** The state after an input, what is to be done, and whether the input is then still to be taken by the second act. */
type Turned = readonly [state: State, effects: readonly Effect[], waits: boolean];

/**
 * The first act: the offer is read and shown, or why it could not be. What belongs to a payment (a choice, an attempt)
 * waits for the second, `paying`, whose `transition` takes every input of either act. Pure, like that one.
 */
export function opening(state: State, input: TimedInput): Turned {
  const turn: Turn = { state, atMs: input.atMs, effects: [] };
  const waits = !step(turn, input);
  return [turn.state, [...ready(state, turn.state), ...turn.effects, ...spoken(state, turn.state)], waits];
}

/** Whether the input is dealt with. */
function step(turn: Turn, input: Input): boolean {
  const { screen } = turn.state;
  switch (input.type) {
    case 'start':
      begin(turn, input);
      return input.returned === null;
    case 'misconfigured':
    case 'part-missing':
    case 'stop':
    case 'opened':
    case 'closed':
    case 'online':
    case 'offline':
      takePage(turn, input);
      return true;
    case 'offer-loaded':
      return takeOffer(turn, input);
    case 'offer-failed':
      failOffer(turn, input);
      return true;
    case 'retry':
      if (screen.phase !== 'failed' || screen.doing.step !== 'LOAD') return false;
      load(turn, screen.doing.replacing);
      return true;
    case 'check':
      readAgain(turn);
      return true;
    case 'page-restored':
      return true;
    default:
      return false;
  }
}

function takeOffer(turn: Turn, { run, offer, level }: Extract<Input, { type: 'offer-loaded' }>): boolean {
  const { screen, hint } = turn.state;
  if (run !== turn.state.run) return true;
  if (offer.attempt || (level === 'BASIC' && hint?.attempt)) return false;
  const isSame = screen.phase === 'choosing' && screen.offer.version === offer.version;
  if (screen.phase !== 'loading' && !isSame) return false;
  connect(turn, offer.now);
  change(turn, { level });
  // The same offer once more leaves the screen alone: a choice that waits is one of its methods.
  if (!isSame) offerMethods(turn, offer, null);
  return true;
}

/** Whether the page just loaded and nothing is known yet: what is final by then was final before. */
export function isResuming({ screen }: State): boolean {
  return screen.phase === 'returning' || (screen.phase === 'loading' && screen.replacing === null);
}

/** That the page knows by now what there is to pay. */
export function ready(before: State, after: State): readonly Effect[] {
  const { screen } = after;
  if (!isResuming(before) || isResuming(after) || /^(failed|idle)$/.test(screen.phase)) return [];
  return [
    { type: 'emit', event: { type: 'checkout-ready', offer: offerOf(screen) } },
    { type: 'measure', name: 'ready' },
  ];
}

/** Another screen is announced, unless it is in a closed dialog. */
export function spoken(before: State, { screen: { phase }, open }: State): readonly Effect[] {
  return open && phase !== before.screen.phase ? [{ type: 'announce', message: phase }] : [];
}
