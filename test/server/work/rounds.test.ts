import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { type Checkout, type Measurement, memoryStore } from '../../../src/server.js';
import { openWorld, type World, type WorldOptions } from '../world.js';

/** Rounds of work: how much one does, what it says of itself, and how it ends. */

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

async function open(options: WorldOptions) {
  const opened = await openWorld(options);
  world = opened;
  const [checkout] = opened.checkouts as [Checkout];
  return { ...opened, checkout };
}

/** Orders that were paid while no event arrived: a read 15 seconds after they were made finds out. */
async function openPaid(count: number, more: WorldOptions = {}) {
  const names = Array.from({ length: count }, (_, index) => `order-${index}`);
  const opened = await open({
    orders: Object.fromEntries(names.map((name) => [name, { amountInCents: 500_000 }])),
    sandbox: { webhooks: [] },
    ...more,
    options: {
      serviceReadsPerSecond: 1_000,
      methods: [{ rail: 'BRE_B', keyType: 'SINGLE_USE' }],
      ...more.options,
    },
  });
  for (const name of names) {
    const { attempt } = await opened.startBreb({ breb: { keyType: 'SINGLE_USE' } }, name);
    opened.engine.settle(opened.payinOf(attempt.reference).id, 'CONFIRMED');
  }
  return opened;
}

test('a tick says how many orders it worked on, and that nothing is left', async () => {
  const { checkout, clock, told } = await openPaid(40, { work: false });
  assert.deepEqual(await checkout.tick(), { orders: 0, more: false });
  await clock.advance(14_999);
  assert.deepEqual(await checkout.tick(), { orders: 0, more: false });
  await clock.advance(1);
  assert.deepEqual(await checkout.tick(), { orders: 40, more: false });
  assert.equal(told.length, 40);
  assert.deepEqual(await checkout.tick(), { orders: 0, more: false });
});

test('a tick whose time is up says that more is due, and the next goes on', async () => {
  const { checkout, clock, told } = await openPaid(40, { work: false });
  await clock.advance(15_000);
  let worked = 0;
  for (let isMore = true; isMore;) {
    const { orders, more } = await checkout.tick(0);
    worked += orders;
    assert.equal(told.length, worked);
    assert.equal(more, orders > 0, 'only a tick that found nothing has done all');
    isMore = more;
  }
  assert.equal(worked, 40);
});

test('all that falls due in a moment is begun in that moment, however much it is', async () => {
  const { pass, told } = await openPaid(40);
  await pass(14_000);
  assert.equal(told.length, 0);
  await pass(1_000);
  assert.equal(told.length, 40);
});

test('hooks that take long leave room for others up to a limit, and the work counts as alive beyond it', async () => {
  const waiting: (() => void)[] = [];
  const { checkout, pass, clock } = await openPaid(80, {
    options: {
      hookTimeoutMs: 10 * MINUTE_MS,
      onConfirmed: () => new Promise<void>((resolve) => void waiting.push(resolve)),
    },
  });
  await pass(3 * MINUTE_MS);
  const atOnce = waiting.length;
  assert.ok(atOnce > 16 && atOnce < 80, `${atOnce} at once`);
  assert.deepEqual((await checkout.status()).work, {
    running: true,
    alive: true,
    lastRoundAt: new Date(clock.now()).toISOString(),
  });
  for (const resolve of waiting.splice(0)) resolve();
  await pass(1_000);
  assert.equal(waiting.length, 80 - atOnce);
  for (const resolve of waiting) resolve();
});

test('work that is stopped ends when its hooks have, and no other round begins', async () => {
  let release: (() => void) | undefined;
  const { checkout, pass, settle } = await openPaid(1, {
    work: false,
    options: { onConfirmed: () => new Promise<void>((resolve) => (release = resolve)) },
  });
  const stop = checkout.work();
  await pass(15_000);
  assert.ok(release, 'the hook runs');
  let isStopped = false;
  const stopping = stop().then(() => (isStopped = true));
  await settle();
  const { work } = await checkout.status();
  assert.equal(work.running, false);
  await pass(2_000);
  assert.equal(isStopped, false);
  release();
  await stopping;
  await pass(5_000);
  assert.deepEqual((await checkout.status()).work, work);
});

test('work that is stopped while it looks for more ends when it has looked', async () => {
  const store = memoryStore();
  let release: (() => void) | undefined;
  store.claim = () => new Promise((resolve) => (release = () => resolve([])));
  const { checkout, settle } = await open({ store, work: false });
  const stop = checkout.work();
  await settle();
  let isStopped = false;
  const stopping = stop().then(() => (isStopped = true));
  await settle();
  assert.equal(isStopped, false);
  release?.();
  await stopping;
});

