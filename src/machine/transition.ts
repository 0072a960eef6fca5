import { takeAnswer } from './answers.js';
import { consequences } from './consequences.js';
import type { Effect } from './effect.js';
import type { Input } from './input.js';
import { type Turn, fail, restart, show, takeOpening } from './opening.js';
import { takeClick } from './payer.js';
import { LAST_CHECK_MS, waiting } from './screens.js';
import { deadlineMs } from './select.js';
import type { State } from './state.js';
import { check, stay } from './turn.js';

/** The whole behaviour of the checkout. Pure: time is in the input, work is in the effects. */
export function transition(state: State, input: Input): [State, readonly Effect[]] {
  const turn: Turn = { state, atMs: input.atMs, effects: [] };
  if (!takeOpening(turn, input)) step(turn, input);
  return consequences(state, turn.state, turn.effects);
}

/** What the page and time do to an attempt; the rest is the payer's or the backend's. */
function step(turn: Turn, input: Input): void {
  const { screen } = turn.state;

  switch (input.type) {
    case 'start': {
      const { hint, returned } = input;
      restart(turn, input);
      if (!returned) return;
      // With a Basic backend the address has the key of the create; this tab may know what it made.
      const target = (hint?.idempotencyKey === returned.id && hint.attempt) || returned;
      return show(turn, { phase: 'returning', target, from: 'ADDRESS', offer: null });
    }
    case 'page-restored':
    case 'redirect-canceled':
      if (screen.phase === 'redirecting') stay(turn, screen);
      return;
    case 'redirect-refused': {
      if (screen.phase !== 'redirecting') return;
      const { attempt, offer } = screen;
      return fail(turn, 'unsafe_address', { step: 'REDIRECT', attempt, offer });
    }
    case 'misconfigured':
    case 'stop':
    case 'opened':
    case 'closed':
    case 'online':
    case 'offline':
    case 'offer-failed':
      // Always taken by the opening.
      return;
    case 'tick':
      return tick(turn);
    case 'offer-loaded':
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
