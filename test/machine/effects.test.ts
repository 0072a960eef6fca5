import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Effect } from '../../src/machine/effect.js';
import type { Hint } from '../../src/machine/input.js';
import {
  BANK_URL,
  NOON_MS,
  Play,
  breb,
  brebMethod,
  iso,
  link,
  network,
  offer,
  paid,
  problem,
  pse,
  pseMethod,
} from './fixtures.js';

/** Everything that a checkout asks of its page, step by step: what is not listed is not asked for. */

const KEY = 'key-0000000000000001';
const target = { kind: 'PAYIN', id: 'breb-1', version: 'v1' } as const;
const noTrouble = { resumed: false, late: false, amountDiffers: false, duplicate: false } as const;

/** What a step asks for is this, in this order, and nothing else. */
function asks(play: Play, step: (play: Play) => unknown, wanted: readonly Effect[]): void {
  const before = play.effects.length;
  step(play);
  assert.deepEqual(play.effects.slice(before), wanted);
}

describe('a payment with Bre-B asks', () => {
  const expiring = breb({ expiresAt: iso(NOON_MS + 600_000) });

  it('for the offer first', () => {
    asks(new Play(), (play) => play.start(), [
      { type: 'load-offer', order: 'A-1042', run: 2 },
      { type: 'announce', message: 'loading' },
      { type: 'watch', targets: [] },
      { type: 'schedule', atMs: null },
    ]);
  });

  it('to say that it is ready', () => {
    asks(new Play().start(), (play) => play.offered(), [
      { type: 'emit', event: { type: 'checkout-ready', offer: offer() } },
      { type: 'measure', name: 'ready' },
      { type: 'announce', message: 'choosing' },
    ]);
  });

  it('for a payin, and remembers its key before the answer', () => {
    const choice = { kind: 'PAYIN', rail: 'BRE_B', keyType: 'QR_CODE' } as const;
    asks(new Play().start().offered(), (play) => play.choose(), [
      { type: 'remember', hint: { attempt: null, idempotencyKey: KEY, answered: false, choice } },
      {
        type: 'create',
        idempotencyKey: KEY,
        request: {
          kind: 'PAYIN',
          body: {
            order: 'A-1042',
            offerVersion: 'o1',
            callbackUrl: 'https://shop.example/pay',
            rail: 'BRE_B',
            breb: { keyType: 'QR_CODE' },
          },
        },
      },
      { type: 'announce', message: 'creating' },
      { type: 'schedule', atMs: NOON_MS + 3_000 },
    ]);
  });

  it('to watch it, and remembers it with the answer', () => {
    const hint: Hint = {
      attempt: { kind: 'PAYIN', id: 'breb-1' },
      idempotencyKey: KEY,
      answered: true,
      choice: { kind: 'PAYIN', rail: 'BRE_B', keyType: 'QR_CODE' },
    };
    asks(new Play().start().offered().choose(), (play) => play.created(expiring), [
      { type: 'remember', hint },
      { type: 'emit', event: { type: 'payin-created', payin: expiring } },
      { type: 'measure', name: 'created' },
      { type: 'announce', message: 'paying' },
      { type: 'measure', name: 'shown' },
      { type: 'watch', targets: [target] },
      { type: 'schedule', atMs: NOON_MS + 600_000 },
    ]);
  });

  it('to read at once when the payer asks, and to announce that nothing came', () => {
    const play = new Play().paying();
    asks(play, () => play.do({ type: 'check' }), [
      { type: 'check', target: { kind: 'PAYIN', id: 'breb-1' } },
      { type: 'announce', message: 'checking' },
    ]);
    asks(play, () => play.arrived(breb()), [{ type: 'announce', message: 'nothing-yet' }]);
    asks(play, () => play.arrived(breb()), []);
  });

  it('to announce that the backend is out of reach, when the payer asked', () => {
    const play = new Play().paying().do({ type: 'check' });
    asks(play, () => play.do({ type: 'watch-failed', id: 'breb-1', failures: 3 }), [
      { type: 'announce', message: 'trouble' },
      { type: 'announce', message: 'unreachable' },
    ]);
    asks(play, () => play.do({ type: 'watch-failed', id: 'breb-1', failures: 4 }), []);
  });

  it('to report the payment to the page, and to stop watching', () => {
    const payin = paid(expiring);
    asks(new Play().paying(expiring), (play) => play.arrived(payin), [
      { type: 'emit', event: { type: 'payin-updated', payin } },
      { type: 'emit', event: { type: 'payin-confirmed', payin, ...noTrouble } },
      { type: 'announce', message: 'confirmed' },
      { type: 'measure', name: 'settled' },
      { type: 'watch', targets: [] },
      { type: 'schedule', atMs: null },
    ]);
  });

  it('to read a last time when the key expires, and only then to say that it lapsed', () => {
    const play = new Play().paying(expiring);
    asks(play, () => play.later(600_000), [
      { type: 'check', target: { kind: 'PAYIN', id: 'breb-1' } },
      { type: 'announce', message: 'lapsed' },
      { type: 'schedule', atMs: NOON_MS + 610_000 },
    ]);
    asks(play, () => play.later(10_000), [
      { type: 'emit', event: { type: 'payin-lapsed', payin: expiring, resumed: false } },
      { type: 'schedule', atMs: null },
    ]);
    asks(play, () => play.do({ type: 'check' }), [
      { type: 'check', target: { kind: 'PAYIN', id: 'breb-1' } },
      { type: 'announce', message: 'checking' },
      { type: 'schedule', atMs: NOON_MS + 620_000 },
    ]);
  });

  it('to report to the page how it ended without money', () => {
    for (const status of ['DECLINED', 'CANCELED'] as const) {
      const payin = breb({ status, version: 'v2' });
      const name = status === 'DECLINED' ? 'declined' : 'canceled';
      asks(new Play().paying(), (play) => play.arrived(payin), [
        { type: 'emit', event: { type: 'payin-updated', payin } },
        { type: 'emit', event: { type: `payin-${name}`, payin, resumed: false } },
        { type: 'announce', message: name },
        { type: 'watch', targets: [] },
      ]);
    }
  });
});

