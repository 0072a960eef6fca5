import { type Changes, type Rows, type SqlDatabase, type Steps, TransactionConflict } from './database.js';
import { Counters } from './counters.js';
import { Lines } from './lines.js';
import { Orphans } from './orphans.js';
import { orderFrom, RecentBodies } from './order-rows.js';
import { statsFrom, statsSql, wholeMs } from './row-facts.js';
import { migrate, migrations, type Tables } from './schema.js';
import type {
  Decision,
  Lease,
  Leave,
  LinePage,
  LineRow,
  LineSum,
  LineSumQuery,
  ListQuery,
  OrderRow,
  OrderWrite,
  Orphan,
  Store,
  StoreStats,
} from '../store.js';
import { KeyTakenError, noFacts } from '../store.js';
import { Subscriptions } from '../subscriptions.js';

const POLL_MS = 1_000;
/** Few enough that other writers do not wait long for the lock. */
const PURGED_AT_ONCE = 200;

/** The store on a database, written once for all of them. */
export class SqlStore implements Store {
  readonly #database: SqlDatabase;
  readonly #tables: Tables;
  readonly #lines: Lines;
  readonly #orphans: Orphans;
  readonly #counters: Counters;
  readonly #subscriptions = new Subscriptions();
  readonly #bodies = new RecentBodies();
  #pollTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(open: (changes: Changes) => SqlDatabase, tables: Tables) {
    this.#database = open({
      onChange: (id, state) => this.#subscriptions.compare(id, state),
      onGap: () => void this.#wakeChanged(),
    });
    this.#tables = tables;
    this.#lines = new Lines(this.#database, tables.attempts);
    this.#orphans = new Orphans(this.#database, tables);
    this.#counters = new Counters(this.#database, tables.counters);
  }

  migrate(): Promise<void> {
    return migrate(this.#database, this.#tables, migrations);
  }

  async read(id: string): Promise<OrderRow | undefined> {
    return this.#seen(id, await this.#database.read(this.#selectOrder(), id));
  }

  async find(key: string): Promise<OrderRow | undefined> {
    const { keys, orders } = this.#tables;
    const rows = await this.#database.read(
      `select o.key, o.revision, o.state, o.body from ${keys} k join ${orders} o on o.key = k.order_key
       where k.key = ?`,
      key,
    );
    const [row] = rows;
    return row && this.#seen(String(row['key']), rows);
  }

  #selectOrder(): string {
    return `select key, revision, state, body from ${this.#tables.orders} where key = ?`;
  }

  #seen(id: string, [row]: Rows): OrderRow | undefined {
    this.#subscriptions.saw(id, Number(row?.['state'] ?? 0));
    return row && this.#bodies.orderFrom(row);
  }

  async update<Result>(id: string, decide: (row: OrderRow | undefined) => Decision<Result>): Promise<Result> {
    return this.#afterUpdate(await this.#database.transact(() => this.#update(id, decide)));
  }

  async updateByKey<Result>(
    keys: readonly string[],
    decide: (row: OrderRow) => Decision<Result>,
  ): Promise<Result | undefined> {
    const updated = await this.#database.transact(() => this.#updateByKey(keys, decide));
    return updated && this.#afterUpdate(updated);
  }

  *#updateByKey<Result>(
    keys: readonly string[],
    decide: (row: OrderRow) => Decision<Result>,
  ): Steps<Updated<Result> | undefined> {
    const owners = yield* this.#ownersOf(keys);
    const id = keys.map((key) => owners.get(key)).find((owner) => owner !== undefined);
    const row = id === undefined ? undefined : yield* this.#lock(id);
    return row && (yield* this.#decide(row.id, row, decide));
  }

  *#update<Result>(
    id: string,
    decide: (row: OrderRow | undefined) => Decision<Result>,
  ): Steps<Updated<Result>> {
    return yield* this.#decide(id, yield* this.#lock(id), decide);
  }

  *#decide<Row extends OrderRow | undefined, Result>(
    id: string,
    row: Row,
    decide: (row: Row) => Decision<Result>,
  ): Steps<Updated<Result>> {
    const { result, write, remove = false } = decide(row);
    if (remove) yield* this.#remove([id], write === undefined);
    if (write === undefined) return { id, result, woken: undefined, remove };
    const revision = (row?.revision ?? 0) + 1;
    yield* this.#write(id, revision, write);
    return { id, result, woken: write.wake ? revision : undefined, remove };
  }

  #afterUpdate<Result>({ id, result, woken, remove }: Updated<Result>): Result {
    if (remove) this.#forgetRemoved();
    if (woken !== undefined) this.#subscriptions.wake(id, woken);
    return result;
  }

  *#ownersOf(keys: readonly string[]): Steps<Map<string, string>> {
    const rows = yield [
      `select key, order_key from ${this.#tables.keys} where key in (${this.#database.dialect.elements})`,
      JSON.stringify(keys),
    ];
    return new Map(rows.map((row) => [String(row['key']), String(row['order_key'])]));
  }

  /** Reads the order and keeps it for this transaction, also when it does not exist yet. */
  *#lock(id: string): Steps<OrderRow | undefined> {
    const { forUpdate, lockNew } = this.#database.dialect;
    const select = `${this.#selectOrder()} ${forUpdate}`;
    let rows = yield [select, id];
    if (rows.length === 0 && lockNew !== undefined) {
      yield lockNew(id);
      rows = yield [select, id];
    }
    return this.#seen(id, rows);
  }

  *#write(id: string, revision: number, write: OrderWrite): Steps<void> {
    const { facts = noFacts } = write;
    yield* this.#addKeys(id, write.addKeys);
    yield [
      `insert into ${this.#tables.orders} as o
         (key, revision, state, body, written_at, due_at, review_at, notice_at)
       values (?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (key) do update set revision = excluded.revision, body = excluded.body,
         written_at = excluded.written_at, due_at = excluded.due_at, review_at = excluded.review_at,
         notice_at = excluded.notice_at,
         state = case when excluded.state = 0 then o.state else excluded.state end`,
      id,
      revision,
      write.wake ? revision : 0,
      JSON.stringify(write.body),
      Math.trunc(write.at),
      wholeMs(write.dueAt),
      wholeMs(facts.reviewAt),
      wholeMs(facts.noticeAt),
    ];
    yield* this.#lines.write(id, facts.lines);
    const { announce } = this.#database.dialect;
    if (write.wake && announce !== undefined) yield announce(id, revision);
  }

  *#addKeys(id: string, keys: readonly string[]): Steps<void> {
    const table = this.#tables.keys;
    // Sorted, so that two orders that want the same keys do not wait for each other.
    const wanted = [...new Set(keys)].sort();
    if (wanted.length === 0) return;
    const added = yield [
      `insert into ${table} (key, order_key) values ${wanted.map(() => '(?, ?)').join(', ')}
       on conflict do nothing returning key`,
      ...wanted.flatMap((key) => [key, id]),
    ];
    if (added.length === wanted.length) return;
    const owners = yield* this.#ownersOf(wanted);
    const taken = wanted.find((key) => owners.has(key) && owners.get(key) !== id);
    if (taken !== undefined) throw new KeyTakenError(taken);
    // A key was removed with its order a moment ago: the next try adds it.
    if (owners.size < wanted.length) throw new TransactionConflict();
  }

  /** Removes what leads to orders, their lines and, unless something is written in their place, their rows. */
  *#remove(rowIds: readonly string[], withRows: boolean): Steps<void> {
    const { orders, keys, attempts } = this.#tables;
    const { elements } = this.#database.dialect;
    const ids = JSON.stringify(rowIds);
    yield [`delete from ${keys} where order_key in (${elements})`, ids];
    yield [`delete from ${attempts} where order_key in (${elements})`, ids];
    if (withRows) yield [`delete from ${orders} where key in (${elements})`, ids];
  }

  #forgetRemoved(): void {
    this.#bodies.clear();
    this.#database.forgetRemoved();
  }

  async claim(now: number, leaseMs: number, limit: number): Promise<Lease[]> {
    const { orders } = this.#tables;
    const { clock, forUpdateSkipLocked } = this.#database.dialect;
    const token = crypto.randomUUID();
    const rows = await this.#database.writeRelaxed(
      `with free as materialized (
         select key from ${orders} where due_at <= ? and (lease_until is null or lease_until <= ${clock})
         order by due_at limit ? ${forUpdateSkipLocked}
       )
       update ${orders} set lease_token = ?, lease_until = ${clock} + ?
       where key in (select key from free) returning key, revision, body, due_at`,
      Math.trunc(now),
      limit,
      token,
      Math.trunc(leaseMs),
    );
    return [...rows]
      .sort((left, right) => Number(left['due_at']) - Number(right['due_at']))
      .map((row) => ({ row: this.#bodies.orderFrom(row), token }));
  }

  async claimOne(id: string, _now: number, leaseMs: number): Promise<Lease | undefined> {
    const { clock } = this.#database.dialect;
    const token = crypto.randomUUID();
    const [row] = await this.#database.writeRelaxed(
      `update ${this.#tables.orders} set lease_token = ?, lease_until = ${clock} + ?
       where key = ? and (lease_until is null or lease_until <= ${clock})
       returning key, revision, body`,
      token,
      Math.trunc(leaseMs),
      id,
    );
    return row && { row: this.#bodies.orderFrom(row), token };
  }

  async release({ row: { id }, token }: Lease): Promise<OrderRow | undefined> {
    const [row] = await this.#database.writeRelaxed(
      `update ${this.#tables.orders} set lease_token = null, lease_until = null where key = ? and lease_token = ?
       returning key, revision, body`,
      id,
      token,
    );
    return row && this.#bodies.orderFrom(row);
  }

  saveOrphan(orphan: Orphan): Promise<void> {
    return this.#orphans.save(orphan);
  }

  takeOrphans(keys: readonly string[]): Promise<Orphan[]> {
    return this.#orphans.take(keys);
  }

  hit(bucket: string, windowMs: number, now: number): Promise<number> {
    return this.#counters.hit(bucket, windowMs, now);
  }

  count(bucket: string, windowMs: number, now: number): Promise<number> {
    return this.#counters.count(bucket, windowMs, now);
  }

  subscribe(id: string, changed: () => void): () => void {
    const leave = this.#subscriptions.add(id, changed);
    this.#database.listen();
    this.#pollTimer ??= setTimeout(() => void this.#poll(), POLL_MS);
    return () => {
      leave();
      if (this.#subscriptions.size === 0) this.#stopPolling();
    };
  }

  async #poll(): Promise<void> {
    const own = this.#pollTimer;
    if (await this.#database.mayHaveChanged().catch(() => true)) await this.#wakeChanged();
    // All waiters have left; those who came since then are polled for by a timer of their own.
    if (this.#pollTimer !== own) return;
    this.#pollTimer = setTimeout(() => void this.#poll(), POLL_MS);
  }

  #stopPolling(): void {
    clearTimeout(this.#pollTimer);
    this.#pollTimer = undefined;
  }

  /** One query for all waiters. */
  async #wakeChanged(): Promise<void> {
    const keys = this.#subscriptions.keys();
    if (keys.length === 0) return;
    try {
      const rows = await this.#database.read(
        `select key, state from ${this.#tables.orders} where key in (${this.#database.dialect.elements})`,
        JSON.stringify(keys),
      );
      const states = new Map(rows.map((row) => [String(row['key']), Number(row['state'])]));
      for (const key of keys) this.#subscriptions.compare(key, states.get(key) ?? 0);
    } catch {
      // What changed is unknown: every waiter reads again.
      this.#subscriptions.wakeAll();
    }
  }

  async list({ reviewBy, after = '', limit }: ListQuery): Promise<OrderRow[]> {
    const review = reviewBy === undefined ? [] : [Math.trunc(reviewBy)];
    const rows = await this.#database.read(
      `select key, revision, body from ${this.#tables.orders}
       where key > ? ${review.map(() => 'and review_at <= ?').join('')} order by key limit ?`,
      after,
      ...review,
      limit,
    );
    return rows.map(orderFrom);
  }

  lines(query: LinePage): Promise<LineRow[]> {
    return this.#lines.page(query);
  }

  sums(query: LineSumQuery): Promise<LineSum[]> {
    return this.#lines.sums(query);
  }

  async stats(now: number): Promise<StoreStats> {
    const time = Math.trunc(now);
    const [row] = await this.#database.read(statsSql(this.#tables), time, time, time);
    return statsFrom(row);
  }

  async purge(before: number, orphansBefore = before, leave?: Leave): Promise<number> {
    await this.#counters.forget(before, Number.MAX_SAFE_INTEGER);
    await this.#orphans.purge(orphansBefore);
    for (let purged = 0; ;) {
      const count = await this.#database.transact(() => this.#purgeSome(Math.trunc(before), leave));
      purged += count;
      if (count < PURGED_AT_ONCE) {
        this.#forgetRemoved();
        return purged;
      }
    }
  }

  *#purgeSome(before: number, leave?: Leave): Steps<number> {
    const { clock, forUpdateSkipLocked } = this.#database.dialect;
    const rows = yield [
      `select key, revision, body from ${this.#tables.orders} where due_at is null and written_at < ?
         and (lease_until is null or lease_until <= ${clock}) limit ? ${forUpdateSkipLocked}`,
      before,
      PURGED_AT_ONCE,
    ];
    const idle = rows.map(orderFrom).map((row) => ({ ...row, left: leave?.(row.body) }));
    const gone = idle.filter(({ left }) => left === undefined);
    yield* this.#remove(
      gone.map(({ id }) => id),
      true,
    );
    for (const { id, revision, left } of idle) {
      if (left === undefined) continue;
      yield* this.#remove([id], false);
      yield* this.#write(id, revision + 1, left);
    }
    return idle.length;
  }

  async close(): Promise<void> {
    this.#subscriptions.clear();
    this.#stopPolling();
    await this.#database.close();
  }
}

interface Updated<Result> {
  readonly id: string;
  readonly result: Result;
  /** The state that waiters are woken for; undefined when they are not. */
  readonly woken: number | undefined;
  readonly remove: boolean;
}
