import { stay } from './arrivals.js';
import { takeAnswer } from './answers.js';
import { consequences } from './consequences.js';
import type { Effect } from './effect.js';
import type { Input, TimedInput } from './input.js';
import { takeClick } from './payer.js';
import { LAST_CHECK_MS, deadlineMs, waiting } from './screens.js';
import { type State, initialState } from './state.js';
import { type Turn, change, check, fail, loadOrder, show } from './turn.js';

/** The whole behaviour of the checkout. Pure: time is in the input, work is in the effects. */
export function transition(state: State, input: TimedInput): [State, readonly Effect[]] {
  const turn: Turn = { state, atMs: input.atMs, effects: [] };
  step(turn, input);
  return consequences(state, turn.state, turn.effects);
}

/** What the page and time do; the rest is the payer's or the backend's. */
function step(turn: Turn, input: Input): void {
  const { state, effects } = turn;
  const { screen } = state;

  switch (input.type) {
    case 'start':
      return start(turn, input);
    case 'misconfigured':
      return fail(turn, input.type, { step: 'LOAD', replacing: null }, input);
    case 'stop':
      return change(turn, { screen: { phase: 'idle' }, older: [], run: state.run + 1 });
    case 'opened':
    case 'closed': {
      const open = input.type === 'opened';
      if (open === state.open) return;
      change(turn, { open });
      effects.push(
        open
          ? { type: 'announce', message: screen.phase }
          : { type: 'emit', event: { type: 'checkout-closed' } },
      );
      return;
    }
    case 'online':
    case 'offline': {
      const offline = input.type === 'offline';
      if (offline === (state.connection === 'OFFLINE')) return;
      change(turn, { connection: offline ? 'OFFLINE' : 'OK' });
      // Being offline is all there is to say: not also that asking failed.
      if (offline && 'check' in screen && screen.check !== 'NONE') show(turn, { ...screen, check: 'NONE' });
      effects.push({ type: 'announce', message: input.type });
      if (screen.phase !== 'failed' || screen.reason !== 'network' || offline) return;
      const { step, replacing } = { replacing: null, ...screen.doing };
      // After a create only to see whether it arrived: that screen stays.
      if (step !== 'REDIRECT') loadOrder(turn, replacing, step === 'CREATE');
      return;
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

/** Everything begins again, but for the events that were dispatched. */
function start(turn: Turn, input: Extract<Input, { readonly type: 'start' }>): void {
  const { config, hint, returned, open } = input;
  const { emitted, run, connection } = turn.state;
  turn.state = { ...initialState, emitted, run: run + 1, connection, config, hint, open };
  if (!returned) return loadOrder(turn);
  // With a Basic backend the address has the key of the create; this tab may know what it made.
  const target = (hint?.idempotencyKey === returned.id && hint.attempt) || returned;
  show(turn, { phase: 'returning', target, from: 'ADDRESS', offer: null });
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
