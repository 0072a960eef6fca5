import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Attempt } from '../../src/contract/backend.js';
import { NOON_MS, Play, breb, config, iso, link, linkMethod, network, offer, paid, pse } from './fixtures.js';

const MINUTE_MS = 60_000;
const KEY = 'fresh-key-0000000001';
const settledElsewhere = { state: 'PAID', by: 'elsewhere', duplicate: false } as const;
const second = breb({ id: 'breb-2' });

/** With two keys: the first was replaced by the second. */
const withTwo = () => new Play().paying().do({ type: 'renew', idempotencyKey: KEY }).created(second);
const olderIds = (play: Play) => play.state.older.map(({ id }) => id);

describe('an attempt that leaves the screen', () => {
  it('stays known while it is open, or when it was paid', () => {
    assert.deepEqual(olderIds(withTwo()), ['breb-1']);
    const declined = new Play().paying().arrived(breb({ status: 'DECLINED', version: 'v2' }));
    declined.do({ type: 'renew', idempotencyKey: KEY }).created(second);
    assert.deepEqual(olderIds(declined), []);
    const settlement = {
      state: 'AMOUNT_DIFFERS',
      by: 'breb-1',
      duplicate: false,
      paidInCents: 1,
      orderAmountInCents: 2,
    } as const;
    const part = paid(breb(), { settlement });
    const rest = new Play()
      .paying()
      .arrived(part)
      .do({ type: 'pay-rest' })
      .offered(offer({ attempt: part }));
    assert.deepEqual(olderIds(rest.choose().created(second)), ['breb-1']);
  });

  it('is no longer an older one when it comes back, and keeps what was known of it', () => {
    const play = withTwo().do({ type: 'another-method' });
    play.offered(offer({ attempt: breb({ sourceData: null, version: 'v2' }) }));
    assert.deepEqual(olderIds(play), ['breb-2']);
    assert.equal(play.screen('paying').source.keyString, '@tienda123');
  });
});

describe('a screen with a newer attempt', () => {
  it('has what that screen needs, and nothing of another', () => {
    const bank = new Play().redirecting().do({ type: 'back' });
    const before = Object.keys(bank.screen('pending'));
    assert.deepEqual(Object.keys(bank.arrived(pse({ version: 'v2' })).screen('pending')), before);
    const prepared = new Play()
      .start()
      .offered()
      .choose()
      .created(breb({ sourceData: null }))
      .arrived(breb());
    const { screen } = new Play().paying().state;
    assert.deepEqual(prepared.screen('paying'), screen);
  });
});

describe('earlier attempts', () => {
  const third = breb({ id: 'breb-3' });
  const withThree = () => withTwo().do({ type: 'renew', idempotencyKey: KEY }).created(third);

  it('are all kept when another takes the screen', () => {
    assert.deepEqual(olderIds(withThree()), ['breb-1', 'breb-2']);
  });

  it('are updated one by one', () => {
    const play = withThree().arrived(breb({ version: 'v2' }));
    assert.deepEqual(
      play.state.older.map(({ id, version }) => `${id} ${version}`),
      ['breb-1 v2', 'breb-2 v1'],
    );
  });

  it('do not include the attempt that comes onto the screen once more', () => {
    const play = new Play().paying().do({ type: 'another-method' }, { type: 'back' });
    assert.equal(play.screen('paying').attempt.id, 'breb-1');
    assert.deepEqual(olderIds(play), []);
  });
});

describe('a payment of too little', () => {
  const part = (facts: Partial<Attempt> = {}) =>
    paid(breb(), {
      settlement: {
        state: 'AMOUNT_DIFFERS',
        by: 'breb-1',
        duplicate: false,
        paidInCents: 1_000_000,
        orderAmountInCents: 5_000_000,
      },
      confirmedAmountInCents: 1_000_000,
      ...facts,
    });

  it('interrupts a payer who is choosing another method', () => {
    assert.equal(new Play().paying().do({ type: 'another-method' }).arrived(part()).phase, 'amount-differs');
  });

  it('is a double payment on its own screen once the backend says so', () => {
    const { settlement } = part();
    const again = part({ settlement: { ...settlement, duplicate: true }, version: 'v9' });
    assert.equal(new Play().paying().arrived(part()).arrived(again).phase, 'duplicate');
  });
});

