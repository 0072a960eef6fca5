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
  linkMethod,
  network,
  offer,
  paid,
  problem,
  pse,
  pseMethod,
} from './fixtures.js';

const KEY = 'fresh-key-0000000001';
const returned = { kind: 'PAYIN', id: 'pse-1' } as const;
const part = paid(breb(), {
  confirmedAmountInCents: 3_000_000,
  settlement: {
    state: 'AMOUNT_DIFFERS',
    by: 'breb-1',
    duplicate: false,
    paidInCents: 3_000_000,
    orderAmountInCents: 5_000_000,
  },
});
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
    () => new Play().paying().arrived(part),
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

describe('what the payer asks for', () => {
  it('keeps the form’s rail: another one’s answers are not taken', () => {
    const play = new Play().start().offered().choose(pseMethod);
    const { state } = play;
    play.do({
      type: 'submit',
      choice: { kind: 'PAYIN', rail: 'BRE_B', keyType: 'QR_CODE' },
      idempotencyKey: KEY,
    });
    assert.equal(play.state, state);
    assert.equal(
      play.do({ type: 'choose', method: brebMethod, idempotencyKey: KEY }).phase,
      'details',
      'nor a choice',
    );
  });

  it('takes only a method that is offered', () => {
    const play = new Play().start().offered();
    assert.equal(play.choose({ ...brebMethod }).phase, 'choosing');
  });

  it('goes back with what was offered, and from what', () => {
    const play = new Play().paying().do({ type: 'another-method' }).choose(pseMethod).do({ type: 'back' });
    assert.deepEqual(play.screen('choosing'), {
      phase: 'choosing',
      offer: offer(),
      methods: [brebMethod, pseMethod],
      replacing: breb(),
      changed: null,
    });
  });

  it('goes back from a create that takes long, or that failed, with what it was to replace', () => {
    const from = () => new Play().paying().do({ type: 'another-method' }).choose();
    for (const play of [from().later(3_000), from().refused(network)]) {
      play.do({ type: 'back' });
      assert.equal(play.screen('choosing').replacing?.id, 'breb-1');
    }
    const again = from().refused(network).do({ type: 'another-method' });
    assert.equal(again.screen('choosing').replacing?.id, 'breb-1');
  });

  it('goes back to the payment with the offer', () => {
    const play = new Play().paying().do({ type: 'another-method' }, { type: 'back' });
    assert.deepEqual(play.screen('paying').offer, offer());
    const refused = new Play().redirecting().do({ type: 'redirect-refused' }, { type: 'back' });
    assert.deepEqual(refused.screen('pending').offer, offer());
  });

  it('reads a new offer before there is a create, and announces nothing', () => {
    const play = new Play().start().offered().do({ type: 'check' });
    assert.equal(play.last('load-offer').order, 'A-1042');
    assert.ok(!play.of('announce').some(({ message }) => message === 'checking'));
    assert.deepEqual(play.of('check'), []);
  });

  it('looks at a key that lapsed once more, for ten seconds, unless it is over', () => {
    const lapsed = new Play().start().offered(offer({ attempt: breb({ expiresAt: iso(NOON_MS) }) }));
    lapsed.do({ type: 'check' });
    assert.equal(lapsed.screen('lapsed').checkingUntilMs, NOON_MS + 10_000);
    const over = new Play()
      .linking()
      .created(link({ status: 'EXPIRED' }))
      .do({ type: 'check' });
    assert.equal(over.screen('lapsed').checkingUntilMs, null);
    assert.ok(!over.of('announce').some(({ message }) => message === 'checking'));
  });

  it('reads the offer for another method, or for a new key, where there is none yet', () => {
    for (const click of ['another-method', 'renew'] as const) {
      const play = new Play().start({ returned }).arrived(pse({ status: 'DECLINED' }));
      play.do(click === 'renew' ? { type: 'renew', idempotencyKey: KEY } : { type: 'another-method' });
      assert.equal(play.screen('loading').replacing?.id, 'pse-1');
      assert.equal(play.last('load-offer').order, 'A-1042');
    }
  });

  it('declares nothing of a link: a hosted page is no bank', () => {
    const play = new Play().linking().created(link()).do({ type: 'another-method' });
    assert.equal(play.state.notAuthorised, null);
    assert.equal(play.screen('choosing').replacing?.id, 'link-1');
  });

  it('renews by the same method, or by what is offered where that is no more', () => {
    const play = new Play()
      .start()
      .offered(offer({ methods: [pseMethod, linkMethod], attempt: breb() }))
      .do({ type: 'renew', idempotencyKey: KEY });
    assert.equal(play.screen('details').replacing?.id, 'breb-1');
    const bank = new Play().redirecting().do({ type: 'renew', idempotencyKey: KEY });
    assert.deepEqual(bank.screen('details').method, pseMethod);
    assert.equal(bank.screen('details').replacing?.id, 'pse-1');
    assert.deepEqual(bank.screen('details').problems, []);
  });

  it('takes the blocked method all the same, as chosen', () => {
    const play = new Play().redirecting().do({ type: 'back' }, { type: 'another-method' }).choose();
    play.refused(problem('pse_in_progress', { attempt: pse() }));
    play.do({ type: 'override', idempotencyKey: KEY });
    const { idempotencyKey, request } = play.last('create');
    assert.equal(idempotencyKey, KEY);
    assert.deepEqual(request.body, {
      order: 'A-1042',
      offerVersion: 'o1',
      callbackUrl: 'https://shop.example/pay',
      replaces: 'pse-1',
      override: true,
      rail: 'BRE_B',
      breb: { keyType: 'QR_CODE' },
    });
    assert.equal(play.screen('creating').override, true);
  });

  it('waits again for what took long, from now on', () => {
    const play = new Play().redirecting(pse({ sourceData: null })).later(20_000);
    play.nowMs += 5_000;
    play.do({ type: 'retry', idempotencyKey: KEY });
    assert.equal(play.screen('preparing').sinceMs, NOON_MS + 25_000);
    assert.deepEqual(play.last('check').target, returned);
  });

  it('reads an order that could not be loaded again, from where the payer was', () => {
    const play = new Play().paying().arrived(part).do({ type: 'pay-rest' });
    play.unread();
    for (const click of [{ type: 'retry', idempotencyKey: KEY }, { type: 'another-method' }] as const) {
      const run = play.state.run;
      play.do(click);
      assert.equal(play.screen('loading').replacing?.id, 'breb-1');
      assert.equal(play.last('load-offer').run, run + 1);
      play.unread();
    }
  });

  it('chooses again after an address that was refused, also where the offer is not known', () => {
    const play = new Play().start({ returned }).arrived(pse()).do({ type: 'follow' });
    play.do({ type: 'redirect-refused' }, { type: 'another-method' });
    assert.equal(play.screen('loading').replacing?.id, 'pse-1');
  });

  it('follows the address for as long as a browser takes to leave', () => {
    const play = new Play().redirecting().do({ type: 'page-restored' });
    play.nowMs += 1_000;
    play.do({ type: 'follow' });
    assert.equal(play.screen('redirecting').untilMs, NOON_MS + 21_000);
    assert.deepEqual(play.screen('redirecting').offer, offer());
  });
});

