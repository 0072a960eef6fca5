import { takeAnswer } from './answers.js';
import { consequences } from './consequences.js';
import type { Effect } from './effect.js';
import type { Config, Input } from './input.js';
import { takeClick } from './payer.js';
import { LAST_CHECK_MS, waiting } from './screens.js';
import { deadlineMs } from './select.js';
import type { State } from './state.js';
import { type Turn, change, check, fail, loadOrder, show, stay } from './turn.js';

const NO_CONFIG: Config = {
  order: null,
  rails: null,
  keyType: null,
  callbackUrl: '',
  hosted: false,
  linkMode: 'FOLLOW',
};

export const initialState: State = {
  screen: { phase: 'idle' },
  config: NO_CONFIG,
  run: 0,
  open: false,
  connection: 'OK',
  level: 'FULL',
  older: [],
  clockOffsetMs: 0,
  hint: null,
  told: [],
};

/** The whole behaviour of the checkout. Pure: time is in the input, work is in the effects. */
export function transition(state: State, input: Input): [State, readonly Effect[]] {
  const turn: Turn = { state, atMs: input.atMs, effects: [] };
  step(turn, input);
  return consequences(state, turn.state, turn.effects);
}

/** What the page and time do; the rest is the payer's or the backend's. */
function step(turn: Turn, input: Input): void {
  const { state, effects } = turn;
  const { screen } = state;

  switch (input.type) {
    case 'start': {
      const { hint, returned, config, open } = input;
      const { told, run, connection } = state;
      turn.state = { ...initialState, told, run: run + 1, connection, config, hint, open };
      if (!returned) return loadOrder(turn);
      // With a Basic backend the address has the key of the create; this tab may know what it made.
      const target = (hint?.idempotencyKey === returned.id && hint.attempt) || returned;
      return show(turn, { phase: 'returning', target, from: 'ADDRESS', offer: null });
    }
    case 'misconfigured':
      return fail(turn, input.type, { step: 'LOAD', replacing: null });
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
      effects.push({ type: 'announce', message: input.type });
      if (screen.phase !== 'failed' || screen.reason !== 'network' || offline) return;
      if (screen.doing.step === 'LOAD') loadOrder(turn, screen.doing.replacing);
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

function tick(turn: Turn): void {
  const { state, atMs } = turn;
  const { screen } = state;
  const deadline = deadlineMs(state);
  if (deadline === null || atMs < deadline) return;
  switch (screen.phase) {
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
