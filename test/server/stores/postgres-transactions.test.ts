import assert from 'node:assert/strict';
import { test, vi } from 'vitest';
import { retriedOnConflict } from '../../../src/server/stores/postgres/conflicts.js';
import { TransactionConflict } from '../../../src/server/stores/sql/database.js';

const withCode = (code: string) => Object.assign(new Error('undone'), { code });

/** How often work that fails in this way is tried, and what comes of it. Time passes by itself. */
async function tries(failures: readonly Error[]): Promise<[number, unknown]> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let count = 0;
  try {
    const outcome = retriedOnConflict(async () => {
      const failure = failures[count++];
      if (failure !== undefined) throw failure;
      return 'done';
    }).catch((error: unknown) => error);
    let ended = false;
    void outcome.then(() => (ended = true));
    while (!ended) {
      await new Promise((resolve) => setImmediate(resolve));
      vi.advanceTimersByTime(1_000);
    }
    return [count, await outcome];
  } finally {
    vi.useRealTimers();
  }
}

test('work that the server undid for the sake of another is done again until it succeeds', async () => {
  const undone = [new TransactionConflict(), withCode('40001'), withCode('40P01'), withCode('23505')];
  assert.deepEqual(await tries([]), [1, 'done']);
  assert.deepEqual(await tries(undone), [5, 'done']);
});

test('work that is undone each time is given up with what the server said', async () => {
  const failure = withCode('40001');
  const [count, outcome] = await tries(Array.from({ length: 100 }, () => failure));
  assert.equal(outcome, failure);
  assert.ok(count > 5 && count < 50, `${count} tries`);
});

test('work that fails for another reason is not done again', async () => {
  for (const failure of [withCode('57P01'), new Error('no code')]) {
    const [count, outcome] = await tries([failure]);
    assert.deepEqual([count, outcome], [1, failure]);
  }
});
