import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Method } from '../../src/contract/offer.js';
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

  it('ignores a second click and the answer to another create', () => {
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

  it('does not put the fields of a link back into a form: it has none', () => {
    const errors = [{ field: 'inlineCustomer.name', code: 'format' as const }];
    const play = new Play().linking().refused(problem('invalid_request', { status: 400, errors }));
    assert.equal(play.screen('failed').reason, 'invalid_request');
  });

  it('goes to the bank also where links are only shown', () => {
    const play = new Play()
      .start({ config: { ...config, linkMode: 'SHOW' } })
      .offered()
      .choose(pseMethod)
      .submitPse()
      .created(pse());
    assert.equal(play.phase, 'redirecting');
  });

  it('overrides a bank’s payment that another device began, once the payer declares it', () => {
    const play = new Play().start().offered().choose();
    play.refused(problem('pse_in_progress', { attempt: pse() }));
    assert.equal(play.state.notAuthorised, null);
    play.do({ type: 'override', idempotencyKey: play.key() });
    assert.equal(play.last('create').request.body.override, true);
  });

  it('says that a payment is in progress when the backend has another one open', () => {
    const play = new Play().start().offered().choose(pseMethod).submitPse().created(breb());
    assert.equal(play.screen('paying').alreadyInProgress, true);
    assert.ok(!play.events.includes('payin-created'));
  });
});

describe('renewing', () => {
  const renewed = (play: Play) => play.do({ type: 'renew', idempotencyKey: play.key() });
  const expired = { expiresAt: iso(NOON_MS - MINUTE_MS) };

  it('creates nothing when the offer has to be read first: the payer chooses once more', () => {
    const play = new Play().start({
      config: { ...config, order: null },
      returned: { kind: 'PAYIN', id: 'breb-1' },
    });
    renewed(play.arrived(breb()));
    assert.equal(play.screen('loading').renewing, true);
    play.offered(offer({ attempt: breb() }));
    assert.equal(play.phase, 'choosing');
    assert.deepEqual(play.of('create'), []);
  });

  it('takes no other method by itself', () => {
    const bank = new Play()
      .start()
      .offered(offer({ methods: [brebMethod, keyMethod], attempt: pse(expired) }));
    assert.equal(renewed(bank).phase, 'choosing');
    const hosted = new Play()
      .start()
      .offered(
        offer({ methods: [brebMethod, pseMethod], attempt: link({ rail: 'BRE_B', status: 'EXPIRED' }) }),
      );
    assert.equal(renewed(hosted).phase, 'choosing');
  });

  it('says so when there is no method any more', () => {
    const play = new Play().start().offered(offer({ methods: [], attempt: breb() }));
    assert.equal(renewed(play).screen('failed').reason, 'no_methods');
  });
});
