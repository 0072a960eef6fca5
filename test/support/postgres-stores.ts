import type { TestContext } from 'node:test';
import pg from 'pg';
import postgres from 'postgres';
import { cleanup } from './cleanup.js';
import type { Connection } from './postgres.js';

export function pgPool(t: TestContext, { schema, ...connection }: Connection, max = 4): pg.Pool {
  const pool = new pg.Pool({ ...connection, max, options: `-c search_path=${schema}` });
  cleanup(t, () => pool.end());
  return pool;
}

export function postgresJs(t: TestContext, { schema, user, ...rest }: Connection): postgres.Sql {
  const sql = postgres({
    ...rest,
    username: user,
    max: 4,
    onnotice: () => {},
    connection: { search_path: schema },
  });
  cleanup(t, () => sql.end());
  return sql;
}
