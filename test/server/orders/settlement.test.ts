import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { openWorld, type Told, type World, type WorldOptions } from '../world.js';

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld(options));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const hooks = (told: readonly Told[]) => told.map(({ hook }) => hook);

test('a service that rounds amounts is asked a few times, not for ever', async () => {
  const round = (payin: Record<string, unknown>) => ({
    ...payin,
    amountInCents: Math.round(Number(payin['amountInCents']) / 10_000) * 10_000,
    amount: Math.round(Number(payin['amount']) / 100) * 100,
  });
  const { startBreb, passByTicks, requests, told, get } = await open({
    work: false,
    orders: { 'order-1': { amountInCents: 5_012_345 } },
    network: async (request, next) => {
      // An endless loop would never let this test fail.
      if (requests.length > 200) return new Response(null, { status: 404 });
      const answer = await next(request);
      if (!answer.ok) return answer;
      const body = (await answer.json()) as { data?: Record<string, unknown>[] };
      return Response.json(body.data === undefined ? round(body) : { ...body, data: body.data.map(round) }, {
        status: answer.status,
      });
    },
  });
  const { problem } = await startBreb();
  await passByTicks(120_000, 1_000);
  const before = requests.length;
  await passByTicks(600_000, 5_000);
  assert.ok(requests.length - before <= 3, `${requests.length - before} requests in ten minutes`);
  assert.ok(before <= 10, `${before} requests in the first two minutes`);
  assert.deepEqual(
    told.map(({ report, detail }) => [report, detail]).filter(([report]) => report !== undefined),
    [['quarantined', 'amount']],
  );
  assert.equal((await get(`/payins/${problem.attempt?.id}`)).attempt.settlement.state, 'OPEN');
});

for (const unit of ['pesos', 'cents'] as const) {
  test(`when only confirmedAmount is sent, in ${unit}, a smaller one is a mismatch and the same one is not`, async () => {
    for (const [paid, hook] of [
      [4_000_000, 'onAmountMismatch'],
      [5_000_000, 'onConfirmed'],
    ] as const) {
      const { startBreb, engine, payinOf, pass, told, get } = await open({
        network: async (request, next) => {
          const answer = await next(request);
          if (request.method !== 'GET') return answer;
          const { amountInCents, confirmedAmountInCents, ...payin } = (await answer.json()) as Record<
            string,
            number | null
          >;
          const shown = (cents: number | null | undefined) =>
            cents === null || cents === undefined ? null : unit === 'pesos' ? cents / 100 : cents;
          return Response.json({
            ...payin,
            amount: shown(amountInCents),
            confirmedAmount: shown(confirmedAmountInCents),
          });
        },
      });
      const { attempt } = await startBreb();
      engine.settle(payinOf(attempt.reference).id, 'CONFIRMED', { confirmedAmountInCents: paid });
      await pass(2_000);
      assert.deepEqual(hooks(told), [hook]);
      assert.equal((await get(`/payins/${attempt.id}`)).attempt.confirmedAmountInCents, paid);
      await world?.close();
      world = undefined;
    }
  });
}

test('a payment of the old price does not settle an order that costs more by now', async () => {
  const { startBreb, engine, payinOf, pass, told, get, orders, offer } = await open({
    orders: { 'order-1': { amountInCents: 1_000_000 } },
  });
  const { attempt } = await startBreb();
  orders.set('order-1', { amountInCents: 90_000_000 });
  engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
  await pass(2_000);
  assert.deepEqual(
    told.map(({ hook, confirmedAmountInCents, orderAmountInCents, paidInCents }) => [
      hook,
      confirmedAmountInCents,
      orderAmountInCents,
      paidInCents,
    ]),
    [['onAmountMismatch', 1_000_000, 90_000_000, 1_000_000]],
  );
  const { settlement } = (await get(`/payins/${attempt.id}`)).attempt;
  assert.deepEqual(settlement, {
    state: 'AMOUNT_DIFFERS',
    by: attempt.id,
    duplicate: false,
    paidInCents: 1_000_000,
    orderAmountInCents: 90_000_000,
    payments: [
      { reference: attempt.reference, amountInCents: 1_000_000, at: settlement.payments?.[0]?.at ?? '' },
    ],
  });
  assert.equal((await offer()).offer.amountInCents, 89_000_000, 'the rest is what can be paid now');
});

