import type { Browser } from 'playwright-core';
import { SHOP } from './answers/backend.js';
import { type Prepared, reachCode, seen } from './payment.js';
import { type Processor, used } from './processor.js';
import type { Stage } from './stage.js';

/** A browser that has just shown something has things to tidy up. */
const CALM_MS = 8_000;

/** Milliseconds of processor time for each minute in which the payer waits with the code on the screen. */
export interface Waiting {
  /** Of all of Chromium's processes. */
  readonly browserMs: number;
  /** Of the page's main thread. */
  readonly mainThreadMs: number;
}

export async function measureWaiting(
  browser: Browser,
  processor: Processor,
  stage: Stage,
  contender: Prepared,
  seconds: number,
): Promise<Waiting> {
  const backend = await contender.open();
  stage.present(contender.files, backend);
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  try {
    const page = await context.newPage();
    await Promise.all([seen(page, 'first'), page.goto(SHOP)]);
    if (contender.page !== 'blank') await reachCode(page);
    // real time: the page and the browser calm down
    await new Promise((resolve) => setTimeout(resolve, CALM_MS));
    const [before, start] = [await processor.now(), performance.now()];
    // real time: the payer waits
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    const { browserMs, mainThreadMs } = used(before, await processor.now());
    const perMinute = 60_000 / (performance.now() - start);
    return { browserMs: browserMs * perMinute, mainThreadMs: mainThreadMs * perMinute };
  } finally {
    await context.close();
    await backend.close();
  }
}
