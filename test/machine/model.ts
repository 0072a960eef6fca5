import type { Attempt } from '../../src/contract/backend.js';
import { isFinal, isPaid } from '../../src/contract/status.js';
import { addressOf, expiresAtMs, localMs } from '../../src/machine/paying/attempts.js';
import { currentOf, isOpen } from '../../src/machine/current.js';
import type { Effect } from '../../src/machine/effect.js';
import type { Input, TimedInput } from '../../src/machine/input.js';
import { deadlineMs, targetsOf } from '../../src/machine/paying/consequences.js';
import { type Phase, type State, initialState } from '../../src/machine/state.js';
import { NOON_MS } from './fixtures.js';
import { type Machine, type Move, MOVES } from './moves.js';

/** One checkout in the model, with what an observer outside can know of it. */
export interface World {
  readonly state: State;
  readonly nowMs: number;
  readonly count: number;
  /** Final events in the order they were dispatched, as `type id`. */
  readonly dispatched: readonly string[];
  /** Ids that the backend ever called paid. */
  readonly paidIds: readonly string[];
  readonly watched: string;
  readonly scheduled: number | null;
}

export const beginning: World = {
  state: deepFreeze(initialState),
  nowMs: NOON_MS,
  count: 0,
  dispatched: [],
  paidIds: [],
  watched: '',
  scheduled: null,
};

const FINAL = /^(payin-(confirmed|declined|canceled|lapsed)|paymentlink-(completed|expired))$/;
const CLICKS_THAT_CREATE = ['choose', 'submit', 'renew', 'override', 'retry'];
const MOVES_THAT_REDIRECT = ['created', 'attempt', 'follow', 'retry'];

/** Makes a move and says everything that is wrong with what came of it. A tick comes when it was asked for. */
export function play(machine: Machine, world: World, move: Move): [World, string[]] {
  const moved = move.at(world.state, world.count);
  const nowMs =
    moved.type === 'tick' ? Math.max(world.nowMs, world.scheduled ?? world.nowMs) : world.nowMs + 10;
  const input: TimedInput = { ...moved, atMs: nowMs };
  const [state, effects] = machine(world.state, input);
  deepFreeze(state);

  const faults: string[] = [];
  const dispatched = [...world.dispatched];
  let { watched, scheduled } = world;
  for (const effect of effects) {
    faults.push(...effectFaults(effect, input, dispatched));
    if (effect.type === 'create' && effect.request.body.override) {
      const { screen, notAuthorised } = world.state;
      const declared = notAuthorised !== null && notAuthorised === effect.request.body.replaces;
      const again = screen.phase === 'failed' && screen.doing.step === 'CREATE' && screen.doing.override;
      if (!declared && !again && input.type !== 'override')
        faults.push('overrides what the payer did not declare');
    }
    if (effect.type === 'redirect' && !world.state.open && isAnswer(input))
      faults.push('an answer takes the page away from behind a closed dialog');
    if (effect.type === 'watch') watched = effect.targets.map(({ id }) => id).join();
    if (effect.type === 'schedule') scheduled = effect.atMs;
  }
  const paidIds = [...new Set([...world.paidIds, ...paidIn(input)])];
  const next: World = { state, nowMs, count: world.count + 1, dispatched, paidIds, watched, scheduled };
  faults.push(...stateFaults(next), ...changeFaults(world.state, state, input));
  return [next, faults];
}

function effectFaults(effect: Effect, input: TimedInput, dispatched: string[]): string[] {
  switch (effect.type) {
    case 'emit': {
      const { event } = effect;
      if (!FINAL.test(event.type)) return [];
      const id = 'payin' in event ? event.payin.id : 'link' in event ? event.link.id : '';
      const name = `${event.type} ${id}`;
      const faults = [];
      if (dispatched.includes(name)) faults.push(`second final event ${name}`);
      const confirmed = dispatched.some((earlier) => earlier === `payin-confirmed ${id}`);
      if (confirmed && !event.type.endsWith('confirmed')) faults.push(`${name} after it was confirmed`);
      dispatched.push(name);
      return faults;
    }
    case 'create': {
      const faults = [];
      if (!CLICKS_THAT_CREATE.includes(input.type)) faults.push(`create without a click, on ${input.type}`);
      if (JSON.stringify(effect.request).includes('amount')) faults.push('an amount was sent');
      return faults;
    }
    case 'redirect':
      return MOVES_THAT_REDIRECT.includes(input.type) ? [] : [`redirect on ${input.type}`];
    default:
      return [];
  }
}

