import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import type { ReconciledPayment, ReconcilePage } from '../../../src/server.js';
import { KEY_ONLY } from '../world.js';
import { ALL_DAY, close, iso, NOTHING_OUT, open, START } from './reconcile-world.js';

/** What a comparison with the service says of each payment. */

afterEach(close);

test('each line says what both sides have, and the sums add them up', async () => {
  const { checkout, startBreb, startPse, payinElsewhere, payinOf, engine, told } = await open();
  const paid = (await startBreb({}, 'a')).attempt;
  const still = (await startPse({}, 'b')).attempt;
  const declined = (await startBreb({}, 'c')).attempt;
  const foreign = payinElsewhere('another-system-1');
  const lone = payinElsewhere('another-system-2');
  engine.settle(payinOf(paid.reference).id, 'CONFIRMED', { confirmedAmountInCents: 400_000 });
  engine.settle(payinOf(declined.reference).id, 'DECLINED');
  engine.settle(foreign.id, 'CONFIRMED');
  const line = (reference: string, more: Partial<ReconciledPayment>): ReconciledPayment => ({
    createdAt: iso(START),
    reference,
    serviceId: payinOf(reference).id,
    order: null,
    rail: 'BRE_B',
    theirStatus: 'PROCESSING',
    ourStatus: null,
    theirsInCents: 0,
    oursInCents: 0,
    result: 'unknown_order',
    ...more,
  });
  const strangers = [
    line(lone.reference, {}),
    line(foreign.reference, { theirStatus: 'CONFIRMED', theirsInCents: 70_000 }),
  ];
  const open1 = line(still.reference, {
    order: 'b',
    rail: 'PSE',
    theirStatus: 'PENDING',
    ourStatus: 'PENDING',
    result: 'same',
  });
  const ours = {
    declined: { order: 'c', theirStatus: 'DECLINED' },
    paid: { order: 'a', theirStatus: 'CONFIRMED', theirsInCents: 400_000 },
  };
  assert.deepEqual(await checkout.reconcile({ ...ALL_DAY, dryRun: true }), {
    payments: [
      ...strangers,
      line(declined.reference, { ...ours.declined, ourStatus: 'PROCESSING', result: 'differs' }),
      open1,
      line(paid.reference, { ...ours.paid, ourStatus: 'PROCESSING', result: 'differs' }),
    ],
    theirsInCents: 470_000,
    oursInCents: 0,
    moneyOut: NOTHING_OUT,
    netInCents: 0,
    cursor: null,
    stoppedBy: null,
  });
  assert.deepEqual(told, []);
  const settled = [
    line(declined.reference, { ...ours.declined, ourStatus: 'DECLINED', result: 'settled' }),
    open1,
    line(paid.reference, { ...ours.paid, ourStatus: 'CONFIRMED', oursInCents: 400_000, result: 'settled' }),
  ];
  const sums = {
    theirsInCents: 470_000,
    oursInCents: 400_000,
    moneyOut: NOTHING_OUT,
    netInCents: 400_000,
    cursor: null,
    stoppedBy: null,
  };
  assert.deepEqual(await checkout.reconcile(ALL_DAY), { payments: [...strangers, ...settled], ...sums });
  assert.deepEqual(await checkout.reconcile(ALL_DAY), {
    payments: [...strangers, ...settled.map((each) => ({ ...each, result: 'same' }))],
    ...sums,
  });
});

test('a time runs from its first moment to before its last, and has one', async () => {
  const { checkout, results, payinElsewhere, clock } = await open();
  const from = START + 10_000;
  const to = from + 5_000;
  for (const at of [from - 1, from, to - 1, to]) {
    await clock.advance(at - clock.now());
    payinElsewhere(`at-${at - from}`);
  }
  const span = { from: new Date(from), to: new Date(to) };
  assert.deepEqual(await results(span), [
    ['at-4999', 'unknown_order'],
    ['at-0', 'unknown_order'],
  ]);
  for (const wrong of [{ to: span.from }, { to: new Date(from - 1) }, { from: new Date(Number.NaN) }])
    await assert.rejects(checkout.reconcile({ ...span, ...wrong }), RangeError);
});

