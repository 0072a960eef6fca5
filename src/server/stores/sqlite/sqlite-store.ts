import { checkedName, defaultTablePrefix, tableNames } from '../sql/schema.js';
import type { Dialect, Rows, SqlDatabase, SqlValue, Steps } from '../sql/database.js';
import { SqlStore } from '../sql/sql-store.js';
import type { Store } from '../store.js';
import { SqliteConnection, type SqliteDatabase } from './driver.js';
import { SqliteWriter } from './writer.js';

export interface SqliteStoreOptions {
  /** How the names of the store's tables begin; `checkout_` when absent. */
  readonly tablePrefix?: string;
}

/**
 * Keeps everything in a SQLite file: one machine, any number of processes on it. Takes a handle of better-sqlite3,
 * libsql, node:sqlite or any driver of their shape, and leaves closing it to its owner.
 */
export function sqliteStore(database: SqliteDatabase, options: SqliteStoreOptions = {}): Store {
  const prefix = checkedName('tablePrefix', options.tablePrefix ?? defaultTablePrefix);
  return new SqlStore(() => new Sqlite(new SqliteConnection(database)), tableNames(prefix));
}

/** A transaction holds the only write lock from its start, so no row needs one of its own. */
const dialect: Dialect = {
  id: 'text',
  integer: 'integer',
  clock: `cast((julianday('now') - 2440587.5) * 86400000 as integer)`,
  elements: 'select value from json_each(?)',
  forUpdate: '',
  forUpdateSkipLocked: '',
  findTable: `select 1 from sqlite_master where type = 'table' and name = ?`,
};

export class Sqlite implements SqlDatabase {
  readonly dialect = dialect;
  readonly #connection: SqliteConnection;
  readonly #writer: SqliteWriter;
  #version: unknown;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
    this.#writer = new SqliteWriter(connection);
  }

  prepare(): Promise<void> {
    return this.#connection.prepareFile();
  }

  *lockMigrations(): Steps<void> {}

  read(text: string, ...values: SqlValue[]): Promise<Rows> {
    return this.#connection.whenFree(() => this.#connection.run(text, ...values));
  }

  writeRelaxed(text: string, ...values: SqlValue[]): Promise<Rows> {
    return this.#writer.writeRelaxed(() => this.#connection.run(text, ...values));
  }

  transact<Result>(steps: () => Steps<Result>): Promise<Result> {
    return this.#writer.write(() => {
      const work = steps();
      let step = work.next([]);
      while (step.done !== true) step = work.next(this.#connection.run(...step.value));
      return step.value;
    });
  }

  listen(): void {}

  /** Writes of other processes change the file's version, which is cheap to read. */
  async mayHaveChanged(): Promise<boolean> {
    const version = this.#connection.get('pragma data_version')?.['data_version'];
    const hasChanged = version !== this.#version;
    this.#version = version;
    return hasChanged;
  }

  forgetRemoved(): void {
    this.#connection.emptyLog();
  }

  async close(): Promise<void> {}
}
