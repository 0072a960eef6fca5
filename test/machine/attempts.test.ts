import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Attempt, BrebAttempt } from '../../src/contract/backend.js';
import {
  addressOf,
  amountChanged,
  amountDiffers,
  expiresAtMs,
  mayBeAuthorised,
  merge,
  openAttempt,
  paidByAnother,
  paidInFull,
  restInCents,
} from '../../src/machine/paying/attempts.js';
import { targetOf } from '../../src/machine/current.js';
import { BANK_URL, NOON_MS, Play, breb, iso, link, offer, paid, pse } from './fixtures.js';

type Settlement = Attempt['settlement'];

const settled = (facts: Partial<Settlement>): Settlement => ({
  state: 'PAID',
  by: 'breb-1',
  duplicate: false,
  ...facts,
});
const payment = { reference: 'ref-1', amountInCents: 3_000_000, at: iso(NOON_MS) };

describe('an attempt', () => {
  it('is named by its kind and id', () => {
    assert.deepEqual(targetOf(link()), { kind: 'PAYMENT_LINK', id: 'link-1' });
  });

  it('has the address of the bank or of the hosted page', () => {
    assert.equal(addressOf(link()), 'https://pay.example/l/1');
    assert.equal(addressOf(pse()), BANK_URL);
    assert.equal(addressOf(pse({ sourceData: null })), null);
    assert.equal(addressOf(breb()), null);
  });

  it('ends by the server’s clock, or never', () => {
    assert.equal(expiresAtMs(breb({ expiresAt: iso(NOON_MS) })), NOON_MS);
    assert.equal(expiresAtMs(breb()), Infinity);
  });

  it('may be with a bank while it is open and has an address', () => {
    assert.ok(mayBeAuthorised(pse()));
    assert.ok(!mayBeAuthorised(pse({ sourceData: null })));
    assert.ok(!mayBeAuthorised(pse({ status: 'DECLINED' })));
    assert.ok(!mayBeAuthorised(link()));
  });

  it('differs in its amount when other money came than was asked for', () => {
    const differs = (facts: Partial<BrebAttempt>) => amountDiffers(paid(breb(), facts));
    assert.ok(!differs({}));
    assert.ok(!differs({ confirmedAmountInCents: 5_000_000 }));
    assert.ok(differs({ confirmedAmountInCents: 4_999_999 }));
    assert.ok(differs({ confirmedAmountInCents: 5_000_001 }));
    assert.ok(differs({ settlement: settled({ state: 'AMOUNT_DIFFERS' }) }));
    assert.ok(!differs({ settlement: settled({ state: 'AMOUNT_DIFFERS', by: 'another' }) }));
    const byAnother = settled({ by: 'another' });
    assert.ok(!differs({ settlement: byAnother, confirmedAmountInCents: 3_000_000 }), 'a part of the whole');
    const byNobody = settled({ by: null });
    assert.ok(differs({ settlement: byNobody, confirmedAmountInCents: 3_000_000 }));
    const open = settled({ state: 'OPEN', by: 'another' });
    assert.ok(differs({ settlement: open, confirmedAmountInCents: 3_000_000 }));
  });

  it('leaves a rest when a part was paid, and the backend adds up', () => {
    const rest = (facts: Partial<Settlement>, attempt: Partial<BrebAttempt> = {}) =>
      restInCents(paid(breb(), { settlement: settled({ state: 'AMOUNT_DIFFERS', ...facts }), ...attempt }));
    const sums = { paidInCents: 3_000_000, orderAmountInCents: 5_000_000 };
    assert.equal(rest(sums), 2_000_000);
    assert.equal(rest({ ...sums, paidInCents: 4_999_999 }), 1);
    assert.equal(rest({ ...sums, paidInCents: 5_000_000 }), 0);
    assert.equal(rest({ ...sums, paidInCents: 6_000_000 }), 0, 'too much is no rest');
    assert.equal(rest({ paidInCents: 3_000_000 }), 0);
    assert.equal(rest({ orderAmountInCents: 5_000_000 }), 0);
    assert.equal(rest({ ...sums, state: 'PAID' }), 0);
    assert.equal(rest(sums, { status: 'PROCESSING' }), 0);
  });

  it('is paid in full when it is not a part of what another completed', () => {
    const full = (facts: Partial<Settlement>, attempt: Partial<BrebAttempt> = {}) =>
      paidInFull(paid(breb(), { settlement: settled(facts), ...attempt }));
    assert.ok(full({}));
    assert.ok(full({ by: null }));
    assert.ok(!full({ by: 'another' }));
    assert.ok(full({ by: 'another', duplicate: true }));
    assert.ok(!full({}, { status: 'PROCESSING' }));
    const part = { state: 'AMOUNT_DIFFERS', orderAmountInCents: 5_000_000 } as const;
    assert.ok(!full({ ...part, paidInCents: 4_999_999 }));
    assert.ok(full({ ...part, paidInCents: 5_000_001 }));
  });

  it('is paid by another when the order is settled by another attempt', () => {
    const byAnother = (facts: Partial<Settlement>) => paidByAnother(breb({ settlement: settled(facts) }));
    assert.ok(byAnother({ by: 'another' }));
    assert.ok(byAnother({ by: 'another', state: 'AMOUNT_DIFFERS' }));
    assert.ok(!byAnother({}));
    assert.ok(!byAnother({ by: 'another', state: 'OPEN' }));
  });
});

