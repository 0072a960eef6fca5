import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { fileURLToPath } from 'node:url';
import { screens } from '../../../demo/gallery/screens.js';
import { engines } from '../../../scripts/tests/browsers.js';
import { type GalleryServer, startGallery } from '../../../scripts/tests/gallery-server.js';
import { findBrowsers, whyWithout } from '../../../scripts/tests/needs.js';
import { type Tab, startBrowser } from '../../journeys/paying/engines.js';
import { isLong } from '../../support/long.js';
import { PATIENCE_MS } from '../../support/patience.js';
import { skipWhen } from '../../support/skip-when.js';

/**
 * What a screen reader finds on every screen of the gallery: test/data/accessibility has it as text, to be read by a
 * person and compared here, in a long run the same in every engine, otherwise in one. ACCEPT=1 writes it anew.
 */

const FOLDER = fileURLToPath(new URL('../../data/accessibility/', import.meta.url));
const accepts = process.env['ACCEPT'] === '1';

describe('the accessibility tree', () => {
  let gallery: GalleryServer;

  beforeAll(async () => {
    gallery = await startGallery({ tree: new URL('tree.ts', import.meta.url) });
  });

  afterAll(() => gallery?.close());

  for (const engine of isLong ? engines : (['chromium'] as const)) {
    it(`is as accepted on every screen in ${engine}`, skipWhen(whyWithout(engine)), async () => {
      const [installed] = findBrowsers([engine]).found;
      assert.ok(installed);
      const browser = await startBrowser(installed);
      try {
        const tab = await browser.open();
        await tab.goto(`${gallery.url}?lang=es&width=440&still`);
        await until(tab, 'document.documentElement.dataset.ready');
        await tab.evaluate(
          `void import(${JSON.stringify(gallery.module('tree'))})
            .then(({ galleryTrees }) => galleryTrees())
            .then((trees) => (document.trees = trees))
            .catch((error) => (document.trees = { error: String(error) }))`,
        );
        const trees = (await until(tab, 'document.trees')) as Record<string, string>;
        if (accepts && engine === 'chromium') accept(trees);
        compare(trees);
      } finally {
        await browser.close();
      }
    });
  }
});

async function until(tab: Tab, expression: string): Promise<unknown> {
  const untilMs = Date.now() + PATIENCE_MS;
  for (;;) {
    const value = await tab.evaluate(expression);
    if (value) return value;
    if (Date.now() > untilMs) throw new Error(`${expression} never came`);
    // real time: the page does not say when
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function accept(trees: Record<string, string>): void {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const [id, tree] of Object.entries(trees)) writeFileSync(join(FOLDER, `${id}.txt`), tree);
}

function compare(trees: Record<string, string>): void {
  assert.deepEqual(Object.keys(trees).sort(), screens.map(({ id }) => id).sort());
  for (const [id, tree] of Object.entries(trees)) {
    const file = join(FOLDER, `${id}.txt`);
    assert.equal(tree, existsSync(file) ? readFileSync(file, 'utf8') : '', `${id} (ACCEPT=1 accepts it)`);
  }
  assert.deepEqual(readdirSync(FOLDER).sort(), screens.map(({ id }) => `${id}.txt`).sort());
}
