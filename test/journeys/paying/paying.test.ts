import { afterAll, beforeAll, describe, it } from 'vitest';
import { findBrowsers } from '../../../scripts/tests/needs.js';
import { cleanup } from '../../support/cleanup.js';
import { isLong } from '../../support/long.js';
import { JOURNEYS } from './paying.js';
import { type RunningBrowser, startBrowser } from './engines.js';
import { type Built, buildPages } from './builds.js';
import { openStage } from './stage.js';
import { skipWhen } from '../../support/skip-when.js';

/**
 * Real browsers, real HTTP: the widget as it is built, the kit and the sandbox. A long run plays every journey in every
 * engine; otherwise the first engine plays nearly all, and the others those that leave the page and come back.
 */
const { found, missing } = findBrowsers();
/** What a journey beside it, or a test of the element, guards in a quick run. */
const ONLY_LONG = [
  'PSE, canceled at the bank',
  'a network that goes without a word',
  'another amount than was asked for',
  'a backend that does not wait',
];
const IN_EVERY_ENGINE = ['a payment with the QR', 'PSE, approved at the bank', 'the back button at the bank'];

let built: Built;
beforeAll(async () => {
  built = await buildPages();
});

for (const { engine, reason } of missing) it(`paying in ${engine}`, skipWhen(reason), () => {});

for (const installed of found) {
  describe(`paying in ${installed.engine}`, () => {
    let browser: RunningBrowser;
    beforeAll(async () => {
      browser = await startBrowser(installed);
    });
    afterAll(() => browser.close());

    for (const [title, play] of Object.entries(JOURNEYS)) {
      const isQuick = installed === found[0] ? !ONLY_LONG.includes(title) : IN_EVERY_ENGINE.includes(title);
      if (!isLong && !isQuick) continue;
      it(title, async (t) => {
        const stage = await openStage(browser, built);
        cleanup(t, () => stage.close());
        await play(stage);
      });
    }
  });
}
