import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import fc from 'fast-check';
import { TransportError } from '../../src/transport/port.js';
import { answers, answersLate, fails, holds, MINUTE_MS, setUp, target, watched } from './watched-page.js';

describe('a page that is not always there', () => {
  it('makes at most one call a minute while hidden', async () => {
    for (const backend of [answers, holds, fails]) {
      const { page, watcher, times } = setUp(backend);
      watcher.watch([watched]);
      await page.pass(10_000);
      page.isHidden = true;
      const before = times().length;
      await page.pass(20 * MINUTE_MS);
      const hidden = times().slice(before - 1);
      for (const [index, atMs] of hidden.entries()) {
        if (index > 0) assert.ok(atMs - (hidden[index - 1] ?? 0) >= MINUTE_MS, `${atMs}`);
      }
      assert.ok(hidden.length >= 10 && hidden.length <= 21, String(hidden.length));
    }
  });

  it('checks at once when it is seen again, once for a bunch of signals', async () => {
    const { page, watcher, calls, times } = setUp(answers);
    watcher.watch([watched]);
    page.isHidden = true;
    await page.pass(30_000);
    page.isHidden = false;
    page.wake();
    page.wake();
    await page.pass(50);
    page.wake();
    await page.pass(50);
    page.wake();
    await page.pass(899);
    page.wake();
    await page.pass(0);
    assert.deepEqual(times(), [0, 30_000]);
    assert.equal(calls.at(-1)?.after, undefined);
    await page.pass(1);
    page.wake();
    await page.pass(0);
    assert.deepEqual(times(), [0, 30_000, 31_000], 'what comes a second later is no part of the bunch');
  });

  it('asks nothing further for signals of one bunch that were answered', async () => {
    const { page, watcher, times } = setUp(answers);
    watcher.watch([watched]);
    page.isHidden = true;
    await page.pass(30_000);
    page.isHidden = false;
    page.wake();
    await page.pass(50);
    page.wake();
    await page.pass(1_450);
    assert.deepEqual(times(), [0, 30_000]);
  });

  it('checks as soon as it may when it was left for less than a second', async () => {
    const { page, watcher, world, times } = setUp(answers);
    watcher.watch([watched]);
    await page.pass(10_500);
    const calledMs = times().at(-1) ?? NaN;
    // Left before the call that was due, and before the answer to one that was under way.
    page.wake();
    page.isHidden = true;
    await page.pass(600);
    page.isHidden = false;
    page.wake();
    page.wake();
    await page.pass(1_000);
    assert.deepEqual(times().slice(-2), [calledMs, calledMs + 1_100]);

    await page.pass(1_500);
    world.backend = answersLate;
    page.wake();
    await page.pass(100);
    const askedMs = times().at(-1) ?? NaN;
    page.isHidden = true;
    await page.pass(300);
    page.isHidden = false;
    page.wake();
    await page.pass(1_000);
    assert.deepEqual(times().slice(-2), [askedMs, askedMs + 1_000]);
  });

  it('is never seen for more than two seconds without a call, however often it was left', async () => {
    const ms = fc.constantFrom(0, 100, 300, 500, 700, 900, 1_500);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(ms, ms), { minLength: 1, maxLength: 20 }), async (leaves) => {
        const { page, watcher, times } = setUp(answersLate);
        watcher.watch([watched]);
        for (const [seenMs, hiddenMs] of leaves) {
          page.isHidden = false;
          page.wake();
          await page.pass(seenMs);
          page.isHidden = true;
          await page.pass(hiddenMs);
        }
        page.isHidden = false;
        page.wake();
        await page.pass(2_200);
        assert.ok(page.nowMs() - (times().at(-1) ?? NaN) <= 2_200, times().join());
      }),
      { numRuns: 150 },
    );
  });

  it('replaces a waiting read that may have died in its sleep', async () => {
    const { page, watcher, calls, world } = setUp(holds);
    watcher.watch([watched]);
    await page.pass(10_000);
    page.wake();
    await page.pass(0);
    assert.equal(calls[0]?.signal.aborted, true);
    assert.deepEqual([calls.length, calls[1]?.after], [2, undefined]);
    assert.equal(world.mostInFlight, 1);
  });

  it('does not lose a signal that comes while the check of an earlier one fails', async () => {
    const { page, watcher, world, told } = setUp(fails);
    page.chance = 0.9;
    watcher.watch([watched]);
    await page.pass(20_000);
    let refuse = () => {};
    world.backend = () =>
      new Promise((_, reject) => {
        refuse = () => reject(new TransportError('NETWORK'));
      });
    page.wake();
    await page.pass(100);
    page.wake();
    refuse();
    world.backend = answers;
    await page.pass(1_000);
    assert.equal(told.at(-1), 'arrived breb-1 v1');
  });

  it('tries again at the next signal after a check that failed', async () => {
    const { page, watcher, world, told } = setUp(fails);
    page.chance = 0.9;
    watcher.watch([watched]);
    await page.pass(20_000);
    page.wake();
    await page.pass(100);
    assert.match(told.at(-1) ?? '', /^failed/);
    world.backend = answers;
    page.wake();
    await page.pass(1_000);
    assert.equal(told.at(-1), 'arrived breb-1 v1');
  });

  it('goes on with its waiting read when a signal comes while it is hidden', async () => {
    const { page, watcher, calls } = setUp(holds);
    watcher.watch([watched]);
    await page.pass(5_000);
    page.isHidden = true;
    page.wake();
    await page.pass(1_000);
    assert.deepEqual([calls.length, calls[0]?.signal.aborted], [1, false]);
  });

  it('checks at once while hidden when the page asks for it', async () => {
    const { page, watcher, calls } = setUp(answers);
    watcher.watch([watched]);
    page.isHidden = true;
    await page.pass(5_000);
    watcher.check(target);
    await page.pass(0);
    assert.equal(calls.length, 2);
  });
});
