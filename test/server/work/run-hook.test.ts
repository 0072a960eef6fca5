import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { crowdOf, KEY_ONLY, openWorld, type Told, type World, type WorldOptions } from '../world.js';

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld(options));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const hooks = (told: readonly Told[]) => told.map(({ hook }) => hook);

test('a notice says what was paid, for which order, and nothing of the payer', async () => {
  const { startPse, engine, payinOf, pass, told } = await open();
  const { attempt } = await startPse();
  await pass(3_000);
  engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
  await pass(1_000);
  const [notice] = told;
  assert.equal(notice?.hook, 'onConfirmed');
  assert.equal(notice.order, 'order-1');
  assert.equal(notice.attempt, attempt.id);
  assert.equal(notice.amountInCents, 5_000_000);
  assert.equal(notice.confirmedAmountInCents, 5_000_000);
  assert.equal(notice.key, `confirmed.${attempt.reference}`);
  assert.doesNotMatch(JSON.stringify(told), /Pérez|1000000001|3001234567|ana@/);
});

for (const [outcome, hook] of [
  ['DECLINED', 'onDeclined'],
  ['CANCELED', 'onCanceled'],
] as const) {
  test(`${outcome} is notified by ${hook}, once`, async () => {
    const { startBreb, engine, payinOf, pass, told, get } = await open();
    const { attempt } = await startBreb();
    engine.decide(payinOf(attempt.reference).id, outcome);
    await pass(60_000);
    assert.equal((await get(`/payins/${attempt.id}`)).attempt.status, outcome);
    assert.deepEqual(hooks(told), [hook]);
  });
}

test('each payment after the first is a duplicate, notified once and shown to the payer', async () => {
  const { startBreb, engine, payinOf, pass, told, get } = await open();
  const attempts = [(await startBreb()).attempt];
  for (let index = 0; index < 2; index++) {
    attempts.push((await startBreb({ replaces: attempts.at(-1)?.id })).attempt);
  }
  for (const { reference } of attempts) {
    engine.decide(payinOf(reference).id, 'CONFIRMED');
    await pass(2_000);
  }
  const [first, second, third] = attempts;
  assert.deepEqual(
    told.map(({ hook, attempt, settledBy }) => [hook, attempt, settledBy]),
    [
      ['onConfirmed', first?.id, undefined],
      ['onDuplicatePayment', second?.id, first?.id],
      ['onDuplicatePayment', third?.id, first?.id],
    ],
  );
  const { settlement } = (await get(`/payins/${third?.id}`)).attempt;
  assert.deepEqual([settlement.state, settlement.by, settlement.duplicate], ['PAID', first?.id, true]);
  assert.deepEqual(
    settlement.payments?.map(({ reference, amountInCents }) => [reference, amountInCents]),
    attempts.map(({ reference }) => [reference, 5_000_000]),
  );
});

for (const mishap of ['underpaid', 'overpaid'] as const) {
  test(`an order that is ${mishap} is never a plain success`, async () => {
    const { startBreb, engine, payinOf, pass, told, get } = await open();
    engine.setMishap(mishap, true);
    const { attempt } = await startBreb();
    engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
    await pass(2_000);
    assert.deepEqual(hooks(told), ['onAmountMismatch']);
    assert.notEqual(told[0]?.confirmedAmountInCents, 5_000_000);
    const after = (await get(`/payins/${attempt.id}`)).attempt;
    assert.equal(after.settlement.state, 'AMOUNT_DIFFERS');
    assert.equal(after.confirmedAmountInCents, told[0]?.confirmedAmountInCents);
  });
}

for (const mishap of ['amount-in-cents-omitted', 'amount-as-cents'] as const) {
  test(`with ${mishap} a right amount is confirmed, and another is a mismatch of so many cents`, async () => {
    const { startBreb, engine, payinOf, pass, told } = await open({ orders: crowdOf(2) });
    engine.setMishap('amount-in-cents-omitted', true);
    engine.setMishap(mishap, true);
    for (const [order, confirmedAmountInCents] of [
      ['order-0', 500_000],
      ['order-1', 100_000],
    ] as const) {
      const { attempt } = await startBreb(KEY_ONLY, order);
      engine.settle(payinOf(attempt.reference).id, 'CONFIRMED', { confirmedAmountInCents });
    }
    await pass(2_000);
    assert.deepEqual(
      told.map(({ hook, order, confirmedAmountInCents }) => [hook, order, confirmedAmountInCents]),
      [
        ['onConfirmed', 'order-0', 500_000],
        ['onAmountMismatch', 'order-1', 100_000],
      ],
    );
  });
}