describe('an order that another attempt paid', () => {
  it('is read again, once', () => {
    const play = new Play().paying().arrived(breb({ settlement: settledElsewhere, version: 'v2' }));
    assert.equal(play.screen('loading').replacing?.version, 'v2');
    assert.equal(play.last('load-offer').order, 'A-1042');
    const asked = play.of('load-offer').length;
    play.arrived(breb({ settlement: settledElsewhere, version: 'v3' }));
    assert.equal(play.of('load-offer').length, asked);
    assert.equal(play.screen('loading').replacing?.version, 'v3');
  });

  it('is read when a create answers with what came too late, which stays known', () => {
    const play = new Play()
      .start()
      .offered()
      .choose()
      .created(breb({ settlement: settledElsewhere }));
    assert.equal(play.screen('loading').replacing, null);
    assert.deepEqual(olderIds(play), ['breb-1']);
    play.offered(offer({ attempt: paid(breb({ id: 'elsewhere' })) }));
    assert.equal(play.screen('confirmed').attempt.id, 'elsewhere');
  });

  it('is read by the attempt’s own order where the page has none', () => {
    const play = new Play().start({
      config: { ...config, order: null },
      returned: { kind: 'PAYIN', id: 'pse-1' },
    });
    play.arrived(pse({ settlement: settledElsewhere }));
    assert.equal(play.last('load-offer').order, 'A-1042');
    const shown = new Play().start({
      config: { ...config, order: null },
      returned: { kind: 'PAYIN', id: 'pse-1' },
    });
    shown.arrived(pse()).arrived(pse({ settlement: settledElsewhere, version: 'v2' }));
    assert.equal(shown.last('load-offer').order, 'A-1042');
  });

  it('is not read when the attempt itself is paid too: that is shown', () => {
    const play = new Play().paying().arrived(paid(breb(), { settlement: settledElsewhere }));
    assert.equal(play.phase, 'confirmed');
    assert.equal(play.of('load-offer').length, 1);
  });
});

describe('a payment that arrives', () => {
  it('is late after the key expired, after it was declined, and for a key that was replaced', () => {
    const late = (play: Play) => play.screen('confirmed').late;
    const expiring = breb({ expiresAt: iso(NOON_MS + MINUTE_MS) });
    assert.equal(late(new Play().paying().arrived(paid(breb()))), false);
    assert.equal(late(new Play().paying(expiring).later(MINUTE_MS).arrived(paid(expiring))), true);
    const declined = new Play().paying().arrived(breb({ status: 'DECLINED', version: 'v2' }));
    assert.equal(late(declined.arrived(paid(breb()))), true);
    assert.equal(late(withTwo().arrived(paid(breb()))), true);
    assert.equal(late(new Play().paying().arrived(paid(breb(), { late: true }))), true, 'by the backend');
  });

  it('stays late, or in time, whatever later answers say', () => {
    const expiring = breb({ expiresAt: iso(NOON_MS + MINUTE_MS) });
    const again = { version: 'v9', updatedAt: iso(NOON_MS + 1) };
    const late = new Play().paying(expiring).later(MINUTE_MS).arrived(paid(expiring));
    assert.equal(late.arrived({ ...paid(expiring), ...again }).screen('confirmed').late, true);
    const inTime = new Play().paying().arrived(paid(breb()));
    assert.equal(inTime.arrived({ ...paid(breb()), ...again }).screen('confirmed').late, false);
    assert.deepEqual(inTime.screen('confirmed').offer, offer());
  });

  it('for a replaced key is shown instead of the new one, with the offer', () => {
    const play = withTwo().arrived(paid(breb()));
    assert.equal(play.screen('confirmed').attempt.id, 'breb-1');
    assert.deepEqual(play.screen('confirmed').offer, offer());
    assert.deepEqual(olderIds(play), ['breb-2']);
  });

  it('for a replaced key is one payment too many after the new one was paid', () => {
    const play = withTwo().arrived(paid(second)).arrived(paid(breb()));
    const { attempt, late } = play.screen('duplicate');
    assert.deepEqual([attempt.id, late, play.screen('duplicate').offer], ['breb-2', false, offer()]);
    const expiring = { ...second, expiresAt: iso(NOON_MS + MINUTE_MS) };
    const afterwards = new Play().paying().do({ type: 'renew', idempotencyKey: KEY }).created(expiring);
    afterwards.later(MINUTE_MS).arrived(paid(expiring)).arrived(paid(breb()));
    assert.equal(afterwards.screen('duplicate').late, true);
  });
});

describe('news of a replaced key', () => {
  it('is kept, and changes nothing on the screen', () => {
    const play = withTwo();
    const { screen } = play.state;
    play.arrived(breb({ version: 'v2', expiresAt: iso(NOON_MS + MINUTE_MS) }));
    assert.equal(play.state.screen, screen);
    assert.equal(play.state.older[0]?.version, 'v2');
  });
});

