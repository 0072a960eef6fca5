import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, test } from 'vitest';
import { type Checkout, memoryStore, sqliteStore, type Store } from '../../../src/server.js';
import { sqliteFile } from '../../support/sqlite.js';
import { checkoutOf, CUSTOMER, openWorld, type World, type WorldOptions } from '../world.js';

let world: World | undefined;

const open = async (options?: WorldOptions) => (world = await openWorld(options));

afterEach(async () => {
  await world?.close();
  world = undefined;
});

const DAY_MS = 86_400_000;

test('a payer who has used up all attempts can try again once a person allows it', async () => {
  const opened = await open({ options: { maxAttempts: 2 } });
  const first = (await opened.startBreb()).attempt;
  const second = (await opened.startBreb({ replaces: first.id })).attempt;
  assert.equal((await opened.startBreb({ replaces: second.id })).problem.code, 'too_many_attempts');
  assert.equal(await checkoutOf(opened).orders.resetAttempts('order-1'), true);
  await opened.pass(1_000);
  assert.equal((await opened.startBreb({ replaces: second.id })).status, 201);
  assert.equal(await checkoutOf(opened).orders.resetAttempts('nobody'), false);
});

test('an open order is forgotten only when the merchant insists, and can be paid again', async () => {
  const opened = await open();
  const orders = checkoutOf(opened).orders;
  const { attempt } = await opened.startBreb();
  assert.equal(await orders.forget('order-1'), 'open');
  assert.equal((await opened.get(`/payins/${attempt.id}`)).status, 200);
  assert.equal(await orders.forget('order-1', { evenIfOpen: true }), 'forgotten');
  assert.equal(await orders.forget('order-1'), 'unknown');
  assert.equal((await opened.get(`/payins/${attempt.id}`)).status, 404);
  assert.equal(await orders.find(attempt.reference), undefined);
  assert.equal((await opened.startBreb()).status, 201);
});

test('whether an order is open is decided when it is removed, not before', async () => {
  const store = memoryStore();
  const opened = await open({ store, work: false });
  const orders = checkoutOf(opened).orders;
  const { attempt } = await opened.startBreb();
  opened.engine.decide(opened.payinOf(attempt.reference).id, 'DECLINED');
  await opened.passByTicks(2 * DAY_MS, 3_600_000);
  assert.equal((await orders.show('order-1'))?.dueAt, null);
  // Another attempt is made when the order was looked at, and before anything is written.
  const [read, update]: [Store['read'], Store['update']] = [store.read.bind(store), store.update.bind(store)];
  let begun: ReturnType<typeof opened.startBreb> | undefined;
  store.read = async (rowId) => {
    const row = await read(rowId);
    Object.assign(store, { read, update });
    await (begun = opened.startBreb());
    return row;
  };
  store.update = async (rowId, decide) => {
    Object.assign(store, { read, update });
    await (begun = opened.startBreb());
    return update(rowId, decide);
  };
  const answer = await orders.forget('order-1');
  assert.equal(answer, 'open');
  assert.equal((await opened.get(`/payins/${(await begun)?.attempt.id}`)).status, 200);
});

