import type { Decision, OrderWrite, Store } from '../server/stores/store.js';

/** Where a simulation outlives a reload: `sessionStorage`, or anything of its shape. */
export type SimulatorStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** What is saved: the sandbox's snapshot, the merchant's orders, and how far the clock was moved. */
interface Remembered {
  readonly service: unknown;
  readonly orders: readonly (readonly [string, OrderWrite])[];
  readonly aheadMs: number;
}

const KEY = 'pay-checkout simulator';

export function recall(storage: SimulatorStorage | undefined): Remembered | undefined {
  try {
    const found = JSON.parse(storage?.getItem(KEY) ?? 'null') as Remembered | null;
    return found ?? undefined;
  } catch {
    // Storage is blocked or holds something else: start empty.
    return undefined;
  }
}

export function remember(storage: SimulatorStorage | undefined, remembered: Remembered): void {
  try {
    storage?.setItem(KEY, JSON.stringify(remembered));
  } catch {
    // Storage is full or blocked: the simulation ends with the page.
  }
}

/** Wraps a store so that its orders can be saved and loaded again. */
export function rememberingStore(
  store: Store,
  start: Remembered['orders'],
  changed: () => void,
): { readonly store: Store; readonly orders: () => Remembered['orders'] } {
  const written = new Map<string, OrderWrite>(start);
  const note = (id: string, { write, remove = false }: Partial<Decision<unknown>> = {}) => {
    if (remove) written.delete(id);
    if (write) {
      const addKeys = new Set([...(written.get(id)?.addKeys ?? []), ...write.addKeys]);
      written.set(id, { ...write, addKeys: [...addKeys] });
    }
    if (remove || write) changed();
  };
  const remembering: Store = {
    async migrate() {
      await store.migrate();
      for (const [id, write] of start) {
        await store.update(id, () => ({ result: undefined, write: { ...write, wake: false } }));
      }
    },
    async update(id, decide) {
      let decision: Decision<unknown> | undefined;
      const result = await store.update(id, (row) => (decision = decide(row)));
      note(id, decision);
      return result;
    },
    async updateByKey(keys, decide) {
      let id = '';
      let decision: Decision<unknown> | undefined;
      const result = await store.updateByKey(keys, (row) => {
        id = row.id;
        return (decision = decide(row));
      });
      note(id, decision);
      return result;
    },
    read: (id) => store.read(id),
    find: (key) => store.find(key),
    claim: (now, leaseMs, limit) => store.claim(now, leaseMs, limit),
    claimOne: (id, now, leaseMs) => store.claimOne(id, now, leaseMs),
    release: (lease) => store.release(lease),
    saveOrphan: (orphan) => store.saveOrphan(orphan),
    takeOrphans: (keys) => store.takeOrphans(keys),
    hit: (bucket, windowMs, now) => store.hit(bucket, windowMs, now),
    count: (bucket, windowMs, now) => store.count(bucket, windowMs, now),
    subscribe: (id, wake) => store.subscribe(id, wake),
    list: (query) => store.list(query),
    lines: (query) => store.lines(query),
    sums: (query) => store.sums(query),
    stats: (now) => store.stats(now),
    purge: (...given) => store.purge(...given),
    close: () => store.close(),
  };
  return { store: remembering, orders: () => [...written] };
}
