import assert from 'node:assert/strict';
import { type TestContext, test } from 'vitest';
import { fromPg, postgresStore, sqliteStore, type Store } from '../../../src/server.js';
import { newReference } from '../../../src/server/ids.js';
import { pgPool } from '../../support/postgres-stores.js';
import { postgresCluster, whyNoPostgres } from '../../support/postgres.js';
import { sqliteFile } from '../../support/sqlite.js';
import { openWorld, SHOP } from '../world.js';
import { skipWhen } from '../../support/skip-when.js';

/** The kit on real databases: two instances, each with a connection of its own. */

async function onSqlite(t: TestContext): Promise<[Store, Store]> {
  const file = sqliteFile(t);
  return [sqliteStore(file.open()), sqliteStore(file.open())];
}

async function onPostgres(t: TestContext): Promise<[Store, Store]> {
  const connection = await (await postgresCluster()).createSchema();
  return [postgresStore(fromPg(pgPool(t, connection, 10))), postgresStore(fromPg(pgPool(t, connection, 10)))];
}

for (const [name, open, skip] of [
  ['SQLite', onSqlite, false],
  ['PostgreSQL', onPostgres, whyNoPostgres() ?? false],
] as const) {
  test(
    `200 parallel creates for one order over two instances on ${name} make one payin`,
    skipWhen(skip),
    async (t) => {
      const world = await openWorld({ stores: await open(t), work: false });
      const answers = await Promise.all(Array.from({ length: 200 }, () => world.startBreb()));
      assert.equal(world.engine.payins.length, 1);
      assert.equal(new Set(answers.map(({ attempt }) => attempt.id)).size, 1);
      assert.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), [200, 201]);
      await world.close();
    },
  );

  test(
    `on ${name} payers who wait at either instance are answered when a webhook comes to one`,
    skipWhen(skip),
    async (t) => {
      const world = await openWorld({ stores: await open(t), work: false });
      const { attempt } = await world.startBreb();
      const path = `/payins/${attempt.id}?after=${attempt.version}&wait=25`;
      const waiting = Array.from({ length: 10 }, () => world.get(path));
      world.engine.decide(world.payinOf(attempt.reference).id, 'CONFIRMED');
      await world.pass(0);
      for (const { attempt: read } of await Promise.all(waiting)) assert.equal(read.status, 'CONFIRMED');
      for (const checkout of world.checkouts) await checkout.idle();
      assert.deepEqual(
        world.told.map(({ hook }) => hook),
        ['onConfirmed'],
      );
      await world.close();
    },
  );

  test(
    `two reconciles at once, over two instances on ${name}, give a payment to its order once`,
    skipWhen(skip),
    async (t) => {
      const world = await openWorld({ stores: await open(t), work: false, sandbox: { webhooks: [] } });
      const reference = await newReference('order-1');
      const { id } = world.engine.createPayin({
        amountInCents: 5_000_000,
        currency: 'COP',
        rail: 'BRE_B',
        reference,
        breb: { keyType: 'QR_CODE' },
        callbackUrl: `${SHOP}/gracias?pay-return=${'a'.repeat(24)}`,
      });
      world.engine.settle(id, 'CONFIRMED');
      const day = { from: new Date('2026-01-15T00:00:00Z'), to: new Date('2026-01-17T00:00:00Z') };
      const runs = await Promise.all(world.checkouts.map((checkout) => checkout.reconcile(day)));
      for (const { payments } of runs) {
        assert.deepEqual(
          payments.map((payment) => [payment.order, payment.serviceId]),
          [['order-1', id]],
        );
      }
      for (const checkout of world.checkouts) {
        await checkout.idle();
        await checkout.tick();
      }
      const shown = await world.checkouts[0]?.orders.show('order-1');
      assert.equal(shown?.attempts.length, 1);
      assert.deepEqual(
        shown?.payments.map(({ amountInCents }) => amountInCents),
        [5_000_000],
      );
      assert.deepEqual(
        world.told.map(({ hook }) => hook),
        ['onConfirmed'],
      );
      await world.close();
    },
  );
}