function paidIn(input: TimedInput): string[] {
  const attempts = [
    'attempt' in input ? input.attempt : null,
    'offer' in input ? input.offer.attempt : null,
    'failure' in input ? (input.failure.problem?.attempt ?? null) : null,
  ];
  return attempts.flatMap((attempt) => (attempt && isPaid(attempt.status) ? attempt.id : []));
}

/** What must be true of any state, whatever led to it. */
function stateFaults({ state, nowMs, paidIds, watched, scheduled }: World): string[] {
  const { screen, older, emitted, config } = state;
  const faults: string[] = [];
  const must = (truth: boolean, fault: string) => {
    if (!truth) faults.push(`${screen.phase}: ${fault}`);
  };
  const current = currentOf(screen);

  must(!older.some(({ id }) => id === current?.id), 'the current attempt is also an older one');
  must(new Set(older.map(({ id }) => id)).size === older.length, 'an older attempt is there twice');
  must(new Set(emitted).size === emitted.length, 'emitted twice');
  must(
    targetsOf(state)
      .map(({ id }) => id)
      .join() === watched,
    'watches something else than it says',
  );
  must(deadlineMs(state) === scheduled, 'awaits another moment than it says');
  if (screen.phase !== 'idle') {
    const awaited = state.level === 'BASIC' ? [current, ...older] : [current];
    for (const attempt of awaited) {
      if (attempt && isOpen(attempt))
        must(watched.includes(attempt.id), `${attempt.id} is open and unwatched`);
    }
  }
  if ('methods' in screen) {
    must(screen.methods.length > 0, 'nothing to choose');
    must(
      screen.methods.every((method) => screen.offer.methods.includes(method)),
      'a method that is not offered',
    );
  }

  switch (screen.phase) {
    case 'idle':
      must(older.length === 0, 'idle with attempts');
      break;
    case 'details':
      must(screen.methods.includes(screen.method), 'a form for a method that is not offered');
      break;
    case 'paying':
      must(isOpen(screen.attempt), 'paying what is final');
      must(screen.source === screen.attempt.sourceData, 'another key than the attempt has');
      must(scheduled === null || nowMs <= scheduled + 10, 'past its expiry');
      break;
    case 'preparing':
      must(isOpen(screen.attempt), 'preparing what is final');
      must(addressOf(screen.attempt) === null, 'preparing with an address');
      must(
        screen.attempt.rail !== 'BRE_B' || !('sourceData' in screen.attempt && screen.attempt.sourceData),
        'preparing with a key',
      );
      break;
    case 'redirecting':
      must(isOpen(screen.attempt), 'redirecting to what is final');
      must(screen.url === addressOf(screen.attempt), 'redirecting elsewhere');
      break;
    case 'verifying':
    case 'pending':
    case 'link':
      must(isOpen(screen.attempt), 'waiting for what is final');
      break;
    case 'lapsed':
      must(!isPaid(screen.attempt.status), 'lapsed although paid');
      break;
    case 'confirmed':
      must(!differs(screen.attempt), 'plain success with another amount');
      must(!screen.attempt.settlement.duplicate, 'plain success of a second payment');
      must(
        !older.some((other) => isPaid(other.status) && !isPart(other)),
        'plain success of a second payment',
      );
      must(paidIds.includes(screen.attempt.id), 'no answer said it was paid');
      break;
    case 'amount-differs':
      must(differs(screen.attempt), 'the amount is right');
      must(paidIds.includes(screen.attempt.id), 'no answer said it was paid');
      break;
    case 'duplicate':
      must(paidIds.includes(screen.attempt.id), 'no answer said it was paid');
      break;
    case 'declined':
    case 'canceled':
      must(screen.attempt.status === screen.phase.toUpperCase(), 'another outcome');
      break;
    case 'loading':
    case 'returning':
    case 'choosing':
    case 'creating':
    case 'failed':
      must(!current || !isPaid(current.status) || isPart(current), 'a paid attempt is not shown');
      break;
  }
  if (screen.phase === 'creating') must(config.callbackUrl !== '', 'nowhere to come back to');
  return faults;
}

