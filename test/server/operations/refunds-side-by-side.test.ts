import assert from 'node:assert/strict';
import { afterEach, test, type TestContext } from 'vitest';
import {
  fromPg,
  memoryStore,
  type PayoutView,
  postgresStore,
  sqliteStore,
  type Store,
} from '../../../src/server.js';
import { pgPool } from '../../support/postgres-stores.js';
import { postgresCluster, whyNoPostgres } from '../../support/postgres.js';
import { skipWhen } from '../../support/skip-when.js';
import { sqliteFile } from '../../support/sqlite.js';
import { checkoutOf } from '../world.js';
import { close, KEY, sends, hooks, refusal, paid } from './refunds-world.js';

/** Refunds that several send at once: from two instances, on each store. */

afterEach(close);

test('two people, two tabs and repeated calls send a draft once', async () => {
  const { world: opened } = await paid({ instances: 2 });
  const [one, other] = [checkoutOf(opened, 0).refunds, checkoutOf(opened, 1).refunds];
  const { id, version } = await one.draft({ order: 'order-1', keyString: KEY });
  const answers = await Promise.allSettled(
    [one, other, one, other].map((each) => each.send(id, { version })),
  );
  assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.equal((await refusal(one.send(id, { version }))).code, 'stale');
  assert.equal((await refusal(one.send(id, { version: version + 1 }))).code, 'stale');
  assert.equal((await refusal(one.discard(id))).code, 'stale');
  assert.equal(sends(opened), 1);
});

const onMemory = async (): Promise<[Store, Store]> => {
  const store = memoryStore();
  return [store, store];
};

const onSqlite = async (t: TestContext): Promise<[Store, Store]> => {
  const file = sqliteFile(t);
  return [sqliteStore(file.open()), sqliteStore(file.open())];
};

const onPostgres = async (t: TestContext): Promise<[Store, Store]> => {
  const connection = await (await postgresCluster()).createSchema();
  const open = () => postgresStore(fromPg(pgPool(t, connection)));
  return [open(), open()];
};

for (const [name, open, skip] of [
  ['memory', onMemory, false],
  ['SQLite', onSqlite, false],
  ['PostgreSQL', onPostgres, whyNoPostgres() ?? false],
] as const) {
  test(
    `two instances on ${name} never give back more than an order brought, whatever drafts they send side by side`,
    skipWhen(skip),
    async (t) => {
      const { world: opened } = await paid({ stores: await open(t), work: false });
      const drafts: PayoutView[] = [];
      for (let index = 0; index < 6; index++) {
        const input = { order: 'order-1', keyString: KEY, amountInCents: 2_000_000 };
        drafts.push(await checkoutOf(opened).refunds.draft(input));
      }
      const sent = await Promise.allSettled(
        drafts.map(({ id }, index) => checkoutOf(opened, index % 2).refunds.send(id, { version: 1 })),
      );
      await opened.passByTicks(60_000, 5_000);
      assert.equal(sent.filter(({ status }) => status === 'fulfilled').length, 2);
      assert.equal(opened.engine.payouts.length, 2);
      assert.equal(await checkoutOf(opened, 1).refunds.returnable({ order: 'order-1' }), 1_000_000);
      for (const { id } of opened.engine.payouts) opened.engine.settle(id, 'CONFIRMED');
      await opened.idle();
      await opened.passByTicks(60_000, 5_000);
      const told = hooks(opened, 'onRefunded').map(({ key }) => key);
      assert.deepEqual([told.length, new Set(told).size], [2, 2]);
      assert.equal((await checkoutOf(opened).payouts.list()).total, 2);
    },
  );
}
