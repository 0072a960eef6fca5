import type { SqlDatabase } from './database.js';

const FORGOTTEN_AT_ONCE = 100;

/** Counts by window of time, in their table. */
export class Counters {
  readonly #database: SqlDatabase;
  readonly #table: string;

  constructor(database: SqlDatabase, table: string) {
    this.#database = database;
    this.#table = table;
  }

  async hit(bucket: string, windowMs: number, now: number): Promise<number> {
    const startsAt = Math.floor(now / windowMs) * windowMs;
    const [row] = await this.#database.writeRelaxed(
      `insert into ${this.#table} as c (bucket, starts_at, ends_at, count) values (?, ?, ?, 1)
       on conflict (bucket, starts_at) do update set count = c.count + 1 returning count`,
      `${windowMs} ${bucket}`,
      startsAt,
      startsAt + windowMs,
    );
    const count = Number(row?.['count']);
    if (count === 1) await this.forget(now - windowMs, FORGOTTEN_AT_ONCE);
    return count;
  }

  async count(bucket: string, windowMs: number, now: number): Promise<number> {
    const [row] = await this.#database.read(
      `select count from ${this.#table} where bucket = ? and starts_at = ?`,
      `${windowMs} ${bucket}`,
      Math.floor(now / windowMs) * windowMs,
    );
    return Number(row?.['count'] ?? 0);
  }

  async forget(before: number, limit: number): Promise<void> {
    await this.#database.writeRelaxed(
      `with old as materialized (
         select bucket, starts_at from ${this.#table} where ends_at < ? limit ?
         ${this.#database.dialect.forUpdateSkipLocked}
       )
       delete from ${this.#table} where (bucket, starts_at) in (select bucket, starts_at from old)`,
      Math.trunc(before),
      limit,
    );
  }
}
