import type { Attempt, Offer } from '../../src/contract/backend.js';
import { isFinal, isPaid } from '../../src/contract/status.js';
import { addressOf, expiresAtMs, localMs } from '../../src/machine/paying/attempts.js';
import { currentOf, isOpen } from '../../src/machine/current.js';
import type { Effect } from '../../src/machine/effect.js';
import type { Failure, Input, TimedInput } from '../../src/machine/input.js';
import { deadlineMs, targetsOf } from '../../src/machine/paying/consequences.js';
import { type Phase, type State, initialState } from '../../src/machine/state.js';
import type { transition } from '../../src/machine/paying/transition.js';
import {
  NOON_MS,
  breb,
  brebMethod,
  config,
  iso,
  keyMethod,
  link,
  linkMethod,
  network,
  offer,
  paid,
  problem,
  pse,
  pseMethod,
} from './fixtures.js';

export type Machine = typeof transition;

/** An input that may depend on where the checkout is: an answer needs the key or the run that asked. */
export type Move = { readonly name: string; readonly at: (state: State, count: number) => Input };

const keyOf = (state: State) =>
  state.screen.phase === 'creating' ? state.screen.idempotencyKey : 'a-key-of-no-create';

const fixed = (input: Input, name: string = input.type): Move => ({ name, at: () => input });
const fresh = (count: number) => `key-${String(count).padStart(16, '0')}`;
const arrived = (name: string, attempt: Attempt): Move =>
  fixed({ type: 'attempt', asked: attempt.id, attempt }, `attempt: ${name}`);
const created = (name: string, attempt: Attempt): Move => ({
  name: `created: ${name}`,
  at: (state) => ({ type: 'created', idempotencyKey: keyOf(state), attempt }),
});
const refused = (name: string, failure: Failure): Move => ({
  name: `refused: ${name}`,
  at: (state) => ({ type: 'create-failed', idempotencyKey: keyOf(state), failure }),
});
const offered = (name: string, offer: Offer, level: 'FULL' | 'BASIC' = 'FULL'): Move => ({
  name: `offered: ${name}`,
  at: ({ run }) => ({ type: 'offer-loaded', run, offer, level }),
});
const clicked = (type: 'renew' | 'override' | 'retry'): Move => ({
  name: type,
  at: (_, count) => ({ type, idempotencyKey: fresh(count) }),
});
const chosen = (rail: 'BRE_B' | 'PSE' | null): Move => ({
  name: `choose: ${rail ?? 'link'}`,
  at: ({ screen }, count) => ({
    type: 'choose',
    method:
      ('methods' in screen && screen.methods.find((method) => method.rail === rail)) ||
      (rail === 'PSE' ? pseMethod : brebMethod),
    idempotencyKey: fresh(count),
  }),
});

const expiring = { expiresAt: iso(NOON_MS + 90_000) };
const byOther = { settlement: { state: 'PAID', by: 'breb-2', duplicate: false } } as const;
const twice = { settlement: { state: 'PAID', by: 'breb-1', duplicate: true } } as const;
const part = (reference: string) => ({ reference, amountInCents: 1_000_000, at: iso(NOON_MS) });
const order = { orderAmountInCents: 5_000_000 };
/** Paid with too little: so many payments of a fifth of the price have come by now. */
const partly = (attempt: Attempt, count: number): Attempt =>
  paid(attempt, {
    confirmedAmountInCents: 1_000_000,
    settlement: {
      state: 'AMOUNT_DIFFERS',
      by: attempt.id,
      duplicate: false,
      paidInCents: count * 1_000_000,
      ...order,
      payments: Array.from({ length: count }, (_, index) => part(`ref-${index}`)),
    },
    version: `part ${count}`,
  });
const wholeBy = (by: string): Partial<Attempt> => ({
  settlement: { state: 'PAID', by, duplicate: false, ...order, payments: [part('ref-0'), part('ref-1')] },
});
const hint = {
  attempt: { kind: 'PAYIN', id: 'breb-1' },
  idempotencyKey: 'remembered-key-0001',
  answered: false,
  choice: { kind: 'PAYIN', rail: 'BRE_B', keyType: 'QR_CODE' },
} as const;
const start = (name: string, facts: Partial<Extract<Input, { type: 'start' }>>): Move =>
  fixed(
    { type: 'start', config, hint: null, returned: null, open: true, ...facts },
    `start${name && `: ${name}`}`,
  );

