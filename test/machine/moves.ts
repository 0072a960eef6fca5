import type { Attempt, Offer } from '../../src/contract/backend.js';
import type { Failure, Input } from '../../src/machine/input.js';
import type { Phase, State } from '../../src/machine/state.js';
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
