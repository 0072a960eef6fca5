import { MONEY_OUT } from '../../../contract/payouts.js';
import type { Row, Rows, SqlDatabase, SqlValue, Steps } from './database.js';
import { wholeMs } from './row-facts.js';
import type {
  AttemptFilter,
  AttemptLine,
  AttemptPage,
  AttemptRow,
  AttemptTotals,
  FigureSpan,
  StoreFigures,
} from '../store.js';

/** Keeps a value for the statement and returns its placeholder; called in the order of the text. */
type Bind = (value: string | number) => string;

const DAY_MS = 86_400_000;
const MOST_REASONS = 20;
const MONEY_IN = `rail not in (${MONEY_OUT.map((rail) => `'${rail}'`).join(', ')})`;

/** The lines of attempts in their table. */
export class AttemptLines {
  readonly #database: SqlDatabase;
  readonly #table: string;

  constructor(database: SqlDatabase, table: string) {
    this.#database = database;
    this.#table = table;
  }

  *write(orderId: string, lines: readonly AttemptLine[] = []): Steps<void> {
    if (lines.length === 0) return;
    yield [
      `insert into ${this.#table} (${COLUMNS.join(', ')})
       values ${lines.map(() => `(${COLUMNS.map(() => '?').join(', ')})`).join(', ')}
       on conflict (id) do update set ${REPLACED}`,
      ...lines.flatMap((line) => valuesOf(orderId, line)),
    ];
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

  #select<Query>(make: (table: string, query: Query, bind: Bind) => string, query: Query): Promise<Rows> {
    const values: (string | number)[] = [];
    const text = make(this.#table, query, (value) => {
      values.push(value);
      return '?';
    });
    return this.#database.read(text, ...values);
  }
}

/** The values of a line, in the order of its columns. */
function valuesOf(orderId: string, line: AttemptLine): SqlValue[] {
  return [
    line.id,
    orderId,
    line.reference,
    line.rail,
    line.status,
    line.amountInCents,
    Math.trunc(line.startedAt),
    wholeMs(line.shownAt),
    wholeMs(line.paidAt),
    line.paidInCents,
    line.reason,
  ];
}

const COLUMNS = [
  'id',
  'order_key',
  'reference',
  'rail',
  'status',
  'amount',
  'started_at',
  'shown_at',
  'paid_at',
  'paid',
  'reason',
] as const;

/** What a line that is already there takes from the new one. */
const REPLACED = ['reference', 'status', 'shown_at', 'paid_at', 'paid', 'reason']
  .map((column) => `${column} = excluded.${column}`)
  .join(', ');

function pageSql(table: string, { after, limit, ...filter }: AttemptPage, bind: Bind): string {
  const where = filterSql(filter, bind);
  const behind = after
    ? ` and (started_at, id) < (${bind(Math.trunc(after.startedAt))}, ${bind(after.id)})`
    : '';
  return `select ${COLUMNS.join(', ')} from ${table} where ${where}${behind}
    order by started_at desc, id desc limit ${bind(limit)}`;
}

function totalsSql(table: string, filter: AttemptFilter, bind: Bind): string {
  return `select count(*) as count, sum(amount) as amount, count(paid_at) as paid_count, sum(paid) as paid
    from ${table} where ${filterSql(filter, bind)}`;
}

