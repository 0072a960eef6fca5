import type { Attempt, Offer } from '../../contract/backend.js';
import type { Method } from '../../contract/offer.js';
import { withReturnId } from '../../contract/return-id.js';
import { isPaid } from '../../contract/status.js';
import { admit, stay } from './arrivals.js';
import { currentOf, isOpen, offerOf } from '../current.js';
import { readAgain } from '../opening/steps.js';
import { addressOf, mayBeAuthorised, restInCents } from './attempts.js';
import { isAlike, methodsOf } from '../methods.js';
import { choiceOf, isRemembered, rememberedOf } from './choices.js';
import type { CreateRequest } from '../effect.js';
import type { Choice, Input } from '../input.js';
import { LAST_CHECK_MS, REDIRECT_MS, screenOf } from './screens.js';
import type { Failed, Offering } from '../state.js';
import { type Turn, change, check, load, loadOrder, offerMethods, remember, show } from '../turn.js';

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
      // Its answer may still come, to nobody: the backend then has an open attempt, and gives it to the next create.
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
      return offer
        ? offerMethods(turn, offer, screen.attempt)
        : load(turn, config.order ?? screen.attempt.order, screen.attempt);

    case 'renew': {
      if (!('attempt' in screen) || isPaid(screen.attempt.status)) return;
      const { attempt: replacing } = screen;
      if (!offer) {
        const order = config.order ?? replacing.order;
        load(turn, order, replacing, true);
        return show(turn, { phase: 'loading', order, replacing, renewing: true });
      }
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
      return load(turn, config.order ?? screen.attempt.order, screen.attempt);

    case 'pay-rest':
      if (screen.phase !== 'amount-differs' || restInCents(screen.attempt) === 0) return;
      // The offer that the payer saw is for the whole price: the one for the rest is another.
      return load(turn, config.order ?? screen.attempt.order, screen.attempt);

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

/**
 * The method of an attempt once more, in that attempt's place: a new key or link, or the form. Without an idempotency
 * key nothing is created: the payer's press was for an offer that had to be read first.
 */
export function renew(turn: Turn, offer: Offer, replacing: Attempt, key: string | null): void {
  const { config } = turn.state;
  const methods = methodsOf(offer, config);
  const method =
    methods?.find((each) => isAlike(each, replacing)) ??
    // A key without a QR is renewed by one with it, where both kinds are one method.
    methods?.find(({ kind, rail }) => kind === replacing.kind && rail === 'BRE_B' && rail === replacing.rail);
  if (!methods || !method || (key === null && choiceOf(method, config)))
    return offerMethods(turn, offer, replacing);
  take(turn, { offer, methods, replacing }, method, key ?? '');
}

/** Creates at once when the method needs nothing more, else asks for what is missing. */
function take(turn: Turn, { offer, methods, replacing }: Offering, method: Method, key: string): void {
  const choice = choiceOf(method, turn.state.config);
  if (choice) return create(turn, { offer, methods, replacing }, choice, key);
  if (method.kind === 'PAYMENT_LINK') return;
  show(turn, { phase: 'details', offer, methods, replacing, method, problems: [], changed: null });
}

function chooseAgain(turn: Turn, { doing }: Failed): void {
  switch (doing.step) {
    case 'LOAD':
      return loadOrder(turn, doing.replacing);
    case 'CREATE':
      return offerMethods(turn, doing.offer, doing.replacing);
    case 'REDIRECT':
      return doing.offer
        ? offerMethods(turn, doing.offer, doing.attempt)
        : load(turn, turn.state.config.order ?? doing.attempt.order, doing.attempt);
  }
}

function retry(turn: Turn, { doing }: Failed, freshKey: string): void {
  switch (doing.step) {
    case 'LOAD':
      return loadOrder(turn, doing.replacing);
    case 'CREATE': {
      const key = doing.idempotencyKey ?? freshKey;
      return create(turn, doing, doing.choice, key, doing.override);
    }
    case 'REDIRECT':
      return show(turn, screenOf(turn.state, doing.attempt, { offer: doing.offer, follow: true }, turn.atMs));
  }
}

/** A backend usually answers a create within two seconds; after this long the screen says that it takes longer. */
const SLOW_AFTER_MS = 3_000;

function create(
  turn: Turn,
  { offer, methods, replacing }: Offering,
  choice: Choice,
  freshKey: string,
  override = false,
): void {
  const { config, hint, level, notAuthorised } = turn.state;
  const declared = override || (replacing !== null && replacing.id === notAuthorised);
  // A create that a reload or a lost network interrupted may have arrived: the same choice goes with the same key.
  const again = hint && !hint.answered && !replacing && isRemembered(hint.choice, choice);
  const idempotencyKey = (again && hint.idempotencyKey) || freshKey;
  const attempt = hint?.attempt ?? null;
  remember(turn, { attempt, idempotencyKey, answered: false, choice: rememberedOf(choice) });
  const slowAtMs = turn.atMs + SLOW_AFTER_MS;
  show(turn, {
    phase: 'creating',
    offer,
    methods,
    replacing,
    choice,
    idempotencyKey,
    override: declared,
    slowAtMs,
  });
  const common = {
    // The attempt's own token on a page that has no order of its own.
    order: config.order ?? replacing?.order ?? '',
    offerVersion: offer.version,
    // A Full backend names the attempt itself; for a Basic one its key has to do.
    callbackUrl:
      level === 'FULL'
        ? config.callbackUrl
        : withReturnId(config.callbackUrl, { kind: choice.kind, id: idempotencyKey }),
    // Only an open attempt can be replaced; after a final one a new attempt is simply made.
    ...(replacing && isOpen(replacing) ? { replaces: replacing.id } : {}),
    ...(declared && replacing && isOpen(replacing) ? { override: true } : {}),
  };
  turn.effects.push({ type: 'create', idempotencyKey, request: request(common, choice) });
}

function request(
  common: { order: string; offerVersion: string; callbackUrl: string; replaces?: string; override?: boolean },
  choice: Choice,
): CreateRequest {
  const { kind } = choice;
  if (kind === 'PAYMENT_LINK') {
    return {
      kind,
      body: {
        ...common,
        ...(choice.rail ? { rail: choice.rail } : {}),
        ...(choice.bank ? { pse: { bank: choice.bank } } : {}),
      },
    };
  }
  const inlineCustomer = choice.customer ? { inlineCustomer: choice.customer } : {};
  if (choice.rail === 'BRE_B') {
    const { rail, keyType } = choice;
    return { kind, body: { ...common, ...inlineCustomer, rail, breb: { keyType } } };
  }
  const { rail, bank, personType } = choice;
  return { kind, body: { ...common, ...inlineCustomer, rail, pse: { bank, personType } } };
}
