import assert from 'node:assert/strict';
import { type TestContext, afterEach, test } from 'vitest';
import { type Clock, fromPg, postgresStore, sqliteStore, type Store } from '../../../src/server.js';
import { postgresCluster, whyNoPostgres } from '../../support/postgres.js';
import { pgPool } from '../../support/postgres-stores.js';
import { sqliteFile } from '../../support/sqlite.js';
import { openWorld, type World, type WorldOptions } from '../world.js';
import { skipWhen } from '../../support/skip-when.js';

const HOUR_MS = 3_600_000;

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

/** A world whose kit lives on a machine that somebody sets back by an hour, which no timer notices. */
async function openWithSetBack(options: WorldOptions = {}) {
  let behindMs = 0;
  const clocks = (clock: Clock): Clock => ({
    now: () => clock.now() - behindMs,
    monotonic: () => clock.now(),
    setTimer: (delayMs, run) => clock.setTimer(delayMs, run),
  });
  const opened = await openWorld({ ...options, clocks });
  world = opened;
  return {
    ...opened,
    setBack: () => {
      behindMs += HOUR_MS;
    },
  };
}

const webhooksLost: WorldOptions = { webhooks: async () => new Response(null, { status: 200 }) };

test('a payer who reads on after the clock was set back is not refused', async () => {
  const { startBreb, get, pass, setBack } = await openWithSetBack();
  const { attempt } = await startBreb();
  for (let read = 0; read < 60; read++) assert.equal((await get(`/payins/${attempt.id}`)).status, 200);
  assert.equal((await get(`/payins/${attempt.id}`)).status, 429);
  setBack();
  await pass(11_000);
  assert.equal((await get(`/payins/${attempt.id}`)).status, 200);
});

test('creates of an hour ago are not counted again when the clock was set back', async () => {
  const { startBreb, pass, setBack } = await openWithSetBack({
    options: { rateLimits: { createsPerOrder: 2 } },
  });
  for (let create = 0; create < 2; create++) assert.ok((await startBreb()).status < 300);
  assert.equal((await startBreb()).status, 429);
  await pass(HOUR_MS);
  setBack();
  assert.ok((await startBreb()).status < 300);
});

test('a held answer comes when its time is up, although the clock was set back', async () => {
  const { startBreb, get, pass, setBack } = await openWithSetBack(webhooksLost);
  const { attempt } = await startBreb();
  let answered = false;
  const waiting = get(`/payins/${attempt.id}?after=${attempt.version}&wait=25`).then(() => {
    answered = true;
  });
  await pass(1_000);
  setBack();
  await pass(23_999);
  assert.equal(answered, false);
  await pass(501);
  assert.ok(answered);
  await waiting;
});

test('a payment whose webhook was lost is confirmed after 15 seconds, although the clock was set back', async () => {
  const { startBreb, engine, payinOf, pass, told, setBack } = await openWithSetBack(webhooksLost);
  const { attempt } = await startBreb();
  await pass(2_000);
  setBack();
  engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
  await pass(14_000);
  assert.deepEqual(
    told.map(({ hook, late }) => [hook, late]),
    [['onConfirmed', false]],
  );
});

test('a hook that failed is run again within two seconds, although the clock was set back', async () => {
  let runs = 0;
  const { startBreb, engine, payinOf, pass, setBack } = await openWithSetBack({
    options: {
      onConfirmed() {
        runs += 1;
        if (runs === 1) throw new Error('not now');
      },
    },
  });
  const { attempt } = await startBreb();
  engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
  await pass(100);
  assert.equal(runs, 1);
  setBack();
  await pass(2_000);
  assert.equal(runs, 2);
});

test('after a 429 the service is asked again when it said, although the clock was set back', async () => {
  let refusals = 0;
  const { startBreb, engine, payinOf, pass, told, setBack } = await openWithSetBack({
    ...webhooksLost,
    network: async (request, next) => {
      if (request.method === 'GET' && refusals++ === 0) {
        return new Response('{}', { status: 429, headers: { 'retry-after': '20' } });
      }
      return next(request);
    },
  });
  const { attempt } = await startBreb();
  engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
  await pass(16_000);
  assert.equal(refusals, 1);
  setBack();
  await pass(18_000);
  assert.equal(refusals, 1);
  await pass(3_000);
  assert.deepEqual(
    told.map(({ hook }) => hook),
    ['onConfirmed'],
  );
});

for (const hours of [-1, 1]) {
  test(`whether a payment is late is measured by the service’s clock, on a machine ${hours} h off`, async () => {
    world = await openWorld({
      clocks: (clock) => ({ ...clock, now: () => clock.now() + hours * HOUR_MS }),
      options: { payinLifetimeMs: { BRE_B: 5 * 60_000 } },
      orders: { early: { amountInCents: 5_000_000 }, late: { amountInCents: 5_000_000 } },
    });
    const { startBreb, engine, payinOf, pass, told } = world;
    const [early, late] = [await startBreb({}, 'early'), await startBreb({}, 'late')];
    await pass(60_000);
    engine.settle(payinOf(early.attempt.reference).id, 'CONFIRMED');
    await pass(5 * 60_000);
    engine.settle(payinOf(late.attempt.reference).id, 'CONFIRMED');
    await pass(5_000);
    assert.deepEqual(
      told.map((notice) => [notice.hook, notice.order, notice.late]),
      [
        ['onConfirmed', 'early', false],
        ['onConfirmed', 'late', true],
      ],
    );
  });
}

async function onSqlite(t: TestContext): Promise<[Store, Store]> {
  const file = sqliteFile(t);
  return [sqliteStore(file.open()), sqliteStore(file.open())];
}

async function onPostgres(t: TestContext): Promise<[Store, Store]> {
  const connection = await (await postgresCluster()).createSchema();
  return [postgresStore(fromPg(pgPool(t, connection, 4))), postgresStore(fromPg(pgPool(t, connection, 4)))];
}

for (const [name, open, skip] of [
  ['SQLite', onSqlite, false],
  ['PostgreSQL', onPostgres, whyNoPostgres() ?? false],
] as const) {
  test(
    `on ${name} instances whose clocks are 45 s apart do not run the same hook at once`,
    skipWhen(skip),
    async (t) => {
      let runs = 0;
      let finish: () => void = () => undefined;
      let begun: () => void = () => undefined;
      const started = new Promise<void>((resolve) => (begun = resolve));
      const finished = new Promise<void>((resolve) => (finish = resolve));
      world = await openWorld({
        ...webhooksLost,
        stores: await open(t),
        work: false,
        clocks: (clock, instance) => ({
          ...clock,
          now: () => clock.now() + instance * 45_000,
        }),
        options: {
          async onConfirmed() {
            runs += 1;
            begun();
            await finished;
          },
        },
      });
      const { checkouts, startBreb, engine, payinOf, clock } = world;
      const { attempt } = await startBreb();
      for (const checkout of checkouts) await checkout.idle();
      engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
      await clock.advance(60_000);
      const [behind, ahead] = checkouts;
      const running = behind?.tick();
      await started;
      await ahead?.tick();
      assert.equal(runs, 1);
      finish();
      await running;
      await ahead?.tick();
      assert.equal(runs, 1);
    },
  );
}
