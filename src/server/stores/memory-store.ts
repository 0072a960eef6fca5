import { frozenJson } from './frozen-json.js';
import { matches, newestFirst, sumsOf } from './memory-lines.js';
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
  RowFacts,
  Store,
  StoreStats,
} from './store.js';
import { KeyTakenError, noFacts } from './store.js';
import { Subscriptions } from './subscriptions.js';

/**
 * Keeps everything in this process and forgets it at its end: for tests, for the simulator and for trying the kit
 * out. Never for real payments.
 */
export function memoryStore(): Store {
  return new MemoryStore();
}

interface Order {
  row: OrderRow;
  dueAt: number | null;
  at: number;
  facts: RowFacts;
  readonly keys: Set<string>;
  lease: { readonly token: string; readonly until: number } | undefined;
}

interface Counter {
  readonly endsAt: number;
  count: number;
}

/** Rows that a store can begin with, by their ids. */
export type SavedRows = readonly (readonly [id: string, write: OrderWrite])[];

export class MemoryStore implements Store {
  readonly #orders = new Map<string, Order>();
  readonly #owners = new Map<string, string>();
  readonly #orphans = new Map<string, Orphan>();
  /** By the length of their windows. */
  readonly #counters = new Map<number, Map<string, Counter>>();
  readonly #waiters = new Subscriptions();
  readonly #changed: () => void;

  /** Begins with what `rows` gave before; `changed` is called after each write. */
  constructor(saved: SavedRows = [], changed: () => void = () => undefined) {
    this.#changed = changed;
    for (const [id, write] of saved) this.#write(id, write);
  }

