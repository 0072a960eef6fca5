import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import fc from 'fast-check';
import { TransportError } from '../../src/transport/port.js';
import { createWatcher, intervalMs } from '../../src/transport/watcher.js';
import { breb } from '../machine/fixtures.js';
import { FakeSurroundings } from './fake-surroundings.js';
import { answers, type Backend, fails, holds, MINUTE_MS, setUp, target, watched } from './watched-page.js';

describe('the spacing of reads', () => {
  it('is two seconds for half a minute, then grows by half up to fifteen', () => {
    assert.deepEqual(
      [0, 29_999, 30_000, 32_999, 33_000, 37_500, 44_250, 54_375, 1e9].map(intervalMs),
      [2_000, 2_000, 3_000, 3_000, 4_500, 6_750, 10_125, 15_000, 15_000],
    );
  });
});

describe('watching a backend that can wait', () => {
  it('waits for news of what is known, and asks again at once', async () => {
    const { page, calls, watcher, times } = setUp(holds);
    watcher.watch([watched]);
    await page.pass(60_000);
    assert.deepEqual(times(), [0, 25_000, 50_000]);
    assert.deepEqual(calls.map(({ after, waitSeconds }) => [after, waitSeconds])[0], ['v1', 25]);
  });

  it('makes at most 40 calls in a quarter of an hour', async () => {
    const { page, calls, watcher } = setUp(holds);
    watcher.watch([watched]);
    await page.pass(15 * MINUTE_MS - 1);
    assert.equal(calls.length, 36);
  });

  it('reads what is not known yet without waiting', async () => {
    const { page, calls, watcher } = setUp(holds);
    watcher.watch([{ ...target, version: null }]);
    await page.pass(0);
    assert.equal(calls[0]?.after, undefined);
    await page.pass(1_000);
    assert.equal(calls[1]?.after, 'v1');
  });

  it('waits from the newest version it has read', async () => {
    const { page, calls, watcher } = setUp(() => Promise.resolve(breb({ version: 'v2', waited: true })));
    watcher.watch([watched]);
    await page.pass(1_000);
    assert.deepEqual(
      calls.map(({ after }) => after),
      ['v1', 'v2'],
    );
  });

  it('never calls more than once a second, even if the backend claims to have waited', async () => {
    const { page, calls, watcher } = setUp(() => Promise.resolve(breb({ waited: true })));
    watcher.watch([watched]);
    await page.pass(9_999);
    assert.equal(calls.length, 10);
  });

  it('keeps to that when a payment is left for another and taken up again', async () => {
    const { page, watcher, times } = setUp(() => Promise.resolve(breb({ waited: true })));
    watcher.watch([watched]);
    await page.pass(500);
    watcher.watch([]);
    watcher.watch([watched]);
    await page.pass(1_000);
    assert.deepEqual(times(), [0, 1_000]);
  });
});

describe('watching a backend that cannot wait', () => {
  it('spaces its calls', async () => {
    const { page, watcher, times } = setUp(answers);
    watcher.watch([watched]);
    await page.pass(70_000);
    assert.deepEqual(times().slice(0, 3), [0, 2_000, 4_000]);
    assert.deepEqual(times().slice(-5), [30_000, 33_000, 37_500, 44_250, 54_375, 69_375].slice(-5));
  });

  it('makes at most 80 calls in a quarter of an hour', async () => {
    const { page, calls, watcher } = setUp(answers);
    watcher.watch([watched]);
    await page.pass(15 * MINUTE_MS);
    assert.equal(calls.length, 76);
  });
});

