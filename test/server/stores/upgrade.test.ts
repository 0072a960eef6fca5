import assert from 'node:assert/strict';
import { type TestContext, test } from 'vitest';
import { fromPg, postgresStore, sqliteStore, type Store } from '../../../src/server.js';
import { pgPool } from '../../support/postgres-stores.js';
import { postgresCluster, whyNoPostgres } from '../../support/postgres.js';
import { sqliteFile } from '../../support/sqlite.js';
import { earlierRelease, restorePostgres, restoreSqlite, serviceOf } from './earlier-release.js';
import { openWorld } from '../world.js';
import { skipWhen } from '../../support/skip-when.js';

const release = earlierRelease('0.1.0');

/** A database that the earlier release wrote, opened by two instances of this one. */
interface Upgraded {
  readonly stores: [Store, Store];
  /** An instance of the earlier release that still runs writes an order's row as it is once more. */
  writeAsBefore(order: string): Promise<void>;
}

async function onSqlite(t: TestContext): Promise<Upgraded> {
  const file = sqliteFile(t);
  const old = file.open();
  restoreSqlite(old, release);
  return {
    stores: [sqliteStore(file.open()), sqliteStore(file.open())],
    async writeAsBefore(order) {
      const key = `o:${order}`;
      const row = old.prepare('select * from checkout_orders where key = ?').get(key) as OldRow;
      const [insertOrUpdate = ''] = release.sqlite.writes;
      const { revision, body, written_at: writtenAt, due_at: dueAt } = row;
      old.prepare(insertOrUpdate).run(key, null, revision + 1, revision + 1, body, writtenAt, dueAt);
    },
  };
}

interface OldRow {
  readonly revision: number;
  readonly body: string;
  readonly written_at: number;
  readonly due_at: number | null;
}

async function onPostgres(t: TestContext): Promise<Upgraded> {
  const connection = await (await postgresCluster()).createSchema();
  const old = pgPool(t, connection);
  await restorePostgres(old, release);
  const open = () => postgresStore(fromPg(pgPool(t, connection)));
  return {
    stores: [open(), open()],
    async writeAsBefore(order) {
      const key = `o:${order}`;
      const { rows } = await old.query<OldRow>('select * from checkout_orders where key = $1', [key]);
      const [row] = rows;
      const [, update = ''] = release.postgres.writes;
      await old.query(update, [key, Number(row?.revision) + 1, 1, row?.body, row?.written_at, row?.due_at]);
    },
  };
}

for (const [name, open, skip] of [
  ['SQLite', onSqlite, false],
  ['PostgreSQL', onPostgres, whyNoPostgres() ?? false],
] as const) {
  test(
    `orders of release 0.1.0 on ${name} are carried on by two instances of this one`,
    skipWhen(skip),
    async (t) => {
      const upgraded = await open(t);
      const world = await openWorld({
        stores: upgraded.stores,
        work: false,
        network: serviceOf(release),
        orders: Object.fromEntries(
          ['open', 'pse', 'untold', 'paid', 'twice', 'declined', 'unclear', 'link', 'forged', 'odd'].map(
            (id) => [id, { amountInCents: 5_000_000 }],
          ),
        ),
      });
      // The two start together; the earlier release still writes while they do.
      await Promise.all(world.checkouts.map((checkout) => checkout.tick()));
      await upgraded.writeAsBefore('twice');
      await world.passByTicks(120_000, 5_000);
      const review = await world.checkouts[0]?.orders.review();
      const needsPerson = review?.orders.map(({ order, items }) => [order, ...items.map(({ kind }) => kind)]);
      assert.deepEqual(
        needsPerson?.filter(([order]) => order === 'twice'),
        [['twice', 'duplicate']],
        'rows of the earlier release are found, also those that it writes after the upgrade',
      );

      const listed = (await world.checkouts[0]?.attempts.list())?.attempts ?? [];
      for (const payin of release.payins) {
        const line = listed.find(({ reference }) => reference === payin.reference);
        assert.equal(line?.amountInCents, payin.amountInCents, `${payin.reference} is in the list`);
      }

      const told = world.told.map(({ hook, order }) => `${hook} ${order}`).sort();
      const paidMeanwhile = ['forged', 'open', 'pse', 'unclear', 'untold'];
      for (const order of paidMeanwhile) {
        assert.equal(
          told.filter((each) => each === `onConfirmed ${order}`).length,
          1,
          `${order}: ${told.join()}`,
        );
        assert.equal((await world.offer(order)).offer.attempt?.settlement?.state, 'PAID');
      }
      for (const order of ['paid', 'twice', 'declined']) {
        assert.deepEqual(
          told.filter((each) => each.endsWith(` ${order}`)),
          [],
          'what was told before is not told again',
        );
      }
      assert.equal((await world.offer('paid')).offer.attempt?.settlement?.state, 'PAID');
      assert.equal((await world.offer('twice')).offer.attempt?.settlement?.duplicate, true);
      assert.equal((await world.offer('declined')).offer.attempt?.status, 'DECLINED');
      assert.equal((await world.offer('link')).offer.attempt?.kind, 'PAYMENT_LINK');
      await world.close();
    },
  );
}
