import assert from 'node:assert/strict';
import { test } from 'vitest';
import { LocalLimiter } from '../../../src/server/http/limits.js';

/** The seconds to wait for when a hit is refused, null when it is not. */
function hit(limiter: LocalLimiter, name: string, now: number): number | null {
  const waitMs = limiter.hit(name, now);
  return waitMs === 0 ? null : Math.ceil(waitMs / 1000);
}

test('so many in a window, for each name, and a refusal says when the window ends', () => {
  const limiter = new LocalLimiter(2, 10_000);
  assert.deepEqual(
    [0, 1, 2, 8_999, 9_000, 9_999].map((now) => hit(limiter, 'a', now)),
    [null, null, 10, 2, 1, 1],
  );
  assert.equal(hit(limiter, 'b', 9_999), null, 'another name has its own');
  assert.deepEqual(
    [10_000, 10_000, 10_000].map((now) => hit(limiter, 'a', now)),
    [null, null, 10],
    'a new window',
  );
  assert.equal(hit(limiter, 'b', 10_000), null);
});

test('a window begins with the first hit after the last one', () => {
  const limiter = new LocalLimiter(1, 10_000);
  assert.equal(hit(limiter, 'a', 3_000), null);
  assert.equal(hit(limiter, 'a', 12_999), 1);
  assert.equal(hit(limiter, 'a', 55_500), null);
  assert.equal(hit(limiter, 'a', 60_000), 6);
  assert.equal(hit(limiter, 'a', 65_500), null);
});

test('a stranger with very many names is counted as one in the end; those who were there before are not', () => {
  const limiter = new LocalLimiter(2, 10_000);
  assert.equal(hit(limiter, 'payer', 0), null);
  let refused = 0;
  for (let index = 0; index < 120_000; index++) if (hit(limiter, `x${index}`, 1) !== null) refused += 1;
  assert.ok(refused > 10_000, `${refused} were refused`);
  assert.ok(refused < 60_000, `${refused} were refused`);
  assert.equal(hit(limiter, 'payer', 2), null);
  assert.equal(hit(limiter, 'payer', 3), 10);
  assert.equal(hit(limiter, 'new', 10_000), null, 'until the window ends');
});
