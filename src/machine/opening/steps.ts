import { isPaid } from '../../contract/status.js';
import type { Input } from '../input.js';
import { currentOf, offerOf } from '../current.js';
import { initialState } from '../state.js';
import { type Turn, change, fail, load, reasonOf, show } from '../turn.js';

/** What happens before there is a payment, and in the same way while there is one. */

type InputOf<Type extends Input['type']> = Extract<Input, { readonly type: Type }>;

/** Everything begins again, but for the events that were dispatched. */
export function begin(turn: Turn, { config, hint, returned, open }: InputOf<'start'>): void {
  const { emitted, run, connection } = turn.state;
  turn.state = { ...initialState, emitted, run: run + 1, connection, config, hint, open };
  if (!returned) return load(turn);
  // With a Basic backend the address has the key of the create; this tab may know what it made.
  const target = (hint?.idempotencyKey === returned.id && hint.attempt) || returned;
  show(turn, { phase: 'returning', target, from: 'ADDRESS', offer: null });
}

/** What the page does. */
export function takePage(
  turn: Turn,
  input: InputOf<'misconfigured' | 'part-missing' | 'stop' | 'opened' | 'closed' | 'online' | 'offline'>,
): void {
  const { state, effects } = turn;
  const { screen } = state;
  switch (input.type) {
    case 'misconfigured':
      return fail(turn, input.type, { step: 'LOAD', replacing: null }, input);
    case 'part-missing': {
      const offer = offerOf(screen);
      const replacing = currentOf(screen);
      // No outcome needs a part, and a create that is under way brings its own answer.
      if (screen.phase === 'creating' || ('attempt' in screen && isPaid(screen.attempt.status))) return;
      return fail(turn, 'part_missing', { step: 'LOAD', replacing, ...(offer && { offer }) });
    }
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
      if (step !== 'REDIRECT') load(turn, replacing, step === 'CREATE' ? 'BEHIND' : {});
      return;
    }
  }
}

export function failOffer(turn: Turn, { run, failure }: InputOf<'offer-failed'>): void {
  const { screen } = turn.state;
  if (run !== turn.state.run || screen.phase !== 'loading') return;
  fail(turn, reasonOf(failure), { step: 'LOAD', replacing: screen.replacing }, failure);
}

/** Nothing was tried yet: what a page may have learned is a new price, or an attempt made elsewhere. */
export function readAgain(turn: Turn): void {
  const { screen, config } = turn.state;
  if (screen.phase === 'choosing' && config.order !== null) load(turn, null, 'BEHIND');
}