describe('watching through failures', () => {
  it('waits between the interval and its double, then its quadruple, up to a minute', async () => {
    for (const [chance, expected] of [
      [0, [0, 2_000, 4_000, 6_000]],
      [0.999_999, [0, 4_000, 12_000, 28_000]],
    ] as const) {
      const { page, watcher, times } = setUp(fails);
      page.chance = chance;
      watcher.watch([watched]);
      await page.pass(28_100);
      assert.deepEqual(
        times()
          .slice(0, 4)
          .map((ms) => Math.round(ms / 10) * 10),
        expected,
      );
    }
  });

  it('never waits less than the interval and never more than a minute, and never gives up', async () => {
    await fc.assert(
      fc.asyncProperty(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), async (chance) => {
        const { page, watcher, times, told } = setUp(fails);
        page.chance = chance;
        watcher.watch([watched]);
        await page.pass(120 * MINUTE_MS);
        const gaps = times().map((ms, index, all) => [ms, (all[index + 1] ?? ms + 30_000) - ms] as const);
        for (const [atMs, gap] of gaps) {
          assert.ok(gap >= intervalMs(atMs) - 1 && gap <= MINUTE_MS + 1, `${gap} at ${atMs}`);
        }
        assert.ok(told.length >= 119);
        watcher.stop();
      }),
      { numRuns: 30 },
    );
  });

  it('counts failures in a row, whatever was thrown, and forgets them at the first success', async () => {
    const { page, world, watcher, told } = setUp(() => Promise.reject(new TypeError('of the page’s own')));
    page.chance = 0;
    watcher.watch([watched]);
    await page.pass(2_000);
    world.backend = answers;
    await page.pass(2_000);
    world.backend = fails;
    await page.pass(2_000);
    assert.deepEqual(told, ['failed breb-1 1', 'failed breb-1 2', 'arrived breb-1 v1', 'failed breb-1 1']);
  });

  it('does as Retry-After says', async () => {
    const busy: Backend = () =>
      Promise.reject(new TransportError('HTTP', { status: 503, retryAfterMs: 40_000 }));
    const { page, watcher, times } = setUp(busy);
    watcher.watch([watched]);
    await page.pass(10_000);
    page.wake();
    await page.pass(70_000);
    assert.deepEqual(times(), [0, 40_000, 80_000]);
  });

  it('does not leave a payer alone for longer than an hour, whatever Retry-After says', async () => {
    const asleep: Backend = () =>
      Promise.reject(new TransportError('HTTP', { status: 503, retryAfterMs: 1e12 }));
    const { page, watcher, times } = setUp(asleep);
    watcher.watch([watched]);
    await page.pass(130 * MINUTE_MS);
    assert.deepEqual(times(), [0, 60 * MINUTE_MS, 120 * MINUTE_MS]);
  });

  it('lets the payer ask before Retry-After is over', async () => {
    const busy: Backend = () =>
      Promise.reject(new TransportError('HTTP', { status: 429, retryAfterMs: 40_000 }));
    const { page, watcher, times } = setUp(busy);
    watcher.watch([watched]);
    await page.pass(10_000);
    watcher.check(target);
    await page.pass(0);
    assert.deepEqual(times(), [0, 10_000]);
  });

  it('cuts a long wait short at a signal', async () => {
    const { page, watcher, times } = setUp(fails);
    page.chance = 0.999;
    watcher.watch([watched]);
    await page.pass(50_000);
    const before = times().length;
    page.wake();
    await page.pass(0);
    assert.deepEqual(times().slice(before), [50_000]);
  });

  it('gives up on a transport that never answers, and asks again', async () => {
    const { page, watcher, calls, told, times } = setUp(() => new Promise(() => {}));
    page.chance = 0;
    watcher.watch([watched]);
    await page.pass(120_000);
    assert.deepEqual(told, ['failed breb-1 1', 'failed breb-1 2']);
    assert.deepEqual(times().slice(0, 2), [0, 45_000 + intervalMs(45_000)]);
    assert.deepEqual(
      calls.map(({ signal }) => signal.aborted),
      [true, true, false],
    );
  });

  it('says what is missing, counts it as a failed read, and goes on slowly', async () => {
    const missing: Backend = () =>
      Promise.reject(new TransportError('PROBLEM', { status: 404, problem: { code: 'not_found' } }));
    const { page, watcher, told, times } = setUp(missing);
    watcher.watch([watched]);
    await page.pass(10_000);
    assert.deepEqual(
      told,
      [1, 2, 3].flatMap((failures) => ['missing breb-1', `failed breb-1 ${failures}`]),
    );
    assert.deepEqual(times(), [0, 3_000, 8_000]);
  });

  it('survives a transport that throws something of its own', async () => {
    const { page, watcher, told } = setUp(() => Promise.reject(new Error('GraphQL')));
    watcher.watch([watched]);
    await page.pass(0);
    assert.deepEqual(told, ['failed breb-1 1']);
  });
});