for (const [to, lowered, excess] of [
  ['what was paid', 2_000_000, []],
  ['less than was paid', 1_500_000, [500_000]],
] as const) {
  for (const way of ['offer', 'create'] as const) {
    test(`an order whose price is lowered to ${to} is confirmed, once, when the payer comes back (${way})`, async () => {
      const { startBreb, engine, payinOf, pass, told, get, orders, offer } = await open();
      const { attempt } = await startBreb();
      engine.settle(payinOf(attempt.reference).id, 'CONFIRMED', { confirmedAmountInCents: 2_000_000 });
      await pass(2_000);
      orders.set('order-1', { amountInCents: lowered });
      for (let time = 0; time < 2; time++) {
        if (way === 'offer') assert.equal((await offer()).offer.attempt?.id, attempt.id);
        else assert.equal((await startBreb()).problem.code, 'already_paid');
        await pass(2_000);
      }
      assert.deepEqual(
        told.map(({ hook, paidInCents, orderAmountInCents }) => [hook, paidInCents, orderAmountInCents]),
        [
          ['onAmountMismatch', 2_000_000, 5_000_000],
          ['onConfirmed', 2_000_000, lowered],
          ...excess.map(() => ['onDuplicatePayment', 2_000_000, lowered]),
        ],
      );
      assert.deepEqual(
        told.flatMap(({ excessInCents }) => excessInCents ?? []),
        [...excess],
      );
      const { settlement } = (await get(`/payins/${attempt.id}`)).attempt;
      assert.equal(settlement.state, excess.length === 0 ? 'PAID' : 'AMOUNT_DIFFERS');
    });
  }
}

test('an order with too little money is completed by a further payment of the rest', async () => {
  const { startBreb, engine, payinOf, pass, told, get, offer } = await open();
  const first = (await startBreb()).attempt;
  engine.settle(payinOf(first.reference).id, 'CONFIRMED', { confirmedAmountInCents: 2_000_000 });
  await pass(2_000);
  assert.equal((await offer()).offer.attempt?.id, first.id);

  const { offer: rest } = await offer();
  const started = await startBreb({ offerVersion: rest.version });
  assert.equal(started.status, 201);
  const second = started.attempt;
  assert.equal(second.amountInCents, 3_000_000);
  assert.equal(payinOf(second.reference).amountInCents, 3_000_000);
  assert.equal((await offer()).offer.attempt?.id, second.id);
  engine.decide(payinOf(second.reference).id, 'CONFIRMED');
  await pass(2_000);
  assert.deepEqual(
    told.map(({ hook, attempt, paidInCents }) => [hook, attempt, paidInCents]),
    [
      ['onAmountMismatch', first.id, 2_000_000],
      ['onConfirmed', second.id, 5_000_000],
    ],
  );
  const { payments = [], ...verdict } = (await get(`/payins/${first.id}`)).attempt.settlement;
  assert.deepEqual(verdict, {
    state: 'PAID',
    by: second.id,
    duplicate: false,
    orderAmountInCents: 5_000_000,
  });
  assert.deepEqual(
    payments.map(({ reference, amountInCents }) => [reference, amountInCents]),
    [
      [first.reference, 2_000_000],
      [second.reference, 3_000_000],
    ],
  );
  assert.equal((await startBreb()).problem.code, 'already_paid');
});

test('what a completing payment has too much is a duplicate of that much', async () => {
  const { startBreb, engine, payinOf, pass, told, get } = await open();
  const first = (await startBreb()).attempt;
  const second = (await startBreb({ replaces: first.id })).attempt;
  engine.settle(payinOf(first.reference).id, 'CONFIRMED', { confirmedAmountInCents: 2_000_000 });
  await pass(2_000);
  engine.decide(payinOf(second.reference).id, 'CONFIRMED');
  await pass(2_000);
  assert.deepEqual(
    told.map(({ hook, attempt, excessInCents }) => [hook, attempt, excessInCents]),
    [
      ['onAmountMismatch', first.id, undefined],
      ['onConfirmed', second.id, undefined],
      ['onDuplicatePayment', second.id, 2_000_000],
    ],
  );
  const { settlement } = (await get(`/payins/${second.id}`)).attempt;
  assert.equal(settlement.state, 'PAID');
  assert.equal(settlement.duplicate, true);
});

test('a payment of an order that the shop has closed meanwhile is compared with its last price', async () => {
  const { startBreb, engine, payinOf, pass, told, orders } = await open();
  const { attempt } = await startBreb();
  orders.delete('order-1');
  engine.settle(payinOf(attempt.reference).id, 'CONFIRMED', { confirmedAmountInCents: 4_000_000 });
  await pass(2_000);
  assert.deepEqual(
    told.map(({ hook, orderAmountInCents }) => [hook, orderAmountInCents]),
    [['onAmountMismatch', 5_000_000]],
  );
});
