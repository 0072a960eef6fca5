import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { sqliteStore, type Store } from '../../../src/server.js';
import { sqliteFile } from '../../support/sqlite.js';
import { chanceFrom, seedOr, sizeOr } from '../../support/torture.js';
import { overriding } from '../../simulation/shop.js';
import { openWorld } from '../world.js';

/** People pay while the disk under SQLite fills up and is cleared, again and again. */

const ORDERS = sizeOr(12);
const SEED = seedOr(1);
const ROOM_PAGES = 1_000_000;

/** What is wrong in the end, and what happened; with a store that `loses`, a failed write passes for a good one. */
async function faultsOn(t: TestContext, loses = false) {
  const chance = chanceFrom(SEED);
  const database = sqliteFile(t).open();
  const store = sqliteStore(database);
  const update: Store['update'] = async (orderId, decide) => {
    try {
      return await store.update(orderId, decide);
    } catch {
      return decide(await store.read(orderId)).result;
    }
  };
  const kept = overriding(store, (name, method) => (loses && name === 'update' ? update : method));
  const orders = Object.fromEntries(
    Array.from({ length: ORDERS }, (_, index) => [`o${index}`, { amountInCents: 10_000 + index }]),
  );
  const world = await openWorld({
    store: kept,
    orders,
    options: { maxAttempts: 20, methods: [{ rail: 'BRE_B', keyType: 'SINGLE_USE' }] },
  });
  const { engine } = world;
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  const setRoom = (pages: number) => database.exec(`pragma max_page_count = ${pages}`);
  for (const order of Object.keys(orders)) {
    // As many pages as there are now: no more can be written than fits into them.
    const isFull = chance() < 0.6;
    setRoom(isFull ? 1 : ROOM_PAGES);
    const { status, problem } = await world.startBreb({ breb: { keyType: 'SINGLE_USE' } }, order);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status >= 300 && !(status >= 500 && problem.code)) faults.push(`a payer got ${status}`);
    for (const payin of engine.payins)
      if (payin.status === 'PROCESSING' && chance() < 0.3) engine.settle(payin.id, 'CONFIRMED');
    await world.pass(3_000);
  }
  setRoom(ROOM_PAGES);
  for (const order of Object.keys(orders)) await world.startBreb({ breb: { keyType: 'SINGLE_USE' } }, order);
  for (const payin of engine.payins) if (payin.status === 'PROCESSING') engine.settle(payin.id, 'CONFIRMED');
  await world.pass(120_000);
  const paid = engine.payins.filter(({ status }) => status === 'CONFIRMED').map(({ reference }) => reference);
  const told = world.told.map(({ reference }) => reference);
  if (new Set(world.told.map(({ key }) => key)).size < told.length) faults.push('a payment was told twice');
  for (const reference of paid) if (!told.includes(reference)) faults.push('a payment was lost');
  const settled = world.told.filter(({ hook }) => hook === 'onConfirmed').map(({ order }) => order);
  if (new Set(settled).size < settled.length) faults.push('an order was settled twice');
  await world.close();
  return { faults, statuses, paid: paid.length };
}

test(`${ORDERS} orders while SQLite's disk is full now and then: clear errors, nothing lost or doubled`, async (t) => {
  const { faults, statuses, paid } = await faultsOn(t);
  t.diagnostic(`seed ${SEED}: answers ${JSON.stringify([...statuses])}, ${paid} payments`);
  assert.deepEqual(faults, []);
  assert.ok(
    [...statuses.keys()].some((status) => status >= 500),
    'the disk was never full',
  );
});

test('a full disk finds a store that takes a failed write for a good one', async (t) => {
  const [fault] = (await faultsOn(t, true)).faults;
  assert.ok(fault !== undefined, 'nothing was wrong with it');
  t.diagnostic(`found: ${fault}`);
});
