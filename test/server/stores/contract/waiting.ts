import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import type { Store } from '../../../../src/server/stores/store.js';
import { put, increment, wait, type Open } from './support.js';

export function waiting(open: Open): void {
  test('a waiter is woken by a write on its own instance as soon as it is committed', async (t) => {
    const { one } = await open(t);
    let woken = 0;
    let other = 0;
    await wait(one, 'order', () => (woken += 1));
    await wait(one, 'other', () => (other += 1));
    await put(one, 'order');
    assert.ok(woken > 0);
    assert.equal(other, 0);
  });

  test('bookkeeping, refused writes and decisions without a write wake no waiter', async (t) => {
    const { one } = await open(t);
    await put(one, 'taken', { addKeys: ['taken'] });
    let woken = 0;
    await wait(one, 'order', () => (woken += 1));
    for (let round = 0; round < 3; round++) {
      await put(one, 'order', { wake: false });
      await one.update('order', () => ({ result: undefined }));
      await assert.rejects(put(one, 'order', { addKeys: ['taken'] }));
    }
    // A store that begins to listen calls once, for what it may have missed until then; none of the writes may add to it.
    assert.ok(woken <= 1, `woken ${woken} times`);
  });

  test('a waiter is woken by a write on another instance', async (t) => {
    const { one, two } = await open(t);
    await put(one, 'order');
    const changed = nextChange(two, 'order', 2);
    await two.read('order');
    await put(one, 'order', { body: { step: 2 } });
    assert.deepEqual(await changed, { step: 2 });
  });

  test('a waiter is woken when its order is created elsewhere', async (t) => {
    const { one, two } = await open(t);
    const changed = nextChange(two, 'order', 1);
    await two.read('order');
    await put(one, 'order', { body: { step: 1 } });
    assert.deepEqual(await changed, { step: 1 });
  });

  test('a waiter is woken by another instance when others have left, also the first after all had left', async (t) => {
    const { one, two } = await open(t);
    await put(one, 'order');
    const leaves = [await wait(two, 'order', () => {}), await wait(two, 'other', () => {})];
    for (const revision of [2, 3]) {
      const changed = nextChange(two, 'order', revision);
      await two.read('order');
      for (const leave of leaves.splice(0)) leave();
      await put(one, 'order');
      await changed;
    }
  });

  test('bookkeeping on another instance and changes of other orders wake no waiter', async (t) => {
    const { one, two } = await open(t);
    await put(one, 'order');
    await put(one, 'order');
    let woken = 0;
    for (const id of ['order', 'nobody']) await wait(two, id, () => (woken += 1));
    const hear = async (revision: number) => {
      const heard = nextChange(two, 'marker', revision);
      await two.read('marker');
      await put(one, 'marker');
      await heard;
    };
    // A store may call for nothing while it begins to listen; when it has heard of a change it has begun.
    await hear(1);
    woken = 0;
    for (let round = 0; round < 3; round++) await put(one, 'order', { wake: false });
    await hear(2);
    assert.equal(woken, 0);
  });

  test('a waiter that leaves is not called again, and others that wait with the same function are', async (t) => {
    const { one } = await open(t);
    let woken = 0;
    const changed = (): void => void (woken += 1);
    const leave = await wait(one, 'order', changed);
    const leaveToo = await wait(one, 'order', changed);
    leave();
    leave();
    await put(one, 'order');
    assert.ok(woken > 0);
    leaveToo();
    woken = 0;
    await put(one, 'order');
    assert.equal(woken, 0);
  });

  test('a waiter that throws keeps neither the writer nor the others from going on', async (t) => {
    const { one } = await open(t);
    let woken = 0;
    await wait(one, 'order', () => {
      throw new Error('a waiter failed');
    });
    await wait(one, 'order', () => (woken += 1));
    await put(one, 'order');
    assert.ok(woken > 0);
  });

  test('no change is missed by those who subscribe, then read, then wait', async (t) => {
    const { one, two } = await open(t);
    const last = 12;
    const ids = ['a', 'b', 'c'].map((id) => `${id} ${randomUUID()}`);
    const watchers = ids.flatMap((id) => [one, two, two].map((store) => watchUntil(store, id, last)));
    const writers = ids.map(async (id) => {
      for (let count = 0; count < last; count++) await increment(count % 2 === 0 ? one : two, id);
    });
    await Promise.all([...watchers, ...writers]);
  });
}

/** Waits, as the kit does, until the order has at least this revision. Resolves with its body. */
function nextChange(store: Store, orderId: string, revision: number): Promise<unknown> {
  let leave = (): void => {};
  const changed = new Promise<unknown>((resolve, reject) => {
    const look = async (): Promise<void> => {
      const row = await store.read(orderId);
      if (row !== undefined && row.revision >= revision) resolve(row.body);
    };
    leave = store.subscribe(orderId, () => void look().catch(reject));
    look().catch(reject);
  });
  return changed.finally(() => leave());
}

/** Subscribes anew for each wait, as long-polling does; ends only if no change is ever missed. */
async function watchUntil(store: Store, orderId: string, last: number): Promise<void> {
  for (let seen = 0; seen < last;) {
    seen = ((await nextChange(store, orderId, seen + 1)) as { count: number }).count;
  }
}