describe('a create', () => {
  it('keeps what this tab knows of an earlier attempt until there is another', () => {
    const play = new Play().paying().do({ type: 'another-method' }).choose();
    assert.deepEqual(play.last('remember').hint.attempt, { kind: 'PAYIN', id: 'breb-1' });
  });

  it('does not take the key of a create that was answered', () => {
    const hint = {
      attempt: null,
      idempotencyKey: 'answered-key-0000001',
      answered: true,
      choice: { kind: 'PAYIN', rail: 'BRE_B', keyType: 'QR_CODE' },
    } as const;
    const play = new Play().start({ hint }).offered().choose();
    assert.notEqual(play.last('create').idempotencyKey, 'answered-key-0000001');
    const unknown = { ...hint, idempotencyKey: null, answered: false };
    const other = new Play().start({ hint: unknown }).offered().choose();
    assert.equal(other.last('create').idempotencyKey, 'key-0000000000000001');
  });

  it('declares only what the payer declared, of the attempt that it was declared of', () => {
    const play = new Play().redirecting().do({ type: 'back' }, { type: 'another-method' });
    assert.equal(play.state.notAuthorised, 'pse-1');
    play.offered(offer({ version: 'o2', attempt: pse({ id: 'pse-9' }) }));
    assert.equal(play.phase, 'pending');
    play.do({ type: 'renew', idempotencyKey: KEY }).submitPse();
    const { body } = play.last('create').request;
    assert.deepEqual([body.replaces, body.override], ['pse-9', undefined]);
    assert.equal(play.screen('creating').override, false);
  });

  it('says nothing of replacing or declaring once the attempt has ended', () => {
    const play = new Play().redirecting().do({ type: 'back' }, { type: 'another-method' });
    play.arrived(pse({ status: 'DECLINED', version: 'v2' }));
    play.choose();
    const { body } = play.last('create').request;
    assert.deepEqual(['replaces' in body, 'override' in body], [false, false]);
  });
});
