import type { Attempt, Offer } from '../../contract/backend.js';
import type { Method } from '../../contract/offer.js';
import { withReturnId } from '../../contract/return-address.js';
import { isOpen } from '../current.js';
import type { CreateRequest } from '../effect.js';
import type { Choice, Config, RememberedChoice } from '../input.js';
import { isAlike, methodsOf } from '../methods.js';
import type { Details, Offering, State } from '../state.js';
import { type Step, offerMethods } from '../step.js';

/** From a method to the create that is sent to the backend. */

/** The payer's click that asks for a create: a key that was never used, and the moment. */
interface Click {
  readonly idempotencyKey: string;
  readonly atMs: number;
}

/** Creates at once when the method needs nothing more, else asks for what is missing. */
export function takeMethod(state: State, offering: Offering, method: Method, click: Click): Step {
  const choice = choiceOf(method, state.config);
  return choice ? create(state, offering, choice, click) : askDetails(state, offering, method);
}

/**
 * The method of an attempt once more, in that attempt's place: a new key or link, or the form. Without a click nothing
 * is created: the payer clicked before the offer had to be read.
 */
export function renewMethod(state: State, offer: Offer, replacing: Attempt, click: Click | null): Step {
  const methods = methodsOf(offer, state.config);
  const method =
    methods?.find((each) => isAlike(each, replacing)) ??
    // A key without a QR is renewed by one with it, where both kinds are one method.
    methods?.find(({ kind, rail }) => kind === replacing.kind && rail === 'BRE_B' && rail === replacing.rail);
  const offering = methods && { offer, methods, replacing };
  if (method && offering) {
    if (click) return takeMethod(state, offering, method, click);
    if (!choiceOf(method, state.config)) return askDetails(state, offering, method);
  }
  return offerMethods(state, offer, replacing);
}

/** A link needs nothing from the payer: what has a form is a payin. */
export const askDetails = (
  state: State,
  { offer, methods, replacing }: Offering,
  method: Method,
  problems: Details['problems'] = [],
): Step => [
  {
    ...state,
    screen: {
      phase: 'details',
      offer,
      methods,
      replacing,
      method: method as Details['method'],
      problems,
      changed: null,
    },
  },
];

/** A choice that needs nothing from the payer but the choice itself; null when there is something to fill in. */
export function choiceOf(method: Method, { rails, bank }: Config): Choice | null {
  if (method.kind === 'PAYMENT_LINK') {
    // A page that names one rail wants a link of that rail, and one that names a bank wants it preselected.
    const rail = method.rail ?? (rails?.length === 1 ? (rails[0] ?? null) : null);
    return { kind: method.kind, rail, bank: method.bank ?? (rail === 'PSE' ? bank : null) };
  }
  if (method.rail === 'PSE' || method.requires.length > 0) return null;
  return { kind: 'PAYIN', rail: 'BRE_B', keyType: method.keyType };
}

/** A choice without what is personal, and without what does not identify it. */
export function rememberedOf(choice: Choice): RememberedChoice {
  if (choice.kind === 'PAYMENT_LINK') return { kind: choice.kind };
  if (choice.rail === 'BRE_B') return { kind: choice.kind, rail: choice.rail, keyType: choice.keyType };
  const { kind, rail, bank, personType } = choice;
  return { kind, rail, bank, personType };
}

/** Whether a key remembered for one choice may be sent again with another: only when they are the same. */
export const isRemembered = (remembered: RememberedChoice, choice: Choice): boolean =>
  JSON.stringify(remembered) === JSON.stringify(rememberedOf(choice));

/** A backend usually answers a create within two seconds; after this long the screen says that it takes longer. */
const SLOW_AFTER_MS = 3_000;

export function create(
  state: State,
  { offer, methods, replacing }: Offering,
  choice: Choice,
  click: Click,
  isOverride = false,
): Step {
  const { config, hint, level, notAuthorised } = state;
  const override = isOverride || (replacing !== null && replacing.id === notAuthorised);
  // A create that a reload or a lost network interrupted may have arrived: the same choice goes with the same key.
  const again = hint && !hint.answered && !replacing && isRemembered(hint.choice, choice);
  const idempotencyKey = (again && hint.idempotencyKey) || click.idempotencyKey;
  const next = {
    attempt: hint?.attempt ?? null,
    idempotencyKey,
    answered: false,
    choice: rememberedOf(choice),
  };
  const slowAtMs = click.atMs + SLOW_AFTER_MS;
  const common = {
    // The attempt's own token on a page that has no order of its own.
    order: config.order ?? replacing?.order ?? '',
    offerVersion: offer.version,
    // A Full backend adds the attempt's id itself; for a Basic one the key stands in the address.
    callbackUrl:
      level === 'FULL'
        ? config.callbackUrl
        : withReturnId(config.callbackUrl, { kind: choice.kind, id: idempotencyKey }),
    // Only an open attempt can be replaced; after a final one a new attempt is simply made.
    ...(replacing && isOpen(replacing) && { replaces: replacing.id, ...(override && { override }) }),
  };
  return [
    {
      ...state,
      hint: next,
      screen: {
        phase: 'creating',
        offer,
        methods,
        replacing,
        choice,
        idempotencyKey,
        override,
        slowAtMs,
      },
    },
    { type: 'remember', hint: next },
    { type: 'create', idempotencyKey, request: request(common, choice) },
  ];
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
        ...(choice.rail && { rail: choice.rail }),
        ...(choice.bank && { pse: { bank: choice.bank } }),
      },
    };
  }
  const inlineCustomer = choice.customer && { inlineCustomer: choice.customer };
  if (choice.rail === 'BRE_B') {
    const { rail, keyType } = choice;
    return { kind, body: { ...common, ...inlineCustomer, rail, breb: { keyType } } };
  }
  const { rail, bank, personType } = choice;
  return { kind, body: { ...common, ...inlineCustomer, rail, pse: { bank, personType } } };
}