test('a list that runs backwards is read until it is past the time, any other to its end', async () => {
  const from = START;
  const cases: readonly (readonly [string, readonly (readonly number[])[], number])[] = [
    ['past with the second page', [[3], [1, -1], [-2]], 2],
    ['made at the same moment', [[1, 1], [-1], [-2]], 2],
    ['the first moment is not past', [[1], [0], [-1], [-2]], 3],
    ['forwards', [[-2, -1], [1], [2]], 3],
    ['in no order', [[1], [2, -1], [1]], 3],
  ];
  for (const [name, pages, asked] of cases) {
    const { results, payinElsewhere, requests } = await open({
      show: ({ data: [payin] }, cursor) => {
        const page = Number(cursor ?? 0);
        const isLast = page + 1 === pages.length;
        assert.ok(payin);
        return {
          data: (pages[page] ?? []).map((offset) => ({
            ...payin,
            reference: `at ${offset}`,
            createdAt: iso(from + offset * 1_000),
          })),
          pageInfo: {
            hasNext: !isLast,
            nextCursor: isLast ? null : String(page + 1),
            hasPrevious: false,
            previousCursor: null,
          },
        };
      },
    });
    payinElsewhere('another-system');
    const found = await results({ from: new Date(from) });
    assert.equal(requests.filter((request) => request === 'GET /payins').length, asked, name);
    const within = pages
      .slice(0, asked)
      .flat()
      .filter((offset) => offset >= 0);
    assert.deepEqual(
      found.map(([reference]) => reference),
      within.map((offset) => `at ${offset}`),
      name,
    );
    await close();
  }
});

test('onPage gets each page of a run, and an error that it throws is passed on', async () => {
  const { checkout, payinElsewhere } = await open();
  for (let index = 0; index < 101; index++) payinElsewhere(`another-system-${index}`, KEY_ONLY);
  const pages: ReconcilePage[] = [];
  const { payments } = await checkout.reconcile({ ...ALL_DAY, onPage: (page) => void pages.push(page) });
  assert.equal(payments.length, 101);
  const [first, second, ...more] = pages;
  assert.ok(first && first.cursor !== null);
  assert.deepEqual(first, { payments: payments.slice(0, 100), pages: 1, cursor: first.cursor });
  assert.deepEqual(second, { payments: payments.slice(100), pages: 2, cursor: null });
  assert.deepEqual(more, []);
  const failure = new Error('the file is full');
  const onPage = () => {
    throw failure;
  };
  await assert.rejects(checkout.reconcile({ ...ALL_DAY, onPage }), failure);
});

test('what is paid on both sides must be the same money, in whatever field the service says how much', async () => {
  let shown: object = {};
  const { checkout, startBreb, engine, payinOf, requests } = await open({
    show: (page) => ({ ...page, data: page.data.map((payin) => ({ ...payin, ...shown })) }),
  });
  const { attempt } = await startBreb({}, 'a');
  engine.settle(payinOf(attempt.reference).id, 'CONFIRMED');
  await checkout.reconcile(ALL_DAY);
  const compare = async (more: object) => {
    shown = more;
    const {
      payments: [line],
      theirsInCents,
      oursInCents,
    } = await checkout.reconcile(ALL_DAY);
    return [line?.result, theirsInCents, oursInCents];
  };
  assert.deepEqual(await compare({}), ['same', 500_000, 500_000]);
  const renamed = { reference: 'renamed-by-the-service' };
  assert.deepEqual(await compare(renamed), ['same', 500_000, 500_000], 'its id tells which it is');
  assert.deepEqual(await compare({ confirmedAmountInCents: null }), ['same', 500_000, 500_000]);
  assert.deepEqual(await compare({ confirmedAmountInCents: 400_000 }), ['differs', 400_000, 500_000]);
  const unsaid = { amountInCents: null, confirmedAmountInCents: null };
  assert.deepEqual(await compare(unsaid), ['same', 500_000, 500_000]);
  const asked = requests.length;
  assert.deepEqual(await compare({ status: 'PROCESSING' }), ['differs', 0, 500_000]);
  assert.deepEqual(requests.slice(asked), ['GET /payins'], 'what has no outcome there is not read');
  assert.deepEqual(await compare({ status: 'DECLINED' }), ['differs', 0, 500_000]);
});