describe('news of the attempt on the screen', () => {
  it('ends it with the offer, so that another method can be taken', () => {
    const play = new Play().paying().arrived(breb({ status: 'DECLINED', version: 'v2' }));
    assert.deepEqual(play.screen('declined').offer, offer());
  });

  it('is the last check once it is from after the end, by the server’s clock', () => {
    const expiring = breb({ expiresAt: iso(NOON_MS + MINUTE_MS) });
    const play = new Play().paying(expiring).later(MINUTE_MS);
    const until = play.screen('lapsed').checkingUntilMs;
    play.arrived({ ...expiring, version: 'v2', now: iso(NOON_MS + MINUTE_MS - 1) });
    assert.deepEqual(
      [play.screen('lapsed').checkingUntilMs, play.screen('lapsed').attempt.version],
      [until, 'v2'],
    );
    play.arrived({ ...expiring, now: iso(NOON_MS + MINUTE_MS) });
    assert.equal(play.screen('lapsed').checkingUntilMs, null);
  });

  it('puts it back on its screen when its life is longer, with the offer', () => {
    const expiring = breb({ expiresAt: iso(NOON_MS + MINUTE_MS) });
    const play = new Play().paying(expiring).later(MINUTE_MS);
    play.arrived({ ...expiring, expiresAt: iso(NOON_MS + 2 * MINUTE_MS), version: 'v2' });
    assert.deepEqual(play.screen('paying').offer, offer());
  });

  const withoutAddress = pse({ sourceData: null });

  it('goes on preparing as it was', () => {
    const play = new Play().redirecting(withoutAddress).later(20_000);
    play.nowMs += 1_000;
    play.do({ type: 'check' }).arrived({ ...withoutAddress, version: 'v2' });
    const { attempt, ...rest } = play.screen('preparing');
    assert.equal(attempt.version, 'v2');
    assert.deepEqual(rest, {
      phase: 'preparing',
      offer: offer(),
      alreadyInProgress: false,
      check: 'NOTHING_YET',
      sinceMs: NOON_MS,
      stalled: true,
      follow: true,
    });
    const unasked = new Play().redirecting(withoutAddress).arrived({ ...withoutAddress, version: 'v2' });
    assert.deepEqual(
      [unasked.screen('preparing').check, unasked.screen('preparing').stalled],
      ['NONE', false],
    );
    unasked.arrived({ ...withoutAddress, version: 'v3', stalled: true });
    assert.equal(unasked.screen('preparing').stalled, true, 'the backend says so');
  });

  it('still says that another payment was already in progress', () => {
    const bare = breb({ sourceData: null });
    const play = new Play().paying().do({ type: 'another-method' });
    play.offered(offer({ version: 'o2', attempt: { ...bare, id: 'breb-9' } }));
    assert.equal(play.screen('preparing').alreadyInProgress, true);
    play.arrived(breb({ id: 'breb-9', version: 'v2' }));
    assert.equal(play.screen('paying').alreadyInProgress, true);
  });

  it('has the newest key', () => {
    const other = { ...breb().sourceData!, keyString: '@otra' };
    const play = new Play().paying().arrived(breb({ sourceData: other, version: 'v2' }));
    assert.equal(play.screen('paying').source.keyString, '@otra');
  });

  it('is kept while the payer chooses, and after a failure', () => {
    const newer = breb({ version: 'v2' });
    const choosing = new Play().paying().do({ type: 'another-method' }).arrived(newer);
    assert.equal(choosing.screen('choosing').replacing?.version, 'v2');
    const failed = new Play()
      .paying()
      .do({ type: 'another-method' })
      .choose()
      .refused(network)
      .arrived(newer);
    const { doing } = failed.screen('failed');
    assert.equal('replacing' in doing && doing.replacing?.version, 'v2');
    const refused = new Play()
      .redirecting()
      .do({ type: 'redirect-refused' })
      .arrived(pse({ version: 'v2' }));
    const { doing: leaving } = refused.screen('failed');
    assert.equal('attempt' in leaving && leaving.attempt.version, 'v2');
    assert.ok(!('replacing' in leaving));
  });
});

describe('a browser that stays', () => {
  it('waits at the hosted page’s link too, and asks', () => {
    const play = new Play().linking('FOLLOW').created(link()).do({ type: 'redirect-canceled' });
    const { attempt, ...rest } = play.screen('link');
    assert.equal((attempt satisfies Attempt).id, 'link-1');
    assert.deepEqual(rest, {
      phase: 'link',
      offer: offer({ methods: [linkMethod] }),
      alreadyInProgress: false,
      check: 'NONE',
      url: 'https://pay.example/l/1',
    });
    assert.deepEqual(play.last('check').target, { kind: 'PAYMENT_LINK', id: 'link-1' });
  });
});
