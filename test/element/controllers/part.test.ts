import assert from 'node:assert/strict';
import { describe, it, vi } from 'vitest';
import { Part } from '../../../src/element/opening/part.js';
import type { Host } from '../../../src/element/host.js';

const views = { drawn: 'views' };

/** A part whose requests a test answers; `draws` counts how often the element was drawn again. */
function setUp() {
  const requests: { resolve(module: object): void; reject(reason: Error): void }[] = [];
  const world = { draws: 0, requests };
  const host = { requestUpdate: () => void (world.draws += 1) } as unknown as Host;
  const part = new Part(
    host,
    () => new Promise<object>((resolve, reject) => requests.push({ resolve, reject })),
  );
  return { part, world };
}

describe('a part', () => {
  it('is asked for once, whoever waits for it', async () => {
    const { part, world } = setUp();
    assert.equal(part.module, null);
    const both = [part.load(), part.load()];
    assert.equal(world.requests.length, 1);
    world.requests[0]!.resolve(views);
    assert.deepEqual(await Promise.all(both), [views, views]);
    await part.load();
    assert.equal(world.requests.length, 1);
    assert.equal(part.module, views);
    assert.ok(world.draws > 0);
  });

  it('says that it failed, and may be asked for again', async () => {
    const { part, world } = setUp();
    const loading = part.load();
    world.requests[0]!.reject(new TypeError('offline'));
    await assert.rejects(loading, /offline/);
    const again = part.load();
    world.requests[1]!.resolve(views);
    await again;
    assert.equal(part.module, views);
  });

  it('counts as failed when the connection hangs, and is taken when it comes after all', async (t) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    t.onTestFinished(() => void vi.useRealTimers());
    const { part, world } = setUp();
    const loading = part.load();
    vi.advanceTimersByTime(20_000);
    await assert.rejects(loading, /does not arrive/);
    world.requests[0]!.resolve(views);
    await Promise.resolve();
    await Promise.resolve();
    assert.equal(part.module, views);
  });
});
