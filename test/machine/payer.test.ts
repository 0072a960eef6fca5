import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
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
  partlyPaid,
  problem,
  pse,
  pseMethod,
} from './fixtures.js';

const KEY = 'fresh-key-0000000001';
const returned = { kind: 'PAYIN', id: 'pse-1' } as const;

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
    const play = new Play().paying().arrived(partlyPaid).do({ type: 'pay-rest' });
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
