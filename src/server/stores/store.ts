import type { Line } from '../line.js';

/**
 * Where orders are kept. One order is one aggregate: its attempts, its settlement and its notices live in one row and
 * change in one transaction, so that no crash leaves half of a decision behind and no second instance decides
 * differently.
 *
 * A store decides nothing about payments. It keeps JSON bodies, finds them by keys, returns those with work due, leases
 * each to one instance at a time and wakes waiters. Beside the bodies it keeps lines, which it filters and adds up by
 * their columns, so that lists and sums need not read the bodies. Ids and keys are text of at most 200 characters, without NUL and without
 * halves of surrogate pairs; bodies are any JSON.
 */
export interface Store {
  /** Brings the tables up to date. Safe when several instances start together; called once by the kit. */
  migrate(): Promise<void>;

  /** The row as last committed. */
  read(id: string): Promise<OrderRow | undefined>;

  /** The row that owns a key (an attempt's id, a reference, the service's id, an idempotency key). */
  find(key: string): Promise<OrderRow | undefined>;

  /**
   * Loads the order, lets `decide` look at it, and writes what it decided, all in one transaction that no other
   * update of the same order can interleave with. `decide` is synchronous and pure: it may be run again.
   * When the promise resolves the write is durable. Subscriptions are woken after the commit.
   * @throws KeyTakenError when a key to add belongs to another order; nothing is written then.
   */
  update<Result>(id: string, decide: (row: OrderRow | undefined) => Decision<Result>): Promise<Result>;

  /** The same for the row that owns the first of these keys that has an owner; undefined when none has. */
  updateByKey<Result>(
    keys: readonly string[],
    decide: (row: OrderRow) => Decision<Result>,
  ): Promise<Result | undefined>;

  /**
   * Orders whose work is due at `now` and that are not leased, oldest first. Each is leased: no other
   * instance gets it until `release`, or until the lease runs out because this one died. A store that instances share
   * measures leases by its own clock: theirs may differ by more than a lease lasts.
   */
  claim(now: number, leaseMs: number, limit: number): Promise<Lease[]>;

  /** The same for one order, whether or not it is due; undefined when another instance holds it. */
  claimOne(id: string, now: number, leaseMs: number): Promise<Lease | undefined>;

  /**
   * Gives a lease back, and returns the row as it was at that moment: what another instance writes later finds the row
   * free. A lease that has run out and was taken by another is left alone; undefined then, and when the row is gone.
   */
  release(lease: Lease): Promise<OrderRow | undefined>;

  /** Keeps an event whose order is not known yet. Saving the same event (same id) again changes nothing. */
  saveOrphan(orphan: Orphan): Promise<void>;

  /** Removes and returns the orphans that carry one of these keys. */
  takeOrphans(keys: readonly string[]): Promise<Orphan[]>;

  /** Counts a hit in the window of time that `now` falls in and returns the count, shared by all instances. */
  hit(bucket: string, windowMs: number, now: number): Promise<number>;

  /** What `hit` last returned for the window that `now` falls in, 0 when it was never called; counts nothing. */
  count(bucket: string, windowMs: number, now: number): Promise<number>;

  /** Calls back when the order may have changed, on any instance; may call without reason, never misses a change. */
  subscribe(id: string, changed: () => void): () => void;

  /** Orders in the order of their ids, a page at a time: all, or only those that need a person. */
  list(query: ListQuery): Promise<OrderRow[]>;

  /** Lines, the last started first, a page at a time. */
  lines(query: LinePage): Promise<LineRow[]>;

  /** What lines add up to, in no particular order. */
  sums(query: LineSumQuery): Promise<LineSum[]>;

  /** What an operator watches. */
  stats(now: number): Promise<StoreStats>;

  /**
   * Forgets counters and orders without work that have not changed since `before`, and orphans received before
   * `orphansBefore`, or `before` when absent. `leave` says what is written in an order's place; nothing when absent.
   * Returns how many orders.
   */
  purge(before: number, orphansBefore?: number, leave?: Leave): Promise<number>;

  /** Releases connections, timers and listeners that the store itself opened. */
  close(): Promise<void>;
}

