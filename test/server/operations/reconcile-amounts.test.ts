import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { ALL_DAY, close, open } from './reconcile-world.js';

/** Their money where the service leaves the cents out and says `amount` alone. */

afterEach(close);

for (const mishap of ['amount-in-cents-omitted', 'amount-as-cents'] as const) {
  test(`with ${mishap} their money is what arrived, and another amount is a difference`, async () => {
    let shown: object = {};
    const { checkout, startBreb, engine, payinOf } = await open({
      show: (page) => ({ ...page, data: page.data.map((payin) => ({ ...payin, ...shown })) }),
    });
    engine.setMishap('amount-in-cents-omitted', true);
    engine.setMishap(mishap, true);
    const { attempt } = await startBreb({}, 'a');
    engine.settle(payinOf(attempt.reference).id, 'CONFIRMED');
    const compare = async (more: object, dryRun = false) => {
      shown = more;
      const { payments, theirsInCents, oursInCents } = await checkout.reconcile({ ...ALL_DAY, dryRun });
      return [payments[0]?.result, theirsInCents, oursInCents];
    };
    assert.deepEqual(await compare({}, true), ['differs', 500_000, 0], 'the order tells the unit');
    assert.deepEqual(await compare({}), ['settled', 500_000, 500_000]);
    assert.deepEqual(await compare({}), ['same', 500_000, 500_000]);
    const unit = mishap === 'amount-as-cents' ? 100 : 1;
    assert.deepEqual(await compare({ confirmedAmount: 4_000 * unit }), ['differs', 400_000, 500_000]);
    assert.deepEqual(await compare({ confirmedAmount: null }), ['same', 500_000, 500_000]);
    assert.deepEqual(
      await compare({ amount: 4_000, confirmedAmount: null }),
      ['differs', 400_000, 500_000],
      'an amount that is neither is pesos',
    );
  });
}

test('a second payin under a known reference is counted by what the order asked for, before it is adopted', async () => {
  const { checkout, startBreb, payinElsewhere, payinOf, engine } = await open();
  const { reference } = (await startBreb({}, 'a')).attempt;
  engine.settle(payinOf(reference).id, 'CONFIRMED');
  for (const mishap of ['repeated-references', 'amount-in-cents-omitted', 'amount-as-cents'] as const)
    engine.setMishap(mishap, true);
  engine.settle(payinElsewhere(reference, { amountInCents: 500_000 }).id, 'CONFIRMED');
  const { theirsInCents } = await checkout.reconcile({ ...ALL_DAY, dryRun: true });
  assert.equal(theirsInCents, 1_000_000);
});

test('money that is no order’s is counted where only the pesos are said, and not given back by a guess', async () => {
  const { checkout, payinElsewhere, engine } = await open();
  engine.setMishap('amount-in-cents-omitted', true);
  const { id } = payinElsewhere('another-system');
  const run = async () => (await checkout.reconcile(ALL_DAY)).theirsInCents;
  assert.equal(await run(), 0, 'it is not paid');
  assert.equal(await checkout.refunds.returnable({ payment: id }), 0);
  engine.settle(id, 'CONFIRMED');
  assert.equal(await run(), 70_000);
  assert.equal(await checkout.refunds.returnable({ payment: id }), 0);
});
