import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, test } from 'node:test';
import { sqliteStore } from '../../../src/server.js';
import { sqliteFile } from '../../support/sqlite.js';
import { CUSTOMER, openWorld, type World, type WorldOptions } from '../world.js';

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld(options));
afterEach(async () => {
  await world?.close();
  world = undefined;
});
const DAY_MS = 86_400_000;

const ordersOf = ({ checkouts: [checkout] }: World) => {
  if (checkout === undefined) throw new Error('A world has a checkout');
  return checkout.orders;
};

test('what needs a person is listed until somebody has handled it', async () => {
  const opened = await open({
    orders: { fine: { amountInCents: 500_000 }, twice: { amountInCents: 500_000 } },
  });
  const orders = ordersOf(opened);
  const pay = async (reference: string) => {
    opened.engine.decide(opened.payinOf(reference).id, 'CONFIRMED');
    await opened.pass(2_000);
  };
  await pay((await opened.startBreb({}, 'fine')).attempt.reference);
  const first = (await opened.startBreb({}, 'twice')).attempt;
  const second = (await opened.startBreb({ replaces: first.id }, 'twice')).attempt;
  await pay(second.reference);
  await pay(first.reference);
  const { orders: listed, next } = await orders.review();
  assert.deepEqual(
    listed.map(({ order, items }) => [order, items.map(({ kind, reference }) => [kind, reference])]),
    [['twice', [['duplicate', first.reference]]]],
  );
  assert.equal(next, null);
  assert.equal(await orders.find(first.reference), 'twice', 'by a reference');
  assert.equal(await orders.find(opened.payinOf(first.reference).id), 'twice', "by the service's id");
  for (const unknown of ['', 'nobody', 'not\0a key', 'x'.repeat(300)])
    assert.equal(await orders.find(unknown), undefined);
  const key = listed[0]?.items[0]?.key ?? '';
  assert.equal(await orders.markHandled('twice', 'no such item'), false);
  assert.equal(await orders.markHandled('twice', key), true);
  assert.deepEqual((await orders.review()).orders, []);
  assert.equal((await orders.show('twice'))?.history.at(-1)?.event, 'review_handled');
});

test('an event that no read agrees with, a hook that keeps failing and a stuck bank payment need a person in time', async () => {
  const opened = await open({
    work: false,
    orders: {
      forged: { amountInCents: 500_000 },
      untold: { amountInCents: 500_000 },
      bank: { amountInCents: 500_000 },
    },
    options: {
      onConfirmed: () => {
        throw new Error('closed');
      },
    },
  });
  const orders = ordersOf(opened);
  const forged = (await opened.startBreb({}, 'forged')).attempt;
  await opened.webhook({
    event: 'payin.confirmed',
    resource: 'payin',
    data: opened.payinOf(forged.reference),
  });
  const untold = (await opened.startBreb({}, 'untold')).attempt;
  opened.engine.decide(opened.payinOf(untold.reference).id, 'CONFIRMED');
  await opened.startPse({}, 'bank');
  await opened.passByTicks(4_000, 1_000);
  assert.deepEqual((await orders.review()).orders, [], 'not at once');
  await opened.passByTicks(11 * 60_000, 60_000);
  const kinds = async () =>
    (await orders.review()).orders.map(
      ({ order, items }) => `${order} ${items.map(({ kind }) => kind).join()}`,
    );
  assert.deepEqual(await kinds(), ['forged unverified', 'untold hook_failing']);
  await opened.passByTicks(DAY_MS, 3_600_000);
  assert.ok((await kinds()).includes('bank stuck'));
});

test('a notice can be delivered again, under the same key and with the same content', async () => {
  const opened = await open();
  const { attempt } = await opened.startBreb();
  opened.engine.decide(opened.payinOf(attempt.reference).id, 'CONFIRMED');
  await opened.pass(2_000);
  const orders = ordersOf(opened);
  const [notice] = (await orders.show('order-1'))?.notices ?? [];
  assert.equal(notice?.hook, 'onConfirmed');
  assert.notEqual(notice?.deliveredAt, null);
  assert.equal(await orders.repeatNotice('order-1', notice?.key ?? ''), true);
  await opened.pass(1_000);
  assert.equal(opened.told.length, 2);
  assert.deepEqual(opened.told[0], opened.told[1]);
  assert.equal(await orders.repeatNotice('order-1', 'confirmed.nothing'), false);
  assert.equal(await orders.repeatNotice('nobody', 'confirmed.nothing'), false);
});

