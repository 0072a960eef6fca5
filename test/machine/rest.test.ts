import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { BrebAttempt } from '../../src/contract/backend.js';
import { merge } from '../../src/machine/paying/attempts.js';
import { NOON_MS, Play, breb, iso, offer, paid, problem } from './fixtures.js';

const payment = (reference: string, amountInCents: number) => ({
  reference,
  amountInCents,
  at: iso(NOON_MS),
});

/** The order costs 50.000 and got 30.000. */
const part = paid(breb(), {
  confirmedAmountInCents: 3_000_000,
  settlement: {
    state: 'AMOUNT_DIFFERS',
    by: 'breb-1',
    duplicate: false,
    paidInCents: 3_000_000,
    orderAmountInCents: 5_000_000,
    payments: [payment('ref-1', 3_000_000)],
  },
});
const restOffer = offer({ version: 'o1.3000000', amountInCents: 2_000_000, attempt: part });
const rest = breb({ id: 'breb-2', amountInCents: 2_000_000 });
const whole = (attempt: BrebAttempt, duplicate = false) =>
  paid(attempt, {
    version: 'v9',
    settlement: {
      state: 'PAID',
      by: 'breb-2',
      duplicate,
      orderAmountInCents: 5_000_000,
      payments: [payment('ref-1', 3_000_000), payment('ref-2', 2_000_000)],
    },
  });

const choosing = () => new Play().paying().arrived(part).do({ type: 'pay-rest' }).offered(restOffer);

describe('too little was paid', () => {
  it('is asked for by a new offer, and paying it completes the order', () => {
    const play = new Play().paying().arrived(part);
    assert.equal(play.phase, 'amount-differs');
    play.do({ type: 'pay-rest' });
    assert.equal(play.phase, 'loading');
    play.offered(restOffer);
    assert.equal(play.screen('choosing').offer.amountInCents, 2_000_000);
    play.choose();
    const { request } = play.last('create');
    assert.equal(request.body.offerVersion, 'o1.3000000');
    assert.equal(request.body.replaces, undefined, 'a paid attempt is not replaced');
    play.created(rest);
    assert.equal(play.phase, 'paying');
    play.arrived(whole(rest));
    assert.equal(play.phase, 'confirmed');
    assert.deepEqual(
      play.events.filter((name) => name === 'payin-confirmed'),
      ['payin-confirmed', 'payin-confirmed'],
      'one for each attempt',
    );
  });

  it('can be gone back to', () => {
    assert.equal(choosing().do({ type: 'back' }).phase, 'amount-differs');
  });

  it('is shown again after a reload', () => {
    assert.equal(new Play().start().offered(restOffer).phase, 'amount-differs');
  });

  it('does not interrupt the payer who pays the rest, unless the order was completed meanwhile', () => {
    const play = choosing().arrived(part);
    assert.equal(play.phase, 'choosing');
    play.arrived(whole(breb({ confirmedAmountInCents: 3_000_000 })));
    assert.equal(play.phase, 'confirmed');
  });

  it('is remembered as it last was, while the payer chooses how to pay the rest', () => {
    const payments = [payment('ref-1', 3_000_000), payment('ref-3', 1_000_000)];
    const more = { ...part.settlement, paidInCents: 4_000_000, payments };
    const play = choosing().arrived({ ...part, version: 'v8', settlement: more });
    assert.equal(play.phase, 'choosing');
    play.do({ type: 'back' });
    assert.equal(play.screen('amount-differs').attempt.settlement.paidInCents, 4_000_000);
  });

  it('is not asked for again when the order was completed in another tab', () => {
    const play = choosing()
      .choose()
      .refused(problem('already_paid', { attempt: whole(rest) }));
    assert.equal(play.phase, 'confirmed');
  });

  it('is a double payment once the backend says so', () => {
    const play = choosing().choose().created(rest).arrived(whole(rest, true));
    assert.equal(play.phase, 'duplicate');
  });

  it('is never believed again once the whole was paid, nor that it was paid once after it was twice', () => {
    const later = { version: 'v10', updatedAt: iso(NOON_MS + 1_000) };
    const verdict = merge(whole(rest), {
      ...rest,
      ...later,
      status: 'CONFIRMED',
      settlement: part.settlement,
    });
    assert.deepEqual(verdict.settlement, whole(rest).settlement);
    const twice = merge(whole(rest, true), { ...whole(rest), ...later });
    assert.deepEqual([twice.version, twice.settlement], ['v10', whole(rest, true).settlement]);
  });

  it('is not asked for where the backend does not add payments up', () => {
    const basic = paid(breb(), {
      confirmedAmountInCents: 3_000_000,
      settlement: { state: 'AMOUNT_DIFFERS', by: 'breb-1', duplicate: false },
    });
    assert.equal(new Play().paying().arrived(basic).do({ type: 'pay-rest' }).phase, 'amount-differs');
  });
});
