import type { Decision, OrderRow, OrderWrite, Store } from '../server/stores/store.js';

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
  const remembering: Store = {
    async migrate() {
      await store.migrate();
      for (const [orderId, write] of start) {
        await store.update(orderId, () => ({ result: undefined, write: { ...write, wake: false } }));
      }
    },
    async update<Result>(orderId: string, decide: (row: OrderRow | undefined) => Decision<Result>) {
      let last: OrderWrite | undefined;
      let isRemoved = false;
      const result = await store.update(orderId, (row) => {
        const decision = decide(row);
        ({ write: last, remove: isRemoved = false } = decision);
        return decision;
      });
      if (isRemoved) {
        written.delete(orderId);
        changed();
      }
      if (last) {
        const addKeys = new Set([...(written.get(orderId)?.addKeys ?? []), ...last.addKeys]);
        written.set(orderId, { ...last, addKeys: [...addKeys] });
        changed();
      }
      return result;
    },
    read: (orderId) => store.read(orderId),
    find: (key) => store.find(key),
    claim: (now, leaseMs, limit) => store.claim(now, leaseMs, limit),
    claimOne: (orderId, now, leaseMs) => store.claimOne(orderId, now, leaseMs),
    release: (lease) => store.release(lease),
    saveOrphan: (orphan) => store.saveOrphan(orphan),
    takeOrphans: (keys) => store.takeOrphans(keys),
    hit: (bucket, windowMs, now) => store.hit(bucket, windowMs, now),
    count: (bucket, windowMs, now) => store.count(bucket, windowMs, now),
    subscribe: (orderId, wake) => store.subscribe(orderId, wake),
    list: (query) => store.list(query),
    lines: (query) => store.lines(query),
    sums: (query) => store.sums(query),
    stats: (now) => store.stats(now),
    purge: (...given) => store.purge(...given),
    close: () => store.close(),
  };
  return { store: remembering, orders: () => [...written] };
}