/** What can happen, in enough variety to reach every screen. */
export const ESSENTIAL: readonly Move[] = [
  start('', {}),
  offered('two rails', offer()),
  offered('basic', offer({ methods: [brebMethod, keyMethod] }), 'BASIC'),
  chosen('BRE_B'),
  chosen('PSE'),
  {
    name: 'submit',
    at: (_, count) => ({
      type: 'submit',
      choice: { kind: 'PAYIN', rail: 'PSE', bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' },
      idempotencyKey: fresh(count),
    }),
  },
  created('a key', breb(expiring)),
  created('a bank', pse()),
  created('another key', breb({ id: 'breb-2' })),
  arrived('key paid', paid(breb(expiring))),
  arrived('other key paid', paid(breb({ id: 'breb-2' }))),
  arrived('key declined', breb({ ...expiring, status: 'DECLINED', version: 'v2' })),
  arrived('bank paid', paid(pse())),
  refused('network', network),
  fixed({ type: 'another-method' }),
  clicked('renew'),
  fixed({ type: 'back' }),
  fixed({ type: 'tick' }),
];

export const MOVES: readonly Move[] = [
  ...ESSENTIAL,
  start('closed', { open: false }),
  start('remembered', { hint }),
  start('returned', { returned: { kind: 'PAYIN', id: 'pse-1' } }),
  start('returned to no order', {
    config: { ...config, order: null },
    returned: { kind: 'PAYIN', id: 'pse-1' },
  }),
  start('returned from a link', { returned: { kind: 'PAYMENT_LINK', id: 'link-1' } }),
  start('hosted', { config: { ...config, hosted: true } }),
  start('hosted, shown', { config: { ...config, hosted: true, linkMode: 'SHOW' } }),
  start('without an order', { config: { ...config, order: null } }),
  fixed({ type: 'misconfigured', detail: 'A sentence.' }),
  fixed({ type: 'part-missing' }),
  fixed({ type: 'stop' }),
  fixed({ type: 'opened' }),
  fixed({ type: 'closed' }),
  fixed({ type: 'page-restored' }),
  fixed({ type: 'online' }),
  fixed({ type: 'offline' }),
  offered('all methods', offer({ methods: [brebMethod, keyMethod, pseMethod, linkMethod] })),
  offered('only PSE', offer({ methods: [pseMethod] })),
  offered('nothing', offer({ methods: [] })),
  offered('another price', offer({ version: 'o2', amountInCents: 6_000_000 })),
  offered('a key in progress', offer({ attempt: breb() })),
  offered('another key in progress', offer({ attempt: breb({ id: 'breb-2' }) })),
  offered('paid elsewhere', offer({ attempt: paid(breb({ id: 'breb-2' })) })),
  offered('a declined bank', offer({ attempt: pse({ status: 'DECLINED' }) })),
  {
    name: 'offer-failed',
    at: ({ run }) => ({ type: 'offer-failed', run, failure: network }),
  },
  {
    name: 'offer-failed: no such order',
    at: ({ run }) => ({ type: 'offer-failed', run, failure: problem('not_found', { status: 404 }) }),
  },
  chosen(null),
  fixed({ type: 'check' }),
  clicked('override'),
  clicked('retry'),
  fixed({ type: 'follow' }),
  fixed({ type: 'finish' }),
  created('no key yet', breb({ sourceData: null })),
  created('a bank without an address', pse({ sourceData: null, stalled: true })),
  created('a link', link(expiring)),
  created('a paid key', paid(breb())),
  refused('price', problem('offer_changed', { offer: offer({ version: 'o2', amountInCents: 100 }) })),
  refused('price, unsaid', problem('offer_changed')),
  refused('paid', problem('already_paid', { attempt: paid(breb({ id: 'breb-2' })) })),
  refused('not current', problem('not_current', { attempt: breb({ id: 'breb-2' }) })),
  refused('bank in progress', problem('pse_in_progress', { attempt: pse(), retryAt: iso(NOON_MS + 1e6) })),
  refused('fields', problem('invalid_request', { errors: [{ field: 'pse.bank', code: 'not_allowed' }] })),
  refused('service', problem('service_refused', { status: 422 })),
  arrived('key', breb()),
  arrived('key, longer', breb({ expiresAt: iso(NOON_MS + 1e6), version: 'v3' })),
  arrived('key canceled', breb({ status: 'CANCELED', version: 'v2' })),
  arrived('key underpaid', paid(breb(), { confirmedAmountInCents: 1 })),
  arrived('key overpaid', paid(breb(), { confirmedAmountInCents: 9_000_000 })),
  arrived('key partly paid', partly(breb(), 1)),
  arrived('other key partly paid', partly(breb({ id: 'breb-2' }), 2)),
  arrived(
    'other key pays the rest',
    paid(breb({ id: 'breb-2', amountInCents: 4_000_000 }), wholeBy('breb-2')),
  ),
  offered('the rest', offer({ version: 'o1.1', amountInCents: 4_000_000, attempt: partly(breb(), 1) })),
  refused(
    'paid by parts',
    problem('already_paid', { attempt: paid(breb({ id: 'breb-2' }), wholeBy('breb-2')) }),
  ),
  fixed({ type: 'pay-rest' }),
  arrived('key, replaced elsewhere', breb({ replaced: true, version: 'v6' })),
  fixed({ type: 'show-current' }),
  arrived('key, order paid by another', breb({ ...byOther, version: 'v4' })),
  arrived('key paid, twice', paid(breb(), { ...twice, version: 'v5' })),
  arrived('other key', breb({ id: 'breb-2', version: 'v2' })),
  arrived('bank', pse({ version: 'v2' })),
  arrived('bank, no address', pse({ sourceData: null, version: 'v0' })),
  arrived('bank declined', pse({ status: 'DECLINED', version: 'v2' })),
  arrived('bank of another rail', breb({ id: 'pse-1', version: 'v9' })),
  arrived('link', link()),
  arrived('link completed', paid(link())),
  arrived('link expired', link({ status: 'EXPIRED', version: 'v2' })),
  fixed({ type: 'attempt-missing', id: 'pse-1' }),
  fixed({ type: 'attempt-missing', id: 'breb-1' }),
  fixed({ type: 'watch-failed', id: 'breb-1', failures: 3 }),
  fixed({ type: 'watch-failed', id: 'pse-1', failures: 1 }),
  fixed({ type: 'redirect-canceled' }),
  fixed({ type: 'redirect-refused' }),
];

/** Every phase and every input, so that what was visited can be counted against all there is. */
export const PHASES = {
  idle: 0,
  loading: 0,
  returning: 0,
  choosing: 0,
  details: 0,
  creating: 0,
  preparing: 0,
  paying: 0,
  redirecting: 0,
  verifying: 0,
  pending: 0,
  link: 0,
  lapsed: 0,
  confirmed: 0,
  'amount-differs': 0,
  duplicate: 0,
  declined: 0,
  canceled: 0,
  failed: 0,
} satisfies Record<Phase, 0>;
export const INPUTS = {
  start: 0,
  misconfigured: 0,
  stop: 0,
  opened: 0,
  closed: 0,
  'page-restored': 0,
  online: 0,
  offline: 0,
  'part-missing': 0,
  tick: 0,
  choose: 0,
  submit: 0,
  back: 0,
  check: 0,
  'another-method': 0,
  renew: 0,
  override: 0,
  retry: 0,
  'pay-rest': 0,
  'show-current': 0,
  follow: 0,
  finish: 0,
  'offer-loaded': 0,
  'offer-failed': 0,
  created: 0,
  'create-failed': 0,
  attempt: 0,
  'attempt-missing': 0,
  'watch-failed': 0,
  'redirect-canceled': 0,
  'redirect-refused': 0,
} satisfies Record<Input['type'], 0>;

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
