import assert from 'node:assert/strict';
import { copyFileSync, rmSync } from 'node:fs';
import { afterEach, test } from 'vitest';
import Database from 'libsql';
import { sqliteStore } from '../../../src/server.js';
import { sqliteFile } from '../../support/sqlite.js';
import {
  asksForPayins,
  checkoutOf,
  crowdOf,
  emptyPage,
  KEY_ONLY,
  openWorld,
  type World,
  type WorldOptions,
} from '../world.js';

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld(options));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const ALL_DAY = { from: new Date('2026-01-15T00:00:00Z'), to: new Date('2026-01-17T00:00:00Z') };
const ORDERS = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((id) => [id, { amountInCents: 500_000 }]));

test('payments whose events and reads were missed are settled, and the sums agree', async () => {
  const opened = await open({ orders: ORDERS, work: false, sandbox: { webhooks: [] } });
  for (const order of ['a', 'b']) {
    const { attempt } = await opened.startBreb({}, order);
    opened.engine.decide(opened.payinOf(attempt.reference).id, 'CONFIRMED');
  }
  await opened.startBreb({}, 'c');
  await opened.settle();
  const checkout = checkoutOf(opened);
  const dry = await checkout.reconcile({ ...ALL_DAY, dryRun: true });
  assert.deepEqual(dry.payments.map(({ order, result }) => [order, result]).sort(), [
    ['a', 'differs'],
    ['b', 'differs'],
    ['c', 'same'],
  ]);
  assert.equal(opened.told.length, 0, 'a dry run changes nothing');
  const { payments, theirsInCents, oursInCents, cursor } = await checkout.reconcile(ALL_DAY);
  assert.deepEqual(payments.map(({ order, result }) => [order, result]).sort(), [
    ['a', 'settled'],
    ['b', 'settled'],
    ['c', 'same'],
  ]);
  assert.deepEqual([theirsInCents, oursInCents, cursor], [1_000_000, 1_000_000, null]);
  assert.deepEqual(opened.told.map(({ hook, order }) => `${hook} ${order}`).sort(), [
    'onConfirmed a',
    'onConfirmed b',
  ]);
});

test('a run that is stopped says where it stopped, and goes on from there', async () => {
  const many = crowdOf(120);
  const opened = await open({ orders: many, work: false });
  for (const order of Object.keys(many)) await opened.startBreb(KEY_ONLY, order);
  const checkout = checkoutOf(opened);
  const stop = new AbortController();
  const first = await checkout.reconcile({ ...ALL_DAY, signal: stop.signal, onPage: () => stop.abort() });
  assert.equal(first.stoppedBy, 'aborted');
  assert.equal(first.payments.length, 100);
  const rest = await checkout.reconcile({ ...ALL_DAY, cursor: first.cursor ?? '' });
  assert.deepEqual([rest.payments.length, rest.cursor, rest.stoppedBy], [20, null, null]);
});

test('a run asks for its pages no faster than the service may be read', async () => {
  let pages = 0;
  const opened = await open({
    work: false,
    options: { serviceReadsPerSecond: 1 },
    network: async (request, next) => {
      if (!asksForPayins(request)) return next(request);
      pages += 1;
      return emptyPage(pages < 6 ? `page-${pages}` : null);
    },
  });
  const run = checkoutOf(opened).reconcile(ALL_DAY);
  await opened.settle();
  const askedBy = [pages];
  for (let second = 1; second <= 5; second++) {
    await opened.clock.advance(1_000);
    await opened.settle();
    askedBy.push(pages);
  }
  assert.deepEqual(askedBy, [1, 2, 3, 4, 5, 6], 'one, and one more each second');
  assert.equal((await run).stoppedBy, null);
});

test('a run that the service breaks off says why, and calls nothing missing', async () => {
  let isDown = false;
  const opened = await open({
    orders: ORDERS,
    work: false,
    network: (request, next) => (isDown ? Promise.reject(new TypeError('fetch failed')) : next(request)),
  });
  await opened.startBreb({}, 'a');
  isDown = true;
  const running = checkoutOf(opened).reconcile(ALL_DAY);
  await opened.pass(120_000);
  const { payments, stoppedBy } = await running;
  assert.deepEqual([payments, stoppedBy], [[], 'network']);
  const lines = opened.logged.filter(({ event }) => event === 'reconcile_stopped');
  assert.deepEqual(
    lines.map(({ level, code }) => [level, code]),
    [['error', 'network']],
  );
});

