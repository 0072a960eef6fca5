import type { Browser, CDPSession } from 'playwright-core';
import { SHOP } from './answers/backend.js';
import type { Prepared } from './payment.js';
import type { Stage } from './stage.js';

const LOOK_EVERY_MS = 100;
const PATIENCE_MS = 60_000;
/** Timers and frames that a removed checkout still had. */
const SETTLING_MS = 2_000;

export interface Heap {
  /** Of scripts and of the document together, that a page with the library loaded gains by its checkouts. */
  readonly mountedBytes: number;
  /** What of it is left once they were removed. */
  readonly leftBytes: number;
}

/** `count` checkouts on one page, each at its first screen, and the same page once all are removed. */
export async function measureHeap(
  browser: Browser,
  stage: Stage,
  contender: Prepared,
  count: number,
): Promise<Heap> {
  const backend = await contender.open();
  stage.present(contender.files, backend);
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await page.goto(`${SHOP}/?count=${count}`, { waitUntil: 'load' });
    await page.waitForFunction('globalThis.bench');
    const before = await heapBytes(devtools);
    await page.evaluate('bench.mount()');
    const giveUpAt = performance.now() + PATIENCE_MS;
    while ((await page.evaluate('bench.shown()')) !== count) {
      if (performance.now() > giveUpAt) throw new Error(`${contender.name} never showed ${count} checkouts`);
      // real time: the browser decides when
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
    const mounted = await heapBytes(devtools);
    await page.evaluate('bench.remove()');
    const removed = await heapBytes(devtools);
    return { mountedBytes: mounted - before, leftBytes: removed - before };
  } finally {
    await context.close();
    await backend.close();
  }
}

async function heapBytes(devtools: CDPSession): Promise<number> {
  // real time: what is about to be let go is let go
  await new Promise((resolve) => setTimeout(resolve, SETTLING_MS));
  // One collection finds what is unused, the next one what that held.
  for (let times = 0; times < 3; times++) await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize, embedderHeapUsedSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize + embedderHeapUsedSize;
}
