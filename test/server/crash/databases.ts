import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import pg from 'pg';
import { fromPg, postgresStore, sqliteStore, type Store } from '../../../src/server.js';
import { postgresCluster } from '../../support/postgres.js';
import type { CrashDatabase } from './harness.js';

const AGE_LEASES = 'update checkout_orders set lease_until = lease_until - $1 where lease_until is not null';

/** Runs the work on a SQLite file of its own, gone afterwards. */
export async function onSqlite<Result>(work: (database: CrashDatabase) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-crash-'));
  const path = join(folder, 'checkout.db');
  try {
    return await work({
      plan: { kind: 'sqlite', path },
      open() {
        const database = new Database(path);
        return closingToo(sqliteStore(database), () => void database.close());
      },
      async age(durationMs) {
        const database = new Database(path);
        database.prepare('pragma busy_timeout = 5000').get();
        database.prepare(AGE_LEASES.replace('$1', '?')).run(durationMs);
        database.close();
      },
      revive: async () => {},
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the work on a schema of its own of this process's PostgreSQL. */
export async function onPostgres<Result>(
  work: (database: CrashDatabase) => Promise<Result>,
): Promise<Result> {
  const cluster = await postgresCluster();
  const connection = await cluster.createSchema();
  return work({
    plan: { kind: 'postgres', connection, serverPid: cluster.pid },
    open() {
      const { schema, ...rest } = connection;
      const pool = new pg.Pool({ ...rest, max: 4, options: `-c search_path=${schema}` });
      return closingToo(postgresStore(fromPg(pool)), () => pool.end());
    },
    async age(durationMs) {
      const { schema, ...rest } = connection;
      const client = new pg.Client({ ...rest, options: `-c search_path=${schema}` });
      await client.connect();
      await client.query(AGE_LEASES, [durationMs]);
      await client.end();
    },
    revive: () => cluster.revive(),
  });
}

/** The harness opened the handle, so closing its store closes it as well. */
function closingToo(store: Store, closeHandle: () => Promise<void> | void): Store {
  const close = store.close.bind(store);
  store.close = async () => {
    await close();
    await closeHandle();
  };
  return store;
}
