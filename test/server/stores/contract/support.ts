import type { TestContext } from 'vitest';
import type { Lease, OrderWrite, Store } from '../../../../src/server/stores/store.js';

/** Two instances on the same data: two pools, two connections, or the same object where there is only one process. */
export interface Instances {
  readonly one: Store;
  readonly two: Store;
}

export interface StoreUnderTest {
  readonly name: string;
  /** A reason not to run, printed with the tests. */
  readonly skip?: string | undefined;
  open(t: TestContext): Promise<Instances>;
}

export const now = 1_760_000_000_000;
/** Longer than a test takes. */
export const LEASE_MS = 600_000;

export type Open = StoreUnderTest['open'];

export function write(changes: Partial<OrderWrite> = {}): OrderWrite {
  return { body: { step: 1 }, dueAt: now, addKeys: [], at: now, wake: true, ...changes };
}

export async function put(store: Store, orderId: string, changes: Partial<OrderWrite> = {}): Promise<void> {
  await store.update(orderId, () => ({ result: undefined, write: write(changes) }));
}

export function increment(store: Store, orderId: string): Promise<number> {
  return store.update(orderId, (row) => {
    const count = ((row?.body as { count: number } | undefined)?.count ?? 0) + 1;
    return { result: count, write: write({ body: { count } }) };
  });
}

export function names(leases: readonly Lease[]): string[] {
  return leases.map(({ row }) => row.id);
}

/** Subscribes, then reads: from then on only a change has a reason to call. */
export async function wait(store: Store, orderId: string, changed: () => void): Promise<() => void> {
  const leave = store.subscribe(orderId, changed);
  await store.read(orderId);
  return leave;
}

export function removeOrder(store: Store, id: string): Promise<boolean> {
  return store.update(id, (row) => ({ result: row !== undefined, remove: true }));
}
