import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Input } from '../../src/machine/input.js';
import type { Phase } from '../../src/machine/state.js';
import {
  NOON_MS,
  Play,
  breb,
  brebMethod,
  iso,
  link,
  network,
  offer,
  paid,
  partlyPaid,
  problem,
  pse,
  pseMethod,
} from './fixtures.js';

const KEY = 'fresh-key-0000000001';
const returned = { kind: 'PAYIN', id: 'pse-1' } as const;
const twice = paid(breb(), { settlement: { state: 'PAID', by: 'breb-1', duplicate: true } });

/** Each screen that there is, and where each click leads from there. One that is not named changes nothing. */
const SCREENS: readonly (readonly [string, () => Play, Readonly<Record<string, Phase>>])[] = [
  ['idle', () => new Play(), {}],
  ['loading', () => new Play().start(), {}],
  ['returning', () => new Play().start({ returned }), { check: 'returning' }],
  ['choosing', () => new Play().start().offered(), { choose: 'creating', check: 'choosing' }],
  [
    'choosing, from a key',
    () => new Play().paying().do({ type: 'another-method' }),
    { choose: 'creating', back: 'paying', check: 'choosing' },
  ],
  ['details', () => new Play().start().offered().choose(pseMethod), { submit: 'creating', back: 'choosing' }],
  [
    'details, the only method',
    () => new Play().start().offered(offer({ methods: [pseMethod] })),
    { submit: 'creating' },
  ],
  [
    'details, from a key',
    () => new Play().paying().do({ type: 'another-method' }).choose(pseMethod),
    { submit: 'creating', back: 'choosing', check: 'details' },
  ],
  ['creating', () => new Play().start().offered().choose(), {}],
  [
    'creating, from a key',
    () => new Play().paying().do({ type: 'another-method' }).choose(),
    { check: 'creating' },
  ],
  ['creating, slowly', () => new Play().start().offered().choose().later(3_000), { back: 'choosing' }],
  [
    'preparing',
    () => new Play().paying(breb({ sourceData: null })),
    {
      check: 'preparing',
      'another-method': 'choosing',
      renew: 'creating',
      retry: 'preparing',
      finish: 'preparing',
    },
  ],
  [
    'paying',
    () => new Play().paying(),
    { check: 'paying', 'another-method': 'choosing', renew: 'creating', finish: 'paying' },
  ],
  [
    'paying, replaced',
    () => new Play().paying().arrived(breb({ replaced: true, version: 'v2' })),
    {
      check: 'paying',
      'another-method': 'choosing',
      renew: 'creating',
      'show-current': 'loading',
      finish: 'paying',
    },
  ],
  [
    'redirecting',
    () => new Play().redirecting(),
    {
      back: 'pending',
      check: 'redirecting',
      'another-method': 'choosing',
      renew: 'details',
      finish: 'redirecting',
    },
  ],
  [
    'verifying',
    () => new Play().start({ returned }).arrived(pse()),
    {
      check: 'verifying',
      'another-method': 'loading',
      renew: 'loading',
      follow: 'redirecting',
      finish: 'verifying',
    },
  ],
  [
    'verifying, without an address',
    () => new Play().start({ returned }).arrived(pse({ sourceData: null })),
    { check: 'verifying', 'another-method': 'loading', renew: 'loading', finish: 'verifying' },
  ],
  [
    'pending',
    () => new Play().redirecting().do({ type: 'page-restored' }),
    {
      check: 'pending',
      'another-method': 'choosing',
      renew: 'details',
      follow: 'redirecting',
      finish: 'pending',
    },
  ],
  [
    'pending, back from the bank',
    () => new Play().start({ returned }).arrived(pse()).later(60_000),
    { check: 'pending', 'another-method': 'loading', renew: 'loading', finish: 'pending' },
  ],
  [
    'pending, blocked',
    () =>
      new Play()
        .redirecting()
        .do({ type: 'back' }, { type: 'another-method' })
        .choose()
        .refused(problem('pse_in_progress', { attempt: pse() })),
    {
      check: 'pending',
      'another-method': 'choosing',
      renew: 'details',
      override: 'creating',
      follow: 'redirecting',
      finish: 'pending',
    },
  ],
  [
    'link',
    () => new Play().linking().created(link()),
    { check: 'link', 'another-method': 'choosing', renew: 'creating', follow: 'redirecting', finish: 'link' },
  ],
  [
    'lapsed',
    () => new Play().start().offered(offer({ attempt: breb({ expiresAt: iso(NOON_MS) }) })),
    { check: 'lapsed', 'another-method': 'choosing', renew: 'creating', finish: 'lapsed' },
  ],
  [
    'lapsed, for ever',
    () => new Play().linking().created(link({ status: 'EXPIRED' })),
    { check: 'lapsed', 'another-method': 'choosing', renew: 'creating', finish: 'lapsed' },
  ],
  ['confirmed', () => new Play().paying().arrived(paid(breb())), { check: 'confirmed', finish: 'confirmed' }],
  [
    'amount-differs, a part',
    () => new Play().paying().arrived(partlyPaid),
    { check: 'amount-differs', 'pay-rest': 'loading', finish: 'amount-differs' },
  ],
  [
    'amount-differs, too much',
    () => new Play().paying().arrived(paid(breb(), { confirmedAmountInCents: 6_000_000 })),
    { check: 'amount-differs', finish: 'amount-differs' },
  ],
  ['duplicate', () => new Play().paying().arrived(twice), { check: 'duplicate', finish: 'duplicate' }],
  [
    'declined',
    () => new Play().paying().arrived(breb({ status: 'DECLINED', version: 'v2' })),
    { check: 'declined', 'another-method': 'choosing', renew: 'creating', finish: 'declined' },
  ],
  [
    'canceled',
    () => new Play().paying().arrived(breb({ status: 'CANCELED', version: 'v2' })),
    { check: 'canceled', 'another-method': 'choosing', renew: 'creating', finish: 'canceled' },
  ],
  [
    'failed to load',
    () => new Play().start().unread(),
    { 'another-method': 'loading', retry: 'loading', finish: 'failed' },
  ],
  [
    'failed to create',
    () => new Play().start().offered().choose().refused(network),
    { back: 'choosing', 'another-method': 'choosing', retry: 'creating', finish: 'failed' },
  ],
  [
    'failed to create, from a key',
    () => new Play().paying().do({ type: 'another-method' }).choose().refused(network),
    { back: 'choosing', check: 'failed', 'another-method': 'choosing', retry: 'creating', finish: 'failed' },
  ],
  [
    'failed to leave',
    () => new Play().redirecting().do({ type: 'redirect-refused' }),
    {
      back: 'pending',
      check: 'failed',
      'another-method': 'choosing',
      retry: 'redirecting',
      finish: 'failed',
    },
  ],
];

const CLICKS: Readonly<Record<string, Input>> = {
  choose: { type: 'choose', method: brebMethod, idempotencyKey: KEY },
  submit: {
    type: 'submit',
    choice: { kind: 'PAYIN', rail: 'PSE', bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' },
    idempotencyKey: KEY,
  },
  back: { type: 'back' },
  check: { type: 'check' },
  'another-method': { type: 'another-method' },
  renew: { type: 'renew', idempotencyKey: KEY },
  override: { type: 'override', idempotencyKey: KEY },
  retry: { type: 'retry', idempotencyKey: KEY },
  'show-current': { type: 'show-current' },
  'pay-rest': { type: 'pay-rest' },
  follow: { type: 'follow' },
  finish: { type: 'finish' },
};

describe('a click', () => {
  for (const [name, reach, wanted] of SCREENS) {
    it(`leads where its button says, ${name}`, () => {
      const leads: Record<string, Phase> = {};
      for (const [click, input] of Object.entries(CLICKS)) {
        const play = reach();
        const [before, asked] = [play.state, play.effects.length];
        play.do(input);
        if (play.state !== before || play.effects.length > asked) leads[click] = play.phase;
      }
      assert.deepEqual(leads, wanted);
    });
  }
});
