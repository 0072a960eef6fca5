import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import pg from 'pg';
import { fromPg, postgresStore, sqliteStore, type Store } from '../../src/server.js';

/**
 * The shop's own tables beside the kit's, in one SQLite file or, with DATABASE_URL, in PostgreSQL. Statements are
 * written once, with $1 for parameters, which both understand after one replacement.
 */
export interface ShopDatabase {
  readonly store: Store;
  readonly name: string;
  run(sql: string, ...values: Value[]): Promise<void>;
  all<Row>(sql: string, ...values: Value[]): Promise<Row[]>;
  close(): Promise<void>;
}

type Value = string | number | null;

const TABLES = [
  `create table if not exists shop_orders (
     id text primary key, lines text not null, amount_in_cents bigint not null, description text not null,
     methods text not null, created_at text not null)`,
  `create table if not exists shop_notices (
     key text primary key, order_id text not null, hook text not null, notice text not null, at text not null)`,
  'create index if not exists shop_notices_by_order on shop_notices (order_id)',
];

/** Everything of the demo is in it, so that nothing else of that database is in danger. */
const SCHEMA = 'pay_checkout_demo';
const CONNECT_MS = 5_000;

export async function openDatabase(file: string, url: string | undefined): Promise<ShopDatabase> {
  const database = url ? openPostgres(url) : openSqlite(file);
  for (const sql of TABLES) await database.run(sql);
  return database;
}

function openSqlite(file: string): ShopDatabase {
  mkdirSync(dirname(file), { recursive: true });
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  const prepare = (sql: string) => db.prepare(sql.replaceAll(/\$(\d)/g, '?$1'));
  return {
    store: sqliteStore(db),
    name: 'SQLite',
    run: async (sql, ...values) => void prepare(sql).run(...values),
    all: async <Row>(sql: string, ...values: Value[]) => prepare(sql).all(...values) as Row[],
    close: async () => void db.close(),
  };
}

function openPostgres(connectionString: string): ShopDatabase {
  const pool = new pg.Pool({
    connectionString,
    connectionTimeoutMillis: CONNECT_MS,
    options: `-c search_path=${SCHEMA}`,
  });
  return {
    store: postgresStore(fromPg(pool)),
    name: 'PostgreSQL',
    run: async (sql, ...values) => void (await pool.query(sql, values)),
    all: async <Row>(sql: string, ...values: Value[]) => (await pool.query(sql, values)).rows as Row[],
    close: () => pool.end(),
  };
}

/** Makes sure that PostgreSQL is there and has a place for the demo, emptied first when asked. */
export async function preparePostgres(url: string, { reset }: { reset: boolean }): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  // A connection that breaks says so by an event as well as by failing the query.
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (reset) await client.query(`drop schema if exists ${SCHEMA} cascade`);
    await client.query(`create schema if not exists ${SCHEMA}`);
  } catch (error) {
    throw new Error(`The database of DATABASE_URL (${placeOf(url)}) cannot be used: ${reasonOf(error)}`, {
      cause: error,
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Without user and password, which do not belong on a screen. */
function placeOf(url: string): string {
  if (!URL.canParse(url)) return 'not an address like postgres://user:password@host:5432/database';
  const { host, pathname } = new URL(url);
  return `${host || 'this machine'}${pathname}`;
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
