import type { Dialect, SqlDatabase, Steps } from './database.js';

/** The names of a store's tables, ready to be put into SQL. */
export interface Tables {
  readonly schema: string;
  readonly orders: string;
  readonly keys: string;
  readonly orphans: string;
  readonly orphanKeys: string;
  readonly counters: string;
  readonly attempts: string;
}

/** Each migration brings the tables from the version before to its own; versions count from 1. */
export type Migration = (tables: Tables, dialect: Dialect) => readonly string[];

export class StoreSchemaError extends Error {
  override readonly name = 'StoreSchemaError';
}

export const defaultTablePrefix = 'checkout_';

const plainName = /^[a-z_][a-z0-9_]{0,39}$/;

/** Refuses every name that would need quoting, so that no option can smuggle SQL. */
export function checkedName(option: string, name: string): string {
  if (!plainName.test(name)) {
    throw new TypeError(
      `${option} must start with a letter or underscore and have at most 40 lower-case letters, digits and underscores`,
    );
  }
  return name;
}

export function tableNames(prefix: string, databaseSchema?: string): Tables {
  const start = databaseSchema === undefined ? prefix : `${databaseSchema}.${prefix}`;
  return {
    schema: `${start}schema`,
    orders: `${start}orders`,
    keys: `${start}keys`,
    orphans: `${start}orphans`,
    orphanKeys: `${start}orphan_keys`,
    counters: `${start}counters`,
    attempts: `${start}attempts`,
  };
}

/** The migrations still to run. An older release must not write into tables whose rules it does not know. */
function pendingMigrations(
  migrations: readonly Migration[],
  current: number,
): { version: number; migration: Migration }[] {
  if (current > migrations.length) {
    throw new StoreSchemaError(
      `The tables of the checkout store have version ${current}, but this release knows them only up to ` +
        `${migrations.length}: a newer release has migrated them. Update pay-checkout here too.`,
    );
  }
  return migrations.map((migration, index) => ({ version: index + 1, migration })).slice(current);
}

/** Brings the tables up to date. The second of two instances waits for the first and finds nothing left to do. */
export async function migrate(
  database: SqlDatabase,
  tables: Tables,
  migrations: readonly Migration[],
): Promise<void> {
  const { dialect } = database;
  await database.prepare();
  await database.transact(function* (): Steps<void> {
    yield* database.lockMigrations(tables.schema);
    // Looked for first: a role that may not create tables can still use those that exist.
    const found = yield [dialect.findTable, tables.schema];
    if (found.length === 0) yield [`create table ${tables.schema} (version ${dialect.integer} primary key)`];
    const [newest] = yield [`select max(version) as version from ${tables.schema}`];
    for (const { version, migration } of pendingMigrations(migrations, Number(newest?.['version'] ?? 0))) {
      for (const statement of migration(tables, dialect)) yield [statement];
      yield [`insert into ${tables.schema} (version) values (?)`, version];
    }
  });
}

/**
 * Bodies are JSON in text columns: JSON types of databases refuse characters that JSON allows. `state` is the revision of
 * the last write that waiters were woken for; `review_at` and `notice_at` are what operators ask for, beside the
 * body so that it can be found without reading all of them. Times are epoch milliseconds.
 */
const firstMigration: Migration = (tables, { id, integer }) => {
  const indexName = (table: string, suffix: string): string => `${table.split('.').at(-1)}_${suffix}`;
  const { orders, attempts } = tables;
  const sparse = (suffix: string, column: string) =>
    `create index ${indexName(orders, suffix)} on ${orders} (${column}) where ${column} is not null`;
  return [
    `create table ${orders} (
      key ${id} primary key,
      revision ${integer} not null,
      state ${integer} not null,
      body text not null,
      written_at ${integer} not null,
      due_at ${integer},
      lease_token text,
      lease_until ${integer},
      review_at ${integer},
      notice_at ${integer}
    )`,
    sparse('due', 'due_at'),
    `create index ${indexName(orders, 'idle')} on ${orders} (written_at) where due_at is null`,
    sparse('review', 'review_at'),
    sparse('notice', 'notice_at'),
    `create table ${tables.keys} (key ${id} primary key, order_key ${id} not null)`,
    `create index ${indexName(tables.keys, 'order')} on ${tables.keys} (order_key)`,
    `create table ${tables.orphans} (
      key ${id} primary key,
      body text not null,
      received_at ${integer} not null
    )`,
    `create index ${indexName(tables.orphans, 'received')} on ${tables.orphans} (received_at)`,
    `create table ${tables.orphanKeys} (
      key ${id} not null,
      orphan_key ${id} not null,
      primary key (key, orphan_key)
    )`,
    `create index ${indexName(tables.orphanKeys, 'orphan')} on ${tables.orphanKeys} (orphan_key)`,
    `create table ${tables.counters} (
      bucket ${id} not null,
      starts_at ${integer} not null,
      ends_at ${integer} not null,
      count ${integer} not null,
      primary key (bucket, starts_at)
    )`,
    `create index ${indexName(tables.counters, 'end')} on ${tables.counters} (ends_at)`,
    `create table ${attempts} (
      id ${id} primary key,
      order_key ${id} not null,
      reference text not null,
      rail text not null,
      status text not null,
      amount ${integer} not null,
      started_at ${integer} not null,
      shown_at ${integer},
      paid_at ${integer},
      paid ${integer} not null,
      reason text,
      cus text,
      key_string text,
      bank text,
      document_end text
    )`,
    `create index ${indexName(attempts, 'order')} on ${attempts} (order_key)`,
    // With all that sums need, so that they are read from the index alone.
    `create index ${indexName(attempts, 'started')} on ${attempts}
       (started_at, id, rail, status, shown_at, paid_at, reason, amount, paid)`,
    `create index ${indexName(attempts, 'paid')} on ${attempts} (paid_at, rail, paid, shown_at, amount)
       where paid_at is not null`,
  ];
};

export const migrations: readonly Migration[] = [firstMigration];
