import type { TestContext } from 'vitest';
import { memoryStore } from '../../../src/server/stores/memory-store.js';
import { fromPg, fromPostgresJs } from '../../../src/server/stores/postgres/adapters.js';
import type { PostgresPort } from '../../../src/server/stores/postgres/port.js';
import { postgresStore } from '../../../src/server/stores/postgres/postgres-store.js';
import { sqliteStore } from '../../../src/server/stores/sqlite/sqlite-store.js';
import { cleanup } from '../../support/cleanup.js';
import { pgPool, postgresJs } from '../../support/postgres-stores.js';
import { type Connection, postgresCluster, whyNoPostgres } from '../../support/postgres.js';
import { sqliteFile } from '../../support/sqlite.js';
import type { Instances } from './contract/support.js';
import { storeContract, waitingContract } from './store-contract.js';

storeContract({
  name: 'memory',
  async open(t) {
    const store = memoryStore();
    cleanup(t, () => store.close());
    return { one: store, two: store };
  },
});

storeContract({
  name: 'SQLite',
  async open(t) {
    const file = sqliteFile(t);
    const [one, two] = [sqliteStore(file.open()), sqliteStore(file.open())];
    cleanup(t, () => Promise.all([one.close(), two.close()]));
    await Promise.all([one.migrate(), two.migrate()]);
    return { one, two };
  },
});

const skip = whyNoPostgres();

storeContract({
  name: 'PostgreSQL (pg)',
  skip,
  open: (t) => openPostgres(t, (connection) => fromPg(pgPool(t, connection))),
});

storeContract({
  name: 'PostgreSQL (postgres.js)',
  skip,
  open: (t) => openPostgres(t, (connection) => fromPostgresJs(postgresJs(t, connection))),
});

waitingContract({
  name: 'PostgreSQL (without listening)',
  skip,
  open: (t) =>
    openPostgres(t, (connection) => {
      const { query, transaction } = fromPg(pgPool(t, connection));
      return { query, transaction };
    }),
});

async function openPostgres(
  t: TestContext,
  connect: (connection: Connection) => PostgresPort,
): Promise<Instances> {
  const connection = await (await postgresCluster()).createSchema();
  const [one, two] = [postgresStore(connect(connection)), postgresStore(connect(connection))];
  cleanup(t, () => Promise.all([one.close(), two.close()]));
  await Promise.all([one.migrate(), two.migrate()]);
  return { one, two };
}
