import { PostgresLines } from './lines.js';
import { PostgresListener } from './listener.js';
import type { PostgresPort, PostgresQuery, PostgresRow } from './port.js';
import { migratePostgres, retriedOnConflict, TransactionConflict } from './transactions.js';
import { checkedName, defaultTablePrefix, postgresMigrations, tableNames, type Tables } from '../schema.js';
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

export interface PostgresStoreOptions {
  /** How the names of the store's tables begin; `checkout_` when absent. */
  readonly tablePrefix?: string;
  /** The schema the tables are in, made if there is none; the connection's own when absent. */
  readonly schema?: string;
}

/** Keeps everything in PostgreSQL 13 or newer: any number of machines, whose waiters wake each other. */
export function postgresStore(port: PostgresPort, options: PostgresStoreOptions = {}): Store {
  const prefix = checkedName('tablePrefix', options.tablePrefix ?? defaultTablePrefix);
  const schema = options.schema === undefined ? undefined : checkedName('schema', options.schema);
  return new PostgresStore(port, tableNames(prefix, schema), `${prefix}changes`, schema);
}

/** The server's clock, which all instances share, for leases. Epoch milliseconds. */
const clockSql = '(extract(epoch from clock_timestamp()) * 1000)::bigint';
const pollMs = 1_000;
const purgedAtOnce = 500;
const countersForgottenAtOnce = 100;

