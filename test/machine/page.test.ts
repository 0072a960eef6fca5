import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Input } from '../../src/machine/input.js';
import {
  NOON_MS,
  Play,
  breb,
  brebMethod,
  config,
  iso,
  link,
  network,
  offer,
  paid,
  pse,
  pseMethod,
} from './fixtures.js';

describe('a part of the widget that could not be fetched', () => {
  it('is no failure while a create is under way, nor on a receipt', () => {
    const creating = new Play().start().offered().choose();
    assert.equal(creating.do({ type: 'part-missing' }).phase, 'creating');
    const receipt = new Play().paying().arrived(paid(breb()));
    assert.equal(receipt.do({ type: 'part-missing' }).phase, 'confirmed');
  });

  it('is a failure on the screen of an open payment, which stays known', () => {
    const { reason, doing } = new Play().paying().do({ type: 'part-missing' }).screen('failed');
    assert.equal(reason, 'part_missing');
    assert.deepEqual(doing, { step: 'LOAD', replacing: breb(), offer: offer() });
  });

  it('lets the payer choose again by a new read of the offer', () => {
    const play = new Play().paying().do({ type: 'part-missing' }, { type: 'another-method' });
    assert.equal(play.screen('loading').replacing?.id, 'breb-1');
  });
});

describe('a checkout that cannot be loaded', () => {
  const failed = (play: Play) => {
    const { reason, doing } = play.screen('failed');
    return [reason, doing];
  };
  const load = { step: 'LOAD', replacing: null };

  it('says what is wrong with the page', () => {
    const play = new Play().do({ type: 'misconfigured', detail: 'No backend.' });
    assert.deepEqual(failed(play), ['misconfigured', load]);
  });

  it('is misconfigured without an order, and reads nothing', () => {
    const play = new Play().start({ config: { ...config, order: null } });
    assert.deepEqual(failed(play), ['misconfigured', load]);
    assert.deepEqual(play.of('load-offer'), []);
  });

  it('has no methods, or no such attempt', () => {
    assert.deepEqual(failed(new Play().start().offered(offer({ methods: [] }))), ['no_methods', load]);
    const returned = { kind: 'PAYIN', id: 'pse-1' } as const;
    const lost = new Play()
      .start({ config: { ...config, order: null }, returned })
      .do({ type: 'attempt-missing', id: 'pse-1' });
    assert.deepEqual(failed(lost), ['not_found', load]);
  });
});

describe('the only method', () => {
  it('is asked for at once when it has a form', () => {
    for (const only of [
      { ...pseMethod, requires: [] },
      { ...brebMethod, requires: ['name' as const] },
    ]) {
      const { method, problems, changed } = new Play()
        .start()
        .offered(offer({ methods: [only] }))
        .screen('details');
      assert.deepEqual([method, problems, changed], [only, [], null]);
    }
  });
});

describe('an element that leaves the page', () => {
  it('forgets earlier attempts, and no answer to an earlier read counts', () => {
    const play = new Play()
      .paying()
      .do({ type: 'another-method' })
      .choose()
      .created(breb({ id: 'breb-2' }));
    assert.deepEqual(
      play.state.older.map(({ id }) => id),
      ['breb-1'],
    );
    const { run } = play.state;
    play.do({ type: 'stop' });
    assert.deepEqual(play.state.older, []);
    assert.ok(play.state.run > run);
  });
});

describe('the network', () => {
  it('is fine again once the device is online', () => {
    const play = new Play().start().do({ type: 'offline' });
    assert.equal(play.state.connection, 'OFFLINE');
    assert.equal(play.do({ type: 'online' }).state.connection, 'OK');
  });

  it('is not called out of reach on a device that is offline', () => {
    const play = new Play().paying().do({ type: 'offline' }, { type: 'check' });
    play.do({ type: 'watch-failed', id: 'breb-1', failures: 1 });
    assert.ok(!play.of('announce').some(({ message }) => message === 'unreachable'));
  });

  it('does not end a check by the failed read of another attempt', () => {
    const play = new Play().paying().do({ type: 'check' });
    play.do({ type: 'watch-failed', id: 'breb-0', failures: 1 });
    assert.equal(play.screen('paying').check, 'ASKING');
  });

  it('leads to another read only after a load or a create that it interrupted', () => {
    const refused = new Play().redirecting().do({ type: 'redirect-refused' });
    refused.do({ type: 'offline' }, { type: 'online' });
    assert.equal(refused.screen('failed').doing.step, 'REDIRECT');
    const lost = new Play().start().unread(network).do({ type: 'offline' }, { type: 'online' });
    assert.equal(lost.phase, 'loading');
  });
});

describe('time and the browser', () => {
  it('let an attempt lapse that took long and never had a key', () => {
    const play = new Play()
      .start()
      .offered()
      .choose()
      .created(breb({ sourceData: null, expiresAt: iso(NOON_MS + 60_000) }))
      .later(20_000);
    assert.equal(play.screen('preparing').stalled, true);
    assert.equal(play.later(40_000).screen('lapsed').checkingUntilMs, NOON_MS + 70_000);
  });

  it('show a link again after a minute without an outcome', () => {
    const play = new Play()
      .start({ returned: { kind: 'PAYMENT_LINK', id: 'link-1' } })
      .arrived(link())
      .later(60_000);
    assert.equal(play.screen('link').url, link().paymentLinkUrl);
  });

  it('change nothing on a screen that sends the payer nowhere', () => {
    const inputs: Input[] = [
      { type: 'page-restored' },
      { type: 'redirect-canceled' },
      { type: 'redirect-refused' },
      { type: 'tick' },
    ];
    for (const play of [new Play().start().offered(), new Play().paying(), new Play().paying(breb())]) {
      for (const input of inputs) {
        const { state } = play;
        const count = play.effects.length;
        assert.equal(play.do(input).state, state, input.type);
        assert.equal(play.effects.length, count);
      }
    }
  });

  it('wait for the end of a link', () => {
    const expiresAt = iso(NOON_MS + 60_000);
    const play = new Play().linking().created(link({ expiresAt }));
    assert.equal(play.last('schedule').atMs, NOON_MS + 60_000);
    assert.equal(new Play().redirecting(pse({ expiresAt })).do({ type: 'back' }).phase, 'pending');
  });
});
