import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { fileURLToPath } from 'node:url';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { whyWithout } from '../../scripts/tests/needs.js';
import { type Listening, listen } from '../../src/node.js';
import { bundleForPages } from '../support/bundles.js';
import { openChromium } from '../support/chromium.js';
import { isLong } from '../support/long.js';
import { skipWhen } from '../support/skip-when.js';
import { itLong } from '../support/it-long.js';

/** What removed checkouts leave in memory, counted by the browser itself after its garbage was collected. */

const MOUNTS = isLong ? 1_000 : 200;
const WARM_UP = 120;
/** Half a kilobyte a mount: less than the smallest thing an element owns. */
const GROWTH_BYTES = MOUNTS * 500;

/** The browser itself holds the last few, by the focus or the last event: how many differs from run to run. */
const HELD_AT_MOST = 6;
/** At most, of a checkout with all its screens. */
const NODES_OF_ONE = 500;
const LISTENERS_OF_ONE = 20;

const skip = whyWithout('chromium') ?? false;

interface Counts {
  readonly elements: number;
  readonly nodes: number;
  readonly listeners: number;
  readonly heapBytes: number;
}

describe('the heap after removed checkouts', skipWhen(skip), () => {
  let site: Listening;
  let browser: Browser;
  let page: Page;
  let devtools: CDPSession;

  beforeAll(async () => {
    const mounts = fileURLToPath(new URL('support/mounts.ts', import.meta.url));
    const files = await bundleForPages({ mounts });
    site = await listen({
      fetch: async (request) => {
        const script = files.get(new URL(request.url).pathname.slice(1));
        const type = script === undefined ? 'text/html' : 'text/javascript';
        return new Response(script ?? '<!doctype html><title>Blank</title>', {
          headers: { 'content-type': type },
        });
      },
    });
    browser = await openChromium();
    page = await browser.newPage();
    devtools = await page.context().newCDPSession(page);
    await page.goto(site.url);
    // As text: vitest would turn an import inside a function into one of its own, which the page does not have.
    await page.evaluate(`import('/mounts.js').then((mounts) => {
      mounts.playBackend();
      Object.assign(globalThis, { mounts, kept: [] });
    })`);
    await comeAndGo(WARM_UP);
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  const comeAndGo = (count: number) =>
    page.evaluate(
      (times) =>
        (globalThis as unknown as { mounts: typeof import('./support/mounts.js') }).mounts.mountAndRemove(
          times,
        ),
      count,
    );

  async function count(): Promise<Counts> {
    // What is freed may free something else: the second time finds it.
    for (let times = 0; times < 2; times++) await devtools.send('HeapProfiler.collectGarbage');
    const { nodes, jsEventListeners } = await devtools.send('Memory.getDOMCounters');
    const { usedSize } = await devtools.send('Runtime.getHeapUsage');
    const prototype = await devtools.send('Runtime.evaluate', {
      expression: "customElements.get('pay-checkout').prototype",
      objectGroup: 'counting',
    });
    const { objects } = await devtools.send('Runtime.queryObjects', {
      prototypeObjectId: prototype.result.objectId!,
      objectGroup: 'counting',
    });
    const elements = await devtools.send('Runtime.callFunctionOn', {
      functionDeclaration: 'function () { return this.length }',
      objectId: objects.objectId!,
      returnByValue: true,
    });
    await devtools.send('Runtime.releaseObjectGroup', { objectGroup: 'counting' });
    return {
      elements: elements.result.value as number,
      nodes,
      listeners: jsEventListeners,
      heapBytes: usedSize,
    };
  }

  it(`is no larger after ${MOUNTS} more`, async () => {
    const earlier = await count();
    await comeAndGo(MOUNTS);
    const later = await count();

    const grown = later.heapBytes - earlier.heapBytes;
    console.log(`${MOUNTS} mounts: ${grown} bytes more, of ${later.heapBytes}; ${JSON.stringify(later)}`);
    assert.ok(later.elements <= HELD_AT_MOST, `${later.elements} elements are still there`);
    const held = Math.max(0, later.elements - earlier.elements);
    const nodes = later.nodes - earlier.nodes - held * NODES_OF_ONE;
    assert.ok(nodes < 100, `${nodes} nodes more`);
    const listeners = later.listeners - earlier.listeners - held * LISTENERS_OF_ONE;
    assert.ok(listeners < 10, `${listeners} listeners more`);
    assert.ok(grown < GROWTH_BYTES, `${grown} bytes more`);
  });

  itLong('notices seven of 350 that the page keeps', async () => {
    await page.evaluate(async () => {
      const { mounts, kept } = globalThis as unknown as {
        mounts: typeof import('./support/mounts.js');
        kept: unknown[];
      };
      for (let round = 0; round < 7; round++) {
        const element = await mounts.mount('paying');
        element.remove();
        kept.push(element);
        await mounts.mountAndRemove(49);
      }
    });
    const { elements } = await count();
    assert.ok(elements > HELD_AT_MOST, `${elements} elements are still there`);
  });
});