class PostgresStore implements Store {
  readonly #port: PostgresPort;
  readonly #lines: PostgresLines;
  readonly #tables: Tables;
  readonly #channel: string;
  readonly #schema: string | undefined;
  readonly #subscriptions = new Subscriptions();
  readonly #bodies = new RecentBodies();
  readonly #listener: PostgresListener;
  #pollTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(port: PostgresPort, tables: Tables, channel: string, schema: string | undefined) {
    this.#port = port;
    this.#lines = new PostgresLines(port, tables.attempts);
    this.#tables = tables;
    this.#channel = channel;
    this.#schema = schema;
    this.#listener = new PostgresListener(port, channel, {
      onMessage: (text) => this.#onMessage(text),
      onRestored: () => void this.#wakeChanged(),
    });
  }

  async migrate(): Promise<void> {
    await migratePostgres(this.#port, this.#tables, this.#schema, postgresMigrations);
  }

  async read(orderId: string): Promise<OrderRow | undefined> {
    return this.#seen(orderId, await this.#port.query(`${this.#selectOrder()} where key = $1`, [orderId]));
  }

  async find(key: string): Promise<OrderRow | undefined> {
    const { keys, orders } = this.#tables;
    const rows = await this.#port.query(
      `select o.key, o.revision, o.state, o.body from ${keys} k join ${orders} o on o.key = k.order_key
       where k.key = $1`,
      [key],
    );
    const [row] = rows;
    return row === undefined ? undefined : this.#seen(String(row['key']), rows);
  }

  #selectOrder(): string {
    return `select key, revision, state, body from ${this.#tables.orders}`;
  }

  #seen(key: string, [row]: readonly PostgresRow[]): OrderRow | undefined {
    this.#subscriptions.saw(key, Number(row?.['state'] ?? 0));
    return row && this.#bodies.orderFrom(row);
  }

  async update<Result>(
    orderId: string,
    decide: (row: OrderRow | undefined) => Decision<Result>,
  ): Promise<Result> {
    const { result, woken, remove } = await retriedOnConflict(() =>
      this.#port.transaction(async (query) => {
        const row = await this.#lock(query, orderId);
        const { result, write, remove = false } = decide(row);
        if (remove) await this.#remove(query, [orderId], write === undefined);
        if (write === undefined) return { result, woken: undefined, remove };
        const revision = (row?.revision ?? 0) + 1;
        await this.#addKeys(query, orderId, write.addKeys);
        await this.#write(query, orderId, revision, write);
        return { result, woken: write.wake ? revision : undefined, remove };
      }),
    );
    // Nothing of a removed order stays in memory.
    if (remove) this.#bodies.clear();
    if (woken !== undefined) this.#subscriptions.wake(orderId, woken);
    return result;
  }

  /** Reads the order and locks it until the end of the transaction, also when it does not exist yet. */
  async #lock(query: PostgresQuery, key: string): Promise<OrderRow | undefined> {
    const select = `${this.#selectOrder()} where key = $1 for update`;
    const rows = await query(select, [key]);
    if (rows.length > 0) return this.#seen(key, rows);
    await query('select pg_advisory_xact_lock(hashtextextended($1, hashtext($2)))', [
      key,
      this.#tables.orders,
    ]);
    return this.#seen(key, await query(select, [key]));
  }

  async #addKeys(query: PostgresQuery, key: string, added: readonly string[]): Promise<void> {
    if (added.length === 0) return;
    const { keys } = this.#tables;
    // Sorted, so that two orders that want the same keys do not deadlock.
    const present = await query(
      `with wanted as materialized (select distinct value as key from json_array_elements_text($1::text::json)),
       added as (
         insert into ${keys} (key, order_key) select key, $2 from wanted order by key collate "C"
         on conflict do nothing returning key
       )
       select key from wanted except select key from added`,
      [JSON.stringify(added), key],
    );
    if (present.length === 0) return;
    const owners = await query(
      `select key, order_key from ${keys} where key in (select json_array_elements_text($1::text::json))`,
      [JSON.stringify(present.map((row) => row['key']))],
    );
    const taken = owners.find((row) => row['order_key'] !== key);
    if (taken !== undefined) throw new KeyTakenError(String(taken['key']));
    // A key was removed with its order a moment ago: the next try adds it.
    if (owners.length < present.length) throw new TransactionConflict();
  }

  async #write(query: PostgresQuery, key: string, revision: number, write: OrderWrite): Promise<void> {
    const { orders } = this.#tables;
    const { facts = noFacts } = write;
    const values = [
      key,
      revision,
      write.wake ? 1 : 0,
      JSON.stringify(write.body),
      Math.trunc(write.at),
      wholeMs(write.dueAt),
      wholeMs(facts.reviewAt),
      wholeMs(facts.noticeAt),
    ];
    const sql =
      revision === 1
        ? `insert into ${orders} (key, revision, state, body, written_at, due_at, review_at, notice_at)
           values ($1, $2::bigint, $2::bigint * $3::bigint, $4, $5::bigint, $6::bigint, $7::bigint, $8::bigint)`
        : `update ${orders} set revision = $2::bigint, body = $4, written_at = $5::bigint, due_at = $6::bigint,
             review_at = $7::bigint, notice_at = $8::bigint,
             state = case when $3::bigint = 1 then $2::bigint else state end
           where key = $1`;
    await query(sql, values);
    await this.#lines.write(query, key, facts.lines);
    if (write.wake) {
      // Sent by the server when the transaction commits, and only then.
      await query('select pg_notify($1, $2)', [this.#channel, this.#listener.message(`${revision} ${key}`)]);
    }
  }

  async claim(now: number, leaseMs: number, limit: number): Promise<Lease[]> {
    const { orders } = this.#tables;
    const token = crypto.randomUUID();
    const rows = await retriedOnConflict(() =>
      this.#port.query(
        `with free as materialized (
           select key from ${orders}
           where due_at <= $1::bigint and (lease_until is null or lease_until <= ${clockSql})
           order by due_at limit $2::bigint for update skip locked
         )
         update ${orders} o set lease_token = $3, lease_until = ${clockSql} + $4::bigint
         from free where o.key = free.key returning o.key, o.due_at`,
        [Math.trunc(now), limit, token, Math.trunc(leaseMs)],
      ),
    );
    return [...rows]
      .sort((left, right) => Number(left['due_at']) - Number(right['due_at']))
      .map((row) => ({ orderId: String(row['key']), token }));
  }

  async claimOne(orderId: string, _now: number, leaseMs: number): Promise<Lease | undefined> {
    const token = crypto.randomUUID();
    const rows = await retriedOnConflict(() =>
      this.#port.query(
        `update ${this.#tables.orders} set lease_token = $1, lease_until = ${clockSql} + $2::bigint
         where key = $3 and (lease_until is null or lease_until <= ${clockSql}) returning key`,
        [token, Math.trunc(leaseMs), orderId],
      ),
    );
    return rows.length === 0 ? undefined : { orderId, token };
  }

  async release(lease: Lease): Promise<void> {
    await retriedOnConflict(() =>
      this.#port.query(
        `update ${this.#tables.orders} set lease_token = null, lease_until = null
         where key = $1 and lease_token = $2`,
        [lease.orderId, lease.token],
      ),
    );
  }

  async saveOrphan(orphan: Orphan): Promise<void> {
    const { orphans, orphanKeys } = this.#tables;
    await retriedOnConflict(() =>
      this.#port.query(
        `with saved as (
           insert into ${orphans} (key, body, received_at) values ($1, $2, $3::bigint) on conflict do nothing
           returning key
         )
         insert into ${orphanKeys} (key, orphan_key)
         select distinct wanted.value, saved.key from saved, json_array_elements_text($4::text::json) as wanted`,
        [orphan.id, JSON.stringify(orphan), Math.trunc(orphan.receivedAt), JSON.stringify(orphan.keys)],
      ),
    );
  }

  async takeOrphans(keys: readonly string[]): Promise<Orphan[]> {
    const { orphans, orphanKeys } = this.#tables;
    const rows = await retriedOnConflict(() =>
      this.#port.query(
        `with found as materialized (
           select key from ${orphans} where key in (
             select orphan_key from ${orphanKeys} where key in (select json_array_elements_text($1::text::json))
           ) order by key for update
         ),
         gone as (delete from ${orphans} o using found where o.key = found.key returning o.key, o.body),
         unlinked as (delete from ${orphanKeys} k using gone where k.orphan_key = gone.key)
         select body from gone`,
        [JSON.stringify(keys)],
      ),
    );
    return rows
      .map((row) => JSON.parse(String(row['body'])) as Orphan)
      .sort((left, right) => left.receivedAt - right.receivedAt);
  }

  async hit(bucket: string, windowMs: number, now: number): Promise<number> {
    const { counters } = this.#tables;
    const startsAt = Math.floor(now / windowMs) * windowMs;
    const [row] = await retriedOnConflict(() =>
      this.#port.query(
        `insert into ${counters} as c (bucket, starts_at, ends_at, count)
         values ($1, $2::bigint, $3::bigint, 1)
         on conflict (bucket, starts_at) do update set count = c.count + 1 returning count`,
        [`${windowMs} ${bucket}`, startsAt, startsAt + windowMs],
      ),
    );
    const count = Number(row?.['count']);
    if (count === 1) await this.#forgetCounters(Math.trunc(now - windowMs), countersForgottenAtOnce);
    return count;
  }

  async count(bucket: string, windowMs: number, now: number): Promise<number> {
    const { counters } = this.#tables;
    const [row] = await this.#port.query(
      `select count from ${counters} where bucket = $1 and starts_at = $2::bigint`,
      [`${windowMs} ${bucket}`, Math.floor(now / windowMs) * windowMs],
    );
    return Number(row?.['count'] ?? 0);
  }

  async #forgetCounters(before: number, limit: number | null): Promise<void> {
    const { counters } = this.#tables;
    await retriedOnConflict(() =>
      this.#port.query(
        `with old as materialized (
           select bucket, starts_at from ${counters} where ends_at < $1::bigint limit $2::bigint
           for update skip locked
         )
         delete from ${counters} c using old where c.bucket = old.bucket and c.starts_at = old.starts_at`,
        [before, limit],
      ),
    );
  }

  subscribe(orderId: string, changed: () => void): () => void {
    const leave = this.#subscriptions.add(orderId, changed);
    this.#listener.start();
    this.#pollTimer ??= setTimeout(() => void this.#poll(), pollMs);
    return () => {
      leave();
      if (this.#subscriptions.size === 0) this.#stopPolling();
    };
  }

  #onMessage(text: string): void {
    const space = text.indexOf(' ');
    if (space > 0) this.#subscriptions.compare(text.slice(space + 1), Number(text.slice(0, space)));
  }

  async #poll(): Promise<void> {
    const own = this.#pollTimer;
    if (this.#listener.listening) await this.#listener.check();
    if (!this.#listener.listening) await this.#wakeChanged();
    // Nobody waits any more, or whoever came after them has begun another round.
    if (this.#pollTimer !== own) return;
    this.#pollTimer = setTimeout(() => void this.#poll(), pollMs);
  }

  #stopPolling(): void {
    clearTimeout(this.#pollTimer);
    this.#pollTimer = undefined;
  }

  /** One query for all who wait. */
  async #wakeChanged(): Promise<void> {
    const keys = this.#subscriptions.keys();
    if (keys.length === 0) return;
    try {
      const rows = await this.#port.query(
        `select key, state from ${this.#tables.orders} where key in (select json_array_elements_text($1::text::json))`,
        [JSON.stringify(keys)],
      );
      const states = new Map(rows.map((row) => [String(row['key']), Number(row['state'])]));
      for (const key of keys) this.#subscriptions.compare(key, states.get(key) ?? 0);
    } catch {
      // What changed is unknown: let everybody who waits read again.
      this.#subscriptions.wakeAll();
    }
  }

  async list({ reviewBy, after = '', limit }: ListQuery): Promise<OrderRow[]> {
    const where = reviewBy === undefined ? '$3::bigint is null' : 'review_at <= $3::bigint';
    const rows = await this.#port.query(
      `select key, revision, body from ${this.#tables.orders} where key > $1 and ${where} order by key limit $2::bigint`,
      [after, limit, reviewBy === undefined ? null : Math.trunc(reviewBy)],
    );
    return rows.map(orderFrom);
  }

  /** Removes what leads to orders, their lines and, unless something is written in their place, their rows. */
  async #remove(query: PostgresQuery, ids: readonly string[], withRows: boolean): Promise<void> {
    const { orders, keys, attempts } = this.#tables;
    const isOne = (column: string) => `${column} in (select json_array_elements_text($1::text::json))`;
    await query(
      `with unlinked as (delete from ${keys} where ${isOne('order_key')}),
       unlisted as (delete from ${attempts} where ${isOne('order_key')})
       ${withRows ? `delete from ${orders} where ${isOne('key')}` : 'select 1'}`,
      [JSON.stringify(ids)],
    );
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
    const [row] = await this.#port.query(statsSql(this.#tables, '$1::bigint'), [Math.trunc(now)]);
    return statsFrom(row);
  }

  async purge(before: number, orphansBefore = before, leave?: Leave): Promise<number> {
    const { orders, orphans, orphanKeys } = this.#tables;
    const time = Math.trunc(before);
    await this.#forgetCounters(time, null);
    await retriedOnConflict(() =>
      this.#port.query(
        `with gone as (delete from ${orphans} where received_at < $1::bigint returning key)
         delete from ${orphanKeys} k using gone where k.orphan_key = gone.key`,
        [Math.trunc(orphansBefore)],
      ),
    );
    for (let purged = 0; ;) {
      const rows = await retriedOnConflict(() =>
        this.#port.transaction(async (query) => {
          const idle = await query(
            `select key, revision, body from ${orders} where due_at is null and written_at < $1::bigint
               and (lease_until is null or lease_until <= ${clockSql})
             limit $2::bigint for update skip locked`,
            [time, purgedAtOnce],
          );
          const removed = idle.map(orderFrom).map((row) => ({ ...row, left: leave?.(row.body) }));
          const gone = removed.filter(({ left }) => left === undefined).map(({ id }) => id);
          if (gone.length > 0) await this.#remove(query, gone, true);
          for (const { id, revision, left } of removed) {
            if (left === undefined) continue;
            await this.#remove(query, [id], false);
            await this.#write(query, id, revision + 1, left);
          }
          return removed;
        }),
      );
      purged += rows.length;
      this.#bodies.clear();
      if (rows.length < purgedAtOnce) return purged;
    }
  }

  async close(): Promise<void> {
    this.#subscriptions.clear();
    this.#stopPolling();
    await this.#listener.close();
  }
}