test('a payment of another system is listed and left alone, and one that the service lost is shown', async () => {
  let hidden = '';
  const opened = await open({
    orders: ORDERS,
    work: false,
    async network(request, next) {
      const response = await next(request);
      if (!asksForPayins(request)) return response;
      const page = (await response.json()) as { data: { reference: string }[] };
      return Response.json({ ...page, data: page.data.filter(({ reference }) => reference !== hidden) });
    },
  });
  const { attempt } = await opened.startBreb({}, 'a');
  opened.engine.decide(opened.payinOf(attempt.reference).id, 'CONFIRMED');
  await opened.pass(2_000);
  hidden = attempt.reference;
  await opened.sandbox.fetch(
    new Request('https://service.test/payins', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'sandbox-api-key' },
      body: JSON.stringify({
        amountInCents: 70_000,
        currency: 'COP',
        rail: 'BRE_B',
        reference: 'another-system-1',
        breb: { keyType: 'QR_CODE' },
      }),
    }),
  );
  const { payments } = await checkoutOf(opened).reconcile(ALL_DAY);
  assert.deepEqual(payments.map(({ reference, result }) => [reference, result]).sort(), [
    [attempt.reference, 'missing_there'],
    ['another-system-1', 'unknown_order'],
  ]);
});

test('the restore drill: what was paid after the backup is found again, and each order is confirmed once', async (t) => {
  const file = sqliteFile(t);
  const backup = `${file.path}.backup`;
  const confirmed = new Map<string, number>();
  const options: WorldOptions['options'] = {
    // As a merchant's handler does: a key that was seen before is not acted on again.
    onConfirmed: ({ key, order }) => {
      if (!confirmed.has(key)) confirmed.set(key, 0);
      confirmed.set(key, (confirmed.get(key) ?? 0) + 1);
      assert.ok(key.includes(order));
    },
  };
  const opened = await open({ store: sqliteStore(file.open()), orders: ORDERS, options });
  const pay = async ({ reference }: { reference: string }) => {
    opened.engine.decide(opened.payinOf(reference).id, 'CONFIRMED');
    await opened.pass(2_000);
  };
  await pay((await opened.startBreb({}, 'a')).attempt);
  const open1 = (await opened.startBreb({}, 'b')).attempt;
  const saved = new Database(file.path);
  saved.exec(`vacuum into '${backup}'`);
  saved.close();

  // After the backup: one that was open is paid, one is begun and paid, one is begun and left open.
  await pay(open1);
  const fresh = (await opened.startBreb({}, 'c')).attempt;
  await pay(fresh);
  const left = (await opened.startPse({}, 'd')).attempt;
  await opened.pass(3_000);
  const told = confirmed.size;
  assert.equal(told, 3);

  // The disk is lost; the backup takes its place, and the service goes on.
  for (const checkout of opened.checkouts) await checkout.close();
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file.path}${suffix}`, { force: true });
  copyFileSync(backup, file.path);
  const restored = await openWorld({
    store: sqliteStore(file.open()),
    orders: ORDERS,
    options,
    network: (request) => opened.sandbox.fetch(request),
    work: false,
  });
  await restored.passByTicks(opened.clock.now() - restored.clock.now(), 1_000);
  assert.equal(
    (await restored.get(`/payins/${fresh.id}`)).status,
    404,
    'the restored store does not know it',
  );
  const { payments, theirsInCents, oursInCents } = await checkoutOf(restored).reconcile(ALL_DAY);
  await restored.passByTicks(5_000, 1_000);
  const resultOf = (order: string) => payments.find((payment) => payment.order === order)?.result;
  assert.deepEqual([resultOf('c'), resultOf('d')], ['adopted', 'adopted']);
  const known = restored.logged.filter(({ event }) => event === 'payment_known');
  assert.deepEqual(known.map(({ order }) => order).sort(), ['c', 'd'], 'the history begins with the payment');
  assert.equal(oursInCents, theirsInCents);
  assert.equal(
    (await restored.get(`/payins/${fresh.id}`)).attempt.status,
    'CONFIRMED',
    'by the id the payer has',
  );
  assert.equal((await restored.get(`/payins/${left.id}`)).status, 200);
  assert.deepEqual([...confirmed.keys()].length, 3, 'each order under one key');
  assert.ok([...confirmed.keys()].some((key) => key.includes(fresh.reference)));
  // What is begun is watched: it settles as ever.
  opened.engine.settle(opened.payinOf(left.reference).id, 'CONFIRMED');
  await restored.passByTicks(120_000, 5_000);
  assert.equal(confirmed.size, 4);
  const again = await checkoutOf(restored).reconcile(ALL_DAY);
  assert.ok(again.payments.every(({ result }) => result === 'same'));
  await restored.close();
});
