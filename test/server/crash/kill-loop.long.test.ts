import assert from 'node:assert/strict';
import { test } from 'vitest';
import { whyNoPostgres } from '../../support/postgres.js';
import { onPostgres, onSqlite } from './databases.js';
import { runKillLoop } from './loop.js';
import { skipWhen } from '../../support/skip-when.js';

const KILLS = Number(process.env['PAY_CHECKOUT_KILLS'] ?? 20);
/** A kill and what follows it, on a machine that is busy with other tests. */
const KILL_PATIENCE_MS = 30_000;

for (const [name, on, instances, skip] of [
  ['SQLite', onSqlite, 1, false],
  ['PostgreSQL with two instances', onPostgres, 2, whyNoPostgres() ?? false],
] as const) {
  test(
    `${KILLS} kills on ${name} while orders of every kind are paid and refunded lose and double nothing`,
    { ...skipWhen(skip), timeout: KILLS * KILL_PATIENCE_MS },
    async () => {
      const { counts, defects } = await on((database) =>
        runKillLoop({ database, instances, kills: KILLS, random: Math.random }),
      );
      console.log(JSON.stringify(counts));
      assert.deepEqual(defects, []);
      assert.ok(counts.paidOrders > 0 && counts.underpaid > 0);
      assert.ok(counts.linkPayments > 0 && counts.psePayments > 0 && counts.chargebacks > 0);
      assert.ok(counts.linksPaidTwice > 0 && counts.linksPaidLate > 0 && counts.adopted > 0);
      assert.ok(counts.refunds > 0);
    },
  );
}