test('a payin that turns out to be of another amount is quarantined, reported once and not believed', async () => {
  const { startBreb, engine, payinOf, pass, told, get } = await open({
    network: async (request, next) => {
      const answer = await next(request);
      if (request.method !== 'GET') return answer;
      const payin = (await answer.json()) as object;
      return Response.json({ ...payin, amountInCents: 100 });
    },
  });
  const { attempt } = await startBreb();
  engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
  await pass(120_000);
  assert.equal((await get(`/payins/${attempt.id}`)).attempt.settlement.state, 'OPEN');
  assert.deepEqual(
    told.map(({ hook, report, detail }) => [hook, report, detail]),
    [['onReport', 'quarantined', 'amount']],
  );
});

test('a paid payin that the service later calls declined stays paid and is reported once', async () => {
  let lying = false;
  const { startBreb, engine, payinOf, passByTicks, told, get, webhook } = await open({
    network: async (request, next) => {
      const answer = await next(request);
      if (request.method !== 'GET' || !lying) return answer;
      return Response.json({ ...((await answer.json()) as object), status: 'DECLINED' });
    },
  });
  const { attempt } = await startBreb();
  const { id } = payinOf(attempt.reference);
  engine.decide(id, 'CONFIRMED');
  await passByTicks(2_000, 1_000);
  lying = true;
  for (let index = 0; index < 3; index++) {
    await webhook({ event: 'payin.declined', resource: 'payin', data: { id, status: 'DECLINED' } });
    await passByTicks(2_000, 1_000);
  }
  assert.equal((await get(`/payins/${attempt.id}`)).attempt.status, 'CONFIRMED');
  assert.deepEqual(
    told.map(({ hook, report }) => [hook, report]),
    [
      ['onConfirmed', undefined],
      ['onReport', 'status_contradicted'],
    ],
  );
});

test('with its event lost, a chargeback is notified within a day, once', async () => {
  const { startBreb, engine, payinOf, passByTicks, told } = await open({ work: false });
  const { attempt } = await startBreb();
  const { id } = payinOf(attempt.reference);
  engine.decide(id, 'CONFIRMED');
  await passByTicks(10_000, 1_000);
  engine.setMishap('webhooks-lost', true);
  await passByTicks(4 * 86_400_000, 6 * 3_600_000);
  engine.chargeBack(id);
  await passByTicks(86_400_000, 6 * 3_600_000);
  assert.deepEqual(hooks(told), ['onConfirmed', 'onChargeback']);
  await passByTicks(2 * 86_400_000, 6 * 3_600_000);
  assert.equal(told.length, 2);
});

test('a payment whose status has an unknown name is open, never paid', async () => {
  const { startBreb, engine, payinOf, pass, told, get } = await open();
  engine.setMishap('renamed-statuses', true);
  const { attempt } = await startBreb();
  engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
  await pass(30_000);
  assert.equal((await get(`/payins/${attempt.id}`)).attempt.status, 'PROCESSING');
  assert.deepEqual(told, []);
});

test('a hook that fails is run again after 1, 2, 4 and 8 seconds until it succeeds, always under the same key', async () => {
  const calls: { key: string; at: number }[] = [];
  const { startBreb, engine, payinOf, pass, clock, told } = await open({
    options: {
      onConfirmed({ key }) {
        calls.push({ key, at: clock.now() });
        if (calls.length < 5) throw new Error('the shop’s database is down');
      },
    },
  });
  const { attempt } = await startBreb();
  engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
  await pass(120_000);
  assert.equal(calls.length, 5);
  assert.equal(new Set(calls.map(({ key }) => key)).size, 1);
  const gaps = calls.slice(1).map(({ at }, index) => at - (calls[index]?.at ?? 0));
  // Due work is looked for every second.
  for (const [index, gap] of gaps.entries()) {
    const lateMs = gap - 1_000 * 2 ** index;
    assert.ok(lateMs >= 0 && lateMs <= 1_000, `gaps were ${gaps.join()}`);
  }
  assert.deepEqual(told, []);
});

