import type { Attempt, Offer } from '../contract/backend.js';
import { targetOf } from './current.js';
import { methodsOf } from './methods.js';
import type { Effect } from './effect.js';
import type { Failure, FailureReason, Hint } from './input.js';
import type { FailedStep, Loading, Screen, State } from './state.js';

/** One input at work: the state as it becomes, and what is to be done. Changed in place until `transition` returns. */
export interface Turn {
  state: State;
  readonly atMs: number;
  readonly effects: Effect[];
}

export function change(turn: Turn, facts: Partial<State>): void {
  turn.state = { ...turn.state, ...facts };
}

export function show(turn: Turn, screen: Screen): void {
  change(turn, { screen });
}

/** An answer came: the connection works, and the server's clock is known again. */
export function connect(turn: Turn, now: string): void {
  change(turn, { connection: 'OK', clockOffsetMs: Date.parse(now) - turn.atMs });
}

export function remember(turn: Turn, hint: Hint): void {
  change(turn, { hint });
  turn.effects.push({ type: 'remember', hint });
}

export function check(turn: Turn, attempt: Attempt): void {
  turn.effects.push({ type: 'check', target: targetOf(attempt) });
}

/**
 * Reads the order's offer, on a screen of its own or behind the present one. A page without an order, and without an
 * attempt that names one, has nothing to read.
 */
export function load(
  turn: Turn,
  replacing: Attempt | null = null,
  how: 'BEHIND' | Pick<Loading, 'returned' | 'renewing'> = {},
): void {
  const { config, older, run: before } = turn.state;
  const order = config.order ?? (replacing ?? older[0])?.order;
  if (!order) return fail(turn, 'misconfigured', { step: 'LOAD', replacing });
  const run = before + 1;
  change(turn, { run });
  if (how !== 'BEHIND') show(turn, { phase: 'loading', order, replacing, ...how });
  turn.effects.push({ type: 'load-offer', order, run });
}

export function fail(
  turn: Turn,
  reason: FailureReason,
  doing: FailedStep,
  { retryAfterMs = null, detail }: Partial<Failure> = {},
): void {
  const retryAtMs = retryAfterMs === null ? null : turn.atMs + retryAfterMs;
  show(turn, { phase: 'failed', reason, retryAtMs, doing });
  turn.effects.push({ type: 'emit', event: { type: 'checkout-error', reason, ...(detail && { detail }) } });
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
