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
  const [newest] = opened.engine.payins;
  opened.engine.settle(newest?.id ?? '', 'CONFIRMED');
  const checkout = checkoutOf(opened);
  const stop = new AbortController();
  const first = await checkout.reconcile({ ...ALL_DAY, signal: stop.signal, onPage: () => stop.abort() });
  assert.equal(first.stoppedBy, 'aborted');
  assert.equal(first.payments.length, 100);
  assert.equal(first.oursInCents, 500_000, 'one is paid, which the rest of the list does not have');
  const rest = await checkout.reconcile({ ...ALL_DAY, cursor: first.cursor ?? '' });
  assert.deepEqual([rest.payments.length, rest.cursor, rest.stoppedBy], [20, null, null]);
  assert.equal(new Set([...first.payments, ...rest.payments].map(({ order }) => order)).size, 120);
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
  const { attempt } = await opened.startBreb({}, 'a');
  opened.engine.settle(opened.payinOf(attempt.reference).id, 'CONFIRMED');
  await opened.pass(2_000);
  assert.equal(opened.told.length, 1, 'it is paid here, so a whole list without it would lack it');
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

test('a list that goes on and does not say where is no whole list: what it showed counts, and nothing is missing', async () => {
  let nextCursor: string | null = null;
  let hidden = '';
  const opened = await open({
    orders: ORDERS,
    work: false,
    sandbox: { webhooks: [] },
    network: async (request, next) => {
      const answer = await next(request);
      if (!asksForPayins(request)) return answer;
      const { data } = (await answer.json()) as { data: readonly { id: string }[] };
      const pageInfo = { hasNext: true, nextCursor, hasPrevious: false, previousCursor: null };
      return Response.json({ data: data.filter(({ id }) => id !== hidden), pageInfo });
    },
  });
  const paidOf = async (order: string) => {
    const { attempt } = await opened.startBreb({}, order);
    opened.engine.settle(opened.payinOf(attempt.reference).id, 'CONFIRMED');
    return opened.payinOf(attempt.reference).id;
  };
  const checkout = checkoutOf(opened);
  const run = async (options: object = {}) => {
    const { payments, stoppedBy, cursor } = await checkout.reconcile({ ...ALL_DAY, ...options });
    return [payments.map(({ order, result }) => [order, result]), stoppedBy, cursor];
  };
  const first = await paidOf('a');
  assert.deepEqual(await run(), [[['a', 'settled']], 'unreadable_answer', null]);
  hidden = first;
  await paidOf('b');
  assert.deepEqual(await run(), [[['b', 'settled']], 'unreadable_answer', null]);
  nextCursor = '';
  assert.deepEqual(await run(), [[['b', 'same']], 'unreadable_answer', null]);
  const earlier = { from: new Date(opened.clock.now() + 1) };
  assert.deepEqual(await run(earlier), [[], null, null], 'all of the time was shown before that');
  const lines = opened.logged.filter(({ event }) => event === 'reconcile_stopped');
  assert.deepEqual(
    lines.map(({ code }) => code),
    ['unreadable_answer', 'unreadable_answer', 'unreadable_answer'],
  );
});

test('while a payin of the list cannot be read, nothing is called missing there, and the log says so', async () => {
  let odd: object = {};
  const opened = await open({
    orders: ORDERS,
    work: false,
    network: async (request, next) => {
      const answer = await next(request);
      if (!asksForPayins(request)) return answer;
      const page = (await answer.json()) as { data: readonly object[] };
      const data = page.data.map((payin, index) => (index === 0 ? { ...payin, ...odd } : payin));
      return Response.json({ ...page, data });
    },
  });
  const checkout = checkoutOf(opened);
  const run = async () => {
    const { payments, stoppedBy } = await checkout.reconcile(ALL_DAY);
    return [payments.map(({ order, result }) => [order, result]), stoppedBy];
  };
  const pay = async (order: string) => {
    const { attempt } = await opened.startBreb({}, order);
    opened.engine.settle(opened.payinOf(attempt.reference).id, 'CONFIRMED');
    await opened.passByTicks(2_000, 1_000);
  };
  const said = () => opened.logged.filter(({ event }) => event === 'reconcile_unreadable').length;
  await pay('a');
  assert.deepEqual([await run(), said()], [[[['a', 'same']], null], 0]);
  await opened.startBreb({}, 'b');
  odd = { currency: 'USD' };
  assert.deepEqual([await run(), said()], [[[['a', 'same']], null], 1], 'it is not paid here');
  await opened.startBreb({}, 'c');
  await pay('d');
  assert.deepEqual(await run(), [
    [
      ['c', 'same'],
      ['b', 'same'],
      ['a', 'same'],
    ],
    'unreadable_answer',
  ]);
});

test('the restore drill: what was paid after the backup is found again, and each order is confirmed once', async (t) => {
  const file = sqliteFile(t);
  const backup = `${file.path}.backup`;
  // A merchant acts on each key once.
  const confirmed = new Map<string, string>();
  const options: WorldOptions['options'] = {
    onConfirmed: ({ key, order }) => void confirmed.set(key, order),
  };
  const orders = () => [...confirmed.values()].sort();
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
  assert.deepEqual(orders(), ['a', 'b', 'c']);

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
  assert.deepEqual(['a', 'b', 'c', 'd'].map(resultOf), ['same', 'settled', 'adopted', 'adopted']);
  const known = restored.logged.filter(({ event }) => event === 'payment_known');
  assert.deepEqual(known.map(({ order }) => order).sort(), ['c', 'd'], 'the history begins with the payment');
  assert.deepEqual([oursInCents, theirsInCents], [1_500_000, 1_500_000]);
  assert.equal(
    (await restored.get(`/payins/${fresh.id}`)).attempt.status,
    'CONFIRMED',
    'by the id the payer has',
  );
  assert.equal((await restored.get(`/payins/${left.id}`)).status, 200);
  assert.deepEqual(orders(), ['a', 'b', 'c'], 'each under one key');
  // What is begun is watched: it settles as ever.
  opened.engine.settle(opened.payinOf(left.reference).id, 'CONFIRMED');
  await restored.passByTicks(120_000, 5_000);
  assert.deepEqual(orders(), ['a', 'b', 'c', 'd']);
  const again = await checkoutOf(restored).reconcile(ALL_DAY);
  assert.deepEqual(
    again.payments.map(({ result }) => result),
    ['same', 'same', 'same', 'same'],
  );
  await restored.close();
});
