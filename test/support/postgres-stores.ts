import type { TestContext } from 'vitest';
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
    // As it is, the driver waits up to 20 s between tries, with every query that came meanwhile behind it.
    backoff: () => 0.02,
    connection: { search_path: schema },
  });
  cleanup(t, () => sql.end({ timeout: 1 }));
  return sql;
}
