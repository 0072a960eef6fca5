import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { asksForPayins, emptyPage, openWorld, type World, type WorldOptions } from '../world.js';

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Payments that nobody pays, seven hours later. No webhook arrives. */
async function openAbandoned(count: number, more: WorldOptions = {}) {
  const names = Array.from({ length: count }, (_, index) => `order-${index}`);
  const opened = await openWorld({
    work: false,
    orders: Object.fromEntries(names.map((name) => [name, { amountInCents: 5_000_000 }])),
    webhooks: async () => new Response(null, { status: 200 }),
    options: { serviceReadsPerSecond: 1_000 },
    ...more,
  });
  world = opened;
  const attempts = [];
  for (const name of names) attempts.push((await opened.startBreb({}, name)).attempt);
  await opened.clock.advance(7 * HOUR_MS);
  await opened.passByTicks(MINUTE_MS, MINUTE_MS);
  return {
    ...opened,
    attempts,
    /** Requests to the service in a time: pages of the list, and reads of one payin. */
    async count(durationMs: number) {
      const before = opened.requests.length;
      await opened.passByTicks(durationMs, 5 * MINUTE_MS);
      const made = opened.requests.slice(before);
      const pages = made.filter((request) => request === 'GET /payins').length;
      return { pages, reads: made.length - pages };
    },
  };
}

test('many payments that have been open for hours are read from pages of the list, and news are proved by a read', async () => {
  const { count, attempts, engine, payinOf, told } = await openAbandoned(210);
  await count(HOUR_MS + 10 * MINUTE_MS);
  assert.deepEqual(await count(2 * HOUR_MS), { pages: 6, reads: 0 }, 'three pages an hour');
  const paid = attempts[100];
  assert.ok(paid);
  engine.settle(payinOf(paid.reference).id, 'CONFIRMED');
  assert.deepEqual(await count(HOUR_MS + 10 * MINUTE_MS), { pages: 3, reads: 1 });
  assert.deepEqual(
    told.map(({ hook, reference }) => [hook, reference]),
    [['onConfirmed', paid.reference]],
  );
});

test('a few are read one by one', async () => {
  const { count } = await openAbandoned(20);
  const { pages, reads } = await count(3 * HOUR_MS);
  assert.equal(pages, 0);
  assert.ok(reads >= 2 * 20);
});

test('when the list cannot be read, each is read by itself', async () => {
  const { count, attempts, engine, payinOf, told, logged } = await openAbandoned(210, {
    network: async (request, next) =>
      asksForPayins(request) ? new Response(null, { status: 400 }) : next(request),
  });
  const paid = attempts[100];
  assert.ok(paid);
  engine.settle(payinOf(paid.reference).id, 'CONFIRMED');
  const { reads } = await count(3 * HOUR_MS);
  assert.ok(reads >= 210, `only ${reads} were read`);
  assert.deepEqual(
    told.map(({ hook, reference }) => [hook, reference]),
    [['onConfirmed', paid.reference]],
  );
  assert.ok(logged.some(({ event, level }) => event === 'list_failed' && level === 'warn'));
});

test('a list that never ends is left where reading one by one is cheaper', async () => {
  let page = 0;
  const { count } = await openAbandoned(210, {
    network: async (request, next) => {
      if (!asksForPayins(request)) return next(request);
      return ++page > 1_000 ? new Response(null, { status: 400 }) : emptyPage(`${page}`);
    },
  });
  const { pages } = await count(3 * HOUR_MS);
  assert.ok(pages > 1 && pages <= 210 / 2, `${pages} pages`);
});
