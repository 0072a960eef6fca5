import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { amountChanged, openAttempt } from '../../src/machine/paying/attempts.js';
import {
  NOON_MS,
  Play,
  breb,
  iso,
  keyMethod,
  linkMethod,
  network,
  offer,
  paid,
  problem,
  pse,
  pseMethod,
} from './fixtures.js';

const MINUTE_MS = 60_000;

describe('paying with Bre-B', () => {
  it('shows the key and watches it', () => {
    const play = new Play().paying();
    assert.equal(play.screen('paying').source.keyString, '@tienda123');
    assert.deepEqual(play.watched, ['breb-1']);
    assert.deepEqual(play.events, ['checkout-ready', 'payin-created']);
  });

  it('prepares until the key is there', () => {
    const play = new Play().paying(breb({ sourceData: null }));
    assert.equal(play.phase, 'preparing');
    play.arrived(breb({ version: 'v2' }));
    assert.equal(play.phase, 'paying');
  });

  it('says what "ya pagué" found', () => {
    const play = new Play().paying().do({ type: 'check' });
    assert.equal(play.screen('paying').check, 'ASKING');
    assert.deepEqual(play.last('check').target, { kind: 'PAYIN', id: 'breb-1' });
    play.do({ type: 'watch-failed', id: 'breb-1', failures: 1 });
    assert.equal(play.screen('paying').check, 'UNREACHABLE');
    play.do({ type: 'check' }).arrived(breb());
    assert.equal(play.screen('paying').check, 'NOTHING_YET');
  });

  it('confirms once, whatever is repeated', () => {
    const play = new Play().paying().arrived(paid(breb())).arrived(paid(breb())).arrived(breb());
    assert.equal(play.phase, 'confirmed');
    assert.equal(play.events.filter((name) => name === 'payin-confirmed').length, 1);
    assert.deepEqual(play.watched, []);
    const { event } = play.of('emit').at(-1) ?? {};
    assert.ok(event?.type === 'payin-confirmed');
    assert.deepEqual(
      [event.resumed, event.late, event.amountDiffers, event.duplicate],
      [false, false, false, false],
    );
  });

  it('keeps what a later answer said when an earlier one arrives after it', () => {
    const later = breb({
      updatedAt: iso(NOON_MS + 2_000),
      expiresAt: iso(NOON_MS + MINUTE_MS),
      version: 'v3',
    });
    const play = new Play().paying().arrived(later);
    play.arrived(
      breb({ updatedAt: iso(NOON_MS + 1_000), expiresAt: iso(NOON_MS + 2 * MINUTE_MS), version: 'v2' }),
    );
    const { attempt } = play.screen('paying');
    assert.deepEqual([attempt.version, attempt.expiresAt], ['v3', iso(NOON_MS + MINUTE_MS)]);
  });

  it('does not call another amount a success', () => {
    for (const confirmedAmountInCents of [4_999_900, 5_000_100]) {
      const play = new Play().paying().arrived(paid(breb(), { confirmedAmountInCents }));
      assert.equal(play.phase, 'amount-differs');
    }
  });

  it('believes the settlement about a different amount', () => {
    const settlement = { state: 'AMOUNT_DIFFERS', by: 'breb-1', duplicate: false } as const;
    assert.equal(new Play().paying().arrived(paid(breb(), { settlement })).phase, 'amount-differs');
  });

  it('keeps an unknown amount of a confirmed payment as asked', () => {
    assert.equal(
      new Play().paying().arrived(paid(breb(), { confirmedAmountInCents: null })).phase,
      'confirmed',
    );
  });

  it('notices that the order asks for another amount than the key', () => {
    const play = new Play().start().offered(offer({ amountInCents: 7_000_000, attempt: breb() }));
    assert.equal(play.phase, 'paying');
    assert.equal(amountChanged(play.state), true);
  });

  it('shows declined and canceled, and a confirmation after them as late', () => {
    for (const status of ['DECLINED', 'CANCELED'] as const) {
      const play = new Play().paying().arrived(breb({ status, version: 'v2' }));
      assert.equal(play.phase, status.toLowerCase());
      play.arrived(breb({ version: 'v3' }));
      assert.equal(play.phase, status.toLowerCase());
      play.arrived(paid(breb()));
      assert.equal(play.screen('confirmed').late, true);
      assert.deepEqual(
        play.events.slice(2).filter((name) => name !== 'payin-updated'),
        [`payin-${status.toLowerCase()}`, 'payin-confirmed'],
      );
    }
  });

  it('does not let an overtaken answer take the key away', () => {
    const play = new Play().paying().arrived(breb({ sourceData: null, version: 'v0' }));
    assert.equal(play.screen('paying').source.keyString, '@tienda123');
  });

  it('ignores attempts it does not know', () => {
    const play = new Play().paying();
    const before = play.state;
    assert.equal(play.arrived(paid(breb({ id: 'stranger' }))).state, before);
  });

  it('asks before an open payment is left, and not otherwise', () => {
    const play = new Play().paying();
    assert.equal(openAttempt(play.state)?.id, 'breb-1');
    assert.equal(openAttempt(play.arrived(paid(breb())).state), null);
  });
});

