import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { screens } from '../../demo/gallery/screens.js';
import { type GalleryServer, startGallery } from '../../scripts/tests/gallery-server.js';
import { DIFFERENCES, acceptedFiles, checkLooks } from '../../scripts/looks/check.js';
import { type Taking, takeLooks } from '../../scripts/looks/take.js';
import { whyWithout } from '../../scripts/tests/needs.js';
import { openChromium } from '../support/chromium.js';
import { skipWhen } from '../support/skip-when.js';

/** How every screen looks, against how it was accepted to look; and what that comparison notices. */

describe('how screens look', skipWhen(whyWithout('chromium')), () => {
  let gallery: GalleryServer;
  let browser: Browser;

  beforeAll(async () => {
    gallery = await startGallery();
    browser = await openChromium();
  });

  afterAll(async () => {
    await browser?.close();
    await gallery?.close();
  });

  /** The screens that look different. */
  async function differing(taking: Taking): Promise<string[]> {
    return checkLooks(await takeLooks(browser, gallery.url, taking)).map(({ id }) => id);
  }

  for (const [name, only, css] of [
    ['a changed colour', ['choose'], 'pay-checkout { --pay-accent: #0f7a4d }'],
    ['a paler text', ['declined'], 'pay-checkout { --pay-text-muted: #c4c9d2 }'],
    ['a missing main button', ['confirmed'], 'pay-checkout::part(button) { display: none }'],
    ['a missing further button', ['lapsed'], 'pay-checkout::part(button-secondary) { visibility: hidden }'],
    ['a moved block', ['breb'], 'pay-checkout::part(header) { padding-block-end: 36px }'],
    ['a smaller title', ['pending'], 'pay-checkout::part(title) { font-size: 12px }'],
  ] as const) {
    it(`notices ${name}`, async () => {
      assert.deepEqual(await differing({ only, css }), only);
    });
  }

  it('does not mind how letters are smoothed and placed', async () => {
    // Their lines break alike either way; those of a long paragraph need not.
    const only = ['choose', 'confirmed'];
    const css = 'pay-checkout { text-rendering: geometricPrecision }';
    assert.deepEqual(await differing({ only, css }), []);
  });

  it('can be printed from one page: three widths, light and dark, with their buttons', async () => {
    const page = await browser.newPage();
    await page.goto(`${gallery.url}?print&still&only=confirmed,breb-offline`);
    await page.waitForSelector('html[data-ready]');
    await page.emulateMedia({ media: 'print' });
    const seen = await page.$$eval('figure', (figures) =>
      figures.map((figure) => {
        const element = figure.querySelector('pay-checkout')!;
        const { inlineSize, colorScheme } = getComputedStyle(element);
        const buttons = element.shadowRoot!.querySelectorAll('.btn');
        const shown = [...buttons].filter((button) => button.checkVisibility()).length;
        return [figure.dataset['phase'], Math.round(parseFloat(inlineSize)), colorScheme, shown > 0];
      }),
    );
    assert.deepEqual(
      seen,
      ['paying', 'confirmed'].flatMap((phase) =>
        ['light', 'dark'].flatMap((theme) => [320, 440, 760].map((width) => [phase, width, theme, true])),
      ),
    );
    await page.context().close();
  });

  it('are as accepted', async () => {
    assert.deepEqual(
      acceptedFiles(),
      screens.map(({ id }) => `${id}.png`).sort(),
      'npm run screenshots -- --accept accepts them',
    );
    assert.deepEqual(await differing({}), [], `${DIFFERENCES}/ shows them; --accept accepts them`);
  });
});
