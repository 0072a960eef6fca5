import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, vi } from 'vitest';
import { isoTimeOrNull, steadyClock, systemClock } from '../../src/service/clock.js';
import { endsIn, pause, withDeadline } from '../../src/service/deadline.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new Promise<never>(() => undefined);

/** What a promise came to, which is looked at after some time. */
const outcomeOf = async (work: Promise<unknown>, afterMs: number) => {
  let outcome: unknown = 'open';
  work.then(
    (value) => (outcome = value),
    (error: unknown) => (outcome = error),
  );
  await vi.advanceTimersByTimeAsync(afterMs);
  return outcome;
};

describe('the machine’s clock', () => {
  it('waits as long as it is told to, or as it can, and not at all for less than nothing', () => {
    const run = vi.fn();
    systemClock.setTimer(2 ** 31, run);
    vi.advanceTimersByTime(86_400_000);
    assert.equal(run.mock.calls.length, 0);
    vi.advanceTimersByTime(2 ** 31 - 1 - 86_400_000);
    assert.equal(run.mock.calls.length, 1);
    systemClock.setTimer(-1, run);
    vi.advanceTimersByTime(0);
    assert.equal(run.mock.calls.length, 2);
  });

  it('lets go of a timer', () => {
    const run = vi.fn();
    systemClock.setTimer(10, run)();
    vi.advanceTimersByTime(20);
    assert.equal(run.mock.calls.length, 0);
    assert.equal(vi.getTimerCount(), 0);
  });

  it('goes on slowly when it was set back, and follows when it was set forward', () => {
    const steady = steadyClock(systemClock);
    const began = steady.now();
    vi.setSystemTime(began - 3_600_000);
    vi.advanceTimersByTime(100_000);
    assert.equal(steady.now(), began + 99_000);
    vi.setSystemTime(began + 3_600_000);
    assert.equal(steady.now(), began + 3_600_000);
  });

  it('writes a moment as the wire has it, and none as none', () => {
    assert.equal(isoTimeOrNull(0), '1970-01-01T00:00:00.000Z');
    assert.equal(isoTimeOrNull(null), null);
  });
});

describe('a time limit', () => {
  it('is told from work that ends in time, and leaves no timer', async () => {
    assert.equal(await outcomeOf(endsIn(systemClock, never, 1_000), 999), 'open');
    assert.equal(await outcomeOf(endsIn(systemClock, never, 1_000), 1_000), false);
    assert.equal(await outcomeOf(endsIn(systemClock, Promise.resolve(), 1_000), 0), true);
    assert.equal(vi.getTimerCount(), 0);
    await assert.rejects(endsIn(systemClock, Promise.reject(new Error('work')), 1_000), /^Error: work$/);
    assert.equal(vi.getTimerCount(), 0);
  });

  it('fires the signal of the work, and is let go of when the work ends', async () => {
    const work = withDeadline(
      systemClock,
      1_000,
      (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason))),
    );
    assert.equal(((await outcomeOf(work, 1_000)) as Error).name, 'TimeoutError');
    assert.equal(await withDeadline(systemClock, 1_000, () => Promise.resolve(7)), 7);
    assert.equal(vi.getTimerCount(), 0);
  });

  it('is a pause that the caller can end', async () => {
    const giveUp = new AbortController();
    assert.equal(await outcomeOf(pause(systemClock, 100, giveUp.signal), 100), undefined);
    const paused = pause(systemClock, 100, giveUp.signal);
    const reason = new Error('given up');
    giveUp.abort(reason);
    await assert.rejects(paused, reason);
    assert.equal(vi.getTimerCount(), 0);
    await assert.rejects(pause(systemClock, 100, giveUp.signal), reason);
  });
});
