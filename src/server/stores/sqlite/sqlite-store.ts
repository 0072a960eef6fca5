import { SqliteConnection, type SqliteDatabase, type SqliteRow } from './driver.js';
import { SqliteLines } from './lines.js';
import { SqliteWriter } from './writer.js';
import {
  checkedName,
  defaultTablePrefix,
  type Migration,
  pendingMigrations,
  sqliteMigrations,
  tableNames,
  type Tables,
} from '../schema.js';
import { orderFrom, RecentBodies } from '../order-rows.js';
import { noFacts, statsFrom, statsSql, wholeMs } from '../row-facts.js';
import type {
  AttemptFilter,
  AttemptPage,
  AttemptRow,
  AttemptTotals,
  Decision,
  FigureSpan,
  Lease,
  Leave,
  ListQuery,
  OrderRow,
  OrderWrite,
  Orphan,
  Store,
  StoreFigures,
  StoreStats,
} from '../store.js';
import { KeyTakenError } from '../store.js';
import { Subscriptions } from '../subscriptions.js';

export interface SqliteStoreOptions {
  /** How the names of the store's tables begin; `checkout_` when absent. */
  readonly tablePrefix?: string;
}

/**
 * Keeps everything in a SQLite file: one machine, any number of processes on it. Takes a handle of better-sqlite3,
 * libsql, node:sqlite or any driver of their shape, and leaves closing it to its owner.
 */
export function sqliteStore(database: SqliteDatabase, options: SqliteStoreOptions = {}): Store {
  const prefix = checkedName('tablePrefix', options.tablePrefix ?? defaultTablePrefix);
  return new SqliteStore(new SqliteConnection(database), tableNames(prefix));
}

/** The machine's clock, which all processes on a file share, for leases. Epoch milliseconds. */
const clockSql = `cast((julianday('now') - 2440587.5) * 86400000 as integer)`;
const pollMs = 1_000;
const purgedAtOnce = 200;
const countersForgottenAtOnce = 100;

class SqliteStore implements Store {
  readonly #connection: SqliteConnection;
  readonly #writer: SqliteWriter;
  readonly #lines: SqliteLines;
  readonly #tables: Tables;
  readonly #subscriptions = new Subscriptions();
  readonly #bodies = new RecentBodies();
  #pollTimer: ReturnType<typeof setTimeout> | undefined;
  #polledVersion: unknown;

  constructor(connection: SqliteConnection, tables: Tables) {
    this.#connection = connection;
    this.#writer = new SqliteWriter(connection);
    this.#lines = new SqliteLines(connection, tables.attempts);
    this.#tables = tables;
  }

