import type { OrderRow, OrderWrite, Store } from '../../../src/server.js';

/**
 * A defect planted on purpose, to know that the harness sees: the first write of an order, which is the intent to pay
 * it, stays in this process until the next one. As long as nobody dies in between, nothing tells the difference.
 */
export function withoutIntent(store: Store): Store {
  const held = new Map<string, OrderWrite>();
  const rowOf = (id: string): OrderRow | undefined => {
    const write = held.get(id);
    return write && { id, revision: 1, body: JSON.parse(JSON.stringify(write.body)) as unknown };
  };
  return {
    migrate: () => store.migrate(),
    read: async (orderId) => rowOf(orderId) ?? (await store.read(orderId)),
    async find(key) {
      const owner = [...held].find(([, write]) => write.addKeys.includes(key));
      return owner === undefined ? store.find(key) : rowOf(owner[0]);
    },
    async update(orderId, decide) {
      const intent = held.get(orderId);
      if (intent === undefined && (await store.read(orderId)) === undefined) {
        const { result, write } = decide(undefined);
        if (write !== undefined) held.set(orderId, write);
        return result;
      }
      const result = await store.update(orderId, (row) => {
        const decision = decide(row ?? rowOf(orderId));
        if (decision.write === undefined || intent === undefined) return decision;
        return {
          ...decision,
          write: { ...decision.write, addKeys: [...intent.addKeys, ...decision.write.addKeys] },
        };
      });
      if ((await store.read(orderId)) !== undefined) held.delete(orderId);
      return result;
    },
    async updateByKey(keys, decide) {
      for (const key of keys) {
        const row = await this.find(key);
        if (row !== undefined) return this.update(row.id, (current) => decide(current ?? row));
      }
      return undefined;
    },
    claim: (now, leaseMs, limit) => store.claim(now, leaseMs, limit),
    claimOne: (orderId, now, leaseMs) => store.claimOne(orderId, now, leaseMs),
    release: (lease) => store.release(lease),
    saveOrphan: (orphan) => store.saveOrphan(orphan),
    takeOrphans: (keys) => store.takeOrphans(keys),
    hit: (bucket, windowMs, now) => store.hit(bucket, windowMs, now),
    count: (bucket, windowMs, now) => store.count(bucket, windowMs, now),
    subscribe: (orderId, changed) => store.subscribe(orderId, changed),
    list: (query) => store.list(query),
    lines: (query) => store.lines(query),
    sums: (query) => store.sums(query),
    stats: (now) => store.stats(now),
    purge: (...given) => store.purge(...given),
    close: () => store.close(),
  };
}