describe('a payment with PSE asks', () => {
  const withoutAddress = pse({ sourceData: null });

  it('to go to the bank, once the address is known', () => {
    const play = new Play().redirecting(withoutAddress);
    assert.deepEqual(
      play.last('schedule'),
      { type: 'schedule', atMs: NOON_MS + 20_000 },
      'when it takes long',
    );
    const attempt = pse({ version: 'v2' });
    asks(play, () => play.arrived(attempt), [
      { type: 'emit', event: { type: 'payin-updated', payin: attempt } },
      { type: 'announce', message: 'redirecting' },
      { type: 'redirect', url: BANK_URL, attempt },
      { type: 'measure', name: 'shown' },
    ]);
  });

  it('to say that the address takes long', () => {
    asks(new Play().redirecting(withoutAddress), (play) => play.later(20_000), [
      { type: 'announce', message: 'stalled' },
      { type: 'schedule', atMs: null },
    ]);
  });

  it('to read the attempt when the browser did not leave', () => {
    asks(new Play().redirecting(), (play) => play.later(20_000), [
      { type: 'check', target: { kind: 'PAYIN', id: 'pse-1' } },
      { type: 'announce', message: 'pending' },
      { type: 'schedule', atMs: null },
    ]);
  });

  it('to report an address that is not safe to follow', () => {
    asks(new Play().redirecting(), (play) => play.do({ type: 'redirect-refused' }), [
      { type: 'emit', event: { type: 'checkout-error', reason: 'unsafe_address' } },
      { type: 'announce', message: 'failed' },
      { type: 'schedule', atMs: null },
    ]);
  });

  it('to say that another method is blocked', () => {
    const play = new Play().redirecting().do({ type: 'back' }, { type: 'another-method' }).choose();
    asks(play, () => play.refused(problem('pse_in_progress', { attempt: pse() })), [
      {
        type: 'remember',
        hint: {
          attempt: { kind: 'PAYIN', id: 'pse-1' },
          idempotencyKey: 'key-0000000000000003',
          answered: true,
          choice: { kind: 'PAYIN', rail: 'BRE_B', keyType: 'QR_CODE' },
        },
      },
      { type: 'announce', message: 'blocked' },
      { type: 'announce', message: 'pending' },
      { type: 'schedule', atMs: null },
    ]);
    assert.equal(play.screen('pending').blocked?.retryAtMs, null, 'the backend did not say until when');
  });

  it('for the outcome of the attempt in the address, and then to clean the address', () => {
    const play = new Play();
    const returned = { kind: 'PAYIN', id: 'pse-1' } as const;
    asks(play, () => play.start({ returned }), [
      { type: 'announce', message: 'returning' },
      { type: 'watch', targets: [{ ...returned, version: null }] },
      { type: 'schedule', atMs: null },
    ]);
    asks(play, () => play.do({ type: 'check' }), [{ type: 'check', target: returned }]);
    asks(play, () => play.arrived(pse()), [
      { type: 'emit', event: { type: 'checkout-ready', offer: null } },
      { type: 'measure', name: 'ready' },
      { type: 'clean-address' },
      { type: 'announce', message: 'verifying' },
      { type: 'schedule', atMs: NOON_MS + 60_000 },
    ]);
    asks(play, () => play.later(60_000), [
      { type: 'announce', message: 'pending' },
      { type: 'schedule', atMs: null },
    ]);
  });
});

