import type { SqliteDatabase, SqliteStatement } from '../../../src/server/stores/sqlite/driver.js';
import type { OrderWrite } from '../../../src/server/stores/store.js';

export const write: OrderWrite = { body: { step: 1 }, dueAt: null, addKeys: [], at: 1, wake: true };

/** A statement whose methods can be replaced one by one. */
export function statementOf(database: SqliteDatabase, sql: string): SqliteStatement {
  const statement = database.prepare(sql);
  return {
    get: (...values) => statement.get(...values),
    all: (...values) => statement.all(...values),
    run: (...values) => statement.run(...values),
  };
}