describe('checking and letting go', () => {
  it('checks without waiting, and goes on eagerly', async () => {
    const { page, watcher, calls, times } = setUp(answers);
    watcher.watch([watched]);
    await page.pass(10 * MINUTE_MS);
    const before = calls.length;
    watcher.check(target);
    await page.pass(6_000);
    assert.equal(calls[before]?.after, undefined);
    assert.deepEqual(
      times().slice(before),
      [0, 2_000, 4_000, 6_000].map((ms) => ms + 10 * MINUTE_MS),
    );
  });

  it('keeps to a call a second however often it is asked', async () => {
    const { page, watcher, times } = setUp(answers);
    watcher.watch([watched]);
    for (let index = 0; index < 20; index++) {
      watcher.check(target);
      await page.pass(100);
    }
    assert.deepEqual(times(), [0, 1_000, 2_000]);
  });

  it('checks what is not watched exactly once', async () => {
    const { page, watcher, told } = setUp(answers);
    watcher.check(target);
    await page.pass(MINUTE_MS);
    assert.deepEqual(told, ['arrived breb-1 v1']);
    assert.deepEqual([page.timers, page.listeners], [0, 0]);
  });

  it('turns a single check into a watch when one is asked for meanwhile', async () => {
    const { page, watcher, calls } = setUp(answers);
    watcher.check(target);
    watcher.watch([watched]);
    await page.pass(4_000);
    assert.equal(calls.length, 3);
  });

  it('watches several, and lets go of those not named', async () => {
    const { page, watcher, calls } = setUp(answers);
    const other = { kind: 'PAYIN', id: 'breb-2', version: 'v1' } as const;
    watcher.watch([watched, other]);
    await page.pass(0);
    watcher.watch([other]);
    await page.pass(2_000);
    assert.deepEqual(
      calls.map(({ id }) => id),
      ['breb-1', 'breb-2', 'breb-2'],
    );
  });

  it('does not begin again what is already watched', async () => {
    const { page, watcher, calls } = setUp(holds);
    watcher.watch([watched]);
    await page.pass(10_000);
    watcher.watch([{ ...watched, version: 'v1' }]);
    await page.pass(10_000);
    assert.equal(calls.length, 1);
  });

  it('ends every call, timer and listener', async () => {
    for (const backend of [answers, holds, fails]) {
      const { page, watcher, calls, told } = setUp(backend);
      watcher.watch([watched]);
      await page.pass(3_000);
      watcher.stop();
      const before = told.length;
      await page.pass(MINUTE_MS);
      assert.equal(told.length, before);
      assert.deepEqual([page.timers, page.listeners], [0, 0]);
      if (backend === holds) assert.equal(calls.at(-1)?.signal.aborted, true);
    }
  });

  it('can be ended by the listener that it calls', async () => {
    const page = new FakeSurroundings();
    let told = 0;
    const watcher = createWatcher(
      () => Promise.resolve(breb()),
      {
        arrived: () => {
          told++;
          watcher.watch([]);
        },
        missing: () => {},
        failed: () => {},
      },
      page,
    );
    watcher.watch([watched]);
    await page.pass(MINUTE_MS);
    assert.equal(told, 1);
    assert.deepEqual([page.timers, page.listeners], [0, 0]);
  });

  it('has one call in flight per attempt, whatever happens', async () => {
    const step = fc.constantFrom('wake', 'check', 'hide', 'show', 'watch', 'unwatch', 'fail', 'work', 'hold');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, fc.nat(30_000)), { maxLength: 40 }), async (steps) => {
        const { page, watcher, world, times } = setUp(holds);
        watcher.watch([watched]);
        for (const [name, ms] of steps) {
          if (name === 'wake') page.wake();
          else if (name === 'check') watcher.check(target);
          else if (name === 'hide' || name === 'show') page.isHidden = name === 'hide';
          else if (name === 'watch' || name === 'unwatch') watcher.watch(name === 'watch' ? [watched] : []);
          else world.backend = { fail: fails, work: answers, hold: holds }[name];
          await page.pass(ms);
        }
        assert.ok(world.mostInFlight <= 1);
        // Letting go and watching again begins anew; otherwise two calls are a second apart.
        if (!steps.some(([name]) => name === 'unwatch' || name === 'check')) {
          const all = times();
          for (const [index, atMs] of all.entries()) {
            if (index > 0) assert.ok(atMs - (all[index - 1] ?? 0) >= 1_000);
          }
        }
        // Never stuck: once it works and is looked at, the next read comes within the longest back-off.
        world.backend = answers;
        page.isHidden = false;
        watcher.watch([watched]);
        const before = times().length;
        await page.pass(MINUTE_MS + 25_000);
        assert.ok(times().length > before);
        watcher.stop();
        assert.deepEqual([page.timers, page.listeners], [0, 0]);
      }),
      { numRuns: 150 },
    );
  });
});

describe('an attempt that a backend does not know', () => {
  it('is missing also where its 404 says nothing else, but not where the server fails', async () => {
    for (const [status, reported] of [
      [404, ['missing breb-1', 'failed breb-1 1']],
      [500, ['failed breb-1 1']],
    ] as const) {
      const { page, watcher, told } = setUp(() => Promise.reject(new TransportError('HTTP', { status })));
      watcher.watch([watched]);
      await page.pass(0);
      assert.deepEqual(told, reported);
      watcher.stop();
    }
  });
});
