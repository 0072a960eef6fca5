import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { whyWithout } from '../../../scripts/tests/needs.js';
import { openChromium } from '../../support/chromium.js';
import { shippedFiles } from '../../support/shipped-page.js';
import { PNG } from 'pngjs';
import { CODES, isWhole, readCode } from './readability.js';
import { skipWhen } from '../../support/skip-when.js';

/** Each ratio once; `npm run bench -- codes` has all of them with every code. */
const LOOKS = [
  { pixelRatio: 1, theme: 'light', width: 420 },
  { pixelRatio: 1.25, theme: 'dark', width: 760 },
  { pixelRatio: 1.5, theme: 'light', width: 360 },
  { pixelRatio: 2, theme: 'dark', width: 420 },
  { pixelRatio: 3, theme: 'light', width: 760 },
] as const;

/** A dark square as a merchant's mark. */
function markUrl(): string {
  const mark = new PNG({ width: 40, height: 40 });
  for (let at = 0; at < mark.data.length; at += 4) mark.data.set([20, 90, 60, 255], at);
  return `data:image/png;base64,${PNG.sync.write(mark).toString('base64')}`;
}

/** Each shape of a module, one with the least contrast that is allowed, three with a mark. */
const STYLES = [
  { dots: 'rounded', corners: 'extra-rounded', color: '#0b3d2e', mark: markUrl() },
  { dots: 'dots', corners: 'dot', color: '#1a237e', background: '#fff8e1' },
  { dots: 'extra-rounded', color: '#757575' },
  { dots: 'classy-rounded', corners: 'dot', color: '#7a0019', mark: markUrl() },
  { dots: 'classy', mark: markUrl() },
] as const;

describe('a code on a real screen', skipWhen(whyWithout('chromium')), () => {
  let browser: Browser;
  let files: ReadonlyMap<string, string>;

  beforeAll(async () => {
    [browser, files] = await Promise.all([openChromium(), shippedFiles()]);
  });
  afterAll(() => browser?.close());

  LOOKS.forEach((look, index) => {
    it(`is read in the card and enlarged at ${look.pixelRatio} device pixels, ${look.theme}`, async () => {
      // One as a picture and one drawn.
      for (const shown of CODES.slice(2 * index, 2 * index + 2)) {
        for (const reading of await readCode(browser, files, shown, look)) {
          const what = `${shown.name}, from its ${shown.from}, ${reading.where}`;
          assert.ok(reading.isRead, what);
          assert.ok(isWhole(reading.perModule), `${what}: ${reading.perModule} device pixels a module`);
        }
      }
    });
  });

  LOOKS.forEach((look, index) => {
    for (const theme of ['light', 'dark'] as const)
      it(`is read in a merchant's style at ${look.pixelRatio} device pixels, ${theme}`, async () => {
        const texts = CODES.filter(({ from }) => from === 'text');
        for (const [at, style] of STYLES.entries()) {
          const shown = { ...texts[(index + at) % texts.length]!, style };
          for (const { where, isRead } of await readCode(browser, files, shown, { ...look, theme }))
            assert.ok(isRead, `${shown.name}, ${style.dots}, ${where}`);
        }
      });
  });
});
