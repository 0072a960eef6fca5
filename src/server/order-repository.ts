import type { Clock } from '../service/clock.js';
import { commit } from './commit.js';
import type { OrderRecord } from './orders/record.js';
import { type Decision, KeyTakenError, type OrderRow, type Store } from './stores/store.js';

/** The store did not do what it was asked. Nothing is half done: a request may be tried again. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';

  constructor(cause: unknown) {
    super('The store cannot be reached', { cause });
  }
}

/** The store's failures told apart from everybody else's. Errors of a decision and taken keys pass as they are. */
export function guardedStore(store: Store): Store {
  const fail = (error: unknown): never => {
    throw error instanceof KeyTakenError ? error : new StoreUnavailableError(error);
  };
  // Not an async function: status reads pass here, and every promise in between costs them.
  const guarded = <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return work().then(undefined, fail);
    } catch (error) {
      return Promise.reject(new StoreUnavailableError(error));
    }
  };
  return {
    migrate: () => guarded(() => store.migrate()),
    read: (orderId) => guarded(() => store.read(orderId)),
    find: (key) => guarded(() => store.find(key)),
    async update<Result>(orderId: string, decide: (row: OrderRow | undefined) => Decision<Result>) {
      let decisionError: { readonly error: unknown } | undefined;
      const watched = (row: OrderRow | undefined) => {
        try {
          return decide(row);
        } catch (error) {
          decisionError = { error };
          throw error;
        }
      };
      try {
        return await guarded(() => store.update(orderId, watched));
      } catch (error) {
        throw decisionError === undefined ? error : decisionError.error;
      }
    },
    claim: (now, leaseMs, limit) => guarded(() => store.claim(now, leaseMs, limit)),
    claimOne: (orderId, now, leaseMs) => guarded(() => store.claimOne(orderId, now, leaseMs)),
    release: (lease) => guarded(() => store.release(lease)),
    saveOrphan: (orphan) => guarded(() => store.saveOrphan(orphan)),
    takeOrphans: (keys) => guarded(() => store.takeOrphans(keys)),
    hit: (bucket, windowMs, now) => guarded(() => store.hit(bucket, windowMs, now)),
    subscribe: (orderId, changed) => store.subscribe(orderId, changed),
    purge: (before) => guarded(() => store.purge(before)),
    close: () => guarded(() => store.close()),
  };
}

export interface StoredOrder {
  readonly rowId: string;
  readonly revision: number;
  readonly record: OrderRecord;
}

/** Orders as records: reads rows, and turns pure decisions into writes. */
export class Orders {
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  async read(rowId: string): Promise<StoredOrder | undefined> {
    return stored(await this.#store.read(rowId));
  }

  async find(key: string): Promise<StoredOrder | undefined> {
    return stored(await this.#store.find(key));
  }

  /**
   * Runs a decision in the store's transaction. It gets the record and the time, and gives back the record to keep
   * (the same one when nothing changes) beside whatever the caller wants to know.
   */
  async change<Result>(
    rowId: string,
    decide: (record: OrderRecord | undefined, now: number) => Changed<Result>,
  ): Promise<Changed<Result>> {
    return this.#store.update<Changed<Result>>(rowId, (row) => {
      const now = this.#clock.now();
      const before = stored(row)?.record;
      const { record, result } = decide(before, now);
      if (record === undefined) return { result: { record, result } };
      const { record: kept, write } = commit(before, record, now);
      const changed = { record: kept, result };
      return write === undefined ? { result: changed } : { result: changed, write };
    });
  }

  /** The common case: an existing order and nothing to know but what became of it. */
  async apply(
    rowId: string,
    decide: (record: OrderRecord, now: number) => OrderRecord,
  ): Promise<OrderRecord | undefined> {
    const { record } = await this.change(rowId, (before, now) => ({
      record: before && decide(before, now),
      result: undefined,
    }));
    return record;
  }
}

export interface Changed<Result> {
  readonly record: OrderRecord | undefined;
  readonly result: Result;
}

function stored(row: OrderRow | undefined): StoredOrder | undefined {
  if (row === undefined) return undefined;
  const record = row.body as OrderRecord;
  // A newer version of the kit may have written it: guessing at money is not an option.
  if (record.format !== 1) throw new Error('An order was written by another version of the kit');
  return { rowId: row.id, revision: row.revision, record };
}