test('work that was begun twice runs until both are stopped', async () => {
  const { checkout } = await open({ work: false });
  const [first, second] = [checkout.work(), checkout.work()];
  await first();
  await first();
  assert.equal((await checkout.status()).work.running, true, 'however often one is stopped');
  await second();
  assert.equal((await checkout.status()).work.running, false);
});

for (const [retentionDays, orphanDays] of [
  [1, 45],
  [60, 60],
] as const) {
  test(`what is old goes every ten minutes: orders after ${retentionDays} days, events without an order after ${orphanDays}`, async () => {
    const store = memoryStore();
    const purges: (readonly number[])[] = [];
    store.purge = async (before, orphansBefore) => {
      purges.push([clock.now() - before, clock.now() - (orphansBefore ?? 0)]);
      return 0;
    };
    const { checkout, clock } = await open({
      store,
      work: false,
      options: { retentionMs: retentionDays * DAY_MS },
    });
    const ages = [retentionDays * DAY_MS, orphanDays * DAY_MS];
    await checkout.tick();
    await clock.advance(10 * MINUTE_MS - 1);
    await checkout.tick();
    assert.deepEqual(purges, [ages]);
    await clock.advance(1);
    await checkout.tick();
    assert.deepEqual(purges, [ages, ages]);
  });
}

test('orders that went are counted, and where none did nothing is', async () => {
  const measured: Measurement[] = [];
  const { passByTicks } = await openPaid(3, {
    work: false,
    options: {
      retentionMs: DAY_MS,
      chargebackWatchMs: 0,
      metrics: (measurement) => void measured.push(measurement),
    },
  });
  await passByTicks(2 * DAY_MS, 60 * MINUTE_MS);
  assert.deepEqual(
    measured.filter(({ name }) => name === 'orders.purged'),
    [{ name: 'orders.purged', value: 3, unit: 'count' }],
  );
});

test('events are read as far as the service may be asked, and the rest as soon as it may again', async () => {
  const names = ['a', 'b', 'c', 'd'];
  const { startBreb, engine, payinOf, pass, told, clock, checkout } = await open({
    orders: Object.fromEntries(names.map((name) => [name, { amountInCents: 500_000 }])),
    options: { serviceReadsPerSecond: 1 },
    work: false,
  });
  const references: string[] = [];
  for (const name of names) references.push((await startBreb({}, name)).attempt.reference);
  await clock.advance(10_000);
  for (const reference of references) engine.settle(payinOf(reference).id, 'CONFIRMED');
  await pass(0);
  assert.equal(told.length, 2, 'two seconds’ worth');
  for (const expected of [3, 4]) {
    await clock.advance(999);
    await checkout.tick();
    assert.equal(told.length, expected - 1);
    await clock.advance(1);
    await checkout.tick();
    assert.equal(told.length, expected);
  }
});

test('background reads leave a quarter to events, and what must wait is not due before its turn', async () => {
  const { checkout, clock, told, webhook, settle, engine, requests } = await openPaid(8, {
    work: false,
    options: { serviceReadsPerSecond: 4 },
  });
  await clock.advance(15_000);
  assert.deepEqual(await checkout.tick(), { orders: 8, more: false });
  assert.equal(told.length, 6, 'six of the eight that two seconds allow');
  const { store, reads } = await checkout.status();
  assert.deepEqual([store?.due, reads.left], [0, 2]);
  const waiting = engine.payins.find(({ id }) => !requests.includes(`GET /payins/${id}`));
  assert.ok(waiting);
  const data = { id: waiting.id, reference: waiting.reference, status: 'CONFIRMED' };
  await webhook({ event: 'payin.confirmed', resource: 'payin', data });
  await settle();
  assert.equal(told.at(-1)?.reference, waiting.reference);
});

test('a hook may take as long as the merchant allows, and no other instance begins it meanwhile', async () => {
  let began = 0;
  const { pass, clock, logged } = await openPaid(1, {
    instances: 2,
    options: {
      hookTimeoutMs: 60_000,
      onConfirmed: async () => {
        began += 1;
        await new Promise<void>((resolve) => void clock.setTimer(59_000, resolve));
      },
    },
  });
  await pass(3 * MINUTE_MS);
  assert.equal(began, 1);
  assert.ok(!logged.some(({ event }) => event === 'hook_failed'));
});