test('an order that was paid and then forgotten or purged cannot be paid again while its token lives', async () => {
  for (const remove of ['forget', 'purge'] as const) {
    const opened = await openWorld({
      work: false,
      options: {
        chargebackWatchMs: 0,
        orderTokenLifetimeMs: 30 * DAY_MS,
        ...(remove === 'purge' && { retentionMs: DAY_MS }),
      },
    });
    const orders = checkoutOf(opened).orders;
    const { attempt } = await opened.startBreb();
    opened.engine.decide(opened.payinOf(attempt.reference).id, 'CONFIRMED');
    await opened.passByTicks(3_600_000, 600_000);
    if (remove === 'forget') assert.equal(await orders.forget('order-1'), 'forgotten');
    else await opened.passByTicks(2 * DAY_MS, 3_600_000);
    const told = opened.told.length;
    const isGone = async () => {
      assert.equal((await opened.offer()).status, 404);
      assert.equal((await opened.get(`/payins/${attempt.id}`)).status, 404);
      assert.equal((await opened.startBreb()).problem.code, 'not_found');
      assert.equal(await opened.checkouts[0]?.offer('order-1'), null);
      assert.equal(await orders.show('order-1'), undefined);
      assert.equal(await orders.find(attempt.reference), undefined);
      assert.equal(await orders.resetAttempts('order-1'), false);
      assert.equal(await orders.forget('order-1', { evenIfOpen: true }), 'unknown');
    };
    await isGone();
    const left = await opened.store.read('o:order-1');
    assert.deepEqual(Object.keys(left?.body as object).sort(), [
      'attempts',
      'format',
      'gone',
      'goneUntil',
      'notices',
      'order',
      'payments',
      'version',
    ]);
    const day = { from: new Date('2026-01-15T00:00:00Z'), to: new Date('2026-01-17T00:00:00Z') };
    const { payments } = (await opened.checkouts[0]?.reconcile(day)) ?? {};
    assert.deepEqual(
      payments?.map(({ result }) => result),
      ['unknown_order'],
    );
    await opened.passByTicks(28 * DAY_MS, DAY_MS);
    await isGone();
    assert.equal(opened.told.length, told, 'confirmed no second time');
    await opened.passByTicks(4 * DAY_MS, DAY_MS);
    assert.equal(await opened.store.read('o:order-1'), undefined, 'no token of that time is valid any more');
    await opened.close();
  }
});

test('what an order shows says nothing of the payer, also while the payment is not made and their data is kept', async () => {
  const opened = await open({ network: () => Promise.resolve(new Response(null, { status: 503 })) });
  const { attempt } = await opened.startPse();
  const [stored, shown] = [
    JSON.stringify(await opened.store.read('o:order-1')),
    JSON.stringify(await checkoutOf(opened).orders.show('order-1')),
  ];
  for (const value of [CUSTOMER.name, CUSTOMER.email, CUSTOMER.phone, CUSTOMER.idNumber, attempt.id]) {
    assert.ok(stored.includes(value), value);
    assert.ok(!shown.includes(value), value);
  }
});

test('ten minutes after the service has answered, SQLite has nothing of the payer in its file or its log', async (t) => {
  const file = sqliteFile(t);
  const opened = await open({ store: sqliteStore(file.open()), work: false });
  // The log is emptied at the first tick and every ten minutes from then on.
  await checkoutOf(opened).tick();
  await opened.startPse();
  const kept = () =>
    ['', '-wal'].some((suffix) => {
      const bytes = readFileSync(`${file.path}${suffix}`);
      return [CUSTOMER.name, CUSTOMER.email, CUSTOMER.phone, CUSTOMER.idNumber].some((each) =>
        bytes.includes(each),
      );
    });
  assert.ok(kept(), 'it was there while the service was asked');
  await opened.passByTicks(10 * 60_000, 60_000);
  assert.ok(!kept());
});

test('an order is removed a day after its outcome when that is what the merchant wants', async () => {
  const opened = await open({
    work: false,
    options: { retentionMs: DAY_MS, onChargeback: undefined } as object,
  });
  const { attempt } = await opened.startBreb();
  opened.engine.decide(opened.payinOf(attempt.reference).id, 'CONFIRMED');
  await opened.passByTicks(DAY_MS - 600_000, 600_000);
  assert.equal((await opened.get(`/payins/${attempt.id}`)).attempt.status, 'CONFIRMED');
  await opened.passByTicks(1_200_000, 600_000);
  assert.equal((await opened.get(`/payins/${attempt.id}`)).status, 404);
});

