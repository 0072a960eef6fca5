import { checkedName, defaultTablePrefix, StoreSchemaError, tableNames } from '../sql/schema.js';
import type { Changes, Dialect, Rows, SqlDatabase, SqlValue, Statement, Steps } from '../sql/database.js';
import { SqlStore } from '../sql/sql-store.js';
import type { Store } from '../store.js';
import { retriedOnConflict } from './conflicts.js';
import { PostgresListener } from './listener.js';
import type { PostgresPort, PostgresQuery } from './port.js';

export interface PostgresStoreOptions {
  /** How the names of the store's tables begin; `checkout_` when absent. */
  readonly tablePrefix?: string;
  /** The schema the tables are in, made if there is none; the connection's own when absent. */
  readonly schema?: string;
}

/** Keeps everything in PostgreSQL 13 or newer: any number of machines, whose waiters wake each other. */
export function postgresStore(port: PostgresPort, options: PostgresStoreOptions = {}): Store {
  const prefix = checkedName('tablePrefix', options.tablePrefix ?? defaultTablePrefix);
  const schema = options.schema === undefined ? undefined : checkedName('schema', options.schema);
  return new SqlStore(
    (changes) => new Postgres(port, `${prefix}changes`, schema, changes),
    tableNames(prefix, schema),
  );
}

export class Postgres implements SqlDatabase {
  readonly dialect: Dialect;
  readonly #port: PostgresPort;
  readonly #schema: string | undefined;
  readonly #listener: PostgresListener;

  constructor(port: PostgresPort, channel: string, schema: string | undefined, changes: Changes) {
    this.#port = port;
    this.#schema = schema;
    const listener = new PostgresListener(port, channel, {
      onMessage(text) {
        const space = text.indexOf(' ');
        if (space > 0) changes.onChange(text.slice(space + 1), Number(text.slice(0, space)));
      },
      onRestored: changes.onGap,
    });
    this.#listener = listener;
    this.dialect = {
      id: 'text collate "C"',
      integer: 'bigint',
      clock: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
      elements: 'select json_array_elements_text(?::text::json)',
      forUpdate: 'for update',
      forUpdateSkipLocked: 'for update skip locked',
      findTable: 'select 1 where to_regclass(?) is not null',
      lockNew: (id) => ['select pg_advisory_xact_lock(hashtextextended(?, hashtext(?)))', id, channel],
      announce: (id, state) => ['select pg_notify(?, ?)', channel, listener.message(`${state} ${id}`)],
    };
  }

  async prepare(): Promise<void> {}

  *lockMigrations(schemaTable: string): Steps<void> {
    yield ['select pg_advisory_xact_lock(hashtextextended(?, 0))', schemaTable];
    const [encoding] = yield [`select current_setting('server_encoding') as name`];
    if (encoding?.['name'] !== 'UTF8') {
      throw new StoreSchemaError(
        `The checkout store needs a database with the encoding UTF8; this one has ${String(encoding?.['name'])}.`,
      );
    }
    if (this.#schema === undefined) return;
    // A role that may not create schemas can still use one that exists.
    const found = yield ['select 1 from pg_namespace where nspname = ?', this.#schema];
    if (found.length === 0) yield [`create schema if not exists ${this.#schema}`];
  }

  read(text: string, ...values: SqlValue[]): Promise<Rows> {
    return run(this.#port.query, [text, ...values]);
  }

  writeRelaxed(text: string, ...values: SqlValue[]): Promise<Rows> {
    return retriedOnConflict(() => run(this.#port.query, [text, ...values]));
  }

  transact<Result>(steps: () => Steps<Result>): Promise<Result> {
    return retriedOnConflict(() =>
      this.#port.transaction(async (query) => {
        const work = steps();
        let step = work.next([]);
        while (step.done !== true) step = work.next(await run(query, step.value));
        return step.value;
      }),
    );
  }

  listen(): void {
    this.#listener.start();
  }

  async mayHaveChanged(): Promise<boolean> {
    await this.#listener.check();
    return !this.#listener.listening;
  }

  forgetRemoved(): void {}

  close(): Promise<void> {
    return this.#listener.close();
  }
}

/** PostgreSQL numbers its placeholders. */
function run(query: PostgresQuery, [text, ...values]: Statement): Promise<Rows> {
  let place = 0;
  return query(
    text.replaceAll('?', () => `$${(place += 1)}`),
    values,
  );
}
