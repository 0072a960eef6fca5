import type { Attempt, Offer } from '../../contract/backend.js';
import type { Method } from '../../contract/offer.js';
import { withReturnId } from '../../contract/return-id.js';
import { isOpen } from '../current.js';
import type { CreateRequest } from '../effect.js';
import type { Choice } from '../input.js';
import { isAlike, methodsOf } from '../methods.js';
import type { Offering } from '../state.js';
import { type Turn, offerMethods, remember, show } from '../turn.js';
import { choiceOf, isRemembered, rememberedOf } from './choices.js';

/** From a method to the create that is sent to the backend. */

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
export function take(turn: Turn, { offer, methods, replacing }: Offering, method: Method, key: string): void {
  const choice = choiceOf(method, turn.state.config);
  if (choice) return create(turn, { offer, methods, replacing }, choice, key);
  if (method.kind === 'PAYMENT_LINK') return;
  show(turn, { phase: 'details', offer, methods, replacing, method, problems: [], changed: null });
}

/** A backend usually answers a create within two seconds; after this long the screen says that it takes longer. */
const SLOW_AFTER_MS = 3_000;

export function create(
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
