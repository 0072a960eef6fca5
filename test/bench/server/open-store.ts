import Database from 'libsql';
import pg from 'pg';
import { fromPg, memoryStore, postgresStore, sqliteStore, type Store } from '../../../src/server.js';
import type { StorePlan } from './plan.js';

export function openStore(store: StorePlan): Store {
  switch (store.kind) {
    case 'memory':
      return memoryStore();
    case 'sqlite':
      return sqliteStore(new Database(store.path));
    case 'postgres':
      return postgresStore(fromPg(openPool(store)));
    default:
      throw new TypeError(`Unknown store: ${String(store satisfies never)}`);
  }
}

export function openPool({ connection }: Extract<StorePlan, { kind: 'postgres' }>): pg.Pool {
  const { schema, ...server } = connection;
  return new pg.Pool({ ...server, max: 10, options: `-c search_path=${schema}` });
}
