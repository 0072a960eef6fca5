import type { Attempt, Offer } from '../../contract/backend.js';
import { isPaid } from '../../contract/status.js';
import { currentOf, isOpen, offerOf, targetOf } from '../current.js';
import { methodsOf } from '../methods.js';
import { readAgain } from '../opening/shared.js';
import type { State } from '../state.js';
import { type Handlers, type Step, load, offerMethods } from '../step.js';
import { admit } from './arrivals.js';
import { addressOf, mayBeAuthorised, restInCents } from './attempts.js';
import { create, renewMethod, takeMethod } from './creating.js';
import { LAST_CHECK_MS, REDIRECT_MS, screenOf, stay } from './screens.js';

/** What the payer does. A click that the present screen has no button for changes nothing. */
export const payer: Handlers<
  | 'choose'
  | 'submit'
  | 'back'
  | 'check'
  | 'another-method'
  | 'renew'
  | 'override'
  | 'retry'
  | 'show-current'
  | 'pay-rest'
  | 'follow'
  | 'finish'
> = {
  choose(state, click) {
    const { screen } = state;
    if (screen.phase !== 'choosing' || !screen.methods.includes(click.method)) return [state];
    return takeMethod(state, screen, click.method, click);
  },

  submit(state, click) {
    const { screen } = state;
    if (screen.phase !== 'details' || screen.method.rail !== click.choice.rail) return [state];
    return create(state, screen, click.choice, click);
  },

  back(state, { atMs }) {
    const { screen } = state;
    const current = currentOf(screen);
    if (screen.phase === 'redirecting') return stay(state);
    if (screen.phase === 'details' && screen.methods.length > 1) {
      const { offer, methods, replacing, changed } = screen;
      return [{ ...state, screen: { phase: 'choosing', offer, methods, replacing, changed } }];
    }
    // Its answer is ignored when it comes: the backend then has an open attempt, and gives it to the next create.
    if (screen.phase === 'creating' && screen.slowAtMs === null)
      return offerMethods(state, screen.offer, current);
    if (screen.phase === 'failed' && screen.doing.step === 'CREATE')
      return offerMethods(state, screen.doing.offer, current);
    if ('attempt' in screen || screen.phase === 'creating' || !current) return [state];
    // Another one may have paid the order, and may be what could not be loaded.
    return admit(state, current, { offer: offerOf(screen) }, atMs);
  },

  check(state, { atMs }) {
    const { screen } = state;
    if (screen.phase === 'returning') return [state, { type: 'check', target: screen.target }];
    const current = currentOf(screen);
    if (!current) return readAgain(state);
    const check = { type: 'check', target: targetOf(current) } as const;
    const checking = { type: 'announce', message: 'checking' } as const;
    if ('check' in screen) return [{ ...state, screen: { ...screen, check: 'ASKING' } }, check, checking];
    if (screen.phase === 'lapsed' && isOpen(current)) {
      const checkingUntilMs = atMs + LAST_CHECK_MS;
      return [{ ...state, screen: { ...screen, checkingUntilMs } }, check, checking];
    }
    return [state, check];
  },

  'another-method'(state) {
    const { screen } = state;
    if (screen.phase === 'failed') {
      const offer = screen.doing.step === 'LOAD' ? null : screen.doing.offer;
      return chooseAgain(state, offer, currentOf(screen));
    }
    if (!('attempt' in screen) || isPaid(screen.attempt.status)) return [state];
    const { attempt, offer } = screen;
    // The button of these screens says so: "No autoricé: usar otro medio".
    const notAuthorised = mayBeAuthorised(attempt) ? attempt.id : state.notAuthorised;
    return chooseAgain({ ...state, notAuthorised }, offer, attempt);
  },

  renew(state, click) {
    const { screen } = state;
    if (!('attempt' in screen) || isPaid(screen.attempt.status)) return [state];
    const { attempt, offer } = screen;
    return offer ? renewMethod(state, offer, attempt, click) : load(state, attempt, { renewing: true });
  },

  override(state, click) {
    const { screen, config } = state;
    if (screen.phase !== 'pending' || !screen.blocked || !screen.offer) return [state];
    const { attempt: replacing, blocked, offer } = screen;
    const methods = methodsOf(offer, config);
    return methods ? create(state, { offer, methods, replacing }, blocked.choice, click, true) : [state];
  },

  retry(state, { idempotencyKey, atMs }) {
    const { screen } = state;
    if (screen.phase === 'preparing') {
      return [
        { ...state, screen: { ...screen, sinceMs: atMs, stalled: false } },
        { type: 'check', target: targetOf(screen.attempt) },
      ];
    }
    if (screen.phase !== 'failed') return [state];
    const { doing } = screen;
    switch (doing.step) {
      case 'LOAD':
        return load(state, doing.replacing);
      case 'CREATE': {
        const click = { idempotencyKey: doing.idempotencyKey ?? idempotencyKey, atMs };
        return create(state, doing, doing.choice, click, doing.override);
      }
      case 'REDIRECT': {
        const { attempt, offer } = doing;
        return [{ ...state, screen: screenOf(state, attempt, { offer, follow: true }, atMs) }];
      }
    }
  },

  'show-current'(state) {
    const { screen } = state;
    return 'attempt' in screen && screen.attempt.replaced ? load(state, screen.attempt) : [state];
  },

  'pay-rest'(state) {
    const { screen } = state;
    if (screen.phase !== 'amount-differs' || restInCents(screen.attempt) === 0) return [state];
    // The known offer is for the whole price; the backend has another one for the rest.
    return load(state, screen.attempt);
  },

  follow(state, { atMs }) {
    const { screen } = state;
    if (screen.phase !== 'pending' && screen.phase !== 'link' && screen.phase !== 'verifying') return [state];
    const { attempt, offer } = screen;
    const url = screen.phase === 'verifying' ? addressOf(attempt) : screen.url;
    if (url === null) return [state];
    return [{ ...state, screen: { phase: 'redirecting', attempt, offer, url, untilMs: atMs + REDIRECT_MS } }];
  },

  finish(state) {
    const { screen } = state;
    if (!('attempt' in screen) && screen.phase !== 'failed') return [state];
    return [state, { type: 'finish', attempt: currentOf(screen) }];
  },
};

/** The methods once more, in place of an attempt. The offer is read where it is not known. */
const chooseAgain = (state: State, offer: Offer | null, replacing: Attempt | null): Step =>
  offer ? offerMethods(state, offer, replacing) : load(state, replacing);
