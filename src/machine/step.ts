import type { Attempt, Offer } from '../contract/backend.js';
import type { Effect } from './effect.js';
import type { Failure, FailureReason, Input, TimedInput } from './input.js';
import { methodsOf } from './methods.js';
import type { FailedStep, Loading, State } from './state.js';

/** What an input leads to: the state after it, and what is to be done. The same state alone means nothing happens. */
export type Step = readonly [state: State, ...effects: Effect[]];

type InputOf<Type extends Input['type']> = Extract<TimedInput, { readonly type: Type }>;

/** One pure function for each type of input. */
export type Handlers<Types extends Input['type'], Result = Step> = {
  readonly [Type in Types]: (state: State, input: InputOf<Type>) => Result;
};

/** An answer came: the connection works, and the server's clock is known again. */
export const connected = (state: State, now: string, atMs: number): State => ({
  ...state,
  connection: 'OK',
  clockOffsetMs: Date.parse(now) - atMs,
});

/**
 * Reads the order's offer, on a screen of its own or behind the present one. A page without an order, and without an
 * attempt that names one, has nothing to read.
 */
export function load(
  state: State,
  replacing: Attempt | null = null,
  how: 'BEHIND' | Pick<Loading, 'returned' | 'renewing'> = {},
): Step {
  const order = state.config.order ?? (replacing ?? state.older[0])?.order;
  if (!order) return fail(state, 'misconfigured', { step: 'LOAD', replacing });
  const run = state.run + 1;
  const screen = how === 'BEHIND' ? state.screen : { phase: 'loading' as const, order, replacing, ...how };
  return [
    { ...state, run, screen },
    { type: 'load-offer', order, run },
  ];
}

export function fail(
  state: State,
  reason: FailureReason,
  doing: FailedStep,
  retryAtMs: number | null = null,
  detail?: string,
): Step {
  return [
    { ...state, screen: { phase: 'failed', reason, retryAtMs, doing } },
    { type: 'emit', event: { type: 'checkout-error', reason, ...(detail && { detail }) } },
  ];
}

/** A call failed: the reason, the wait and the detail are those of its answer. */
export function failCall(state: State, failure: Failure, doing: FailedStep, atMs: number): Step {
  const { retryAfterMs, detail } = failure;
  return fail(state, reasonOf(failure), doing, retryAfterMs === null ? null : atMs + retryAfterMs, detail);
}

const REASONS: Readonly<Record<Exclude<Failure['kind'], 'PROBLEM'>, FailureReason>> = {
  NETWORK: 'network',
  TIMEOUT: 'network',
  MALFORMED: 'malformed',
  HTTP: 'internal_error',
  MISCONFIGURED: 'misconfigured',
  PART_MISSING: 'part_missing',
};

export const reasonOf = ({ kind, problem }: Failure): FailureReason =>
  kind === 'PROBLEM' ? (problem?.code ?? 'malformed') : REASONS[kind];

/** The screen before a create: what can be chosen, or straight to the form when there is nothing to choose. */
export function offerMethods(
  state: State,
  offer: Offer,
  replacing: Attempt | null,
  previousAmountInCents: number | null = null,
): Step {
  const methods = methodsOf(offer, state.config);
  if (!methods) return fail(state, 'no_methods', { step: 'LOAD', replacing });
  const changed = previousAmountInCents === null ? null : { previousAmountInCents };
  const offering = { offer, methods, replacing, changed };
  const [only] = methods;
  const asksAtOnce =
    methods.length === 1 && only.kind === 'PAYIN' && (only.rail === 'PSE' || only.requires.length > 0);
  return [
    {
      ...state,
      screen: asksAtOnce
        ? { phase: 'details', ...offering, method: only, problems: [] }
        : { phase: 'choosing', ...offering },
    },
  ];
}
