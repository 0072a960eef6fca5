import { AttemptLines, type Bind, COLUMNS, columnsOf, REPLACED } from '../attempt-lines.js';
import type { AttemptLine } from '../store.js';
import type { SqliteConnection, SqliteRow, SqliteValue } from './driver.js';

/** The lines of attempts in their table. Writing happens inside the caller's transaction. */
export class SqliteLines extends AttemptLines {
  readonly #connection: SqliteConnection;
  readonly #table: string;

  constructor(connection: SqliteConnection, table: string) {
    super();
    this.#connection = connection;
    this.#table = table;
  }

  write(orderId: string, lines: readonly AttemptLine[] = []): void {
    for (const line of lines) {
      const columns = columnsOf(orderId, line);
      this.#connection.run(
        `insert into ${this.#table} (${COLUMNS.join(', ')}) values (${COLUMNS.map(() => '?').join(', ')})
         on conflict (id) do update set ${REPLACED}`,
        ...COLUMNS.map((column) => columns[column] ?? null),
      );
    }
  }

  forget(orderId: string): void {
    this.#connection.run(`delete from ${this.#table} where order_key = ?`, orderId);
  }

  protected override select<Query>(
    make: (table: string, query: Query, bind: Bind) => string,
    query: Query,
  ): Promise<SqliteRow[]> {
    const values: SqliteValue[] = [];
    const sql = make(this.#table, query, (value) => {
      values.push(value);
      return '?';
    });
    return this.#connection.whenFree(() => this.#connection.all(sql, ...values));
  }
}
