import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, vi } from 'vitest';
import { Chunk } from '../../../src/element/opening/chunk.js';
import type { Host } from '../../../src/element/host.js';

const views = { drawn: 'views' };

/** A chunk whose requests a test answers; `draws` counts how often the element was drawn again. */
function setUp() {
  const requests: { resolve(module: object): void; reject(reason: Error): void }[] = [];
  const world = { draws: 0, requests };
  const host = { requestUpdate: () => void (world.draws += 1) } as unknown as Host;
  const chunk = new Chunk(
    host,
    () => new Promise<object>((resolve, reject) => requests.push({ resolve, reject })),
  );
  return { chunk, world };
}

/** What a bundler has written into the page before the chunk was asked for. */
const PRELOADED = 'https://shop.example/assets/paying.js';

describe('a chunk', () => {
  let fetched: string[];
  beforeEach(() => {
    fetched = [];
    vi.stubGlobal('document', { querySelectorAll: () => [{ href: PRELOADED }] });
    vi.stubGlobal('fetch', (url: string) => {
      fetched.push(url);
      return Promise.reject(new TypeError('offline'));
    });
  });
  afterEach(() => void vi.unstubAllGlobals());

  it('is fetched once, however many wait for it', async () => {
    const { chunk, world } = setUp();
    assert.equal(chunk.module, null);
    const both = [chunk.load(), chunk.load()];
    assert.equal(world.requests.length, 1);
    world.requests[0]!.resolve(views);
    assert.deepEqual(await Promise.all(both), [views, views]);
    await chunk.load();
    assert.equal(world.requests.length, 1);
    assert.equal(chunk.module, views);
    assert.ok(world.draws > 0);
  });

  it('says that it failed, and may be asked for again', async () => {
    const { chunk, world } = setUp();
    const loading = chunk.load();
    world.requests[0]!.reject(new TypeError('offline'));
    await assert.rejects(loading, /offline/);
    const again = chunk.load();
    world.requests[1]!.resolve(views);
    await again;
    assert.equal(chunk.module, views);
  });

  it('makes WebKit, whose error names no address, forget a preload that failed', async () => {
    const { chunk, world } = setUp();
    const loading = chunk.load();
    assert.deepEqual(fetched, []);
    world.requests[0]!.reject(new TypeError('Importing a module script failed.'));
    await assert.rejects(loading);
    assert.deepEqual(fetched, [PRELOADED]);
  });

  it('leaves preloads alone where the error names the address', async () => {
    const { chunk, world } = setUp();
    const loading = chunk.load();
    world.requests[0]!.reject(new TypeError(`Failed to fetch dynamically imported module: ${PRELOADED}`));
    await assert.rejects(loading);
    assert.deepEqual(fetched, []);
  });

  it('counts as failed when it has not come after twenty seconds, and is taken when it comes after all', async (t) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    t.onTestFinished(() => void vi.useRealTimers());
    const { chunk, world } = setUp();
    const loading = chunk.load();
    let failed = false;
    loading.catch(() => (failed = true));
    await vi.advanceTimersByTimeAsync(19_999);
    assert.equal(failed, false);
    await vi.advanceTimersByTimeAsync(1);
    await assert.rejects(loading, /does not arrive/);
    assert.deepEqual(fetched, [], 'a slow connection is not asked for more');
    world.requests[0]!.resolve(views);
    await Promise.resolve();
    await Promise.resolve();
    assert.equal(chunk.module, views);
  });
});