  async migrate(): Promise<void> {
    await this.#connection.prepareFile();
    await migrateSqlite(this.#connection, this.#tables, sqliteMigrations);
  }

  read(orderId: string): Promise<OrderRow | undefined> {
    return this.#connection.whenFree(() => this.#seen(orderId, this.#select(orderId)));
  }

  find(key: string): Promise<OrderRow | undefined> {
    const { keys, orders } = this.#tables;
    return this.#connection.whenFree(() => {
      const row = this.#connection.get(
        `select o.key, o.revision, o.state, o.body from ${keys} k join ${orders} o on o.key = k.order_key
         where k.key = ?`,
        key,
      );
      return row && this.#seen(String(row['key']), row);
    });
  }

  #select(orderId: string): SqliteRow | undefined {
    return this.#connection.get(
      `select key, revision, state, body from ${this.#tables.orders} where key = ?`,
      orderId,
    );
  }

  #seen(orderId: string, row: SqliteRow | undefined): OrderRow | undefined {
    this.#subscriptions.saw(orderId, Number(row?.['state'] ?? 0));
    return row && this.#bodies.orderFrom(row);
  }

  async update<Result>(
    orderId: string,
    decide: (row: OrderRow | undefined) => Decision<Result>,
  ): Promise<Result> {
    const { result, woken, remove } = await this.#writer.write(() => {
      const row = this.#seen(orderId, this.#select(orderId));
      const { result, write, remove = false } = decide(row);
      if (remove) this.#remove(orderId, write !== undefined);
      if (write === undefined) return { result, woken: undefined, remove };
      const revision = (row?.revision ?? 0) + 1;
      this.#write(orderId, revision, write);
      return { result, woken: write.wake ? revision : undefined, remove };
    });
    if (remove) this.#forgetBodies();
    if (woken !== undefined) this.#subscriptions.wake(orderId, woken);
    return result;
  }

  #write(orderId: string, revision: number, write: OrderWrite): void {
    const { orders, keys } = this.#tables;
    const { facts = noFacts } = write;
    for (const added of write.addKeys) {
      this.#connection.run(
        `insert into ${keys} (key, order_key) values (?, ?) on conflict do nothing`,
        added,
        orderId,
      );
      const owner = this.#connection.get(`select order_key from ${keys} where key = ?`, added);
      if (owner?.['order_key'] !== orderId) throw new KeyTakenError(added);
    }
    this.#connection.run(
      `insert into ${orders} (key, revision, state, body, written_at, due_at, review_at, notice_at)
       values (?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (key) do update set revision = excluded.revision, body = excluded.body,
         written_at = excluded.written_at, due_at = excluded.due_at, review_at = excluded.review_at,
         notice_at = excluded.notice_at,
         state = case when excluded.state = 0 then state else excluded.state end`,
      orderId,
      revision,
      write.wake ? revision : 0,
      JSON.stringify(write.body),
      Math.trunc(write.at),
      wholeMs(write.dueAt),
      wholeMs(facts.reviewAt),
      wholeMs(facts.noticeAt),
    );
    this.#lines.write(orderId, facts.lines);
  }

  async claim(now: number, leaseMs: number, limit: number): Promise<Lease[]> {
    const { orders } = this.#tables;
    const token = crypto.randomUUID();
    const rows = await this.#writer.writeRelaxed(() =>
      this.#connection.all(
        `update ${orders} set lease_token = ?, lease_until = ${clockSql} + ? where key in (
           select key from ${orders} where due_at <= ? and (lease_until is null or lease_until <= ${clockSql})
           order by due_at limit ?
         ) returning key, due_at`,
        token,
        Math.trunc(leaseMs),
        now,
        limit,
      ),
    );
    return rows
      .sort((left, right) => Number(left['due_at']) - Number(right['due_at']))
      .map((row) => ({ orderId: String(row['key']), token }));
  }

  async claimOne(orderId: string, _now: number, leaseMs: number): Promise<Lease | undefined> {
    const token = crypto.randomUUID();
    const rows = await this.#writer.writeRelaxed(() =>
      this.#connection.all(
        `update ${this.#tables.orders} set lease_token = ?, lease_until = ${clockSql} + ?
         where key = ? and (lease_until is null or lease_until <= ${clockSql}) returning key`,
        token,
        Math.trunc(leaseMs),
        orderId,
      ),
    );
    return rows.length === 0 ? undefined : { orderId, token };
  }

  async release(lease: Lease): Promise<void> {
    await this.#writer.writeRelaxed(() =>
      this.#connection.run(
        `update ${this.#tables.orders} set lease_token = null, lease_until = null where key = ? and lease_token = ?`,
        lease.orderId,
        lease.token,
      ),
    );
  }

  async saveOrphan(orphan: Orphan): Promise<void> {
    const { orphans, orphanKeys } = this.#tables;
    const body = JSON.stringify(orphan);
    await this.#writer.write(() => {
      const saved = this.#connection.all(
        `insert into ${orphans} (key, body, received_at) values (?, ?, ?) on conflict do nothing returning key`,
        orphan.id,
        body,
        Math.trunc(orphan.receivedAt),
      );
      if (saved.length === 0) return;
      for (const orphanKey of new Set(orphan.keys)) {
        this.#connection.run(
          `insert into ${orphanKeys} (key, orphan_key) values (?, ?)`,
          orphanKey,
          orphan.id,
        );
      }
    });
  }

  async takeOrphans(keys: readonly string[]): Promise<Orphan[]> {
    const { orphans, orphanKeys } = this.#tables;
    const wanted = JSON.stringify(keys);
    const found = `select orphan_key from ${orphanKeys} where key in (select value from json_each(?))`;
    // Nearly always there is none, which a read shows without waiting for the disk.
    const none = await this.#connection.whenFree(
      () => this.#connection.get(`${found} limit 1`, wanted) === undefined,
    );
    if (none) return [];
    const taken = await this.#writer.write(() => {
      const rows = this.#connection.all(
        `delete from ${orphans} where key in (${found}) returning key, body`,
        wanted,
      );
      for (const row of rows) {
        this.#connection.run(`delete from ${orphanKeys} where orphan_key = ?`, String(row['key']));
      }
      return rows;
    });
    return taken
      .map((row) => JSON.parse(String(row['body'])) as Orphan)
      .sort((left, right) => left.receivedAt - right.receivedAt);
  }

  async hit(bucket: string, windowMs: number, now: number): Promise<number> {
    const { counters } = this.#tables;
    const startsAt = Math.floor(now / windowMs) * windowMs;
    const key = `${windowMs} ${bucket}`;
    return this.#writer.writeRelaxed(() => {
      const [row] = this.#connection.all(
        `insert into ${counters} (bucket, starts_at, ends_at, count) values (?, ?, ?, 1)
         on conflict (bucket, starts_at) do update set count = count + 1 returning count`,
        key,
        startsAt,
        startsAt + windowMs,
      );
      const count = Number(row?.['count']);
      if (count === 1) {
        this.#connection.run(
          `delete from ${counters} where rowid in (select rowid from ${counters} where ends_at < ? limit ?)`,
          now - windowMs,
          countersForgottenAtOnce,
        );
      }
      return count;
    });
  }

  async count(bucket: string, windowMs: number, now: number): Promise<number> {
    const { counters } = this.#tables;
    const [row] = this.#connection.all(
      `select count from ${counters} where bucket = ? and starts_at = ?`,
      `${windowMs} ${bucket}`,
      Math.floor(now / windowMs) * windowMs,
    );
    return Number(row?.['count'] ?? 0);
  }

  subscribe(orderId: string, changed: () => void): () => void {
    const leave = this.#subscriptions.add(orderId, changed);
    this.#pollTimer ??= setTimeout(() => this.#poll(), pollMs);
    return () => {
      leave();
      if (this.#subscriptions.size === 0) this.#stopPolling();
    };
  }

  /** Writes of this process wake by themselves; those of others show in the file's version, which is cheap to read. */
  #poll(): void {
    this.#pollTimer = setTimeout(() => this.#poll(), pollMs);
    try {
      const version = this.#fileVersion();
      if (version === this.#polledVersion) return;
      this.#wakeChanged();
      this.#polledVersion = version;
    } catch {
      // The file is busy or gone for now: a read will report it, and the next poll tries again.
    }
  }

  #fileVersion(): unknown {
    return this.#connection.get('pragma data_version')?.['data_version'];
  }

  #stopPolling(): void {
    clearTimeout(this.#pollTimer);
    this.#pollTimer = undefined;
    this.#polledVersion = undefined;
  }

  #wakeChanged(): void {
    const keys = this.#subscriptions.keys();
    const rows = this.#connection.all(
      `select key, state from ${this.#tables.orders} where key in (select value from json_each(?))`,
      JSON.stringify(keys),
    );
    const states = new Map(rows.map((row) => [String(row['key']), Number(row['state'])]));
    for (const key of keys) this.#subscriptions.compare(key, states.get(key) ?? 0);
  }

  async list({ reviewBy, after = '', limit }: ListQuery): Promise<OrderRow[]> {
    const [where, values] =
      reviewBy === undefined ? ['', []] : ['and review_at <= ?', [Math.trunc(reviewBy)]];
    return this.#connection.whenFree(() =>
      this.#connection
        .all(
          `select key, revision, body from ${this.#tables.orders} where key > ? ${where} order by key limit ?`,
          after,
          ...values,
          limit,
        )
        .map(orderFrom),
    );
  }

  /** Removes what leads to an order, its lines and, unless something is written in its place, its row. */
  #remove(orderId: string, isReplaced: boolean): void {
    const { keys, orders } = this.#tables;
    this.#connection.run(`delete from ${keys} where order_key = ?`, orderId);
    this.#lines.forget(orderId);
    if (!isReplaced) this.#connection.run(`delete from ${orders} where key = ?`, orderId);
  }

  /** Nothing of a removed order stays in memory or in the log of the file. */
  #forgetBodies(): void {
    this.#bodies.clear();
    this.#connection.emptyLog();
  }

  attempts(query: AttemptPage): Promise<AttemptRow[]> {
    return this.#lines.page(query);
  }

  attemptTotals(filter: AttemptFilter): Promise<AttemptTotals> {
    return this.#lines.totals(filter);
  }

  figures(span: FigureSpan): Promise<StoreFigures> {
    return this.#lines.figures(span);
  }

  async stats(now: number): Promise<StoreStats> {
    const time = Math.trunc(now);
    return this.#connection.whenFree(() =>
      statsFrom(this.#connection.get(statsSql(this.#tables, '?'), time, time, time)),
    );
  }

  async purge(before: number, orphansBefore = before, leave?: Leave): Promise<number> {
    const { orders, orphans, orphanKeys, counters } = this.#tables;
    await this.#writer.write(() => {
      for (const row of this.#connection.all(
        `delete from ${orphans} where received_at < ? returning key`,
        orphansBefore,
      )) {
        this.#connection.run(`delete from ${orphanKeys} where orphan_key = ?`, String(row['key']));
      }
      this.#connection.run(`delete from ${counters} where ends_at < ?`, before);
    });
    for (let purged = 0; ;) {
      // A few at a time, so that other writers do not wait long for the lock.
      const rows = await this.#writer.write(() => {
        const idle = this.#connection
          .all(
            `select key, revision, body from ${orders} where due_at is null and written_at < ?
               and (lease_until is null or lease_until <= ${clockSql}) limit ?`,
            before,
            purgedAtOnce,
          )
          .map(orderFrom);
        for (const { id, revision, body } of idle) {
          const left = leave?.(body);
          this.#remove(id, left !== undefined);
          if (left !== undefined) this.#write(id, revision + 1, left);
        }
        return idle;
      });
      purged += rows.length;
      if (rows.length < purgedAtOnce) {
        this.#forgetBodies();
        return purged;
      }
    }
  }

  async close(): Promise<void> {
    this.#subscriptions.clear();
    this.#stopPolling();
  }
}

/** Takes the write lock before reading the version, so that the second of two instances finds nothing left to do. */
export async function migrateSqlite(
  connection: SqliteConnection,
  tables: Tables,
  migrations: readonly Migration[],
): Promise<void> {
  await connection.transact(() => {
    connection.exec(`create table if not exists ${tables.schema} (version integer primary key)`);
    const current = Number(
      connection.get(`select max(version) as version from ${tables.schema}`)?.['version'] ?? 0,
    );
    for (const { version, statements } of pendingMigrations(migrations, current, tables)) {
      for (const statement of statements) connection.exec(statement);
      connection.exec(`insert into ${tables.schema} (version) values (${version})`);
    }
  });
}
