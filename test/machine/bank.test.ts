import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import {
  BANK_URL,
  NOON_MS,
  Play,
  breb,
  config,
  iso,
  link,
  linkMethod,
  offer,
  paid,
  problem,
  pse,
  pseMethod,
} from './fixtures.js';

const MINUTE_MS = 60_000;

describe('paying with PSE', () => {
  it('prepares until the bank’s address is known, then goes there once', () => {
    const play = new Play().redirecting(
      pse({ sourceData: { bank: 'CO_BANCOLOMBIA', bankName: null, pseUrl: null, cus: null } }),
    );
    assert.equal(play.phase, 'preparing');
    play.arrived(pse({ version: 'v2' })).arrived(pse({ version: 'v3' }));
    assert.equal(play.phase, 'redirecting');
    assert.deepEqual(
      play.of('redirect').map(({ url }) => url),
      [BANK_URL],
    );
  });

  it('admits after 20 seconds that it takes long, and lets the payer retry', () => {
    const play = new Play().redirecting(pse({ sourceData: null })).later(19_999);
    assert.equal(play.screen('preparing').stalled, false);
    play.later(1);
    assert.equal(play.screen('preparing').stalled, true);
    play.do({ type: 'retry', idempotencyKey: play.key() });
    assert.equal(play.screen('preparing').stalled, false);
    assert.deepEqual(play.of('check').length, 1);
    assert.equal(play.later(19_999).screen('preparing').stalled, false);
    assert.equal(play.later(1).screen('preparing').stalled, true);
  });

  it('is not stuck on "redirecting" when the browser comes back or never leaves', () => {
    for (const input of ['page-restored', 'redirect-canceled', 'back'] as const) {
      const play = new Play().redirecting().do({ type: input });
      const { url, alreadyInProgress } = play.screen('pending');
      assert.deepEqual([url, alreadyInProgress], [BANK_URL, false]);
      assert.equal(play.of('check').length, 1);
    }
    assert.equal(new Play().redirecting().later(20_000).phase, 'pending');
  });

  it('goes on to the bank when asked', () => {
    const play = new Play().redirecting().do({ type: 'page-restored' }, { type: 'follow' });
    assert.equal(play.phase, 'redirecting');
    assert.equal(play.of('redirect').length, 2);
  });

  it('takes nobody to the bank from a closed dialog, and has the way there when it is opened again', () => {
    const withoutAddress = pse({ sourceData: null });
    const preparing = new Play().redirecting(withoutAddress).do({ type: 'closed' });
    preparing.arrived(pse({ version: 'v2' }));
    const creating = new Play().start().offered().choose(pseMethod).submitPse().do({ type: 'closed' });
    creating.created(pse());
    for (const play of [preparing, creating]) {
      assert.deepEqual(play.of('redirect'), []);
      play.do({ type: 'opened' });
      assert.equal(play.screen('pending').url, BANK_URL);
      play.do({ type: 'follow' });
      assert.deepEqual(
        play.of('redirect').map(({ url }) => url),
        [BANK_URL],
      );
    }
    const reopened = new Play().redirecting(withoutAddress).do({ type: 'closed' }, { type: 'opened' });
    assert.equal(reopened.arrived(pse({ version: 'v2' })).phase, 'redirecting');
    assert.equal(reopened.of('redirect').length, 1);
  });

  it('does not send anyone to an address that was refused', () => {
    const play = new Play().redirecting().do({ type: 'redirect-refused' });
    assert.equal(play.screen('failed').reason, 'unsafe_address');
    assert.deepEqual(play.watched, ['pse-1']);
    play.do({ type: 'another-method' });
    assert.equal(play.screen('choosing').replacing?.id, 'pse-1');
  });

  it('is sent to the bank once more by a retry after a refused address', () => {
    const play = new Play()
      .redirecting()
      .do({ type: 'redirect-refused' }, { type: 'retry', idempotencyKey: 'fresh-key-000001' });
    assert.equal(play.phase, 'redirecting');
    assert.equal(play.of('redirect').length, 2);
  });

  it('is never redirected by a reload', () => {
    const play = new Play().start().offered(offer({ attempt: pse() }));
    assert.equal(play.screen('pending').url, BANK_URL);
    const waiting = new Play().start().offered(offer({ attempt: pse({ sourceData: null }) }));
    assert.equal(waiting.arrived(pse({ version: 'v2' })).phase, 'pending');
    assert.deepEqual([...play.of('redirect'), ...waiting.of('redirect')], []);
  });

  it('keeps another method closed while this one may be authorised, unless the payer says it was not', () => {
    const play = new Play().redirecting().do({ type: 'page-restored' }, { type: 'another-method' }).choose();
    const retryAt = iso(NOON_MS + 21 * MINUTE_MS);
    play.refused(problem('pse_in_progress', { attempt: pse(), retryAt }));
    assert.deepEqual(play.screen('pending').blocked, {
      choice: { kind: 'PAYIN', rail: 'BRE_B', keyType: 'QR_CODE' },
      retryAtMs: NOON_MS + 21 * MINUTE_MS,
    });
    play.do({ type: 'override', idempotencyKey: play.key() });
    const { body } = play.last('create').request;
    assert.deepEqual([body.override, body.replaces, body.rail], [true, 'pse-1', 'BRE_B']);
  });
});

