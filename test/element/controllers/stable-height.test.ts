import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { whyWithout } from '../../../scripts/tests/needs.js';
import { qrPngUrl } from '../../../src/sandbox/qr-png.js';
import { QR_TEXT, breb, offer, paid } from '../../machine/fixtures.js';
import { openChromium } from '../../support/chromium.js';
import { openShop, shippedFiles } from '../../support/shipped-page.js';
import { itLong } from '../../support/it-long.js';
import { skipWhen } from '../../support/skip-when.js';

/** As docs/integrate.md says it. */
const RESERVED = 'pay-checkout { display: block; min-block-size: 38rem }';
/** Longer than a browser takes for the effect of a click. */
const SLOW_MS = 700;

declare global {
  interface Window {
    shifts: { readonly value: number; readonly nodes: readonly string[] }[];
  }
}

describe('the page around a checkout', skipWhen(whyWithout('chromium')), () => {
  let browser: Browser;
  let files: ReadonlyMap<string, string>;

  beforeAll(async () => {
    [browser, files] = await Promise.all([openChromium(), shippedFiles()]);
  });
  afterAll(() => browser?.close());

  const shiftsOf = (page: Page) => page.evaluate(() => window.shifts);

  for (const [width, touch] of [
    [360, true],
    [480, false],
    [760, false],
  ] as const) {
    // In `npm test` the phone, and the card of two columns.
    (width === 480 ? itLong : it)(`does not move in ${width} px, from loading to the receipt`, async () => {
      const source = { ...breb().sourceData!, keyType: 'QR_CODE' as const, qrString: qrPngUrl(QR_TEXT) };
      const attempt = breb({ sourceData: source });
      let isPaid = false;
      const page = await openShop(
        browser,
        {
          files,
          head: `<meta name="viewport" content="width=device-width"><style>body { max-width: ${width}px; margin: 0 auto } ${RESERVED}</style>
<script>
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput) shifts.push({ value, nodes: sources.map(({ node, previousRect, currentRect }) => [node?.nodeName, node?.className, previousRect.y, previousRect.height, currentRect.y, currentRect.height].join(' ')) });
  }).observe({ type: 'layout-shift', buffered: true });
</script>`,
          body: '<h1>Café</h1><pay-checkout backend="/pagos" order="order-1"></pay-checkout><p>Envíos a todo el país.</p>',
          slowMs: SLOW_MS,
          answer: (method, path) => {
            if (method === 'POST') return attempt;
            if (path.startsWith('/orders/')) return offer();
            return isPaid ? paid(attempt) : attempt;
          },
        },
        { viewport: { width: Math.max(width, 360), height: 900 }, hasTouch: touch, isMobile: touch },
      );
      const checkout = page.locator('pay-checkout');
      await checkout.locator('form').waitFor();
      assert.deepEqual(await shiftsOf(page), [], 'loading');
      await checkout.locator('[part=button]').click();
      await checkout.locator('.qrtools button').first().waitFor();
      assert.deepEqual(await shiftsOf(page), [], 'paying');
      isPaid = true;
      await checkout.locator('[part=receipt]').waitFor();
      assert.deepEqual(await shiftsOf(page), [], 'paid');
      await page.context().close();
    });
  }

  it('is seen to move where nothing is reserved, so that this test can fail', async () => {
    const page = await openShop(browser, {
      files,
      head: '<script>window.shifts = []; new PerformanceObserver((list) => { for (const { value } of list.getEntries()) shifts.push({ value, nodes: [] }); }).observe({ type: "layout-shift", buffered: true });</script>',
      body: '<pay-checkout backend="/pagos" order="order-1"></pay-checkout><p>Envíos a todo el país.</p>',
      answer: () => offer(),
    });
    await page.locator('pay-checkout form').waitFor();
    await page.waitForFunction(() => window.shifts.length > 0);
    await page.context().close();
  });
});
