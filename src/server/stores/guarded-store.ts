import { migration } from './migration.js';
import { type Decision, KeyTakenError, type Store } from './store.js';

/** The store failed. Nothing is half done: a request may be tried again. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';

  constructor(cause: unknown) {
    super('The store cannot be reached', { cause });
  }
}

/**
 * Brings the store's tables up to date before it is first used, and marks the store's own failures as such. Errors of a
 * decision and taken keys pass as they are.
 */
export function guardedStore(store: Store): Store {
  const ready = migration(store);
  const fail = (error: unknown): never => {
    throw error instanceof KeyTakenError ? error : new StoreUnavailableError(error);
  };
  const marked = <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return work().then(undefined, fail);
    } catch (error) {
      return Promise.reject(new StoreUnavailableError(error));
    }
  };
  const guarded = <Value>(work: () => Promise<Value>): Promise<Value> =>
    marked(() => ready()?.then(work) ?? work());
  const decided = async <Row, Result, Value>(
    decide: (row: Row) => Decision<Result>,
    update: (watched: (row: Row) => Decision<Result>) => Promise<Value>,
  ): Promise<Value> => {
    let decisionError: { readonly error: unknown } | undefined;
    const watched = (row: Row) => {
      try {
        return decide(row);
      } catch (error) {
        decisionError = { error };
        throw error;
      }
    };
    try {
      return await guarded(() => update(watched));
    } catch (error) {
      throw decisionError === undefined ? error : decisionError.error;
    }
  };
  return {
    migrate: () => guarded(() => Promise.resolve()),
    read: (id) => guarded(() => store.read(id)),
    find: (key) => guarded(() => store.find(key)),
    update: (id, decide) => decided(decide, (watched) => store.update(id, watched)),
    updateByKey: (keys, decide) => decided(decide, (watched) => store.updateByKey(keys, watched)),
    claim: (now, leaseMs, limit) => guarded(() => store.claim(now, leaseMs, limit)),
    claimOne: (id, now, leaseMs) => guarded(() => store.claimOne(id, now, leaseMs)),
    release: (lease) => guarded(() => store.release(lease)),
    saveOrphan: (orphan) => guarded(() => store.saveOrphan(orphan)),
    takeOrphans: (keys) => guarded(() => store.takeOrphans(keys)),
    hit: (bucket, windowMs, now) => guarded(() => store.hit(bucket, windowMs, now)),
    count: (bucket, windowMs, now) => guarded(() => store.count(bucket, windowMs, now)),
    subscribe: (id, changed) => store.subscribe(id, changed),
    list: (query) => guarded(() => store.list(query)),
    lines: (query) => guarded(() => store.lines(query)),
    sums: (query) => guarded(() => store.sums(query)),
    stats: (now) => guarded(() => store.stats(now)),
    purge: (...given) => guarded(() => store.purge(...given)),
    close: () => marked(() => store.close()),
  };
}
