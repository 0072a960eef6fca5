import assert from 'node:assert/strict';
import { test } from 'vitest';
import { memoryStore, type Store } from '../../../src/server.js';
import { guardedStore, StoreUnavailableError } from '../../../src/server/stores/guarded-store.js';

/** A store that fails at once, or by a promise. */
const failing = (failure: () => Promise<never>): Store => new Proxy(memoryStore(), { get: () => failure });

test('what fails in the store is said to be the store’s, at once or later', async () => {
  const cause = new Error('the disk is gone');
  for (const failure of [
    () => Promise.reject(cause),
    () => {
      throw cause;
    },
  ]) {
    const store = guardedStore(failing(failure));
    for (const work of [
      () => store.migrate(),
      () => store.read('order'),
      () => store.find('key'),
      () => store.update('order', () => ({ result: 1 })),
      () => store.claim(0, 1, 1),
      () => store.claimOne('order', 0, 1),
      () => store.hit('bucket', 1, 0),
      () => store.count('bucket', 1, 0),
      () => store.takeOrphans([]),
      () => store.stats(0),
      () => store.purge(0, 0),
      () => store.close(),
    ])
      await assert.rejects(work, (error) => error instanceof StoreUnavailableError && error.cause === cause);
  }
});

test('what a decision throws passes as it is, and nothing is written', async () => {
  const store = guardedStore(memoryStore());
  await store.migrate();
  const mistake = new RangeError('no such attempt');
  await assert.rejects(
    store.update('order', () => {
      throw mistake;
    }),
    (error) => error === mistake,
  );
  assert.equal(await store.read('order'), undefined);
});