/** What must be true of any step. */
function changeFaults(before: State, after: State, input: TimedInput): string[] {
  if (input.type === 'start' || input.type === 'stop' || input.type === 'misconfigured') return [];
  const faults: string[] = [];
  const known = (state: State): Attempt[] => {
    const current = currentOf(state.screen);
    return current ? [current, ...state.older] : [...state.older];
  };
  const paidBefore = 'late' in before.screen ? before.screen.attempt : null;
  if (paidBefore && !('late' in after.screen) && !(input.type === 'pay-rest' && isPart(paidBefore))) {
    faults.push(`${paidBefore.id} is paid and left on ${input.type}`);
  }
  // When it lapses, not later: an old answer may still set the server's clock back.
  const { screen } = after;
  if (screen.phase === 'lapsed' && before.screen.phase !== 'lapsed') {
    const isOver = localMs(after, expiresAtMs(screen.attempt)) <= input.atMs + 10;
    if (screen.attempt.status !== 'EXPIRED' && !isOver) faults.push('lapsed before its time');
  }
  const rank = ({ status }: Attempt) => (isPaid(status) ? 2 : isFinal(status) ? 1 : 0);
  for (const attempt of known(before)) {
    const now = known(after).find(({ id }) => id === attempt.id);
    if (!now && (isOpen(attempt) || isPaid(attempt.status))) faults.push(`${attempt.id} was forgotten`);
    if (now && rank(now) < rank(attempt)) faults.push(`${attempt.id} was lowered to ${now.status}`);
  }
  if (before.emitted.some((name) => !after.emitted.includes(name))) faults.push('forgot what it emitted');
  return faults;
}

/** Paid with too little, by what the backend adds up; or known later as one of the parts of a whole. */
function isPart({ id, settlement }: Attempt): boolean {
  const { state, by, duplicate, paidInCents = Infinity, orderAmountInCents = 0 } = settlement;
  if (state === 'AMOUNT_DIFFERS') return paidInCents < orderAmountInCents;
  return state === 'PAID' && !duplicate && by !== null && by !== id;
}

/** Another amount arrived than was asked for, or the backend says so, and it is no part of a whole that another completed. */
function differs({ amountInCents: asked, confirmedAmountInCents, settlement, id }: Attempt): boolean {
  const { state, by } = settlement;
  if (state === 'PAID' && by !== null && by !== id) return false;
  return (confirmedAmountInCents ?? asked) !== asked || (state === 'AMOUNT_DIFFERS' && by === id);
}

const WAITING: readonly Phase[] = ['loading', 'creating', 'returning'];

/** Whether the payer, or the answer that must come, gets out of here. */
export function exits(machine: Machine, world: World): boolean {
  const { phase } = world.state.screen;
  if (phase === 'idle') return true;
  const waiting = WAITING.includes(phase);
  return MOVES.some((move) => {
    const input = move.at(world.state, world.count);
    const own = waiting ? isAnswer(input) : isClick(input);
    if (!own) return false;
    const [state, effects] = machine(world.state, { ...input, atMs: world.nowMs });
    return state.screen.phase !== phase || effects.some(({ type }) => type === 'finish');
  });
}

const isClick = ({ type }: Input) =>
  [...CLICKS_THAT_CREATE, 'back', 'another-method', 'pay-rest', 'show-current', 'follow', 'finish'].includes(
    type,
  );
const isAnswer = ({ type }: Input) =>
  ['offer-failed', 'created', 'create-failed', 'attempt', 'attempt-missing'].includes(type);

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
