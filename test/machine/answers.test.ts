import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Failure, Hint } from '../../src/machine/input.js';
import {
  NOON_MS,
  Play,
  breb,
  brebMethod,
  config,
  iso,
  keyMethod,
  link,
  network,
  offer,
  paid,
  problem,
  pse,
  pseMethod,
} from './fixtures.js';

const MINUTE_MS = 60_000;

describe('a checkout', () => {
  /** It changes no screen, and causes no effect. */
  function changesNothing(play: Play, answer: (play: Play) => unknown): void {
    const before = play.state;
    const asked = play.effects.length;
    answer(play);
    assert.equal(play.state, before);
    assert.equal(play.effects.length, asked);
  }

  it('ignores an offer that comes while the payer is already paying', () => {
    changesNothing(new Play().start().offered().choose(), (play) => play.offered(offer({ version: 'o2' })));
    changesNothing(new Play().paying(), (play) => play.offered(offer({ version: 'o2' })));
  });

  it('ignores an offer that comes after its load was shown as failed', () => {
    const play = new Play().start({ config: { ...config, rails: ['PSE'] } });
    play.offered(offer({ methods: [brebMethod] }));
    changesNothing(play, () => play.offered(offer({ attempt: breb() })));
  });

  it('ignores the failure of an earlier read, or of one that was answered', () => {
    const play = new Play().start().start();
    changesNothing(play, () => play.do({ type: 'offer-failed', run: play.state.run - 1, failure: network }));
    play.offered();
    changesNothing(play, () => play.unread());
  });

  it('ignores the answer to another create, or to one that ended', () => {
    const refused = {
      type: 'create-failed',
      idempotencyKey: 'another-key-00000001',
      failure: network,
    } as const;
    changesNothing(new Play().start().offered().choose(), (play) => play.do(refused));
    const play = new Play().start().offered().choose();
    const { idempotencyKey } = play.screen('creating');
    play.created(breb());
    changesNothing(play, () => play.do({ ...refused, idempotencyKey }));
    changesNothing(play, () => play.do({ type: 'created', idempotencyKey, attempt: breb() }));
  });

  it('ignores another attempt than the one the payer comes back to', () => {
    const play = new Play().start({ returned: { kind: 'PAYIN', id: 'pse-1' } });
    changesNothing(play, () => play.arrived(pse({ id: 'pse-2' })));
    changesNothing(play, () => play.do({ type: 'attempt-missing', id: 'pse-2' }));
    play.arrived(pse());
    changesNothing(play, () => play.do({ type: 'attempt-missing', id: 'pse-1' }));
  });
});

describe('the clock of the server', () => {
  /** The device is five minutes behind. */
  const now = iso(NOON_MS + 5 * MINUTE_MS);
  const expiresAt = iso(NOON_MS + 10 * MINUTE_MS);
  const inFiveMinutes = NOON_MS + 5 * MINUTE_MS;

  it('is known by an offer', () => {
    const play = new Play().start().offered(offer({ now, attempt: breb({ expiresAt }) }));
    assert.equal(play.last('schedule').atMs, inFiveMinutes);
  });

  it('is known by the attempt that the payer comes back to', () => {
    const play = new Play().start({ returned: { kind: 'PAYMENT_LINK', id: 'link-1' } });
    play.arrived(link({ now, expiresAt })).later(MINUTE_MS);
    assert.equal(play.last('schedule').atMs, inFiveMinutes);
  });

  it('is known by every later answer', () => {
    const play = new Play().paying(breb({ expiresAt })).arrived(breb({ now, expiresAt, version: 'v2' }));
    assert.equal(play.last('schedule').atMs, inFiveMinutes);
  });
});

