import type { Store } from './store.js';

/** The store's tables are brought up to date once; until that has worked, each caller tries again. */
export function migration(store: Store): () => Promise<void> | undefined {
  let state: 'new' | 'done' | Promise<void> = 'new';
  return () => {
    if (state === 'done') return undefined;
    if (state === 'new') {
      state = store.migrate().then(
        () => {
          state = 'done';
        },
        (error: unknown) => {
          state = 'new';
          throw error;
        },
      );
    }
    return state;
  };
}
