import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { ALL_DAY, close, iso, open, START } from './reconcile-world.js';

/** What a comparison with the service says of links and the payins that paid them. */

afterEach(close);

test('a link that was paid is found by the payin that paid it, and nothing of it is missing there', async () => {
  const { checkout, results, startLink, engine, told } = await open();
  const { link } = await startLink({}, 'a');
  const [made] = engine.links;
  assert.ok(made);
  const payin = engine.payLink(made.id, { rail: 'BRE_B', keyType: 'QR_CODE' });
  assert.deepEqual(await results(), [[link.reference, 'same']], 'begun on both sides');
  engine.settle(payin.id, 'CONFIRMED');
  assert.deepEqual(await results({ dryRun: true }), [[link.reference, 'differs']]);
  const { payments } = await checkout.reconcile(ALL_DAY);
  assert.deepEqual(payments, [
    {
      createdAt: iso(START),
      reference: link.reference,
      serviceId: payin.id,
      order: 'a',
      rail: 'BRE_B',
      theirStatus: 'CONFIRMED',
      ourStatus: 'CONFIRMED',
      theirsInCents: 500_000,
      oursInCents: 500_000,
      result: 'settled',
    },
  ]);
  assert.deepEqual(
    told.map(({ hook, order }) => [hook, order]),
    [['onConfirmed', 'a']],
  );
  assert.deepEqual(await results(), [[link.reference, 'same']]);
});

test('a payin of a link leads to its order also under a reference of its own', async () => {
  const own = 'made-by-the-service';
  const { results, startLink, engine } = await open({
    show: (page) => ({ ...page, data: page.data.map((payin) => ({ ...payin, reference: own })) }),
  });
  await startLink({}, 'a');
  const [made] = engine.links;
  assert.ok(made);
  engine.settle(engine.payLink(made.id, { rail: 'BRE_B', keyType: 'QR_CODE' }).id, 'CONFIRMED');
  assert.deepEqual(await results(), [[own, 'settled']]);
  assert.deepEqual(await results(), [[own, 'same']]);
});

test('a payin of a link that was declined is no difference while the link is open', async () => {
  const { results, startLink, engine } = await open();
  const { link } = await startLink({}, 'a');
  const [made] = engine.links;
  assert.ok(made);
  engine.settle(engine.payLink(made.id, { rail: 'BRE_B', keyType: 'QR_CODE' }).id, 'DECLINED');
  assert.deepEqual(await results(), [[link.reference, 'same']]);
});

test('a link that failed once and was then paid has its money once', async () => {
  const { checkout, startLink, engine } = await open();
  await startLink({}, 'a');
  const [made] = engine.links;
  assert.ok(made);
  const pay = () => engine.payLink(made.id, { rail: 'BRE_B', keyType: 'QR_CODE' }).id;
  engine.settle(pay(), 'DECLINED');
  engine.settle(pay(), 'CONFIRMED');
  for (const result of ['settled', 'same']) {
    const { payments, theirsInCents, oursInCents } = await checkout.reconcile(ALL_DAY);
    assert.deepEqual(
      payments.map((line) => [line.theirStatus, line.theirsInCents, line.oursInCents, line.result]),
      [
        ['CONFIRMED', 500_000, 500_000, result],
        ['DECLINED', 0, 0, 'same'],
      ],
    );
    assert.deepEqual([theirsInCents, oursInCents], [500_000, 500_000]);
  }
});

test('of a link that several payins have paid, each has what it brought, and one that is not listed is missing there', async () => {
  let isHidden = false;
  const { checkout, startLink, engine } = await open({
    show: (page) => (isHidden ? { ...page, data: page.data.slice(0, 1) } : page),
  });
  const { link } = await startLink({}, 'a');
  const [made] = engine.links;
  assert.ok(made);
  const pay = () => engine.payLink(made.id, { rail: 'BRE_B', keyType: 'QR_CODE' }).id;
  const [first, second] = [pay(), pay()];
  engine.settle(first, 'CONFIRMED', { confirmedAmountInCents: 300_000 });
  engine.settle(second, 'CONFIRMED', { confirmedAmountInCents: 200_000 });
  const lines = async () => {
    const { payments, theirsInCents, oursInCents } = await checkout.reconcile(ALL_DAY);
    for (const { reference } of payments) assert.equal(reference, link.reference);
    const all = payments.map((line) => [line.theirsInCents, line.oursInCents, line.result]);
    return [...all, [theirsInCents, oursInCents]];
  };
  assert.deepEqual(await lines(), [
    [200_000, 200_000, 'settled'],
    [300_000, 300_000, 'settled'],
    [500_000, 500_000],
  ]);
  isHidden = true;
  assert.deepEqual(await lines(), [
    [200_000, 200_000, 'same'],
    [0, 300_000, 'missing_there'],
    [200_000, 500_000],
  ]);
});
