import type { PostgresPort } from './port.js';
import { type Migration, pendingMigrations, StoreSchemaError, type Tables } from '../schema.js';

/** What was read has changed before it could be written: nothing is, and the transaction has to be run anew. */
export class TransactionConflict extends Error {
  override readonly name = 'TransactionConflict';
}

/** serialization_failure, deadlock_detected, and unique_violation when two made the same row at once. */
const conflictCodes: readonly unknown[] = ['40001', '40P01', '23505'];
const mostTries = 12;
const pauseMs = 10;

/** Runs the work again when the server has undone it for the sake of another. */
export async function retriedOnConflict<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isConflict(error) || tries >= mostTries) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, Math.random() * pauseMs * tries));
  }
}

function isConflict(error: unknown): boolean {
  if (error instanceof TransactionConflict) return true;
  return error instanceof Error && conflictCodes.includes((error as { code?: unknown }).code);
}

/** Brings the tables up to date. The second of two instances waits for the lock and finds nothing left to do. */
export async function migratePostgres(
  port: PostgresPort,
  tables: Tables,
  schema: string | undefined,
  migrations: readonly Migration[],
): Promise<void> {
  await retriedOnConflict(() =>
    port.transaction(async (query) => {
      await query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [tables.schema]);
      const [encoding] = await query(`select current_setting('server_encoding') as name`, []);
      if (encoding?.['name'] !== 'UTF8') {
        throw new StoreSchemaError(
          `The checkout store needs a database with the encoding UTF8; this one has ${String(encoding?.['name'])}.`,
        );
      }
      if (schema !== undefined) {
        // Looked for first: who may not create a schema may still have one. Another store may make it meanwhile.
        const found = await query('select 1 from pg_namespace where nspname = $1', [schema]);
        if (found.length === 0) await query(`create schema if not exists ${schema}`, []);
      }
      const [table] = await query('select to_regclass($1) is null as missing', [tables.schema]);
      if (table?.['missing'] === true)
        await query(`create table ${tables.schema} (version bigint primary key)`, []);
      const [newest] = await query(`select max(version) as version from ${tables.schema}`, []);
      const current = Number(newest?.['version'] ?? 0);
      for (const { version, statements } of pendingMigrations(migrations, current, tables)) {
        for (const statement of statements) await query(statement, []);
        await query(`insert into ${tables.schema} (version) values ($1::bigint)`, [version]);
      }
    }),
  );
}
