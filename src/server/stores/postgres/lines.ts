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
import type { PostgresPort, PostgresQuery, PostgresRow, PostgresValue } from './port.js';

/** The lines of attempts in their table. */
export class PostgresLines {
  readonly #port: PostgresPort;
  readonly #table: string;

  constructor(port: PostgresPort, table: string) {
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
  ): Promise<readonly PostgresRow[]> {
    const values: PostgresValue[] = [];
    const sql = make(this.#table, query, (value) => {
      values.push(value);
      return `$${values.length}::${typeof value === 'number' ? 'bigint' : 'text'}`;
    });
    return this.#port.query(sql, values);
  }
}
