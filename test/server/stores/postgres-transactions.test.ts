import assert from 'node:assert/strict';
import { test, vi } from 'vitest';
import { retriedOnConflict } from '../../../src/server/stores/postgres/conflicts.js';
import { TransactionConflict } from '../../../src/server/stores/sql/database.js';

const withCode = (code: string) => Object.assign(new Error('undone'), { code });

/** How often work that fails in this way is tried, what comes of it, and after how long when every pause is longest. */
async function tries(failures: readonly Error[]): Promise<[number, unknown, number]> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const longest = vi.spyOn(Math, 'random').mockReturnValue(1);
  let passedMs = 0;
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
      if (vi.getTimerCount() === 0) continue;
      vi.advanceTimersByTime(10);
      passedMs += 10;
    }
    return [count, await outcome, passedMs];
  } finally {
    longest.mockRestore();
    vi.useRealTimers();
  }
}

test('work that the server undid for the sake of another is done again until it succeeds', async () => {
  const undone = [new TransactionConflict(), withCode('40001'), withCode('40P01'), withCode('23505')];
  assert.deepEqual(await tries([]), [1, 'done', 0]);
  assert.deepEqual(await tries(undone), [5, 'done', 10 + 20 + 30 + 40]);
});

test('work that is undone each time is given up within a second, with what the server said', async () => {
  const failure = withCode('40001');
  const [count, outcome, passedMs] = await tries(Array.from({ length: 100 }, () => failure));
  assert.equal(outcome, failure);
  assert.ok(count >= 10 && passedMs < 1_000, `${count} tries in ${passedMs} ms`);
});

test('work that fails for another reason is not done again', async () => {
  for (const failure of [withCode('57P01'), new Error('no code')]) {
    const [count, outcome] = await tries([failure]);
    assert.deepEqual([count, outcome], [1, failure]);
  }
});