const ASKED: Readonly<Record<string, readonly [(orders: Checkout['orders']) => Promise<unknown>, unknown]>> =
  {
    review: [(orders) => orders.review(), { orders: [], next: null }],
    show: [(orders) => orders.show('order-1'), undefined],
    find: [(orders) => orders.find('order-1-22222222222'), undefined],
    repeatNotice: [(orders) => orders.repeatNotice('order-1', 'confirmed.nothing'), false],
    markHandled: [(orders) => orders.markHandled('order-1', 'duplicate.nothing'), false],
    resetAttempts: [(orders) => orders.resetAttempts('order-1'), false],
    forget: [(orders) => orders.forget('order-1'), 'unknown'],
  };

for (const [name, [ask, answer]] of Object.entries(ASKED)) {
  test(`${name}, asked first of all, makes the tables that it needs`, async (t) => {
    const opened = await open({ store: sqliteStore(sqliteFile(t).open()), work: false });
    assert.deepEqual(await ask(checkoutOf(opened).orders), answer);
  });
}

test('an order shows its payments, its notices, its history and when it is worked on next', async () => {
  let isBroken = true;
  const opened = await open({
    work: false,
    options: {
      chargebackWatchMs: 0,
      onConfirmed() {
        if (isBroken) throw new Error('closed');
      },
    },
  });
  const orders = checkoutOf(opened).orders;
  const { attempt } = await opened.startBreb();
  const { reference } = attempt;
  const { id: serviceId } = opened.payinOf(reference);
  await opened.clock.advance(10_000);
  const [startedAt, paidAt, repeatedAt] = ['00', '10', '11'].map(
    (second) => `2026-01-15T15:00:${second}.000Z`,
  );
  const money = { reference, rail: 'BRE_B', amountInCents: 5_000_000 };
  const begun = [
    { at: startedAt, event: 'attempt_created', ...money },
    { at: startedAt, event: 'payment_known', ...money, detail: serviceId },
  ];
  const shown = (status: string, payment: object) => [
    {
      kind: 'PAYIN',
      rail: 'BRE_B',
      status,
      amountInCents: 5_000_000,
      createdAt: startedAt,
      payments: [{ kind: 'PAYIN', reference, serviceId, status, ...payment }],
    },
  ];
  const order = { order: 'order-1', description: null, amountInCents: 5_000_000, handled: [] };
  const dueAt = '2026-01-15T15:00:15.000Z';
  assert.deepEqual(await orders.show('order-1'), {
    ...order,
    paidInCents: 0,
    missingInCents: 5_000_000,
    attempts: shown('PROCESSING', { confirmedAmountInCents: null, readAt: null, nextReadAt: dueAt }),
    payments: [],
    review: [],
    notices: [],
    history: begun,
    dueAt,
  });

  opened.engine.settle(opened.payinOf(reference).id, 'CONFIRMED');
  await opened.settle();
  const [key, hook] = [`confirmed.${reference}`, 'onConfirmed'];
  const paid = {
    ...order,
    paidInCents: 5_000_000,
    missingInCents: 0,
    attempts: shown('CONFIRMED', { confirmedAmountInCents: 5_000_000, readAt: paidAt, nextReadAt: null }),
    payments: [{ reference, amountInCents: 5_000_000, at: paidAt }],
    review: [],
  };
  const confirmed = { ...money, confirmedAmountInCents: 5_000_000 };
  const history = [...begun, { at: paidAt, event: 'payment_confirmed', ...confirmed, detail: 'CONFIRMED' }];
  assert.deepEqual(await orders.show('order-1'), {
    ...paid,
    notices: [{ key, hook, tries: 1, deliveredAt: null }],
    history,
    dueAt: repeatedAt,
  });

  isBroken = false;
  await opened.clock.advance(1_000);
  assert.equal(await orders.repeatNotice('order-1', key), true);
  assert.deepEqual(
    await orders.show('order-1'),
    {
      ...paid,
      notices: [{ key, hook, tries: 0, deliveredAt: repeatedAt }],
      history: [
        ...history,
        { at: repeatedAt, event: 'notice_repeated', detail: key },
        { at: repeatedAt, event: 'notice_delivered', ...confirmed, detail: key },
      ],
      dueAt: null,
    },
    'what a person asked for is done at once',
  );
});
