import { stay } from './arrivals.js';
import { takeAnswer } from './answers.js';
import { consequences } from './consequences.js';
import type { Effect } from '../effect.js';
import type { Input, TimedInput } from '../input.js';
import { takeClick } from './payer.js';
import { LAST_CHECK_MS, deadlineMs, waiting } from './screens.js';
import { begin, takePage } from '../opening/steps.js';
import type { State } from '../state.js';
import { type Turn, check, fail, show } from '../turn.js';

/** The whole behaviour of the checkout, of both acts. Pure: time is in the input, work is in the effects. */
export function transition(state: State, input: TimedInput): [State, readonly Effect[]] {
  const turn: Turn = { state, atMs: input.atMs, effects: [] };
  step(turn, input);
  return consequences(state, turn.state, turn.effects);
}

/** What the page, time and the browser do; the rest is the payer's or the backend's. */
function step(turn: Turn, input: Input): void {
  const { screen } = turn.state;

  switch (input.type) {
    case 'start':
      return begin(turn, input);
    case 'misconfigured':
    case 'part-missing':
    case 'stop':
    case 'opened':
    case 'closed':
    case 'online':
    case 'offline':
      return takePage(turn, input);
    case 'page-restored':
    case 'redirect-canceled':
      if (screen.phase === 'redirecting') stay(turn, screen);
      return;
    case 'redirect-refused': {
      if (screen.phase !== 'redirecting') return;
      const { attempt, offer } = screen;
      return fail(turn, 'unsafe_address', { step: 'REDIRECT', attempt, offer });
    }
    case 'tick':
      return tick(turn);
    case 'offer-loaded':
    case 'offer-failed':
    case 'created':
    case 'create-failed':
    case 'attempt':
    case 'attempt-missing':
    case 'watch-failed':
      return takeAnswer(turn, input);
    default:
      return takeClick(turn, input);
  }
}

function tick(turn: Turn): void {
  const { state, atMs } = turn;
  const { screen } = state;
  const deadline = deadlineMs(state);
  if (deadline === null || atMs < deadline) return;
  switch (screen.phase) {
    case 'creating':
      turn.effects.push({ type: 'announce', message: 'stalled' });
      return show(turn, { ...screen, slowAtMs: null });
    case 'redirecting':
      return stay(turn, screen);
    case 'verifying':
      return show(turn, waiting(screen.attempt, screen, null));
    case 'lapsed':
      return show(turn, { ...screen, checkingUntilMs: null });
    case 'preparing':
      if (!screen.stalled) {
        turn.effects.push({ type: 'announce', message: 'stalled' });
        return show(turn, { ...screen, stalled: true });
      }
      break;
    default:
  }
  if (!('attempt' in screen)) return;
  const { attempt, offer } = screen;
  show(turn, { phase: 'lapsed', attempt, offer, checkingUntilMs: atMs + LAST_CHECK_MS });
  check(turn, attempt);
}
