import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Method } from '../../src/contract/backend.js';
import { amountChanged, openAttempt } from '../../src/machine/paying/attempts.js';
import {
  BANK_URL,
  NOON_MS,
  Play,
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

const MINUTE_MS = 60_000;

describe('loading and choosing', () => {
  it('reads the offer and shows its methods', () => {
    const play = new Play().start();
    assert.deepEqual(play.of('load-offer'), [{ type: 'load-offer', order: 'A-1042', run: play.state.run }]);
    play.offered();
    assert.deepEqual(play.screen('choosing').methods, [brebMethod, pseMethod]);
    assert.deepEqual(play.events, ['checkout-ready']);
  });

  it('ignores the answer to an earlier read', () => {
    const play = new Play().start().start();
    play.do({ type: 'offer-loaded', run: play.state.run - 1, offer: offer(), level: 'FULL' });
    assert.equal(play.phase, 'loading');
  });

  it('offers only what attributes allow, in their order', () => {
    const methods = [brebMethod, keyMethod, pseMethod, linkMethod];
    const play = new Play().start({ config: { ...config, rails: ['PSE', 'BRE_B'], keyType: 'SINGLE_USE' } });
    play.offered(offer({ methods }));
    assert.deepEqual(play.screen('choosing').methods, [pseMethod, keyMethod]);
  });

  it('offers links in the order of the rails too; one for any rail is among the first', () => {
    const forBreb: Method = { kind: 'PAYMENT_LINK', rail: 'BRE_B', bank: null };
    const forPse: Method = { ...forBreb, rail: 'PSE' };
    const play = new Play().start({ config: { ...config, rails: ['PSE', 'BRE_B'], hosted: true } });
    play.offered(offer({ methods: [forBreb, linkMethod, forPse] }));
    assert.deepEqual(play.screen('choosing').methods, [linkMethod, forPse, forBreb]);
  });

  it('offers both kinds of Bre-B key as one method, the one whose answer has both', () => {
    const play = new Play().start().offered(offer({ methods: [keyMethod, brebMethod, pseMethod] }));
    assert.deepEqual(play.screen('choosing').methods, [brebMethod, pseMethod]);
    assert.deepEqual(
      new Play()
        .start()
        .offered(offer({ methods: [keyMethod, pseMethod] }))
        .screen('choosing').methods,
      [keyMethod, pseMethod],
    );
  });

  it('renews a key without a QR by one with it, where both kinds are one method', () => {
    const attempt = breb({ sourceData: { ...breb().sourceData!, keyType: 'SINGLE_USE' } });
    const play = new Play().start().offered(offer({ methods: [keyMethod, brebMethod], attempt }));
    play.do({ type: 'renew', idempotencyKey: 'another-key-00000001' });
    const { request } = play.last('create');
    assert.deepEqual('breb' in request.body && request.body.breb, { keyType: 'QR_CODE' });
    assert.equal(request.body.replaces, attempt.id);
  });

  it('offers only the hosted page when hosted, and when the offer has nothing else', () => {
    const play = new Play().start({ config: { ...config, hosted: true } });
    play.offered(offer({ methods: [brebMethod, linkMethod] }));
    assert.deepEqual(play.screen('choosing').methods, [linkMethod]);
    assert.deepEqual(
      new Play()
        .start()
        .offered(offer({ methods: [linkMethod] }))
        .screen('choosing').methods,
      [linkMethod],
    );
  });

  it('says so when offer and attributes have no method in common', () => {
    const play = new Play().start({ config: { ...config, rails: ['PSE'] } });
    play.offered(offer({ methods: [brebMethod] }));
    assert.equal(play.screen('failed').reason, 'no_methods');
    assert.deepEqual(play.events, ['checkout-error']);
  });

  it('goes straight to the form when the only method has one', () => {
    const play = new Play().start().offered(offer({ methods: [pseMethod] }));
    assert.equal(play.screen('details').method, pseMethod);
    play.do({ type: 'back' });
    assert.equal(play.phase, 'details');
  });

  it('goes back from the form to the choice', () => {
    const play = new Play().start().offered().choose(pseMethod).do({ type: 'back' });
    assert.equal(play.phase, 'choosing');
  });

  it('tells the payer when the offer cannot be read, and reads it again on retry and when online again', () => {
    const play = new Play().start();
    play.unread();
    assert.equal(play.screen('failed').reason, 'network');
    play.do({ type: 'retry', idempotencyKey: play.key() });
    assert.equal(play.phase, 'loading');
    play.unread();
    play.do({ type: 'offline' }, { type: 'online' });
    assert.equal(play.phase, 'loading');
  });

  it('does not read again by itself what the backend refused', () => {
    const play = new Play().start();
    play.unread(problem('not_found', { status: 404 }));
    play.do({ type: 'offline' }, { type: 'online' });
    assert.equal(play.screen('failed').reason, 'not_found');
  });

  it('waits as long as the backend asks', () => {
    const play = new Play().start();
    const failure = { ...problem('rate_limited', { status: 429 }), retryAfterMs: 5_000 };
    play.unread(failure);
    assert.equal(play.screen('failed').retryAtMs, NOON_MS + 5_000);
  });

  it('takes a new price on refresh, and says that it changed', () => {
    const play = new Play().start().offered().do({ type: 'check' });
    play.offered(offer({ version: 'o2', amountInCents: 6_000_000 }));
    assert.deepEqual(play.screen('choosing').changed, { previousAmountInCents: 5_000_000 });
    assert.equal(play.screen('choosing').offer.amountInCents, 6_000_000);
  });
});

describe('creating', () => {
  it('sends the choice, the offer it was made on and no amount', () => {
    const play = new Play().start().offered().choose();
    assert.deepEqual(play.last('create').request, {
      kind: 'PAYIN',
      body: {
        order: 'A-1042',
        offerVersion: 'o1',
        callbackUrl: 'https://shop.example/pay',
        rail: 'BRE_B',
        breb: { keyType: 'QR_CODE' },
      },
    });
  });

  it('sends what the payer typed with PSE', () => {
    const play = new Play().start().offered().choose(pseMethod);
    play.do({
      type: 'submit',
      idempotencyKey: play.key(),
      choice: {
        kind: 'PAYIN',
        rail: 'PSE',
        bank: 'CO_BANCOLOMBIA',
        personType: 'BUSINESS',
        customer: { name: 'Ana', phone: '+573001234567' },
      },
    });
    const { body } = play.last('create').request;
    assert.deepEqual(body, {
      order: 'A-1042',
      offerVersion: 'o1',
      callbackUrl: 'https://shop.example/pay',
      rail: 'PSE',
      pse: { bank: 'CO_BANCOLOMBIA', personType: 'BUSINESS' },
      inlineCustomer: { name: 'Ana', phone: '+573001234567' },
    });
  });

  it('remembers choice and key, and nothing personal', () => {
    const play = new Play().start().offered().choose(pseMethod);
    play.do({
      type: 'submit',
      idempotencyKey: 'k'.repeat(16),
      choice: {
        kind: 'PAYIN',
        rail: 'PSE',
        bank: 'CO_BANCOLOMBIA',
        personType: 'INDIVIDUAL',
        customer: { name: 'Ana' },
      },
    });
    assert.deepEqual(play.last('remember').hint, {
      attempt: null,
      idempotencyKey: 'k'.repeat(16),
      answered: false,
      choice: { kind: 'PAYIN', rail: 'PSE', bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' },
    });
    play.do({ type: 'created', idempotencyKey: 'k'.repeat(16), attempt: pse() });
    const { kind, id } = pse();
    assert.deepEqual(play.last('remember').hint.attempt, { kind, id });
  });

  it('ignores a second click and a stranger’s answer', () => {
    const play = new Play().start().offered().choose();
    const before = play.state;
    play.choose().do({ type: 'created', idempotencyKey: 'another', attempt: breb() });
    assert.equal(play.state, before);
    assert.equal(play.of('create').length, 1);
  });

  /** What is remembered of a create that a reload or a lost network interrupted. */
  const interrupted = {
    attempt: null,
    idempotencyKey: 'interrupted-key-0001',
    answered: false,
    choice: { kind: 'PAYIN', rail: 'BRE_B', keyType: 'QR_CODE' },
  } as const;

  it('sends an interrupted create again with its own key when the choice is the same', () => {
    assert.equal(
      new Play().start({ hint: interrupted }).offered().choose().last('create').idempotencyKey,
      'interrupted-key-0001',
    );
    const other = new Play()
      .start({ hint: interrupted })
      .offered(offer({ methods: [keyMethod] }))
      .choose(keyMethod);
    assert.notEqual(other.last('create').idempotencyKey, 'interrupted-key-0001');
  });

  it('lets a payer who came back too early return to the bank', () => {
    const attempt = pse();
    const play = new Play().start({ returned: { kind: 'PAYIN', id: attempt.id } });
    play.do({ type: 'attempt', asked: attempt.id, attempt });
    assert.equal(play.phase, 'verifying');
    play.do({ type: 'follow' });
    assert.equal(play.screen('redirecting').url, BANK_URL);
  });

  it('never sends a create by itself on resume', () => {
    const hint = { ...interrupted, attempt: { kind: 'PAYIN', id: 'breb-1' } } as const;
    const play = new Play()
      .start({ hint })
      .offered(offer({ attempt: breb() }))
      .arrived(breb());
    assert.equal(play.phase, 'paying');
    assert.deepEqual(play.of('create'), []);
  });

  it('replaces what an interrupted create made with a new key, or the same attempt would come back', () => {
    const made = breb({ expiresAt: iso(NOON_MS + 10 * MINUTE_MS) });
    const play = new Play()
      .start({ hint: interrupted })
      .offered(offer({ attempt: made }))
      .later(10 * MINUTE_MS)
      .later(10_000);
    play.do({ type: 'renew', idempotencyKey: 'another-key-00000001' });
    const { idempotencyKey, request } = play.last('create');
    assert.deepEqual([idempotencyKey, request.body.replaces], ['another-key-00000001', 'breb-1']);
  });

  it('retries an unclear failure with the same key and a clear refusal with a new one', () => {
    const play = new Play().start().offered().choose();
    const first = play.last('create').idempotencyKey;
    play.refused(network).do({ type: 'retry', idempotencyKey: play.key() });
    assert.equal(play.last('create').idempotencyKey, first);
    play
      .refused(problem('service_refused', { status: 422 }))
      .do({ type: 'retry', idempotencyKey: 'fresh-key-000001' });
    assert.equal(play.last('create').idempotencyKey, 'fresh-key-000001');
  });

  it('does not ask again with the key of an attempt that ended', () => {
    const play = new Play().start().offered().choose();
    const first = play.last('create').idempotencyKey;
    const attempt = breb({ status: 'CANCELED', sourceData: null });
    play.refused(problem('service_unavailable', { status: 503, attempt }));
    assert.equal(play.screen('failed').reason, 'service_unavailable');
    play.do({ type: 'retry', idempotencyKey: play.key() });
    assert.notEqual(play.last('create').idempotencyKey, first);
  });

  it('offers the changed price instead of taking it silently', () => {
    const play = new Play().start().offered().choose();
    play.refused(problem('offer_changed', { offer: offer({ version: 'o2', amountInCents: 1_000 }) }));
    assert.deepEqual(play.screen('choosing').changed, { previousAmountInCents: 5_000_000 });
    play.choose();
    assert.equal(play.last('create').request.body.offerVersion, 'o2');
  });

  it('shows the receipt when the order was paid already', () => {
    const play = new Play().start().offered().choose();
    play.refused(problem('already_paid', { attempt: paid(breb()) }));
    assert.equal(play.phase, 'confirmed');
  });

  it('reads the offer when a conflict does not say what it is about', () => {
    const play = new Play().start().offered().choose().refused(problem('already_paid'));
    assert.equal(play.phase, 'loading');
  });

  it('puts refused fields back into the form', () => {
    const play = new Play().start().offered().choose(pseMethod).submitPse();
    play.refused(
      problem('invalid_request', {
        status: 400,
        errors: [
          { field: 'inlineCustomer.phone', code: 'format' },
          { field: 'order', code: 'format' },
        ],
      }),
    );
    assert.deepEqual(play.screen('details').problems, [{ field: 'phone', code: 'format' }]);
    assert.ok(play.of('announce').some(({ message }) => message === 'fix-fields'));
  });

  it('says that a payment is in progress when the backend has another one open', () => {
    const play = new Play().start().offered().choose(pseMethod).submitPse().created(breb());
    assert.equal(play.screen('paying').alreadyInProgress, true);
    assert.ok(!play.events.includes('payin-created'));
  });
});

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

  it('takes the settlement’s word for a different amount', () => {
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
    const play = new Play().start({ returned }).arrived(pse());
    assert.equal(play.later(59_999).phase, 'verifying');
    play.later(1);
    assert.equal(play.screen('pending').url, null);
    assert.equal(play.later(60 * MINUTE_MS).phase, 'pending');
    assert.deepEqual(play.watched, ['pse-1']);
  });

  it('does not call a returned payment lapsed', () => {
    const old = pse({ expiresAt: iso(NOON_MS - 1) });
    assert.equal(new Play().start({ returned }).arrived(old).later(60_000).phase, 'pending');
  });

  it('offers the order when the id is nobody’s, and cleans the address', () => {
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
    assert.equal(basic.phase, 'returning');
    basic.arrived(breb());
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
    assert.equal(play.screen('paying').check, 'NONE', 'nobody has asked');
    assert.ok(!play.of('announce').some(({ message }) => message === 'unreachable'));
    assert.equal(play.arrived(breb()).state.connection, 'OK');
  });

  it('goes on watching when it is closed', () => {
    const play = new Play().paying().do({ type: 'closed' }).arrived(paid(breb()));
    assert.equal(play.phase, 'confirmed');
    assert.ok(play.events.includes('checkout-closed'));
  });

  it('tells the page that it was closed, and the payer where they are when it is opened again', () => {
    const play = new Play().paying().do({ type: 'closed' });
    const closed = play.events.filter((type) => type === 'checkout-closed').length;
    const said = play.of('announce').length;
    play.do({ type: 'opened' });
    assert.equal(play.events.filter((type) => type === 'checkout-closed').length, closed);
    assert.deepEqual(
      play
        .of('announce')
        .slice(said)
        .map(({ message }) => message),
      ['paying'],
    );
  });

  it('lets everything go when it is removed', () => {
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
    const play = new Play().paying().arrived(paid(breb())).do({ type: 'finish' });
    assert.equal(play.last('finish').attempt?.id, 'breb-1');
  });
});