describe('another answer about an attempt', () => {
  const later = { version: 'v2', updatedAt: iso(NOON_MS + 1) };
  const earlier = { version: 'v0', updatedAt: iso(NOON_MS - 1) };

  it('is taken when it is newer, or as new', () => {
    assert.equal(merge(breb(), breb(later)).version, 'v2');
    assert.equal(merge(breb(), breb({ version: 'v2' })).version, 'v2');
    assert.equal(merge(breb(), breb(earlier)).version, 'v1');
  });

  it('ends an attempt whenever it was written, and never opens it again', () => {
    const declined = breb({ ...earlier, status: 'DECLINED' });
    assert.equal(merge(breb(), declined).status, 'DECLINED');
    assert.equal(merge(declined, breb(later)).status, 'DECLINED');
    assert.equal(merge(declined, paid(breb(earlier))).status, 'CONFIRMED');
    assert.equal(merge(paid(breb()), breb({ ...later, status: 'DECLINED' })).status, 'CONFIRMED');
    assert.equal(merge(declined, breb({ ...later, status: 'CANCELED' })).status, 'DECLINED');
    assert.equal(merge(declined, breb({ ...later, status: 'DECLINED' })).version, 'v2');
  });

  it('is about another payment when its kind or rail is another', () => {
    const known = breb();
    assert.equal(merge(known, pse({ ...later, id: 'breb-1' })), known);
    assert.equal(merge(known, link({ ...later, id: 'breb-1' })), known);
    assert.equal(merge(known, link({ ...later, id: 'breb-1', rail: 'BRE_B' })), known);
  });

  it('does not take the key away, nor bring back an older one', () => {
    const bare = breb({ ...later, sourceData: null });
    assert.deepEqual((merge(breb(), bare) as BrebAttempt).sourceData, breb().sourceData);
    assert.deepEqual((merge(bare, breb()) as BrebAttempt).sourceData, breb().sourceData);
    const other = { ...breb().sourceData!, keyString: '@otra' };
    const newer = breb({ ...later, sourceData: other });
    assert.deepEqual((merge(breb(), newer) as BrebAttempt).sourceData, other);
    assert.deepEqual((merge(newer, breb()) as BrebAttempt).sourceData, other);
    assert.deepEqual((merge(bare, breb({ sourceData: null })) as BrebAttempt).sourceData, null);
    assert.ok(!('sourceData' in merge(link(), link(later))));
  });

  it('keeps the settlement that has come further', () => {
    const part = settled({
      state: 'AMOUNT_DIFFERS',
      paidInCents: 3_000_000,
      orderAmountInCents: 5_000_000,
      payments: [payment],
    });
    const more = { ...part, paidInCents: 4_000_000, payments: [payment, payment] };
    const whole = settled({ ...part, state: 'PAID', paidInCents: 5_000_000 });
    const open = settled({ state: 'OPEN', by: null });
    const [without, withPart, withMore, withWhole] = [open, part, more, whole].map((settlement) =>
      breb({ settlement }),
    ) as [BrebAttempt, BrebAttempt, BrebAttempt, BrebAttempt];
    assert.equal(merge(without, withPart).settlement.state, 'AMOUNT_DIFFERS');
    assert.equal(merge(withPart, without).settlement.state, 'AMOUNT_DIFFERS');
    assert.equal(merge(withPart, withMore).settlement.paidInCents, 4_000_000);
    assert.equal(merge(withMore, withPart).settlement.paidInCents, 4_000_000);
    assert.equal(merge(withPart, withWhole).settlement.state, 'PAID');
    assert.equal(merge(withWhole, withPart).settlement.state, 'PAID');
    assert.equal(merge(without, breb({ settlement: settled({}) })).settlement.state, 'PAID');
  });

  it('stays a double payment', () => {
    const twice = paid(breb(), { settlement: settled({ duplicate: true }) });
    assert.equal(merge(twice, paid(breb(later))).settlement.duplicate, true);
    assert.equal(merge(paid(breb()), { ...twice, ...later }).settlement.duplicate, true);
    assert.equal(merge(paid(breb()), paid(breb(later))).settlement.duplicate, false);
  });
});

describe('an attempt on the screen', () => {
  it('asks before it is left while it can be paid', () => {
    const expiresAt = iso(NOON_MS + 60_000);
    assert.equal(openAttempt(new Play().start().offered().state), null);
    assert.equal(openAttempt(new Play().paying().do({ type: 'another-method' }).state)?.id, 'breb-1');
    assert.equal(openAttempt(new Play().paying(breb({ expiresAt })).later(60_000).state), null);
    assert.equal(openAttempt(new Play().paying().arrived(breb({ status: 'DECLINED' })).state), null);
  });

  it('differs from the order’s amount only while it is open and the offer is known', () => {
    const at = (amountInCents: number, attempt: Attempt) =>
      amountChanged(new Play().start().offered(offer({ amountInCents, attempt })).state);
    assert.equal(at(7_000_000, breb()), true);
    assert.equal(at(5_000_000, breb()), false);
    assert.equal(at(7_000_000, breb({ status: 'DECLINED' })), false);
    assert.equal(amountChanged(new Play().start().state), false);
    const alone = new Play().start({ returned: { kind: 'PAYIN', id: 'pse-1' } }).arrived(pse());
    assert.equal(amountChanged(alone.state), false);
  });
});