function filterSql({ from, until, direction, rail, statuses, text }: AttemptFilter, bind: Bind): string {
  const conditions = [`started_at >= ${bind(Math.trunc(from))} and started_at < ${bind(Math.trunc(until))}`];
  if (direction !== undefined) conditions.push(direction === 'in' ? MONEY_IN : `not (${MONEY_IN})`);
  if (rail !== undefined) conditions.push(`rail = ${bind(rail)}`);
  if (statuses !== undefined) conditions.push(`status in (${statuses.map((each) => bind(each)).join(', ')})`);
  if (text !== undefined) {
    const pattern = `%${text.toLowerCase().replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
    conditions.push(
      `(lower(reference) like ${bind(pattern)} escape '\\' or lower(order_key) like ${bind(pattern)} escape '\\')`,
    );
  }
  return conditions.join(' and ');
}

/** The statements of `figures`, each with its own values. */
const FIGURES = {
  days: (table: string, { from, until, zoneMs }: FigureSpan, bind: Bind) =>
    `select cast(paid_at + ${bind(Math.trunc(zoneMs))} as bigint) / ${DAY_MS} as day, rail, count(*) as paid, sum(paid) as cents
     from ${table} where ${spanSql('paid_at', from, until, bind)} group by 1, rail order by 1, rail`,
  methods: (table: string, { from, until }: FigureSpan, bind: Bind) =>
    `select rail, status, count(*) as started, count(shown_at) as shown, count(paid_at) as paid
     from ${table} where ${spanSql('started_at', from, until, bind)} group by rail, status order by rail, status`,
  // Nearest rank: the wait that half, or nine tenths, of the payers did not exceed.
  waits: (table: string, { from, until }: FigureSpan, bind: Bind) =>
    `select rail, paid, max(case when place = (paid + 1) / 2 then wait end) as median,
       max(case when place = (9 * paid + 9) / 10 then wait end) as p90
     from (
       select rail, paid_at - shown_at as wait, count(*) over (partition by rail) as paid,
         row_number() over (partition by rail order by paid_at - shown_at) as place
       from ${table} where ${spanSql('paid_at', from, until, bind)} and shown_at is not null
     ) as waits group by rail, paid order by rail`,
  reasons: (table: string, { from, until }: FigureSpan, bind: Bind) =>
    `select rail, reason, count(*) as count from ${table}
     where ${spanSql('started_at', from, until, bind)} and reason is not null and paid_at is null
     group by rail, reason order by 3 desc, rail, reason limit ${MOST_REASONS}`,
} as const;

function spanSql(column: string, from: number, until: number, bind: Bind): string {
  return `${column} >= ${bind(Math.trunc(from))} and ${column} < ${bind(Math.trunc(until))} and ${MONEY_IN}`;
}

/** Databases give large numbers as text. */
function rowFrom(row: Row): AttemptRow {
  const time = (name: string) => ((row[name] ?? null) === null ? null : Number(row[name]));
  return {
    id: String(row['id']),
    orderId: String(row['order_key']),
    reference: String(row['reference']),
    rail: String(row['rail']),
    status: String(row['status']),
    amountInCents: Number(row['amount']),
    startedAt: Number(row['started_at']),
    shownAt: time('shown_at'),
    paidAt: time('paid_at'),
    paidInCents: Number(row['paid']),
    reason: (row['reason'] ?? null) === null ? null : String(row['reason']),
  };
}

function totalsFrom(row: Row | undefined): AttemptTotals {
  const sum = (name: string) => Number(row?.[name] ?? 0);
  return {
    count: sum('count'),
    amountInCents: sum('amount'),
    paid: sum('paid_count'),
    paidInCents: sum('paid'),
  };
}

function figuresFrom(rows: Readonly<Record<keyof typeof FIGURES, Rows>>): StoreFigures {
  return {
    days: rows.days.map((row) => ({
      day: Number(row['day']),
      rail: String(row['rail']),
      paid: Number(row['paid']),
      paidInCents: Number(row['cents']),
    })),
    methods: rows.methods.map((row) => ({
      rail: String(row['rail']),
      status: String(row['status']),
      started: Number(row['started']),
      shown: Number(row['shown']),
      paid: Number(row['paid']),
    })),
    waits: rows.waits.map((row) => ({
      rail: String(row['rail']),
      paid: Number(row['paid']),
      medianMs: Number(row['median']),
      p90Ms: Number(row['p90']),
    })),
    reasons: rows.reasons.map((row) => ({
      rail: String(row['rail']),
      reason: String(row['reason']),
      count: Number(row['count']),
    })),
  };
}
