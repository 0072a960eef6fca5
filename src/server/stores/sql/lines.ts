import type { Line } from '../../line.js';
import type { LineFilter, LineGroup, LinePage, LineRow, LineSum, LineSumQuery } from '../store.js';
import type { Row, SqlDatabase, SqlValue, Steps } from './database.js';

/** The columns of the table, by the fields that they hold. */
const COLUMN_OF = {
  id: 'id',
  rowId: 'order_key',
  reference: 'reference',
  rail: 'rail',
  status: 'status',
  amountInCents: 'amount',
  startedAt: 'started_at',
  shownAt: 'shown_at',
  paidAt: 'paid_at',
  paidInCents: 'paid',
  reason: 'reason',
  cus: 'cus',
  key: 'key_string',
  bank: 'bank',
  documentEnd: 'document_end',
} as const satisfies Record<keyof LineRow, string>;

const FIELDS = Object.keys(COLUMN_OF) as (keyof LineRow)[];
const COLUMNS = Object.values(COLUMN_OF);
/** Databases give large numbers as text. */
const NUMBERS: readonly string[] = ['amountInCents', 'startedAt', 'shownAt', 'paidAt', 'paidInCents'];
/** Absent where a line has none; other fields are null then. */
const OPTIONAL: readonly string[] = ['cus', 'key', 'bank', 'documentEnd'];

/** What a line that is already there takes from the new one. */
const REPLACED = ['reference', 'status', 'shown_at', 'paid_at', 'paid', 'reason', 'cus', 'key_string']
  .map((column) => `${column} = excluded.${column}`)
  .join(', ');

const TIMES = { startedAt: 'started_at', paidAt: 'paid_at' } as const;
const DAY_MS = 86_400_000;

/** Lines in their table. */
export class Lines {
  readonly #database: SqlDatabase;
  readonly #table: string;

  constructor(database: SqlDatabase, table: string) {
    this.#database = database;
    this.#table = table;
  }

  *write(rowId: string, lines: readonly Line[] = []): Steps<void> {
    if (lines.length === 0) return;
    yield [
      `insert into ${this.#table} (${COLUMNS.join(', ')})
       values ${lines.map(() => `(${places(COLUMNS)})`).join(', ')}
       on conflict (id) do update set ${REPLACED}`,
      ...lines.flatMap((line) => valuesOf({ ...line, rowId })),
    ];
  }

  async page({ after, limit, ...filter }: LinePage): Promise<LineRow[]> {
    const where = conditionsOf(filter);
    if (after !== undefined) where.push(['(started_at, id) < (?, ?)', Math.trunc(after.startedAt), after.id]);
    const rows = await this.#database.read(
      `select ${COLUMNS.join(', ')} from ${this.#table} where ${textOf(where)}
       order by started_at desc, id desc limit ?`,
      ...valuesIn(where),
      limit,
    );
    return rows.map(lineRowFrom);
  }

  async sums({ by, zoneMs = 0, ...filter }: LineSumQuery): Promise<LineSum[]> {
    const where = conditionsOf(filter);
    const groups: Readonly<Record<LineGroup, Condition>> = {
      rail: ['rail'],
      status: ['status'],
      reason: ['reason'],
      // Some drivers of SQLite give every number as a real one, and days are whole.
      day: [`cast(${TIMES[filter.time ?? 'startedAt']} + ? as bigint) / ${DAY_MS}`, Math.trunc(zoneMs)],
      wait: ['(paid_at - shown_at) / 1000'],
    };
    const selected = by.map((group) => groups[group]);
    const rows = await this.#database.read(
      `select ${selected.map(([text], index) => `${text} as group_${index}, `).join('')}count(*) as lines,
         count(shown_at) as shown, count(paid_at) as paid_lines, sum(amount) as amount, sum(paid) as paid
       from ${this.#table} where ${textOf(where)}
       ${by.length === 0 ? '' : `group by ${by.map((_, index) => index + 1).join(', ')}`}`,
      ...valuesIn(selected),
      ...valuesIn(where),
    );
    return rows.map((row) => sumFrom(by, row));
  }
}

/** A part of a statement with its values. */
type Condition = readonly [text: string, ...values: (string | number)[]];

const textOf = (conditions: readonly Condition[]) => conditions.map(([text]) => text).join(' and ');
const valuesIn = (conditions: readonly Condition[]) => conditions.flatMap(([, ...values]) => values);
const places = (values: readonly unknown[]) => values.map(() => '?').join(', ');

function conditionsOf({
  time = 'startedAt',
  from,
  until,
  rails,
  exceptRails,
  statuses,
  text,
  amountInCents,
}: LineFilter): Condition[] {
  const column = TIMES[time];
  const conditions: Condition[] = [[`${column} >= ? and ${column} < ?`, Math.trunc(from), Math.trunc(until)]];
  if (rails !== undefined) conditions.push([`rail in (${places(rails)})`, ...rails]);
  if (exceptRails !== undefined) conditions.push([`rail not in (${places(exceptRails)})`, ...exceptRails]);
  if (statuses !== undefined) conditions.push([`status in (${places(statuses)})`, ...statuses]);
  if (text !== undefined) {
    const pattern = `%${text.toLowerCase().replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
    const like = (name: string) => `lower(${name}) like ? escape '\\'`;
    const searched = ['reference', 'order_key', 'cus', 'key_string', 'document_end'];
    const sum = amountInCents === undefined ? [] : [amountInCents, amountInCents];
    conditions.push([
      `(${[...searched.map(like), ...(sum.length > 0 ? ['amount = ?', 'paid = ?'] : [])].join(' or ')})`,
      ...searched.map(() => pattern),
      ...sum,
    ]);
  }
  return conditions;
}

/** The values of a line, in the order of its columns. */
function valuesOf(line: LineRow): SqlValue[] {
  return FIELDS.map((field) => {
    const value = line[field] ?? null;
    return typeof value === 'number' ? Math.trunc(value) : value;
  });
}

function lineRowFrom(row: Row): LineRow {
  const entries = FIELDS.map((field) => {
    const value = row[COLUMN_OF[field]] ?? null;
    return [field, value === null ? null : NUMBERS.includes(field) ? Number(value) : String(value)] as const;
  });
  const known = entries.filter(([field, value]) => value !== null || !OPTIONAL.includes(field));
  return Object.fromEntries(known) as unknown as LineRow;
}

function sumFrom(by: readonly LineGroup[], row: Row): LineSum {
  const number = (name: string) => Number(row[name] ?? 0);
  const group = (name: LineGroup, value: unknown) => {
    if (value === null || value === undefined) return null;
    return name === 'day' || name === 'wait' ? Number(value) : String(value);
  };
  return {
    ...Object.fromEntries(by.map((name, index) => [name, group(name, row[`group_${index}`])])),
    count: number('lines'),
    shown: number('shown'),
    paid: number('paid_lines'),
    amountInCents: number('amount'),
    paidInCents: number('paid'),
  };
}