describe('an offer that is read again', () => {
  it('is still the offer of an attempt that this tab remembered', () => {
    const hint: Hint = {
      attempt: { kind: 'PAYIN', id: 'breb-1' },
      idempotencyKey: 'key-0000000000001',
      answered: true,
      choice: { kind: 'PAYIN', rail: 'BRE_B', keyType: 'QR_CODE' },
    };
    const play = new Play().start({ hint }).offered(offer(), 'BASIC').arrived(breb());
    assert.deepEqual(play.screen('paying').offer, offer());
    play.do({ type: 'another-method' });
    assert.equal(play.phase, 'choosing');
  });

  it('does not say "already in progress" of the order’s own attempt', () => {
    const play = new Play().start().offered(offer({ attempt: breb() }));
    assert.equal(play.screen('paying').alreadyInProgress, false);
  });

  it('does not show another attempt that ended without money', () => {
    const play = new Play().paying().do({ type: 'another-method' });
    const declined = breb({ id: 'breb-9', status: 'DECLINED' });
    play.offered(offer({ version: 'o2', attempt: declined }));
    assert.equal(play.screen('choosing').replacing?.id, 'breb-1');
  });

  it('shows the receipt when the attempt that the payer comes from has paid in full', () => {
    const sums = { by: 'breb-1', duplicate: false, orderAmountInCents: 5_000_000 };
    const part = paid(breb(), { settlement: { ...sums, state: 'AMOUNT_DIFFERS', paidInCents: 3_000_000 } });
    const whole = paid(breb(), { settlement: { ...sums, state: 'PAID', paidInCents: 5_000_000 } });
    const play = new Play().paying().arrived(part).do({ type: 'pay-rest' });
    play.offered(offer({ version: 'o2', attempt: part }));
    assert.equal(play.phase, 'choosing');
    play.offered(offer({ version: 'o3', attempt: whole }));
    assert.equal(play.phase, 'confirmed');
  });

  it('leaves a failed create on the screen when it brings no other attempt', () => {
    const play = new Play().paying().do({ type: 'another-method' }).choose().refused(network);
    play.offered(offer({ attempt: breb() }));
    assert.equal(play.screen('failed').reason, 'network');
  });

  it('says what the price was only when the offer is another one', () => {
    const play = new Play().start().offered().do({ type: 'check' }).offered();
    assert.equal(play.screen('choosing').changed, null);
  });

  it('keeps a choice that waits for the next act when the same offer comes once more', () => {
    const play = new Play().start().offered().do({ type: 'check' });
    const [method] = play.screen('choosing').methods;
    assert.ok(method);
    assert.equal(play.offered(structuredClone(offer())).choose(method).phase, 'creating');
  });

  it('drops a choice of another offer, and says what the price was until the payer has chosen', () => {
    const play = new Play().start().offered().do({ type: 'check' });
    const [method] = play.screen('choosing').methods;
    assert.ok(method);
    const dearer = offer({ version: 'o2', amountInCents: 6_000_000 });
    play.offered(structuredClone(dearer)).choose(method).offered(structuredClone(dearer));
    assert.deepEqual(play.screen('choosing').changed, { previousAmountInCents: 5_000_000 });
  });

  it('updates the attempt that the payer comes from', () => {
    const play = new Play().paying().do({ type: 'another-method' });
    const longer = breb({ version: 'v2', expiresAt: iso(NOON_MS + MINUTE_MS) });
    play.offered(offer({ attempt: longer }));
    assert.equal(play.screen('choosing').replacing?.version, 'v2');
  });
});

const wrong = (field: string) => ({ field, code: 'format' }) as const;