describe('lapsing', () => {
  const expiring = breb({ expiresAt: iso(NOON_MS + 10 * MINUTE_MS) });

  it('awaits the expiry by the server’s clock', () => {
    // The device is five minutes behind the server.
    const play = new Play().paying({ ...expiring, now: iso(NOON_MS + 5 * MINUTE_MS) });
    assert.equal(play.last('schedule').atMs, NOON_MS + 5 * MINUTE_MS);
    assert.equal(play.later(5 * MINUTE_MS - 1).phase, 'paying');
    assert.equal(play.later(1).phase, 'lapsed');
  });

  it('checks one last time before it says so', () => {
    const play = new Play().paying(expiring).later(10 * MINUTE_MS);
    assert.notEqual(play.screen('lapsed').checkingUntilMs, null);
    assert.deepEqual(play.last('check').target, { kind: 'PAYIN', id: 'breb-1' });
    assert.ok(!play.events.includes('payin-lapsed'));
    // An answer that left before the expiry is not the last check.
    play.arrived({ ...expiring, now: iso(play.nowMs - 1) });
    assert.notEqual(play.screen('lapsed').checkingUntilMs, null);
    play.arrived({ ...expiring, now: iso(play.nowMs) });
    assert.equal(play.screen('lapsed').checkingUntilMs, null);
    assert.equal(play.events.at(-1), 'payin-lapsed');
    assert.deepEqual(play.watched, ['breb-1']);
  });

  it('does not wait for ever for the last check', () => {
    const play = new Play()
      .paying(expiring)
      .later(10 * MINUTE_MS)
      .later(10_000);
    assert.equal(play.screen('lapsed').checkingUntilMs, null);
    assert.equal(play.events.filter((name) => name === 'payin-lapsed').length, 1);
  });

  it('shows a payment that arrives late', () => {
    const play = new Play()
      .paying(expiring)
      .later(10 * MINUTE_MS)
      .later(10_000);
    play.arrived(paid(expiring));
    assert.equal(play.screen('confirmed').late, true);
  });

  it('goes back to the key when the backend gives it a longer life', () => {
    const play = new Play().paying(expiring).later(10 * MINUTE_MS);
    play.arrived({ ...expiring, expiresAt: iso(NOON_MS + 60 * MINUTE_MS), version: 'v2' });
    assert.equal(play.phase, 'paying');
  });

  it('makes a new key in place, and still recognises the old one', () => {
    const play = new Play()
      .paying(expiring)
      .later(10 * MINUTE_MS)
      .later(10_000);
    play.do({ type: 'renew', idempotencyKey: play.key() });
    assert.equal(play.last('create').request.body.replaces, 'breb-1');
    play.created(breb({ id: 'breb-2' }));
    assert.deepEqual(
      play.state.older.map(({ id }) => id),
      ['breb-1'],
    );
    play.arrived({ ...expiring, version: 'v2' });
    assert.equal(play.screen('paying').attempt.id, 'breb-2');
    play.arrived(paid(expiring));
    assert.equal(play.screen('confirmed').attempt.id, 'breb-1');
  });
});

