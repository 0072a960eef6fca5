import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { whyWithout } from '../../scripts/tests/needs.js';
import { openChromium } from '../support/chromium.js';
import { skipWhen } from '../support/skip-when.js';

/** Pages whose widget never comes: its script is refused, or nothing is ever answered. */

const SITE = 'https://shop.example/';

describe('a page whose script does not come', skipWhen(whyWithout('chromium') ?? false), () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(() => browser?.close());

  /** Opens a page of these files; scripts are refused at once, or never answered. */
  async function open(path: string, read: (file: string) => string, scripts: 'refused' | 'silent') {
    const page = await browser.newPage();
    await page.route('**/*', async (route) => {
      const request = route.request();
      if (request.resourceType() === 'script') {
        if (scripts === 'refused') await route.abort();
        return;
      }
      const file = new URL(request.url()).pathname.slice(1);
      const contentType = file.endsWith('.css') ? 'text/css' : 'text/html; charset=utf-8';
      if (/\.(css|html)$/.test(file)) await route.fulfill({ body: read(file), contentType });
      else await route.fulfill({ status: 404 });
    });
    await page.goto(SITE + path, { waitUntil: 'commit' });
    await page.waitForFunction(() => document.getAnimations().length > 0);
    return page;
  }

  const help = (page: Page) => page.getByText('El pago no cargó');

  it('says so at once when it fails, as the documents show it', async () => {
    for (const path of ['docs/integrate.md', 'docs/es/integrate.md']) {
      const [, html = '', css = ''] =
        /```html\n([^`]*pay-late[^`]*)```\s+```css\n([^`]*)```/.exec(readFileSync(path, 'utf8')) ?? [];
      const page = await open(
        'pay.html',
        () => `<!doctype html><style>${css}</style><body>${html}</body>`,
        'refused',
      );
      await help(page).waitFor();
      const delays = await page.evaluate(() =>
        document.getAnimations().map(({ effect }) => effect?.getTiming().delay),
      );
      assert.deepEqual(delays, [0], 'not after a while');
      assert.ok(await page.getByRole('link', { name: 'Recarga la página' }).isVisible());
      await page.evaluate(() => customElements.define('pay-checkout', class extends HTMLElement {}));
      await help(page).waitFor({ state: 'hidden' });
      await page.close();
    }
  });

  it('says so after a while when nothing comes, and has no loose logos, in the demo’s shop', async () => {
    const page = await open('demo/shop/checkout.html', (file) => readFileSync(file, 'utf8'), 'silent');
    assert.equal(await help(page).isVisible(), false);
    assert.equal(await page.locator('pay-checkout > [slot=logo]').isVisible(), false);
    await page.evaluate(() => document.getAnimations().forEach((animation) => animation.finish()));
    await help(page).waitFor();
    await page.close();
  });
});