describe('a create that was refused', () => {
  const refused = (failure: Failure) =>
    new Play().start().offered().choose(pseMethod).submitPse().refused(failure);

  it('is not asked for again by the same key once the backend has decided', () => {
    assert.equal(refused(problem('service_refused')).last('remember').hint.answered, true);
    assert.equal(refused(network).last('remember').hint.answered, false);
  });

  it('leaves the key open for each reason that leaves open what happened', () => {
    const key = (failure: Failure) => {
      const { doing } = refused(failure).screen('failed');
      return doing.step === 'CREATE' && doing.idempotencyKey !== null;
    };
    for (const code of [
      'rate_limited',
      'internal_error',
      'service_unavailable',
      'store_unavailable',
    ] as const) {
      assert.ok(key(problem(code)), code);
      assert.ok(key(problem(code, { attempt: pse() })), `${code}, with an open attempt`);
      assert.ok(
        !key(problem(code, { attempt: pse({ status: 'CANCELED' }) })),
        `${code}, with one that ended`,
      );
    }
    for (const kind of ['NETWORK', 'TIMEOUT', 'MALFORMED', 'HTTP'] as const) {
      assert.ok(key({ kind, problem: null, retryAfterMs: null }), kind);
    }
    assert.ok(!key({ kind: 'MISCONFIGURED', problem: null, retryAfterMs: null }));
    assert.ok(!key(problem('service_refused')));
  });

  it('says why, for each kind of failure', () => {
    const reason = (kind: Failure['kind']) =>
      refused({ kind, problem: null, retryAfterMs: null }).screen('failed').reason;
    assert.deepEqual(
      (['NETWORK', 'TIMEOUT', 'MALFORMED', 'HTTP', 'MISCONFIGURED', 'PART_MISSING', 'PROBLEM'] as const).map(
        reason,
      ),
      ['network', 'network', 'malformed', 'internal_error', 'misconfigured', 'part_missing', 'malformed'],
    );
  });

  it('says when it may be tried again', () => {
    const play = refused({ ...problem('rate_limited'), retryAfterMs: 7_000 });
    assert.equal(play.screen('failed').retryAtMs, NOON_MS + 7_000);
    assert.equal(refused(network).screen('failed').retryAtMs, null);
  });

  it('puts only what its own form asks for back into it', () => {
    const errors = ['inlineCustomer.phone', 'pse.bank', 'breb.keyType', 'callbackUrl'].map(wrong);
    const form = refused(problem('invalid_request', { status: 400, errors })).screen('details');
    assert.deepEqual(form.problems, [
      { field: 'phone', code: 'format' },
      { field: 'bank', code: 'format' },
    ]);
    assert.deepEqual([form.method, form.replacing, form.changed], [pseMethod, null, null]);
    assert.deepEqual(form.methods, [brebMethod, pseMethod]);
    assert.deepEqual(form.offer, offer());
  });

  it('is a failure when the form cannot ask for what is wrong', () => {
    for (const errors of [[wrong('pse.bank')], [], undefined]) {
      const play = new Play()
        .start()
        .offered()
        .choose()
        .refused(problem('invalid_request', { status: 400, ...(errors && { errors }) }));
      assert.equal(play.screen('failed').reason, 'invalid_request');
    }
  });

  it('goes back to the form of a key that asks for a name', () => {
    const method = { ...keyMethod, requires: ['name'] } as typeof keyMethod;
    const play = new Play()
      .start()
      .offered(offer({ methods: [method, pseMethod] }))
      .choose(method);
    play.do({
      type: 'submit',
      choice: { kind: 'PAYIN', rail: 'BRE_B', keyType: 'SINGLE_USE', customer: { name: 'A' } },
      idempotencyKey: play.key(),
    });
    const { body } = play.last('create').request;
    assert.deepEqual('inlineCustomer' in body && body.inlineCustomer, { name: 'A' });
    const errors = [wrong('inlineCustomer.name')];
    play.refused(problem('invalid_request', { status: 400, errors }));
    assert.deepEqual(play.screen('details').problems, [{ field: 'name', code: 'format' }]);
    assert.equal(play.screen('details').method, method);
  });

  it('is announced when the offer is another one now', () => {
    const changed = offer({ version: 'o2', amountInCents: 6_000_000 });
    const play = refused(problem('offer_changed', { offer: changed }));
    assert.deepEqual(play.screen('choosing').changed, { previousAmountInCents: 5_000_000 });
    assert.deepEqual(
      play
        .of('announce')
        .map(({ message }) => message)
        .slice(-2),
      ['offer-changed', 'choosing'],
    );
  });

  it('shows what paid the order meanwhile, and does not call it in progress', () => {
    const play = refused(problem('already_paid', { attempt: paid(breb()) }));
    assert.equal(play.screen('confirmed').attempt.id, 'breb-1');
    assert.deepEqual(play.screen('confirmed').offer, offer());
    assert.equal(play.state.connection, 'OK');
  });

  it('shows the current attempt with the offer, by the server’s clock', () => {
    const now = iso(NOON_MS + MINUTE_MS);
    const play = refused(problem('not_current', { attempt: breb({ now }) }));
    assert.deepEqual(play.screen('paying').offer, offer());
    assert.equal(play.state.clockOffsetMs, MINUTE_MS);
  });

  it('reads the offer when a conflict does not say about what, keeping what it was to replace', () => {
    for (const code of ['offer_changed', 'pse_in_progress', 'already_paid', 'not_current'] as const) {
      const play = new Play().paying().do({ type: 'another-method' }).choose().refused(problem(code));
      assert.equal(play.screen('loading').replacing?.id, 'breb-1', code);
      assert.equal(play.screen('loading').order, 'A-1042');
      assert.deepEqual(play.of('load-offer').length, 2);
      const { event } = play.of('emit').at(-1)!;
      assert.notEqual(event.type, 'checkout-error');
    }
  });

  it('reads the offer when it is blocked by what is no payment at a bank', () => {
    assert.equal(refused(problem('pse_in_progress', { attempt: breb() })).phase, 'loading');
    assert.equal(refused(problem('pse_in_progress', { attempt: link() })).phase, 'loading');
  });

  it('shows what became of a payment at a bank that is over', () => {
    const play = refused(problem('pse_in_progress', { attempt: paid(pse()) }));
    assert.equal(play.phase, 'confirmed');
    assert.deepEqual(play.screen('confirmed').offer, offer());
    assert.ok(!play.of('announce').some(({ message }) => message === 'blocked'));
  });

  it('keeps what it was about, so that it can be tried again as it was', () => {
    const play = new Play().redirecting().do({ type: 'back' }, { type: 'another-method' }).choose();
    const { idempotencyKey } = play.screen('creating');
    play.refused(network);
    assert.deepEqual(play.screen('failed').doing, {
      step: 'CREATE',
      offer: offer(),
      methods: [brebMethod, pseMethod],
      replacing: pse(),
      choice: { kind: 'PAYIN', rail: 'BRE_B', keyType: 'QR_CODE' },
      idempotencyKey,
      override: true,
    });
    play.do({ type: 'retry', idempotencyKey: 'fresh-key-000001' });
    const again = play.last('create');
    assert.deepEqual(
      [again.idempotencyKey, again.request.body.replaces, again.request.body.override],
      [idempotencyKey, 'pse-1', true],
    );
  });

  it('is looked for by the attempt’s own order where the page has none', () => {
    const play = new Play().start({
      config: { ...config, order: null },
      returned: { kind: 'PAYIN', id: 'pse-1' },
    });
    play.arrived(pse({ status: 'DECLINED' })).do({ type: 'another-method' });
    play
      .offered(offer({ attempt: pse({ status: 'DECLINED' }) }))
      .choose()
      .refused(network);
    assert.equal(play.last('load-offer').order, 'A-1042');
    assert.equal(play.of('load-offer').length, 2);
    const conflict = play.do({ type: 'retry', idempotencyKey: play.key() }).refused(problem('already_paid'));
    assert.equal(conflict.screen('loading').order, 'A-1042');
  });
});
