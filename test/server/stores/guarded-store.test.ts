import assert from 'node:assert/strict';
import { test } from 'vitest';
import { memoryStore, type Store } from '../../../src/server.js';
import { guardedStore, StoreUnavailableError } from '../../../src/server/stores/guarded-store.js';

/** A store that fails at once, or by a promise; from the start, or once its tables are there. */
const failing = (failure: () => Promise<never>, isMigrated: boolean): Store =>
  new Proxy(memoryStore(), {
    get: (_store, name) => (isMigrated && name === 'migrate' ? async () => undefined : failure),
  });

test('whatever fails in the store is reported as the store’s failure, thrown at once or later', async () => {
  const cause = new Error('the disk is gone');
  const later = () => Promise.reject(cause);
  const atOnce = () => {
    throw cause;
  };
  for (const [failure, isMigrated] of [
    [later, false],
    [later, true],
    [atOnce, false],
    [atOnce, true],
  ] as const) {
    const store = guardedStore(failing(failure, isMigrated));
    // All but waiting, which gives no promise.
    const { subscribe: _, ...calls } = store;
    for (const [name, call] of Object.entries<(...given: never[]) => Promise<unknown>>(calls)) {
      if (isMigrated && name === 'migrate') continue;
      const isReported = (error: unknown) => error instanceof StoreUnavailableError && error.cause === cause;
      await assert.rejects(() => call(), isReported, name);
    }
  }
});

test('what a decision throws passes as it is', async () => {
  const store = guardedStore(memoryStore());
  await store.update('order', () => ({
    result: undefined,
    write: { body: {}, dueAt: null, addKeys: ['key'], at: 1, wake: false },
  }));
  const mistake = new RangeError('no such attempt');
  const decide = () => {
    throw mistake;
  };
  for (const update of [() => store.update('order', decide), () => store.updateByKey(['key'], decide)]) {
    await assert.rejects(update, (error) => error === mistake);
  }
});