describe('changing one’s mind', () => {
  it('goes back to the open payment, or replaces it', () => {
    const play = new Play().paying().do({ type: 'another-method' });
    assert.equal(play.screen('choosing').replacing?.id, 'breb-1');
    assert.deepEqual(play.watched, ['breb-1']);
    play.do({ type: 'back' });
    assert.equal(play.phase, 'paying');
    play.do({ type: 'another-method' }).choose(pseMethod).submitPse();
    assert.equal(play.last('create').request.body.replaces, 'breb-1');
  });

  it('shows the payment of the attempt that was about to be replaced', () => {
    for (const step of [0, 1, 2]) {
      const play = new Play().paying().do({ type: 'another-method' });
      if (step > 0) play.choose(pseMethod);
      if (step > 1) play.submitPse();
      assert.equal(play.arrived(paid(breb())).phase, 'confirmed');
    }
  });

  it('replaces nothing after a final attempt', () => {
    const play = new Play().paying().arrived(breb({ status: 'DECLINED', version: 'v2' }));
    play.do({ type: 'another-method' }).choose();
    assert.equal(play.last('create').request.body.replaces, undefined);
  });

  it('reads the offer when the order was paid by another attempt', () => {
    const play = new Play().paying();
    const settlement = { state: 'PAID', by: 'elsewhere', duplicate: false } as const;
    play.arrived(breb({ settlement, version: 'v2' }));
    assert.equal(play.phase, 'loading');
    play.offered(offer({ attempt: paid(breb({ id: 'elsewhere' })) }));
    assert.equal(play.screen('confirmed').attempt.id, 'elsewhere');
    const confirmed = play.of('emit').find(({ event }) => event.type === 'payin-confirmed')?.event;
    assert.ok(confirmed?.type === 'payin-confirmed' && !confirmed.resumed);
  });

  it('does not go back to an attempt when another one paid the order', () => {
    const play = new Play().paying();
    const settlement = { state: 'PAID', by: 'elsewhere', duplicate: false } as const;
    play.arrived(breb({ settlement, version: 'v2' }));
    play.do({ type: 'offer-failed', run: play.last('load-offer').run, failure: network });
    assert.equal(play.phase, 'failed');
    play.do({ type: 'back' });
    assert.equal(play.phase, 'loading');
    play.offered(offer({ attempt: paid(breb({ id: 'elsewhere' })) }));
    assert.equal(play.screen('confirmed').attempt.id, 'elsewhere');
  });

  it('watches every attempt of a Basic backend by itself, and sees that both were paid', () => {
    const play = new Play().start().offered(offer(), 'BASIC').choose().created(breb());
    play.do({ type: 'renew', idempotencyKey: play.key() }).created(breb({ id: 'breb-2' }));
    assert.deepEqual(play.watched, ['breb-2', 'breb-1']);
    play.arrived(paid(breb({ id: 'breb-2' })));
    assert.equal(play.phase, 'confirmed');
    assert.deepEqual(play.watched, ['breb-1']);
    play.arrived(paid(breb()));
    assert.equal(play.phase, 'duplicate');
    const confirmed = play.of('emit').flatMap(({ event }) => (event.type === 'payin-confirmed' ? event : []));
    assert.deepEqual(
      confirmed.map(({ payin, duplicate }) => [payin.id, duplicate]),
      [
        ['breb-2', false],
        ['breb-1', true],
      ],
    );
  });

  it('goes on watching for a second payment after the first', () => {
    const play = new Play()
      .paying()
      .do({ type: 'renew', idempotencyKey: 'k2' })
      .created(breb({ id: 'breb-2' }));
    const second = paid(breb({ id: 'breb-2' }));
    play.arrived(second);
    assert.deepEqual(play.watched, ['breb-2']);
    play.arrived({ ...second, settlement: { ...second.settlement, duplicate: true }, version: 'v9' });
    assert.equal(play.phase, 'duplicate');
  });

  it('leads a payer who comes back from the bank without the money to the form, and no further', () => {
    const declined = pse({ status: 'DECLINED' });
    for (const [methods, phase] of [
      [[keyMethod, pseMethod], 'details'],
      [[keyMethod, linkMethod], 'choosing'],
    ] as const) {
      const play = new Play().start({ returned: { kind: 'PAYIN', id: declined.id } }).arrived(declined);
      play.do({ type: 'renew', idempotencyKey: play.key() });
      assert.equal(play.phase, 'loading');
      play.offered(offer({ methods: [...methods], attempt: declined }));
      assert.equal(play.phase, phase);
      assert.ok(!play.effects.some(({ type }) => type === 'create'));
    }
  });

  it('shows the current attempt when the one to replace was replaced elsewhere', () => {
    const play = new Play().paying().do({ type: 'renew', idempotencyKey: 'k2' });
    play.refused(problem('not_current', { attempt: breb({ id: 'breb-9' }) }));
    assert.equal(play.screen('paying').attempt.id, 'breb-9');
    assert.equal(play.screen('paying').alreadyInProgress, true);
  });

  it('says that a payment is in progress when the order has another one than the payer comes from', () => {
    const play = new Play().paying().do({ type: 'another-method' });
    play.offered(offer({ version: 'o2', attempt: breb({ id: 'breb-9' }) }));
    assert.equal(play.screen('paying').attempt.id, 'breb-9');
    assert.equal(play.screen('paying').alreadyInProgress, true);
  });
});