test('two instances never run one hook at the same time, also when one before it took most of a lease', async () => {
  const began: string[] = [];
  let ended = 0;
  const { startBreb, engine, payinOf, pass, clock, checkouts } = await open({
    instances: 3,
    options: { onConfirmed: takeLong, onDuplicatePayment: takeLong },
  });
  /** As long as a hook may, nearly; two of them are longer than a lease. */
  async function takeLong({ key }: { readonly key: string }) {
    began.push(key);
    await new Promise<void>((resolve) => clock.setTimer(18_000, resolve));
    ended += 1;
  }
  const { attempt } = await startBreb();
  const { attempt: second } = await startBreb({ replaces: attempt.id });
  for (const { reference } of [attempt, second]) engine.decide(payinOf(reference).id, 'CONFIRMED');
  for (let seconds = 0; seconds < 60; seconds++) {
    await pass(1_000);
    void Promise.all(checkouts.map((checkout) => checkout.tick()));
  }
  assert.deepEqual([began.length, new Set(began).size, ended], [2, 2, 2]);
});

test('a hook that hangs is given up after ten minutes and run again', async () => {
  let runs = 0;
  const { startBreb, engine, payinOf, pass } = await open({
    options: {
      hookTimeoutMs: 5_000,
      onConfirmed: () => (++runs === 1 ? new Promise<void>(() => undefined) : undefined),
    },
  });
  const { attempt } = await startBreb();
  engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
  await pass(10 * 60_000);
  assert.equal(runs, 1);
  await pass(60_000);
  assert.equal(runs, 2);
});

test('a slow hook runs once at a time, on several instances too, and counts when it ends late and well', async () => {
  let [began, running, most] = [0, 0, 0];
  const { startBreb, engine, payinOf, pass, clock, checkouts } = await open({
    instances: 2,
    options: {
      hookTimeoutMs: 5_000,
      async onConfirmed() {
        began += 1;
        running += 1;
        most = Math.max(most, running);
        await new Promise<void>((resolve) => clock.setTimer(60_000, resolve));
        running -= 1;
      },
    },
  });
  const { attempt } = await startBreb();
  engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
  await pass(5 * 60_000);
  assert.deepEqual([began, most], [1, 1]);
  const shown = await checkouts[0]?.orders.show('order-1');
  assert.deepEqual(
    shown?.notices.map(({ hook, deliveredAt }) => [hook, deliveredAt === null]),
    [['onConfirmed', false]],
  );
});

test('a slow hook that fails after its time is run again within three seconds', async () => {
  let began = 0;
  const { startBreb, engine, payinOf, pass, clock } = await open({
    options: {
      hookTimeoutMs: 5_000,
      async onConfirmed() {
        began += 1;
        await new Promise<void>((resolve) => clock.setTimer(60_000, resolve));
        if (began === 1) throw new Error('not now');
      },
    },
  });
  const { attempt } = await startBreb();
  engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
  await pass(59_000);
  assert.equal(began, 1);
  await pass(4_000);
  assert.equal(began, 2);
});

test('a notice whose delivery could not be stored is delivered again, under the same key', async () => {
  const keys: string[] = [];
  const { startBreb, engine, payinOf, pass, store } = await open({
    options: { onConfirmed: ({ key }) => void keys.push(key) },
  });
  const { attempt } = await startBreb();
  const update = store.update.bind(store);
  let broken = false;
  store.update = async (orderId, decide) => {
    // The write that strikes the notice off fails, as if the process had died before it.
    if (keys.length > 0 && !broken) {
      broken = true;
      throw new Error('gone');
    }
    return update(orderId, decide);
  };
  engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
  await pass(120_000);
  assert.equal(new Set(keys).size, 1);
  assert.equal(keys.length, 2);
});

test('logs carry only the fields they may, and no personal data', async () => {
  const { startPse, engine, pass, logged } = await open({
    options: {
      onConfirmed() {
        throw new Error('Ana María Pérez 1000000001');
      },
    },
  });
  engine.armMishap('error-after-work', 1);
  await startPse();
  await pass(5_000);
  for (const payin of engine.payins) engine.settle(payin.id, 'CONFIRMED');
  await pass(5_000);
  assert.ok(logged.length > 0);
  assert.doesNotMatch(JSON.stringify(logged), /Pérez|1000000001|3001234567|ana@|sandbox-api-key/);
  const money = ['rail', 'amountInCents', 'confirmedAmountInCents'];
  const allowed = ['level', 'event', 'order', 'reference', 'status', 'code', 'hook', 'tries', 'durationMs'];
  allowed.push(...money, 'detail', 'message');
  for (const entry of logged) for (const field of Object.keys(entry)) assert.ok(allowed.includes(field));
});
