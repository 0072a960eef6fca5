import type { Clock } from '../service/clock.js';
import { attemptFacts } from './orders/views/attempt-view.js';
import { journalEntries, withEntries } from './orders/views/journal.js';
import { dueAt } from './orders/next-task.js';
import { hasOpenPayouts } from './orders/payouts/refunds.js';
import {
  allKeys,
  type AttemptRecord,
  type JournalEntry,
  oncePer,
  type OrderRecord,
} from './orders/record.js';
import { linesOf } from './orders/views/lines.js';
import { rowFacts, withoutOldMarks } from './orders/views/review.js';
import { tombstoneOf } from './orders/tombstone.js';
import type { Decision, OrderRow, OrderWrite, RowFacts, Store } from './stores/store.js';

export interface StoredOrder {
  readonly rowId: string;
  readonly revision: number;
  readonly record: OrderRecord;
}

/** Takes what happened to an order, once it is stored. */
type Audit = (order: string, entry: JournalEntry) => void;

/** Reads orders from the store and turns the decisions of `orders` into writes. */
export class OrderRepository {
  readonly #store: Store;
  readonly #clock: Clock;

  readonly #audit: Audit;

  constructor(store: Store, clock: Clock, audit: Audit) {
    this.#store = store;
    this.#clock = clock;
    this.#audit = audit;
  }

  read(rowId: string): Promise<StoredOrder | undefined> {
    return this.#store.read(rowId).then(storedOrder);
  }

  /** The order that owns the first of these keys that has an owner. */
  async find(...keys: readonly string[]): Promise<StoredOrder | undefined> {
    for (const key of keys) {
      const row = await this.#store.find(key);
      if (row !== undefined) return storedOrder(row);
    }
    return undefined;
  }

  /**
   * Runs a decision in the store's transaction. It gets the record and the time, and returns the record to keep (the
   * same one when nothing changes) beside a result for the caller. With `remove` the order goes, with its keys, and the
   * record is the tombstone in its place.
   */
  async change<Result>(
    rowId: string,
    decide: (record: OrderRecord | undefined, now: number) => Decided<Result>,
  ): Promise<Changed<Result>> {
    return this.#report(await this.#store.update(rowId, (row) => this.#decision(rowId, row, decide)));
  }

  #decision<Result>(
    rowId: string,
    row: OrderRow | undefined,
    decide: (record: OrderRecord | undefined, now: number) => Decided<Result>,
  ): Decision<Audited<Result>> {
    const now = this.#clock.now();
    const before = storedOrder(row)?.record;
    const { record, result, remove = false } = decide(before, now);
    if (record === undefined)
      return { result: { order: undefined, result, entries: [] }, ...(remove && { remove }) };
    const { record: kept, entries, write } = commit(remove ? undefined : before, record, now);
    const revision = (row?.revision ?? 0) + (write === undefined ? 0 : 1);
    const audited = { order: { rowId, revision, record: kept }, result, entries: remove ? [] : entries };
    return { result: audited, ...(remove && { remove }), ...(write !== undefined && { write }) };
  }

  /** Logs what happened, after the commit: a decision that was rolled back has not happened. */
  #report<Result>({ order, result, entries }: Audited<Result>): Changed<Result> {
    if (order !== undefined) for (const entry of entries) this.#audit(order.record.order, entry);
    return { order, result };
  }

  /** Removes orders at rest that have not changed since `before`, except those whose money is on its way out. */
  purge(before: number, orphansBefore: number, tombstoneMs: number | null): Promise<number> {
    const now = this.#clock.now();
    return this.#store.purge(before, orphansBefore, (body) => {
      const record = recordIn(body as object);
      const left = hasOpenPayouts(record) ? record : tombstoneOf(record, now, tombstoneMs);
      return left && commit(undefined, left, now).write;
    });
  }

  /** The common case: an existing order, and no result but the changed record. */
  async apply(
    rowId: string,
    decide: (record: OrderRecord, now: number) => OrderRecord,
  ): Promise<StoredOrder | undefined> {
    const { order } = await this.change(rowId, (before, now) => ({
      record: before && decide(before, now),
      result: undefined,
    }));
    return order;
  }

  /** The same for the order that owns the first of these keys that has an owner; undefined when none has. */
  async applyByKey(
    keys: readonly string[],
    decide: (record: OrderRecord, now: number) => OrderRecord,
  ): Promise<StoredOrder | undefined> {
    const changed = await this.#store.updateByKey(keys, (row) =>
      this.#decision(row.id, row, (before, now) => ({
        record: before && decide(before, now),
        result: undefined,
      })),
    );
    return changed && this.#report(changed).order;
  }
}

interface Decided<Result> {
  readonly record: OrderRecord | undefined;
  readonly result: Result;
  readonly remove?: boolean;
}

export interface Changed<Result> {
  /** As it is now; undefined when there is none. */
  readonly order: StoredOrder | undefined;
  readonly result: Result;
}

interface Audited<Result> extends Changed<Result> {
  readonly entries: readonly JournalEntry[];
}

/** An instance of an older release may still run when a newer one writes: it must not guess at what it does not know. */
const FORMAT = 1;

interface Body extends OrderRecord {
  readonly format: number;
}

/** The order that a row's body holds. @throws Error when a release wrote it that this one does not know. */
export const recordIn = oncePer((body: object): OrderRecord => {
  const { format, ...record } = body as Body;
  if (format !== FORMAT) throw new Error('An order was written by another version of the kit');
  return record;
});

export function storedOrder(row: OrderRow | undefined): StoredOrder | undefined {
  return row && { rowId: row.id, revision: row.revision, record: recordIn(row.body as object) };
}

interface Commit {
  readonly record: OrderRecord;
  /** What happened to the order, for the log. */
  readonly entries: readonly JournalEntry[];
  readonly write?: OrderWrite;
}

/**
 * Turns a changed record into a write. The version grows and waiters are woken when what a payer can see has changed,
 * which is found by comparing, so that no decision can forget it.
 */
export function commit(before: OrderRecord | undefined, after: OrderRecord, now: number): Commit {
  if (before === after) return { record: after, entries: [] };
  const seen = new Map(before?.attempts.map((attempt) => [attempt.id, visible(before, attempt)]));
  let changed = false;
  const attempts = after.attempts.map((attempt) => {
    if (seen.get(attempt.id) === visible(after, attempt)) return attempt;
    changed = true;
    return { ...attempt, changedAt: now };
  });
  const entries = journalEntries(before, after, now);
  // The shop has no order for a link of the console, so its hooks have nothing to do. The history keeps what happened.
  const reported = after.link === undefined ? after : { ...after, notices: [] };
  const versioned = changed ? { ...reported, attempts, version: after.version + 1 } : reported;
  const record = withEntries(withoutOldMarks(versioned), entries);
  const known = new Set(before === undefined ? [] : allKeys(before));
  const addKeys = allKeys(record).filter((key) => !known.has(key));
  const write = {
    body: { format: FORMAT, ...record } satisfies Body,
    dueAt: dueAt(record),
    facts: factsFor(before, record),
    addKeys,
    at: now,
    wake: changed,
  };
  return { record, entries, write };
}

/** Most writes change no line, and a database need not write those again. */
function factsFor(before: OrderRecord | undefined, after: OrderRecord): RowFacts {
  const { lines, ...facts } = rowFacts(after);
  const isKnown = before !== undefined && JSON.stringify(linesOf(before)) === JSON.stringify(lines);
  return isKnown ? facts : { ...facts, lines };
}

function visible(record: OrderRecord, attempt: AttemptRecord): string {
  return JSON.stringify(attemptFacts(record, attempt));
}
