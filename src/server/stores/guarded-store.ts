import { type Decision, KeyTakenError, type OrderRow, type Store } from './store.js';

/** The store failed. Nothing is half done: a request may be tried again. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';

  constructor(cause: unknown) {
    super('The store cannot be reached', { cause });
  }
}

/** Marks the store's own failures as such. Errors of a decision and taken keys pass as they are. */
export function guardedStore(store: Store): Store {
  const fail = (error: unknown): never => {
    throw error instanceof KeyTakenError ? error : new StoreUnavailableError(error);
  };
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
    count: (bucket, windowMs, now) => guarded(() => store.count(bucket, windowMs, now)),
    subscribe: (orderId, changed) => store.subscribe(orderId, changed),
    list: (query) => guarded(() => store.list(query)),
    lines: (query) => guarded(() => store.lines(query)),
    sums: (query) => guarded(() => store.sums(query)),
    stats: (now) => guarded(() => store.stats(now)),
    purge: (...given) => guarded(() => store.purge(...given)),
    close: () => guarded(() => store.close()),
  };
}
