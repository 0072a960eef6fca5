import {
  type Bind,
  COLUMNS,
  columnsOf,
  FIGURES,
  figuresFrom,
  pageSql,
  REPLACED,
  rowFrom,
  totalsFrom,
  totalsSql,
} from '../attempt-lines.js';
import type {
  AttemptFilter,
  AttemptLine,
  AttemptPage,
  AttemptRow,
  AttemptTotals,
  FigureSpan,
  StoreFigures,
} from '../store.js';
import type { SqliteConnection, SqliteRow, SqliteValue } from './driver.js';

/** The lines of attempts in their table. Writing happens inside the caller's transaction. */
export class SqliteLines {
  readonly #connection: SqliteConnection;
  readonly #table: string;

  constructor(connection: SqliteConnection, table: string) {
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

  async page(query: AttemptPage): Promise<AttemptRow[]> {
    return (await this.#select(pageSql, query)).map(rowFrom);
  }

  async totals(filter: AttemptFilter): Promise<AttemptTotals> {
    const [row] = await this.#select(totalsSql, filter);
    return totalsFrom(row);
  }

  async figures(span: FigureSpan): Promise<StoreFigures> {
    const days = await this.#select(FIGURES.days, span);
    if (span.daysOnly === true) return figuresFrom({ days, methods: [], waits: [], reasons: [] });
    return figuresFrom({
      days,
      methods: await this.#select(FIGURES.methods, span),
      waits: await this.#select(FIGURES.waits, span),
      reasons: await this.#select(FIGURES.reasons, span),
    });
  }

  #select<Query>(
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