test('an end without money is the same by any name, and not the same as none', async () => {
  let status = 'DECLINED';
  const { results, startBreb, engine, payinOf, clock } = await open({
    show: (page) => ({ ...page, data: page.data.map((payin) => ({ ...payin, status })) }),
  });
  const { reference } = (await startBreb({}, 'a')).attempt;
  assert.deepEqual(await results(), [[reference, 'differs']], 'a read says that it is open');
  engine.settle(payinOf(reference).id, 'DECLINED');
  await clock.advance(60_000);
  assert.deepEqual(await results(), [[reference, 'settled']]);
  status = 'CANCELED';
  assert.deepEqual(await results(), [[reference, 'same']]);
  status = 'PROCESSING';
  assert.deepEqual(await results(), [[reference, 'differs']]);
});

test('what is paid here and in no list there is missing, however many orders there are', async () => {
  const names = Array.from({ length: 202 }, (_, index) => `o${String(index).padStart(3, '0')}`);
  let hidden: readonly string[] = [];
  const { checkout, startBreb, startLink, engine, payinOf } = await open({
    orders: Object.fromEntries(names.map((name) => [name, { amountInCents: 500_000 }])),
    show: (page) => ({ ...page, data: page.data.filter(({ reference }) => !hidden.includes(reference)) }),
  });
  const paidOnes = ['o000', 'o198', 'o199', 'o200'];
  const references: string[] = [];
  for (const name of names) {
    if (!paidOnes.includes(name)) await startLink({}, name);
    else references.push((await startBreb({}, name)).attempt.reference);
  }
  for (const reference of references) engine.settle(payinOf(reference).id, 'CONFIRMED');
  await checkout.reconcile(ALL_DAY);
  hidden = references;
  const { payments, theirsInCents, oursInCents } = await checkout.reconcile(ALL_DAY);
  assert.deepEqual(
    payments,
    references.map((reference, index) => ({
      createdAt: iso(START),
      reference,
      serviceId: payinOf(reference).id,
      order: paidOnes[index],
      rail: 'BRE_B',
      theirStatus: null,
      ourStatus: 'CONFIRMED',
      theirsInCents: 0,
      oursInCents: 500_000,
      result: 'missing_there',
    })),
  );
  assert.deepEqual([theirsInCents, oursInCents], [0, 2_000_000]);
  const missingIn = async (from: number, to: number) =>
    (await checkout.reconcile({ from: new Date(from), to: new Date(to) })).payments.length;
  assert.deepEqual(
    [
      await missingIn(START - 1, START),
      await missingIn(START, START + 1),
      await missingIn(START + 1, START + 2),
    ],
    [0, 4, 0],
  );
});

test('a chargeback that is not recorded here is a difference, of a direct payin or of a link’s', async () => {
  const { results, checkout, startBreb, startLink, payinOf, engine, told } = await open({
    // Otherwise it is read every day, and found by that.
    options: { chargebackWatchMs: 0 },
  });
  const { reference } = (await startBreb({}, 'a')).attempt;
  const direct = payinOf(reference);
  const { link } = await startLink({}, 'b');
  const [made] = engine.links;
  assert.ok(made);
  const through = engine.payLink(made.id, { rail: 'BRE_B', keyType: 'QR_CODE' });
  for (const { id } of [direct, through]) engine.settle(id, 'CONFIRMED');
  assert.deepEqual(
    (await results()).map(([, result]) => result),
    ['settled', 'settled'],
  );
  for (const { id } of [direct, through]) engine.chargeBack(id);
  assert.deepEqual(
    (await results({ dryRun: true })).map(([, result]) => result),
    ['differs', 'differs'],
  );
  assert.deepEqual(
    (await results()).map(([, result]) => result),
    ['settled', 'settled'],
  );
  assert.deepEqual(
    told
      .filter(({ hook }) => hook === 'onChargeback')
      .map((each) => each.reference)
      .sort(),
    [...[reference, link.reference].sort()],
  );
  assert.deepEqual(
    (await results()).map(([, result]) => result),
    ['same', 'same'],
  );
  assert.equal((await checkout.orders.show('b'))?.review[0]?.kind, 'chargeback');
});
