import assert from 'node:assert/strict';
import { test } from 'vitest';
import { memoryStore, sqliteStore } from '../../src/server.js';
import { sqliteFile } from '../support/sqlite.js';
import { checkoutOf, openWorld, type World } from './world.js';

test('whatever is called first finds the tables made', async (t) => {
  for (const call of [
    async (world: World) => (await checkoutOf(world).offer('order-1'))?.amountInCents === 5_000_000,
    async (world: World) => (await checkoutOf(world).tick()).orders === 0,
    async (world: World) => {
      const [from, to] = [new Date(world.clock.now() - 3_600_000), new Date(world.clock.now())];
      return (await checkoutOf(world).reconcile({ from, to })).payments.length === 0;
    },
    async (world: World) => (await checkoutOf(world).orders.review()).orders.length === 0,
    async (world: World) => (await checkoutOf(world).status()).ready,
    async (world: World) => (await world.startBreb()).status === 201,
  ]) {
    const world = await openWorld({ store: sqliteStore(sqliteFile(t).open()), work: false });
    assert.ok(await call(world), String(call));
    await world.close();
  }
});

test('the tables are made once, and after a failure by the next request', async () => {
  const store = memoryStore();
  let migrations = 0;
  let fail = (): void => undefined;
  store.migrate = () => {
    migrations += 1;
    return new Promise((_resolve, reject) => {
      fail = () => reject(new Error('the database is away'));
    });
  };
  const world = await openWorld({ store, work: false });
  const early = Promise.all([world.startBreb(), world.offer()]);
  await world.settle();
  fail();
  assert.deepEqual(
    (await early).map(({ status, problem }) => [status, problem.code]),
    [
      [503, 'store_unavailable'],
      [503, 'store_unavailable'],
    ],
  );
  assert.equal(migrations, 1, 'requests that come together wait for the same try');
  store.migrate = async () => {
    migrations += 1;
  };
  const answers = await Promise.all([world.startBreb(), world.offer(), checkoutOf(world).tick()]);
  assert.equal(answers[0].status, 201);
  await world.offer();
  await checkoutOf(world).tick();
  assert.equal(migrations, 2);
  await world.close();
});

test('work that was stopped looks for nothing more, and a checkout that is closed has no work', async () => {
  for (const end of [
    async (_world: World, stop: () => Promise<void>) => stop(),
    async (world: World) => checkoutOf(world).close(),
  ]) {
    const store = memoryStore();
    const { claim } = store;
    let claims = 0;
    store.claim = (...given) => {
      claims += 1;
      return claim.apply(store, given);
    };
    const world = await openWorld({ store, work: false });
    const stop = checkoutOf(world).work();
    await world.pass(3_000);
    assert.equal(claims, 4);
    await end(world, stop);
    await world.pass(3_000);
    assert.equal(claims, 4);
    await world.close();
  }
});

test('closing answers those who wait, and waits for a hook that is under way', async () => {
  let finish = (): void => undefined;
  const events: string[] = [];
  const world = await openWorld({
    options: {
      onConfirmed: () =>
        new Promise<void>((resolve) => {
          events.push('hook');
          finish = resolve;
        }),
    },
  });
  const { attempt } = await world.startBreb();
  world.engine.decide(world.payinOf(attempt.reference).id, 'CONFIRMED');
  await world.pass(0);
  const { version } = (await world.get(`/payins/${attempt.id}`)).attempt;
  void world.get(`/payins/${attempt.id}?after=${version}&wait=25`).then(() => events.push('answer'));
  await world.settle();
  assert.deepEqual(events, ['hook']);
  void checkoutOf(world)
    .close()
    .then(() => events.push('closed'));
  await world.settle();
  assert.deepEqual(events, ['hook', 'answer']);
  finish();
  await world.settle();
  assert.deepEqual(events, ['hook', 'answer', 'closed']);
  await world.close();
});
