import { AttemptLines, type Bind, COLUMNS, columnsOf, REPLACED } from '../attempt-lines.js';
import type { AttemptLine } from '../store.js';
import type { PostgresPort, PostgresQuery, PostgresRow, PostgresValue } from './port.js';

/** The lines of attempts in their table. */
export class PostgresLines extends AttemptLines {
  readonly #port: PostgresPort;
  readonly #table: string;

  constructor(port: PostgresPort, table: string) {
    super();
    this.#port = port;
    this.#table = table;
  }

  async write(query: PostgresQuery, key: string, lines: readonly AttemptLine[] = []): Promise<void> {
    if (lines.length === 0) return;
    await query(
      `insert into ${this.#table} (${COLUMNS.join(', ')})
       select ${COLUMNS.join(', ')} from json_to_recordset($1::text::json) as line (
         id text, order_key text, reference text, rail text, status text, amount bigint, started_at bigint,
         shown_at bigint, paid_at bigint, paid bigint, reason text
       )
       on conflict (id) do update set ${REPLACED}`,
      [JSON.stringify(lines.map((line) => columnsOf(key, line)))],
    );
  }

  protected override select<Query>(
    make: (table: string, query: Query, bind: Bind) => string,
    query: Query,
  ): Promise<readonly PostgresRow[]> {
    const values: PostgresValue[] = [];
    const sql = make(this.#table, query, (value) => {
      values.push(value);
      return `$${values.length}::${typeof value === 'number' ? 'bigint' : 'text'}`;
    });
    return this.#port.query(sql, values);
  }
}