test('a notice that waits for its next try is delivered at once when a person asks for it', async () => {
  let isBroken = true;
  const opened = await open({
    options: {
      onConfirmed() {
        if (isBroken) throw new Error('the shop is closed');
      },
    },
  });
  const { attempt } = await opened.startBreb();
  opened.engine.decide(opened.payinOf(attempt.reference).id, 'CONFIRMED');
  await opened.pass(600_000);
  isBroken = false;
  const orders = ordersOf(opened);
  const waiting = async () => (await orders.show('order-1'))?.notices[0];
  assert.equal((await waiting())?.deliveredAt, null);
  assert.equal(await orders.repeatNotice('order-1', (await waiting())?.key ?? ''), true);
  await opened.pass(1_000);
  assert.notEqual((await waiting())?.deliveredAt, null);
});

test('a payer who has used up all attempts can try again once a person allows it', async () => {
  const opened = await open({ options: { maxAttempts: 2 } });
  const first = (await opened.startBreb()).attempt;
  const second = (await opened.startBreb({ replaces: first.id })).attempt;
  assert.equal((await opened.startBreb({ replaces: second.id })).problem.code, 'too_many_attempts');
  assert.equal(await ordersOf(opened).resetAttempts('order-1'), true);
  await opened.pass(1_000);
  assert.equal((await opened.startBreb({ replaces: second.id })).status, 201);
  assert.equal(await ordersOf(opened).resetAttempts('nobody'), false);
});

test('an order at rest is forgotten with all its keys; an open one only when it must be', async () => {
  const opened = await open({ options: { onChargeback: undefined } as object });
  const orders = ordersOf(opened);
  const { attempt } = await opened.startBreb();
  assert.equal(await orders.forget('order-1'), 'open');
  opened.engine.decide(opened.payinOf(attempt.reference).id, 'CONFIRMED');
  await opened.pass(2_000);
  assert.equal(await orders.forget('order-1'), 'forgotten');
  assert.equal(await orders.forget('order-1'), 'unknown');
  assert.equal((await opened.get(`/payins/${attempt.id}`)).status, 404);
  const other = (await opened.startBreb()).attempt;
  assert.equal(await orders.forget('order-1', { evenIfOpen: true }), 'forgotten');
  assert.equal((await opened.get(`/payins/${other.id}`)).status, 404);
});

test('what an order shows says nothing of the payer', async () => {
  const opened = await open();
  const { attempt } = await opened.startPse();
  opened.engine.decide(opened.payinOf(attempt.reference).id, 'DECLINED');
  await opened.pass(2_000);
  const text = JSON.stringify(await ordersOf(opened).show('order-1'));
  for (const value of [CUSTOMER.name, CUSTOMER.email, CUSTOMER.phone, CUSTOMER.idNumber, attempt.id]) {
    assert.ok(!text.includes(value));
  }
});

test('SQLite keeps nothing of a payer in its file or its log once the service has answered', async (t) => {
  const file = sqliteFile(t);
  const opened = await open({ store: sqliteStore(file.open()), work: false });
  const { attempt } = await opened.startPse();
  const kept = () =>
    ['', '-wal'].some((suffix) => readFileSync(`${file.path}${suffix}`).includes(CUSTOMER.email));
  assert.ok(kept(), 'it was there while the service was asked');
  opened.engine.decide(opened.payinOf(attempt.reference).id, 'DECLINED');
  await opened.passByTicks(11 * 60_000, 60_000);
  assert.ok(!kept());
});

test('orders go a day after their outcome when that is what the merchant wants', async () => {
  const opened = await open({
    work: false,
    options: { retentionMs: DAY_MS, onChargeback: undefined } as object,
  });
  const { attempt } = await opened.startBreb();
  opened.engine.decide(opened.payinOf(attempt.reference).id, 'CONFIRMED');
  await opened.passByTicks(3_600_000, 600_000);
  assert.equal((await opened.get(`/payins/${attempt.id}`)).attempt.status, 'CONFIRMED');
  await opened.passByTicks(DAY_MS + 3_600_000, 3_600_000);
  assert.equal((await opened.get(`/payins/${attempt.id}`)).status, 404);
});