describe('a payment on the hosted page asks', () => {
  it('to watch the link that was made, and tells of it', () => {
    const made = link({ expiresAt: iso(NOON_MS + 60_000) });
    asks(new Play().linking(), (each) => each.created(made), [
      {
        type: 'remember',
        hint: {
          attempt: { kind: 'PAYMENT_LINK', id: 'link-1' },
          idempotencyKey: KEY,
          answered: true,
          choice: { kind: 'PAYMENT_LINK' },
        },
      },
      { type: 'emit', event: { type: 'paymentlink-created', link: made } },
      { type: 'measure', name: 'created' },
      { type: 'announce', message: 'link' },
      { type: 'measure', name: 'shown' },
      { type: 'watch', targets: [{ kind: 'PAYMENT_LINK', id: 'link-1', version: 'v1' }] },
      { type: 'schedule', atMs: NOON_MS + 60_000 },
    ]);
  });

  it('to tell how it ended', () => {
    const completed = paid(link());
    asks(new Play().linking().created(link()), (each) => each.arrived(completed), [
      { type: 'emit', event: { type: 'paymentlink-completed', link: completed, ...noTrouble } },
      { type: 'announce', message: 'confirmed' },
      { type: 'measure', name: 'settled' },
      { type: 'watch', targets: [] },
    ]);
    const expired = link({ status: 'EXPIRED', version: 'v2' });
    asks(new Play().linking().created(link()), (each) => each.arrived(expired), [
      { type: 'emit', event: { type: 'paymentlink-expired', link: expired, resumed: false } },
      { type: 'announce', message: 'lapsed' },
      { type: 'watch', targets: [] },
    ]);
  });
});

describe('the page around it is asked', () => {
  it('to announce nothing while a dialog is closed', () => {
    const play = new Play().start({ open: false }).offered(offer({ attempt: breb() }));
    assert.deepEqual(play.of('announce'), []);
    asks(play, () => play.do({ type: 'opened' }, { type: 'opened' }), [
      { type: 'announce', message: 'paying' },
    ]);
    asks(play, () => play.do({ type: 'closed' }, { type: 'closed' }), [
      { type: 'emit', event: { type: 'checkout-closed' } },
    ]);
  });

  it('to say that the device is offline and online again, each once', () => {
    const play = new Play().paying();
    asks(play, () => play.do({ type: 'online' }, { type: 'offline' }, { type: 'offline' }), [
      { type: 'announce', message: 'offline' },
    ]);
    asks(play, () => play.do({ type: 'online' }), [{ type: 'announce', message: 'online' }]);
  });

  it('to report what failed, with what its engineer needs', () => {
    const play = new Play().start();
    const failure = { ...network, detail: 'GET /orders/A-1042: no answer' };
    asks(play, () => play.unread(failure), [
      { type: 'emit', event: { type: 'checkout-error', reason: 'network', detail: failure.detail } },
      { type: 'announce', message: 'failed' },
    ]);
    asks(new Play(), (each) => each.do({ type: 'misconfigured', detail: 'No "order".' }), [
      { type: 'emit', event: { type: 'checkout-error', reason: 'misconfigured', detail: 'No "order".' } },
    ]);
  });

  it('to go on after the receipt, and after a failure, but not before', () => {
    const receipt = new Play().paying().arrived(paid(breb()));
    asks(receipt, () => receipt.do({ type: 'finish' }), [{ type: 'finish', attempt: paid(breb()) }]);
    const failed = new Play().start().unread();
    asks(failed, () => failed.do({ type: 'finish' }), [{ type: 'finish', attempt: null }]);
    asks(new Play().start().offered(), (play) => play.do({ type: 'finish' }), []);
  });

  it('to watch nothing once the element is removed', () => {
    const play = new Play().paying(breb({ expiresAt: iso(NOON_MS + 60_000) }));
    asks(play, () => play.do({ type: 'stop' }), [
      { type: 'announce', message: 'idle' },
      { type: 'watch', targets: [] },
      { type: 'schedule', atMs: null },
    ]);
  });
});

describe('what is asked of a payment that was there before', () => {
  it('is reported as resumed, with the offer it came in', () => {
    const attempt = paid(breb());
    const offered = offer({ attempt });
    asks(new Play().start(), (play) => play.offered(offered), [
      { type: 'emit', event: { type: 'checkout-ready', offer: offered } },
      { type: 'measure', name: 'ready' },
      { type: 'emit', event: { type: 'payin-confirmed', payin: attempt, ...noTrouble, resumed: true } },
      { type: 'announce', message: 'confirmed' },
      { type: 'measure', name: 'settled' },
    ]);
  });

  it('is not said to be ready twice, nor on a failure', () => {
    const play = new Play().paying().do({ type: 'another-method' });
    play.do({ type: 'check' }).offered(offer({ version: 'o2', methods: [brebMethod, pseMethod] }));
    assert.equal(play.events.filter((name) => name === 'checkout-ready').length, 1);
    const failed = new Play().start().unread();
    assert.deepEqual(failed.events, ['checkout-error']);
  });
});
