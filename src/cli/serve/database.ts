import { createRequire } from 'node:module';
import { fromPg } from '../../server/stores/postgres/adapters.js';
import { postgresStore } from '../../server/stores/postgres/postgres-store.js';
import type { SqliteDatabase } from '../../server/stores/sqlite/driver.js';
import { sqliteStore } from '../../server/stores/sqlite/sqlite-store.js';
import type { Store } from '../../server/stores/store.js';
import { CommandError } from '../command.js';

export interface OpenDatabase {
  readonly store: Store;
  readonly name: string;
  close(): Promise<void>;
}

const OLDEST_PG = 8;

/** PostgreSQL for a postgres:// address, SQLite for a file. Drivers are the shop's to install. */
export async function openDatabase(database: string): Promise<OpenDatabase> {
  return /^postgres(?:ql)?:\/\//.test(database) ? openPostgres(database) : openSqlite(database);
}

async function openPostgres(connectionString: string): Promise<OpenDatabase> {
  const driver = await import('pg').catch(() => undefined);
  if (!driver) throw new CommandError('PostgreSQL needs its driver: npm install pg');
  const { version } = createRequire(import.meta.url)('pg/package.json') as { version: string };
  // Older ones never connect on a Node that we support, and never say so.
  if (Number.parseInt(version, 10) < OLDEST_PG)
    throw new CommandError(
      `PostgreSQL needs pg ${OLDEST_PG} or newer, and ${version} is installed: npm install pg`,
    );
  const pool = new driver.default.Pool({ connectionString });
  return { store: postgresStore(fromPg(pool)), name: 'PostgreSQL', close: () => pool.end() };
}

type SqliteDriver = new (file: string) => SqliteDatabase & { close(): void };

/** Node's own SQLite where there is one, else a driver of the same shape. */
async function openSqlite(file: string): Promise<OpenDatabase> {
  const Driver = builtInDriver() ?? (await import('libsql').catch(() => undefined))?.default;
  if (!Driver) {
    throw new CommandError(
      'SQLite needs a driver on this Node: npm install libsql (or use Node 22.13 or later)',
    );
  }
  const db = new Driver(file);
  return { store: sqliteStore(db), name: file, close: async () => void db.close() };
}

/** Absent before Node 22, and unknown to its types there. */
function builtInDriver(): SqliteDriver | undefined {
  const { getBuiltinModule } = process as { getBuiltinModule?: (name: string) => unknown };
  return (getBuiltinModule?.('node:sqlite') as { DatabaseSync: SqliteDriver } | undefined)?.DatabaseSync;
}
