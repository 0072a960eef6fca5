import assert from 'node:assert/strict';
import { type TestContext, test } from 'vitest';
import { fromPg, postgresStore, sqliteStore, type Store } from '../../../src/server.js';
import { Cluster, whyNoSmallDisk } from '../../support/postgres.js';
import { pgPool } from '../../support/postgres-stores.js';
import { sqliteFile } from '../../support/sqlite.js';
import { chanceFrom, seedOr, sizeOr } from '../../support/torture.js';
import { overriding } from '../../simulation/shop.js';
import { openWorld, type World } from '../world.js';
import { skipWhen } from '../../support/skip-when.js';
import { itLong } from '../../support/it-long.js';

/** People pay while the disk under the database fills up and is cleared, again and again. */

const ORDERS = sizeOr(12, 40);
const SEED = seedOr(1);
const ROOM_PAGES = 1_000_000;
const SMALL_DISK_MEGABYTES = 160;

interface Disk {
  readonly store: Store;
  readonly work: boolean;
  setFull(isFull: boolean): Promise<void>;
  pass(world: World, durationMs: number): Promise<void>;
}

async function underSqlite(t: TestContext): Promise<Disk> {
  const database = sqliteFile(t).open();
  return {
    store: sqliteStore(database),
    work: true,
    // As many pages as there are now: no more can be written than fits into them.
    setFull: async (isFull) => void database.exec(`pragma max_page_count = ${isFull ? 1 : ROOM_PAGES}`),
    pass: (world, durationMs) => world.pass(durationMs),
  };
}

/** A server that cannot write its log ends by itself: whoever clears its disk starts it again. */
async function underPostgres(t: TestContext): Promise<Disk> {
  const cluster = await Cluster.start({ fsync: false, diskMegabytes: SMALL_DISK_MEGABYTES });
  const pool = pgPool(t, await cluster.createSchema());
  pool.on('error', () => undefined);
  const compact = async () => {
    const { rows } = await pool.query<{ name: string }>(
      'select quote_ident(tablename) as name from pg_tables where schemaname = current_schema()',
    );
    if (rows.length > 0) await pool.query(`vacuum full ${rows.map(({ name }) => name).join()}`);
  };
  return {
    store: postgresStore(fromPg(pool)),
    work: false,
    async setFull(isFull) {
      // Tables that had grown ahead would have room on a full disk. One that is full already refuses this too.
      if (isFull) await compact().catch(() => undefined);
      await cluster.fillDisk(isFull);
      if (!isFull) await cluster.revive();
    },
    async pass({ clock, engine, settle, checkouts }, durationMs) {
      for (let passedMs = 0; passedMs < durationMs; passedMs += 3_000) {
        await clock.advance(3_000, settle);
        await engine.idle();
        // Leases go by the database's clock, which nobody moves by hand.
        await pool
          .query('update checkout_orders set lease_until = lease_until - 3000 where lease_until is not null')
          .catch(() => undefined);
        for (const checkout of checkouts) {
          await checkout.tick().catch(() => undefined);
          await checkout.idle();
        }
      }
    },
  };
}

/** What is wrong in the end, and what happened; with a store that `loses`, a failed write passes for a good one. */
async function faultsOn(disk: Disk, loses = false) {
  const chance = chanceFrom(SEED);
  const { store } = disk;
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
    work: disk.work,
    options: { maxAttempts: 20, methods: [{ rail: 'BRE_B', keyType: 'SINGLE_USE' }] },
  });
  const { engine } = world;
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  /** A hook that ran while nothing could be written down is run again, with the same key. */
  const toldInVain = new Set<string>();
  for (const order of Object.keys(orders)) {
    const isFull = chance() < 0.6;
    const toldBefore = world.told.length;
    await disk.setFull(isFull);
    const { status, problem } = await world.startBreb({ breb: { keyType: 'SINGLE_USE' } }, order);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status >= 300 && !(status >= 500 && problem.code)) faults.push(`a payer got ${status}`);
    for (const payin of engine.payins)
      if (payin.status === 'PROCESSING' && chance() < 0.3) engine.settle(payin.id, 'CONFIRMED');
    await disk.pass(world, 3_000);
    if (isFull) for (const { key } of world.told.slice(toldBefore)) toldInVain.add(key);
  }
  await disk.setFull(false);
  for (const order of Object.keys(orders)) await world.startBreb({ breb: { keyType: 'SINGLE_USE' } }, order);
  for (const payin of engine.payins) if (payin.status === 'PROCESSING') engine.settle(payin.id, 'CONFIRMED');
  await disk.pass(world, 120_000);
  const paid = engine.payins.filter(({ status }) => status === 'CONFIRMED').map(({ reference }) => reference);
  const told = new Map(world.told.map((notice) => [notice.key, notice]));
  const repeated = world.told.filter((notice) => told.get(notice.key) !== notice).map(({ key }) => key);
  if (repeated.some((key) => !toldInVain.has(key))) faults.push('a payment was told twice');
  const references = new Set([...told.values()].map(({ reference }) => reference));
  for (const reference of paid) if (!references.has(reference)) faults.push('a payment was lost');
  const settled = [...told.values()].filter(({ hook }) => hook === 'onConfirmed').map(({ order }) => order);
  if (new Set(settled).size < settled.length) faults.push('an order was settled twice');
  await world.close();
  return { faults, statuses, paid: paid.length, repeated: repeated.length };
}

for (const [name, open, skip] of [
  ['SQLite', underSqlite, false],
  ['PostgreSQL', underPostgres, whyNoSmallDisk() ?? false],
] as const) {
  const what = `${ORDERS} orders while ${name}'s disk is full now and then: clear errors, nothing lost or doubled`;
  test(what, skipWhen(skip), async (t) => {
    const { faults, statuses, paid, repeated } = await faultsOn(await open(t));
    console.log(
      `seed ${SEED}: answers ${JSON.stringify([...statuses])}, ${paid} payments, ${repeated} notices repeated`,
    );
    assert.deepEqual(faults, []);
    assert.ok(
      [...statuses.keys()].some((status) => status >= 500),
      'the disk was never full',
    );
  });
}

itLong('a full disk finds a store that takes a failed write for a good one', async (t) => {
  const [fault] = (await faultsOn(await underSqlite(t), true)).faults;
  assert.ok(fault !== undefined, 'nothing was wrong with it');
  console.log(`found: ${fault}`);
});