describe('coming back from the bank', () => {
  const returned = { kind: 'PAYIN', id: 'pse-1' } as const;

  it('reads the id first and offers nothing until it resolves', () => {
    const play = new Play().start({ returned });
    assert.equal(play.phase, 'returning');
    assert.deepEqual(play.of('load-offer'), []);
    assert.deepEqual(play.watched, ['pse-1']);
    assert.deepEqual(play.of('clean-address'), []);
    play.arrived(pse());
    assert.equal(play.phase, 'verifying');
    assert.equal(play.of('clean-address').length, 1);
  });

  it('needs nothing but the id', () => {
    const play = new Play().start({ config: { ...config, order: null }, returned });
    play.arrived(paid(pse()));
    assert.equal(play.phase, 'confirmed');
    const { event } = play.of('emit').at(-1) ?? {};
    assert.ok(event?.type === 'payin-confirmed' && event.resumed);
  });

  it('reads the methods of an order it only knows by its attempt', () => {
    const play = new Play().start({ config: { ...config, order: null }, returned });
    play.arrived(pse({ status: 'DECLINED' })).do({ type: 'another-method' });
    assert.equal(play.last('load-offer').order, 'A-1042');
    play.offered(offer({ attempt: pse({ status: 'DECLINED' }) }));
    assert.equal(play.phase, 'choosing');
    play.choose();
    assert.equal(play.last('create').request.body.order, 'A-1042');
  });

  it('verifies for a minute, then says that it is pending, and never that it failed', () => {
    const play = new Play().start({ returned }).arrived(pse({ expiresAt: iso(NOON_MS + 5 * MINUTE_MS) }));
    assert.equal(play.later(59_999).phase, 'verifying');
    play.later(1);
    assert.equal(play.screen('pending').url, null);
    assert.equal(play.later(60 * MINUTE_MS).phase, 'pending');
    assert.deepEqual(play.watched, ['pse-1']);
  });

  it('does not call a returned payment lapsed', () => {
    const old = pse({ expiresAt: iso(NOON_MS - 1) });
    const play = new Play().start({ returned }).arrived(old);
    assert.equal(play.later(59_999).phase, 'verifying');
    assert.equal(play.later(1).phase, 'pending');
    assert.equal(play.later(60 * MINUTE_MS).phase, 'pending');
  });

  it('offers the order when no attempt has the id, and cleans the address', () => {
    const play = new Play().start({ returned }).do({ type: 'attempt-missing', id: 'pse-1' });
    assert.equal(play.phase, 'loading');
    assert.equal(play.of('clean-address').length, 1);
    const orderless = new Play().start({ config: { ...config, order: null }, returned });
    orderless.do({ type: 'attempt-missing', id: 'pse-1' });
    assert.equal(orderless.screen('failed').reason, 'not_found');
  });

  it('finds a Basic backend’s attempt by the key in the address', () => {
    const hint = {
      attempt: { kind: 'PAYIN', id: 'pse-1' },
      idempotencyKey: 'key-in-the-address',
      answered: true,
      choice: { kind: 'PAYIN', rail: 'PSE', bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' },
    } as const;
    const play = new Play().start({ hint, returned: { kind: 'PAYIN', id: 'key-in-the-address' } });
    assert.deepEqual(play.watched, ['pse-1']);
    const elsewhere = new Play().start({ returned: { kind: 'PAYIN', id: 'key-in-the-address' } });
    elsewhere.do({ type: 'attempt', asked: 'key-in-the-address', attempt: pse() });
    assert.equal(elsewhere.phase, 'verifying');
  });

  it('puts its key into the address a Basic backend’s bank returns to', () => {
    const play = new Play().start().offered(offer(), 'BASIC').choose(pseMethod).submitPse();
    const { body, key } = { body: play.last('create').request.body, key: play.last('create').idempotencyKey };
    assert.equal(body.callbackUrl, `https://shop.example/pay?pay-return=${key}`);
  });
});

describe('resuming', () => {
  it('shows the order’s current attempt again', () => {
    assert.equal(new Play().start().offered(offer({ attempt: breb() })).phase, 'paying');
    const play = new Play().start().offered(offer({ attempt: breb({ status: 'DECLINED' }) }));
    assert.equal(play.phase, 'declined');
    const { event } = play.of('emit').at(-1) ?? {};
    assert.ok(event?.type === 'payin-declined' && event.resumed);
    assert.ok(!play.events.includes('payin-created'));
  });

  it('shows an attempt that lapsed meanwhile, or at this moment', () => {
    for (const expiryMs of [NOON_MS - 1, NOON_MS]) {
      const attempt = breb({ expiresAt: iso(expiryMs) });
      const play = new Play().start().offered(offer({ attempt }));
      assert.equal(play.screen('lapsed').checkingUntilMs, null);
      assert.deepEqual(play.events, ['checkout-ready', 'payin-lapsed']);
    }
  });

  it('reads what the tab remembers only where the backend does not say', () => {
    const hint = {
      attempt: { kind: 'PAYIN', id: 'breb-1' },
      idempotencyKey: 'key-0000000000001',
      answered: true,
      choice: { kind: 'PAYIN', rail: 'BRE_B', keyType: 'QR_CODE' },
    } as const;
    const basic = new Play().start({ hint }).offered(offer(), 'BASIC');
    assert.equal(basic.screen('returning').from, 'MEMORY');
    basic.arrived(breb({ order: 'another-token' }));
    assert.equal(basic.phase, 'paying');
    assert.deepEqual(basic.of('clean-address'), []);
    const forgotten = new Play().start({ hint }).offered(offer(), 'BASIC');
    forgotten.do({ type: 'attempt-missing', id: 'breb-1' });
    assert.equal(forgotten.phase, 'choosing');
    assert.equal(new Play().start({ hint }).offered(offer()).phase, 'choosing');
  });

  it('tells a final event once, however often it starts', () => {
    const play = new Play().start().offered(offer({ attempt: paid(breb()) }));
    play.start().offered(offer({ attempt: paid(breb()) }));
    assert.equal(play.events.filter((name) => name === 'payin-confirmed').length, 1);
  });
});

describe('the hosted page', () => {
  const hosted = { ...config, hosted: true };
  const start = (linkMode: 'FOLLOW' | 'SHOW' = 'FOLLOW') => new Play().linking(linkMode);

  it('creates a link and follows it, or shows it', () => {
    const followed = start().created(link());
    assert.equal(followed.last('create').request.kind, 'PAYMENT_LINK');
    assert.equal(followed.last('redirect').url, 'https://pay.example/l/1');
    const shown = start('SHOW').created(link());
    assert.equal(shown.screen('link').url, 'https://pay.example/l/1');
    assert.deepEqual(shown.of('redirect'), []);
    assert.deepEqual(shown.last('watch').targets, [{ kind: 'PAYMENT_LINK', id: 'link-1', version: 'v1' }]);
  });

  it('shows the link that came while the dialog was closed, and follows it only when asked', () => {
    const play = start().do({ type: 'closed' }).created(link());
    assert.deepEqual(play.of('redirect'), []);
    play.do({ type: 'opened' });
    assert.equal(play.screen('link').url, 'https://pay.example/l/1');
    play.do({ type: 'follow' });
    assert.equal(play.last('redirect').url, 'https://pay.example/l/1');
  });

  it('asks for the rail and the bank that the page names, where the offer leaves them open', () => {
    const asked = (facts: object, method = linkMethod) =>
      new Play()
        .start({ config: { ...hosted, ...facts } })
        .offered(offer({ methods: [method] }))
        .choose(method)
        .last('create').request.body;
    const bank = 'CO_BANCOLOMBIA';
    assert.equal(asked({ bank }).rail, undefined, 'a bank alone restricts nothing');
    assert.deepEqual(asked({ rails: ['BRE_B', 'PSE'], bank }).rail, undefined);
    const pse = asked({ rails: ['PSE'], bank });
    assert.ok(pse.rail === 'PSE' && 'pse' in pse);
    assert.deepEqual(pse.pse, { bank });
    const breb = asked({ rails: ['BRE_B'], bank });
    assert.deepEqual([breb.rail, 'pse' in breb], ['BRE_B', false]);
    const decided = asked({ bank }, { kind: 'PAYMENT_LINK', rail: 'PSE', bank: 'CO_DAVIVIENDA' });
    assert.deepEqual('pse' in decided && decided.pse, { bank: 'CO_DAVIVIENDA' });
  });

  it('follows it to its end', () => {
    const completed = start('SHOW').created(link()).arrived(paid(link()));
    assert.equal(completed.phase, 'confirmed');
    assert.equal(completed.events.at(-1), 'paymentlink-completed');
    const expired = start('SHOW')
      .created(link())
      .arrived(link({ status: 'EXPIRED', version: 'v2' }));
    assert.equal(expired.phase, 'lapsed');
    assert.equal(expired.events.at(-1), 'paymentlink-expired');
  });

  it('never offers a link past its expiry, and makes a new one on request', () => {
    const play = start('SHOW')
      .created(link({ expiresAt: iso(NOON_MS + MINUTE_MS) }))
      .later(MINUTE_MS);
    assert.equal(play.phase, 'lapsed');
    play.do({ type: 'follow' });
    assert.equal(play.phase, 'lapsed');
    play.do({ type: 'renew', idempotencyKey: play.key() }).created(link({ id: 'link-2' }));
    assert.equal(play.screen('link').attempt.id, 'link-2');
  });

  it('verifies when the hosted page sends the payer back', () => {
    const play = new Play().start({ config: hosted, returned: { kind: 'PAYMENT_LINK', id: 'link-1' } });
    play.arrived(link());
    assert.equal(play.phase, 'verifying');
    assert.equal(play.later(60_000).phase, 'link');
  });
});

describe('the page around it', () => {
  it('says that the device is offline and goes on by itself', () => {
    const play = new Play().paying().do({ type: 'offline' });
    assert.equal(play.state.connection, 'OFFLINE');
    assert.equal(play.phase, 'paying');
    play.arrived(breb());
    assert.equal(play.state.connection, 'OK');
  });

  it('mentions trouble after several failed reads, until one works', () => {
    const play = new Play().paying();
    play.do({ type: 'watch-failed', id: 'breb-1', failures: 2 });
    assert.equal(play.state.connection, 'OK');
    play.do({ type: 'watch-failed', id: 'breb-1', failures: 3 });
    assert.equal(play.state.connection, 'TROUBLE');
    assert.equal(play.screen('paying').check, 'NONE', 'the payer has not asked');
    assert.ok(!play.of('announce').some(({ message }) => message === 'unreachable'));
    assert.equal(play.arrived(breb()).state.connection, 'OK');
  });

  it('goes on watching when it is closed', () => {
    const play = new Play().paying().do({ type: 'closed' });
    assert.deepEqual(play.watched, ['breb-1']);
    assert.equal(play.arrived(paid(breb())).phase, 'confirmed');
    assert.ok(play.events.includes('checkout-closed'));
  });

  it('tells the page that it was closed, and the payer where they are when it is opened again', () => {
    const play = new Play().paying().do({ type: 'closed' });
    const closings = () => play.events.filter((type) => type === 'checkout-closed').length;
    assert.equal(closings(), 1);
    const said = play.of('announce').length;
    play.do({ type: 'opened' });
    assert.equal(closings(), 1);
    assert.deepEqual(
      play
        .of('announce')
        .slice(said)
        .map(({ message }) => message),
      ['paying'],
    );
  });

  it('watches nothing and ignores answers once it is removed', () => {
    const play = new Play().paying(breb({ expiresAt: iso(NOON_MS + MINUTE_MS) })).do({ type: 'stop' });
    assert.deepEqual(play.watched, []);
    assert.equal(play.last('schedule').atMs, null);
    assert.equal(play.arrived(paid(breb())).phase, 'idle');
  });

  it('tells a restarted watcher what to watch', () => {
    const returned = { kind: 'PAYIN', id: 'pse-1' } as const;
    const play = new Play().start({ returned }).start({ returned });
    assert.deepEqual(
      play.of('watch').map(({ targets }) => targets.map(({ id }) => id)),
      [['pse-1'], ['pse-1']],
    );
  });

  it('finishes from every outcome', () => {
    for (const [phase, attempt] of Object.entries({
      confirmed: paid(breb()),
      'amount-differs': paid(breb(), { confirmedAmountInCents: 1 }),
      duplicate: paid(breb(), { settlement: { state: 'PAID', by: 'breb-1', duplicate: true } }),
      declined: breb({ status: 'DECLINED' }),
      canceled: breb({ status: 'CANCELED' }),
      lapsed: breb({ expiresAt: iso(NOON_MS - 1) }),
    })) {
      const play = new Play().start().offered(offer({ attempt }));
      assert.equal(play.phase, phase);
      assert.equal(play.do({ type: 'finish' }).last('finish').attempt?.id, 'breb-1', phase);
    }
  });
});
