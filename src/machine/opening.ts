import type { Attempt, Method, Offer } from '../contract/backend.js';
import { offerOf } from './current.js';
import type { Effect } from './effect.js';
import type { Config, Failure, FailureReason, Happening, Input } from './input.js';
import type { FailedStep, Offering, Screen, State } from './state.js';

/**
 * A checkout up to its first screen: nothing was tried yet, so there is no attempt to know, watch or tell of. The
 * widget downloads only this before the payer sees something; `transition` goes on from here, and begins with it.
 */

const NO_CONFIG: Config = {
  order: null,
  rails: null,
  keyType: null,
  bank: null,
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

/** One turn: the state as it becomes and what is to be done. Changed in place; nobody sees it before it is over. */
export interface Turn {
  state: State;
  readonly atMs: number;
  readonly effects: Effect[];
}

/** The same as `transition` while no attempt is known; null for an input that takes the rest of the machine. */
export function begin(state: State, input: Input): [State, readonly Effect[]] | null {
  const turn: Turn = { state, atMs: input.atMs, effects: [] };
  if (!takeOpening(turn, input)) return null;
  return [turn.state, screenEffects(state, turn.state, turn.effects, [])];
}

/** What follows from another screen, in order: the page hears of readiness, of what was asked and of news, the payer last. */
export function screenEffects(
  before: State,
  after: State,
  asked: readonly Effect[],
  news: readonly Effect[],
): Effect[] {
  const { phase } = after.screen;
  const ready = isResuming(before) && !isResuming(after) && phase !== 'failed' && phase !== 'idle';
  return [
    ...(ready
      ? ([
          { type: 'emit', event: { type: 'checkout-ready', offer: offerOf(after.screen) } },
          { type: 'measure', name: 'ready' },
        ] as const)
      : []),
    ...asked,
    ...news,
    ...(phase !== before.screen.phase && after.open ? [{ type: 'announce', message: phase } as const] : []),
  ];
}

/** Whether the page just loaded and nothing is known yet: what is final by then was final before. */
export function isResuming({ screen }: State): boolean {
  return screen.phase === 'returning' || (screen.phase === 'loading' && screen.replacing === null);
}

/** What the page does, and an offer without an attempt. False when the input is another's to take. */
export function takeOpening(turn: Turn, input: Input): boolean {
  const { state, effects } = turn;
  const { screen } = state;

  switch (input.type) {
    case 'start': {
      if (input.returned) return false;
      restart(turn, input);
      loadOrder(turn);
      return true;
    }
    case 'misconfigured':
      fail(turn, input.type, { step: 'LOAD', replacing: null });
      return true;
    case 'stop':
      change(turn, { screen: { phase: 'idle' }, older: [], run: state.run + 1 });
      return true;
    case 'opened':
    case 'closed': {
      const open = input.type === 'opened';
      if (open === state.open) return true;
      change(turn, { open });
      effects.push(
        open
          ? { type: 'announce', message: screen.phase }
          : { type: 'emit', event: { type: 'checkout-closed' } },
      );
      return true;
    }
    case 'online':
    case 'offline': {
      const offline = input.type === 'offline';
      if (offline === (state.connection === 'OFFLINE')) return true;
      change(turn, { connection: offline ? 'OFFLINE' : 'OK' });
      effects.push({ type: 'announce', message: input.type });
      if (screen.phase === 'failed' && screen.reason === 'network' && !offline) {
        const { step, replacing } = { replacing: null, ...screen.doing };
        // After a create only to see whether it arrived: that screen stays.
        if (step !== 'REDIRECT') loadOrder(turn, replacing, step === 'CREATE');
      }
      return true;
    }
    case 'offer-loaded':
      return input.run !== state.run || takeOffer(turn, input);
    case 'offer-failed':
      if (input.run !== state.run || screen.phase !== 'loading') return true;
      fail(
        turn,
        reasonOf(input.failure),
        { step: 'LOAD', replacing: screen.replacing },
        input.failure.retryAfterMs,
      );
      return true;
    default:
      return false;
  }
}

/** Everything but what was told to the page begins again. */
export function restart(
  turn: Turn,
  { config, hint, open }: Extract<Happening, { readonly type: 'start' }>,
): void {
  const { told, run, connection } = turn.state;
  turn.state = { ...initialState, told, run: run + 1, connection, config, hint, open };
}

function takeOffer(
  turn: Turn,
  { offer, level }: Extract<Happening, { readonly type: 'offer-loaded' }>,
): boolean {
  const { screen, hint } = turn.state;
  if (screen.phase === 'failed') return screen.doing.step !== 'CREATE' || !offer.attempt;
  if (screen.phase !== 'loading' && screen.phase !== 'choosing') return true;
  if (offer.attempt || screen.replacing || (level === 'BASIC' && hint?.attempt)) return false;
  hear(turn, offer.now);
  change(turn, { level });
  offerMethods(turn, offer, null, movedFrom(screen, offer));
  return true;
}

/** What the payer saw before, when price or methods moved since. */
export const movedFrom = (screen: Screen, { version }: Offer): number | null =>
  screen.phase === 'choosing' && screen.offer.version !== version ? screen.offer.amountInCents : null;

export const change = (turn: Turn, facts: Partial<State>): void => {
  turn.state = { ...turn.state, ...facts };
};

export const show = (turn: Turn, screen: Screen): void => change(turn, { screen });

/** An answer came: the connection works, and the server's clock is known again. */
export function hear(turn: Turn, now: string): void {
  change(turn, { connection: 'OK', clockOffsetMs: Date.parse(now) - turn.atMs });
}

/** Reads the offer, behind the present screen or on a screen of its own. */
export function load(turn: Turn, order: string, replacing: Attempt | null, quietly = false): void {
  const run = turn.state.run + 1;
  change(turn, { run });
  if (!quietly) show(turn, { phase: 'loading', order, replacing });
  turn.effects.push({ type: 'load-offer', order, run });
}

/** Reads the order's offer; a page without an order, and without an attempt to tell it, has nothing to read. */
export function loadOrder(turn: Turn, replacing: Attempt | null = null, quietly = false): void {
  const { config, older } = turn.state;
  const order = config.order ?? (replacing ?? older[0])?.order;
  if (order) load(turn, order, replacing, quietly);
  else fail(turn, 'misconfigured', { step: 'LOAD', replacing });
}

export function fail(
  turn: Turn,
  reason: FailureReason,
  doing: FailedStep,
  retryAfterMs: number | null = null,
): void {
  const retryAtMs = retryAfterMs === null ? null : turn.atMs + retryAfterMs;
  show(turn, { phase: 'failed', reason, retryAtMs, doing });
  turn.effects.push({ type: 'emit', event: { type: 'checkout-error', reason } });
}

export function reasonOf({ kind, problem }: Failure): FailureReason {
  switch (kind) {
    case 'PROBLEM':
      return problem?.code ?? 'malformed';
    case 'NETWORK':
    case 'TIMEOUT':
      return 'network';
    case 'MALFORMED':
      return 'malformed';
    case 'HTTP':
      return 'internal_error';
  }
}

/** The screen before a create: what can be chosen, or straight to the form when there is nothing to choose. */
export function offerMethods(
  turn: Turn,
  offer: Offer,
  replacing: Attempt | null,
  previousAmountInCents: number | null = null,
): void {
  const methods = methodsOf(offer, turn.state.config);
  if (!methods) return fail(turn, 'no_methods', { step: 'LOAD', replacing });
  const changed = previousAmountInCents === null ? null : { previousAmountInCents };
  const offering = { offer, methods, replacing, changed };
  const [only] = methods;
  if (methods.length === 1 && only.kind === 'PAYIN' && (only.rail === 'PSE' || only.requires.length > 0)) {
    show(turn, { phase: 'details', ...offering, method: only, problems: [] });
  } else show(turn, { phase: 'choosing', ...offering });
}

/** The methods that both the offer and the element's attributes allow, in the merchant's order. */
export function methodsOf(offer: Offer, { rails, keyType, hosted }: Config): Offering['methods'] | null {
  const place = ({ rail }: Method) => (rails && rail ? rails.indexOf(rail) : 0);
  const methods = offer.methods.filter(
    (method) =>
      place(method) >= 0 &&
      (method.kind === 'PAYMENT_LINK'
        ? hosted || !offer.methods.some(({ kind }) => kind === 'PAYIN')
        : !hosted && (keyType === null || method.rail === 'PSE' || method.keyType === keyType)),
  );
  // Sorting is stable: methods of one rail stay as the offer has them.
  methods.sort((one, other) => place(one) - place(other));
  const [first, ...rest] = methods;
  return first ? [first, ...rest] : null;
}