/** What is known of an order without reading its body. Times are epoch milliseconds. */
export interface RowFacts {
  /** From when on it needs a person; null when it does not. */
  readonly reviewAt: number | null;
  /** Since when a notice waits to be delivered; null when none does. */
  readonly noticeAt: number | null;
  /** What lists and sums need of it, by `Line.id`. Absent: as they were. */
  readonly lines?: readonly Line[];
}

export const noFacts: RowFacts = { reviewAt: null, noticeAt: null };

export interface LineRow extends Line {
  /** The row it belongs to. */
  readonly rowId: string;
}

export interface LineFilter {
  /** The time that `from` and `until` are about: from the first moment to before the second. `startedAt` when absent. */
  readonly time?: 'startedAt' | 'paidAt';
  readonly from: number;
  readonly until: number;
  readonly rails?: readonly string[];
  readonly exceptRails?: readonly string[];
  readonly statuses?: readonly string[];
  /** Part of the reference, the row's id, the CUS, the key or the end of the document, in upper or lower case. */
  readonly text?: string;
  /** With `text`: lines that ask for this sum, or brought it, match too. */
  readonly amountInCents?: number;
}

export interface LinePage extends LineFilter {
  /** The last line of the page before. */
  readonly after?: { readonly startedAt: number; readonly id: string };
  readonly limit: number;
}

export interface LineSumQuery extends LineFilter {
  /** One sum for each combination of these; a single one for all lines when empty. */
  readonly by: readonly LineGroup[];
  /** What to add to UTC for the midnight that days begin at; 0 when absent. */
  readonly zoneMs?: number;
}

/** `day` counts days from 1 January 1970, `wait` whole seconds from `shownAt` to `paidAt`. */
export type LineGroup = 'rail' | 'status' | 'reason' | 'day' | 'wait';

/** How many lines, how many of them were shown and paid, and their money. */
export interface LineSum extends Readonly<Partial<Record<LineGroup, string | number | null>>> {
  readonly count: number;
  readonly shown: number;
  readonly paid: number;
  readonly amountInCents: number;
  readonly paidInCents: number;
}

export interface ListQuery {
  /** Only orders whose `reviewAt` is not later than this. */
  readonly reviewBy?: number;
  /** The last id of the page before. */
  readonly after?: string;
  readonly limit: number;
}

export interface StoreStats {
  /** Orders whose work is due. */
  readonly due: number;
  readonly oldestDueAt: number | null;
  /** Orders with a notice that no hook has taken yet. */
  readonly waitingNotices: number;
  readonly oldestNoticeAt: number | null;
  /** Events whose order is not known. */
  readonly orphans: number;
  readonly oldestOrphanAt: number | null;
  /** Orders that need a person. */
  readonly review: number;
}

export interface OrderRow {
  readonly id: string;
  /** Grows by one with each write. */
  readonly revision: number;
  /** JSON; the kit's `OrderRecord`. */
  readonly body: unknown;
}

export interface Decision<Result> {
  readonly result: Result;
  /** Absent: nothing changes and no waiter is woken. */
  readonly write?: OrderWrite;
  /** Removes the order with its keys and lines first; `write` is what is left in its place. */
  readonly remove?: boolean;
}

/** What is left of an order, by its body, when it is removed; undefined when nothing is. */
export type Leave = (body: unknown) => OrderWrite | undefined;

export interface OrderWrite {
  readonly body: unknown;
  /** When the order needs work next, in epoch milliseconds; null when there is nothing left to do. */
  readonly dueAt: number | null;
  /** Absent: none. */
  readonly facts?: RowFacts;
  /** Keys that lead to this order from now on, beside those it has. */
  readonly addKeys: readonly string[];
  /** Epoch milliseconds of this write, for `purge`. */
  readonly at: number;
  /** False for bookkeeping that no waiter needs (a read was tried, a lease moved on). */
  readonly wake: boolean;
}

export interface Lease {
  /** As it was when it was leased. */
  readonly row: OrderRow;
  readonly token: string;
}

export interface Orphan {
  readonly id: string;
  readonly keys: readonly string[];
  /** JSON, already stripped of personal data. */
  readonly body: unknown;
  readonly receivedAt: number;
}

export class KeyTakenError extends Error {
  override readonly name = 'KeyTakenError';
  readonly key: string;

  constructor(key: string) {
    super('A key of this order already belongs to another order');
    this.key = key;
  }
}