  rows(): SavedRows {
    return [...this.#orders].map(([id, { row, dueAt, at, facts, keys }]) => [
      id,
      { body: row.body, dueAt, at, facts, addKeys: [...keys], wake: false },
    ]);
  }

  async migrate(): Promise<void> {}

  async read(id: string): Promise<OrderRow | undefined> {
    return this.#orders.get(id)?.row;
  }

  async find(key: string): Promise<OrderRow | undefined> {
    const owner = this.#owners.get(key);
    return owner === undefined ? undefined : this.#orders.get(owner)?.row;
  }

  async update<Result>(id: string, decide: (row: OrderRow | undefined) => Decision<Result>): Promise<Result> {
    const { result, write, remove = false } = decide(this.#orders.get(id)?.row);
    if (remove) this.#remove(id, write !== undefined);
    if (write !== undefined) this.#write(id, write);
    if (remove || write !== undefined) this.#changed();
    if (write?.wake === true) this.#waiters.wake(id);
    return result;
  }

  async updateByKey<Result>(
    keys: readonly string[],
    decide: (row: OrderRow) => Decision<Result>,
  ): Promise<Result | undefined> {
    const id = keys.map((key) => this.#owners.get(key)).find((owner) => owner !== undefined);
    const row = id === undefined ? undefined : this.#orders.get(id)?.row;
    return row && this.update(row.id, () => decide(row));
  }

  #write(id: string, write: OrderWrite): void {
    const taken = write.addKeys.find((key) => (this.#owners.get(key) ?? id) !== id);
    if (taken !== undefined) throw new KeyTakenError(taken);
    const body = frozenJson(JSON.stringify(write.body));
    const order = this.#orders.get(id);
    const row = { id, revision: (order?.row.revision ?? 0) + 1, body };
    const keys = order?.keys ?? new Set();
    for (const key of write.addKeys) {
      keys.add(key);
      this.#owners.set(key, id);
    }
    const { dueAt, at } = write;
    const lines = write.facts?.lines ?? order?.facts.lines ?? [];
    const facts = { ...(write.facts ?? noFacts), lines };
    this.#orders.set(id, { row, dueAt, at, facts, keys, lease: order?.lease });
  }

  async claim(now: number, leaseMs: number, limit: number): Promise<Lease[]> {
    const due: Order[] = [];
    for (const order of this.#orders.values()) {
      if (order.dueAt !== null && order.dueAt <= now && isFree(order, now)) due.push(order);
    }
    return due
      .sort((left, right) => (left.dueAt ?? 0) - (right.dueAt ?? 0))
      .slice(0, limit)
      .map((order) => lease(order, now + leaseMs));
  }

  async claimOne(id: string, now: number, leaseMs: number): Promise<Lease | undefined> {
    const order = this.#orders.get(id);
    return order !== undefined && isFree(order, now) ? lease(order, now + leaseMs) : undefined;
  }

  async release({ row, token }: Lease): Promise<OrderRow | undefined> {
    const order = this.#orders.get(row.id);
    if (order?.lease?.token !== token) return undefined;
    order.lease = undefined;
    return order.row;
  }

  async saveOrphan(orphan: Orphan): Promise<void> {
    if (this.#orphans.has(orphan.id)) return;
    this.#orphans.set(orphan.id, {
      ...orphan,
      keys: [...orphan.keys],
      body: frozenJson(JSON.stringify(orphan.body)),
    });
  }

  async takeOrphans(keys: readonly string[]): Promise<Orphan[]> {
    const taken = [...this.#orphans.values()].filter((orphan) =>
      orphan.keys.some((key) => keys.includes(key)),
    );
    for (const orphan of taken) this.#orphans.delete(orphan.id);
    return taken.sort((left, right) => left.receivedAt - right.receivedAt);
  }

  async hit(bucket: string, windowMs: number, now: number): Promise<number> {
    const window = Math.floor(now / windowMs);
    const counters = this.#counters.get(windowMs) ?? new Map<string, Counter>();
    this.#counters.set(windowMs, counters);
    const key = `${window} ${bucket}`;
    const counter = counters.get(key) ?? { endsAt: (window + 1) * windowMs, count: 0 };
    if (counter.count === 0) forgetOldCounters(counters, now - windowMs);
    counter.count += 1;
    counters.set(key, counter);
    return counter.count;
  }

  async count(bucket: string, windowMs: number, now: number): Promise<number> {
    return this.#counters.get(windowMs)?.get(`${Math.floor(now / windowMs)} ${bucket}`)?.count ?? 0;
  }

  subscribe(id: string, changed: () => void): () => void {
    return this.#waiters.add(id, changed);
  }

  async list({ reviewBy, after = '', limit }: ListQuery): Promise<OrderRow[]> {
    const isWanted = ({ row, facts }: Order) =>
      row.id > after && (reviewBy === undefined || (facts.reviewAt ?? Infinity) <= reviewBy);
    return [...this.#orders.values()]
      .filter(isWanted)
      .map(({ row }) => row)
      .sort((left, right) => (left.id < right.id ? -1 : 1))
      .slice(0, limit);
  }

  #remove(id: string, isReplaced: boolean): void {
    const order = this.#orders.get(id);
    for (const key of order?.keys ?? []) this.#owners.delete(key);
    if (order === undefined || !isReplaced) this.#orders.delete(id);
    else this.#orders.set(id, { ...order, facts: noFacts, keys: new Set() });
  }

  async lines({ after, limit, ...filter }: LinePage): Promise<LineRow[]> {
    return this.#allLines()
      .filter((line) => matches(line, filter) && (after === undefined || newestFirst(after, line) < 0))
      .sort(newestFirst)
      .slice(0, limit);
  }

  async sums(query: LineSumQuery): Promise<LineSum[]> {
    return sumsOf(this.#allLines(), query);
  }

  #allLines(): LineRow[] {
    return [...this.#orders].flatMap(([rowId, { facts }]) =>
      (facts.lines ?? []).map((line) => ({ ...line, rowId })),
    );
  }

  async stats(now: number): Promise<StoreStats> {
    const orders = [...this.#orders.values()];
    const due = orders.flatMap(({ dueAt }) => (dueAt !== null && dueAt <= now ? [dueAt] : []));
    const notices = orders.flatMap(({ facts }) => facts.noticeAt ?? []);
    const orphans = [...this.#orphans.values()].map(({ receivedAt }) => receivedAt);
    const oldest = (times: readonly number[]) =>
      times.length === 0 ? null : times.reduce((left, right) => Math.min(left, right));
    return {
      due: due.length,
      oldestDueAt: oldest(due),
      waitingNotices: notices.length,
      oldestNoticeAt: oldest(notices),
      orphans: orphans.length,
      oldestOrphanAt: oldest(orphans),
      review: orders.filter(({ facts }) => (facts.reviewAt ?? Infinity) <= now).length,
    };
  }

  async purge(before: number, orphansBefore = before, leave?: Leave): Promise<number> {
    for (const [id, orphan] of this.#orphans) {
      if (orphan.receivedAt < orphansBefore) this.#orphans.delete(id);
    }
    for (const counters of this.#counters.values()) {
      for (const [key, { endsAt }] of counters) if (endsAt < before) counters.delete(key);
    }
    let purged = 0;
    for (const [id, order] of this.#orders) {
      if (order.dueAt !== null || order.at >= before || !isFree(order, before)) continue;
      const left = leave?.(order.row.body);
      this.#remove(id, left !== undefined);
      if (left !== undefined) this.#write(id, left);
      purged += 1;
    }
    return purged;
  }

  async close(): Promise<void> {
    this.#waiters.clear();
  }
}

function isFree(order: Order, now: number): boolean {
  return order.lease === undefined || order.lease.until <= now;
}

function lease(order: Order, until: number): Lease {
  const token = crypto.randomUUID();
  order.lease = { token, until };
  return { row: order.row, token };
}

/** Counters of one length are added in about the order they end in: those at the front are the old ones. */
function forgetOldCounters(counters: Map<string, Counter>, before: number): void {
  for (const [key, { endsAt }] of counters) {
    if (endsAt >= before) break;
    counters.delete(key);
  }
}
