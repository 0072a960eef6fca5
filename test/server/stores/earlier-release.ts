import { readFileSync } from 'node:fs';
import type pg from 'pg';
import type { Sqlite } from '../../support/sqlite.js';

/** A database as an earlier release left it, and the service as it stood then. `write-release.ts` wrote the file. */
export interface EarlierRelease {
  readonly at: number;
  readonly sqlite: Made;
  readonly postgres: Made;
  readonly rows: Readonly<Record<string, readonly Row[]>>;
  readonly payins: readonly EarlierPayin[];
}

interface Made {
  /** What made its tables. */
  readonly tables: readonly string[];
  /** How it writes orders. */
  readonly writes: readonly string[];
}

type Row = Readonly<Record<string, string | number | null>>;

export interface EarlierPayin {
  readonly id: string;
  readonly reference: string;
  readonly amountInCents: number;
  readonly status: string;
}

export function earlierRelease(version: string): EarlierRelease {
  const file = new URL(`../../data/release-${version}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as EarlierRelease;
}

export function restoreSqlite(database: Sqlite, release: EarlierRelease): void {
  for (const sql of release.sqlite.tables) database.exec(sql);
  for (const { table, columns, rows } of inserts(release)) {
    const places = columns.map(() => '?').join(', ');
    const insert = database.prepare(`insert into ${table} (${columns.join(', ')}) values (${places})`);
    for (const row of rows) insert.run(...columns.map((column) => row[column] ?? null));
  }
}

export async function restorePostgres(pool: pg.Pool, release: EarlierRelease): Promise<void> {
  for (const sql of release.postgres.tables) await pool.query(sql);
  for (const { table, columns, rows } of inserts(release)) {
    const places = columns.map((_, index) => `$${index + 1}`).join(', ');
    for (const row of rows) {
      await pool.query(
        `insert into ${table} (${columns.join(', ')}) values (${places})`,
        columns.map((column) => row[column] ?? null),
      );
    }
  }
}

function inserts({ rows }: EarlierRelease) {
  return Object.entries(rows).map(([table, all]) => ({
    table: `checkout_${table}`,
    columns: Object.keys(all[0] ?? {}),
    rows: all,
  }));
}

/** The service of that time: what was open then has been paid meanwhile. */
export function serviceOf(release: EarlierRelease): (request: Request) => Promise<Response> {
  const orderOf = ({ reference }: EarlierPayin) => reference.slice(0, reference.lastIndexOf('-'));
  const paid = (payin: EarlierPayin) =>
    payin.status === 'DECLINED' || orderOf(payin) === 'odd'
      ? payin
      : { ...payin, status: 'CONFIRMED', confirmedAmountInCents: payin.amountInCents };
  return async (request) => {
    const [, resource, id] = new URL(request.url).pathname.split('/');
    if (request.method !== 'GET' || resource !== 'payins') return new Response(null, { status: 404 });
    if (id === undefined) {
      const pageInfo = { hasNext: false, hasPrevious: false, nextCursor: null, previousCursor: null };
      return Response.json({ data: release.payins.map(paid), pageInfo });
    }
    const payin = release.payins.find((each) => each.id === id);
    return payin === undefined ? new Response(null, { status: 404 }) : Response.json(paid(payin));
  };
}
