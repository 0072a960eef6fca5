import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { whyWithout } from '../../../scripts/tests/needs.js';
import { openChromium } from '../../support/chromium.js';
import { isLong } from '../../support/long.js';
import { shippedFiles } from '../../support/shipped-page.js';
import { CODES, isWhole, readCode } from './readability.js';
import { skipWhen } from '../../support/skip-when.js';

/** Each ratio once, the whole ones in a long run; `npm run bench -- codes` has all of them with every code. */
const LOOKS = [
  { pixelRatio: 1, theme: 'light', width: 420 },
  { pixelRatio: 1.25, theme: 'dark', width: 760 },
  { pixelRatio: 1.5, theme: 'light', width: 360 },
  { pixelRatio: 2, theme: 'dark', width: 420 },
  { pixelRatio: 3, theme: 'light', width: 760 },
] as const;

describe('a code on a real screen', skipWhen(whyWithout('chromium')), () => {
  let browser: Browser;
  let files: ReadonlyMap<string, string>;

  beforeAll(async () => {
    [browser, files] = await Promise.all([openChromium(), shippedFiles()]);
  });
  afterAll(() => browser?.close());

  LOOKS.forEach((look, index) => {
    // The gallery's codes are read at whole ratios in every run.
    if (!isLong && Number.isInteger(look.pixelRatio)) return;
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
});
