import type { Browser, Page } from 'playwright-core';
import { SHOP } from './answers/backend.js';
import type { Files } from './build.js';
import type { Contender } from './contenders.js';
import { type Processor, used } from './processor.js';
import { BEFORE, type Stage } from './stage.js';

/** A cheap phone on a slow line. */
const SLOWER_CPU = 4;
const LINE = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const VIEWPORT = { width: 900, height: 900 };
/** Work that a page still does once its first screen is there belongs to its loading. */
const SETTLING_MS = 1_500;
const LOOK_EVERY_MS = 100;
const PATIENCE_MS = 120_000;

export interface Prepared extends Contender {
  readonly files: Files;
}

/** One payment, from the empty page before to the outcome. Times in milliseconds, bytes as they were sent. */
export interface Payment {
  readonly firstMs: number;
  readonly clickToCodeMs: number;
  /** From the end of the first answer that was asked for after the click. */
  readonly answerToCodeMs: number;
  /** Processor time of the page's main thread, from the navigation to a moment after the first screen. */
  readonly loadingMainThreadMs: number;
  /** From then to the outcome. */
  readonly payingMainThreadMs: number;
  /** Zero when none was over 50 ms: browsers do not tell of shorter ones. */
  readonly loadingLongestTaskMs: number;
  readonly payingLongestTaskMs: number;
  readonly loadingShift: number;
  readonly wholeShift: number;
  readonly code: Bytes;
  readonly data: Bytes;
}

/** What had arrived when a screen was seen. */
export interface Bytes {
  readonly first: number;
  readonly code: number;
  readonly outcome: number;
}

type Screen = keyof Bytes;

interface Observed {
  readonly clickedAt: number;
  readonly tasks: readonly { readonly at: number; readonly ms: number }[];
  readonly shifts: readonly { readonly at: number; readonly value: number }[];
  readonly resources: readonly Resource[];
}

interface Resource {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly bytes: number;
}

/** Set up before the page's own scripts. Shifts after a click are the payer's own doing, as browsers count them. */
const OBSERVE = `
  globalThis.observed = { clickedAt: 0, tasks: [], shifts: [] };
  addEventListener('click', (event) => { observed.clickedAt ||= event.timeStamp; }, true);
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) observed.tasks.push({ at: startTime, ms: duration });
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((list) => {
    for (const { startTime, value, hadRecentInput } of list.getEntries())
      if (!hadRecentInput) observed.shifts.push({ at: startTime, value });
  }).observe({ type: 'layout-shift', buffered: true });`;

const RESOURCES = `performance.getEntriesByType('resource').map(({ name, startTime, responseEnd, encodedBodySize }) =>
  ({ name, start: startTime, end: responseEnd, bytes: encodedBodySize }))`;

export async function measurePayment(
  browser: Browser,
  processor: Processor,
  stage: Stage,
  contender: Prepared,
): Promise<Payment> {
  const backend = await contender.open();
  stage.present(contender.files, backend);
  const context = await browser.newContext({ viewport: VIEWPORT, ignoreHTTPSErrors: true });
  try {
    const page = await context.newPage();
    await page.goto(`${SHOP}${BEFORE}`);
    const devtools = await context.newCDPSession(page);
    await page.addInitScript(OBSERVE);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', LINE);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_CPU });
    const start = await processor.now();
    const [firstMs] = await Promise.all([seen(page, 'first'), page.goto(SHOP, { waitUntil: 'commit' })]);
    // real time: the page settles
    await new Promise((resolve) => setTimeout(resolve, SETTLING_MS));
    const loaded = await processor.now();
    const isPaid = contender.page !== 'blank';
    const codeMs = isPaid ? await reachCode(page) : NaN;
    const outcomeMs = isPaid ? await reachOutcome(page, () => backend.settle()) : NaN;
    const paid = await processor.now();
    const observed = await page.evaluate<Observed>(`({ ...observed, resources: ${RESOURCES} })`);
    const settledMs = firstMs + SETTLING_MS;
    const bytes = (isWanted: (name: string) => boolean) => ({
      first: bytesUntil(observed, firstMs, isWanted),
      code: bytesUntil(observed, codeMs, isWanted),
      outcome: bytesUntil(observed, outcomeMs, isWanted),
    });
    return {
      firstMs,
      clickToCodeMs: codeMs - observed.clickedAt,
      answerToCodeMs: codeMs - firstAnswerMs(observed),
      loadingMainThreadMs: used(start, loaded).mainThreadMs,
      payingMainThreadMs: used(loaded, paid).mainThreadMs,
      loadingLongestTaskMs: longest(observed, 0, settledMs),
      payingLongestTaskMs: longest(observed, settledMs, Infinity),
      loadingShift: shift(observed, settledMs),
      wholeShift: shift(observed, Infinity),
      code: bytes(isCode),
      data: bytes((name) => !isCode(name)),
    };
  } finally {
    await context.close();
    await backend.close();
  }
}

/** The payer presses the button. */
export async function reachCode(page: Page): Promise<number> {
  await page.waitForFunction('bench.button()', undefined, {
    polling: LOOK_EVERY_MS,
    timeout: PATIENCE_MS,
  });
  const button = await page.evaluateHandle<HTMLElement>('bench.button()');
  const [codeMs] = await Promise.all([seen(page, 'code'), button.click({ timeout: PATIENCE_MS })]);
  return codeMs;
}

async function reachOutcome(page: Page, settle: () => void): Promise<number> {
  await page.evaluate('bench.watchOutcome()');
  const outcome = seen(page, 'outcome');
  settle();
  return outcome;
}

/** When the page shows a screen, which it says on its console: asking it again and again would slow it down. */
export async function seen(page: Page, screen: Screen): Promise<number> {
  const begins = `bench ${screen} `;
  const message = await page.waitForEvent('console', {
    predicate: (each) => each.text().startsWith(begins),
    timeout: PATIENCE_MS,
  });
  return Number(message.text().slice(begins.length));
}

function isCode(name: string): boolean {
  return /\.(?:js|css)$/.test(new URL(name).pathname);
}

function bytesUntil({ resources }: Observed, untilMs: number, isWanted: (name: string) => boolean): number {
  const arrived = resources.filter(({ name, end }) => end <= untilMs && isWanted(name));
  return arrived.reduce((sum, { bytes }) => sum + bytes, 0);
}

function firstAnswerMs({ resources, clickedAt }: Observed): number {
  const asked = resources.filter(({ name, start }) => start >= clickedAt && !isCode(name));
  return asked.length === 0 ? NaN : Math.min(...asked.map(({ end }) => end));
}

function longest({ tasks }: Observed, fromMs: number, untilMs: number): number {
  return Math.max(0, ...tasks.filter(({ at }) => at >= fromMs && at < untilMs).map(({ ms }) => ms));
}

function shift({ shifts }: Observed, untilMs: number): number {
  return shifts.filter(({ at }) => at < untilMs).reduce((sum, { value }) => sum + value, 0);
}
