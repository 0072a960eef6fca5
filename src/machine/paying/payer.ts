import { isPaid } from '../../contract/status.js';
import { admit, stay } from './arrivals.js';
import { currentOf, isOpen, offerOf } from '../current.js';
import { readAgain } from '../opening/steps.js';
import { addressOf, mayBeAuthorised, restInCents } from './attempts.js';
import { methodsOf } from '../methods.js';
import { create, renew, take } from './creating.js';
import type { Input } from '../input.js';
import { LAST_CHECK_MS, REDIRECT_MS, screenOf } from './screens.js';
import type { Failed } from '../state.js';
import { type Turn, change, check, load, offerMethods, show } from '../turn.js';

type Click = Extract<
  Input,
  {
    type:
      | 'choose'
      | 'submit'
      | 'back'
      | 'check'
      | 'another-method'
      | 'renew'
      | 'override'
      | 'retry'
      | 'pay-rest'
      | 'show-current'
      | 'follow'
      | 'finish';
  }
>;

/** What the payer does. A click that the present screen has no button for changes nothing. */
export function takeClick(turn: Turn, input: Click): void {
  const { state, atMs, effects } = turn;
  const { screen, config } = state;
  const current = currentOf(screen);
  const offer = offerOf(screen);

  switch (input.type) {
    case 'choose':
      if (screen.phase !== 'choosing' || !screen.methods.includes(input.method)) return;
      return take(turn, screen, input.method, input.idempotencyKey);

    case 'submit':
      if (screen.phase !== 'details' || screen.method.rail !== input.choice.rail) return;
      return create(turn, screen, input.choice, input.idempotencyKey);

    case 'back':
      if (screen.phase === 'redirecting') return stay(turn, screen);
      if (screen.phase === 'details' && screen.methods.length > 1) {
        const { methods, replacing, changed } = screen;
        return show(turn, { phase: 'choosing', offer: screen.offer, methods, replacing, changed });
      }
      // Its answer is ignored when it comes: the backend then has an open attempt, and gives it to the next create.
      if (screen.phase === 'creating' && screen.slowAtMs === null) {
        return offerMethods(turn, screen.offer, current);
      }
      if (screen.phase === 'failed' && screen.doing.step === 'CREATE') {
        return offerMethods(turn, screen.doing.offer, current);
      }
      if ('attempt' in screen || screen.phase === 'creating' || !current) return;
      // Another one may have paid the order, and may be what could not be loaded.
      return admit(turn, current, { offer });

    case 'check':
      if (screen.phase === 'returning') {
        effects.push({ type: 'check', target: screen.target });
        return;
      }
      if (!current) return readAgain(turn);
      check(turn, current);
      if ('check' in screen) show(turn, { ...screen, check: 'ASKING' });
      else if (screen.phase === 'lapsed' && isOpen(current)) {
        show(turn, { ...screen, checkingUntilMs: atMs + LAST_CHECK_MS });
      } else return;
      effects.push({ type: 'announce', message: 'checking' });
      return;

    case 'another-method':
      if (screen.phase === 'failed') return chooseAgain(turn, screen);
      if (!('attempt' in screen) || isPaid(screen.attempt.status)) return;
      // The button of these screens says so: "No autoricé: usar otro medio".
      if (mayBeAuthorised(screen.attempt)) change(turn, { notAuthorised: screen.attempt.id });
      return offer ? offerMethods(turn, offer, screen.attempt) : load(turn, screen.attempt);

    case 'renew': {
      if (!('attempt' in screen) || isPaid(screen.attempt.status)) return;
      const { attempt: replacing } = screen;
      if (!offer) return load(turn, replacing, { renewing: true });
      return renew(turn, offer, replacing, input.idempotencyKey);
    }

    case 'override': {
      if (screen.phase !== 'pending' || !screen.blocked || !offer) return;
      const methods = methodsOf(offer, config);
      if (!methods) return;
      const offering = { offer, methods, replacing: screen.attempt };
      return create(turn, offering, screen.blocked.choice, input.idempotencyKey, true);
    }

    case 'retry':
      if (screen.phase === 'failed') return retry(turn, screen, input.idempotencyKey);
      if (screen.phase !== 'preparing') return;
      check(turn, screen.attempt);
      return show(turn, { ...screen, sinceMs: atMs, stalled: false });

    case 'show-current':
      if (!('attempt' in screen) || !screen.attempt.replaced) return;
      return load(turn, screen.attempt);

    case 'pay-rest':
      if (screen.phase !== 'amount-differs' || restInCents(screen.attempt) === 0) return;
      // The offer that the payer saw is for the whole price: the one for the rest is another.
      return load(turn, screen.attempt);

    case 'follow': {
      if (screen.phase !== 'pending' && screen.phase !== 'link' && screen.phase !== 'verifying') return;
      const { attempt } = screen;
      const url = screen.phase === 'verifying' ? addressOf(attempt) : screen.url;
      if (url === null) return;
      return show(turn, { phase: 'redirecting', attempt, offer, url, untilMs: atMs + REDIRECT_MS });
    }

    case 'finish':
      if (!('attempt' in screen) && screen.phase !== 'failed') return;
      effects.push({ type: 'finish', attempt: current });
      return;

    default:
      input satisfies never;
  }
}

function chooseAgain(turn: Turn, { doing }: Failed): void {
  switch (doing.step) {
    case 'LOAD':
      return load(turn, doing.replacing);
    case 'CREATE':
      return offerMethods(turn, doing.offer, doing.replacing);
    case 'REDIRECT':
      return doing.offer ? offerMethods(turn, doing.offer, doing.attempt) : load(turn, doing.attempt);
  }
}

function retry(turn: Turn, { doing }: Failed, freshKey: string): void {
  switch (doing.step) {
    case 'LOAD':
      return load(turn, doing.replacing);
    case 'CREATE': {
      const key = doing.idempotencyKey ?? freshKey;
      return create(turn, doing, doing.choice, key, doing.override);
    }
    case 'REDIRECT':
      return show(turn, screenOf(turn.state, doing.attempt, { offer: doing.offer, follow: true }, turn.atMs));
  }
}
