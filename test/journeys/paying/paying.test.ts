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
 * engine; otherwise the first engine plays one of each kind, and the others a payment by each rail, which leaves the page
 * and comes back.
 */
const { found, missing } = findBrowsers();
const IN_EVERY_ENGINE = ['a payment with the QR', 'the back button at the bank'];
/** The other journeys go the same ways with other endings, which tests of the element and of the kit have in every run. */
const IN_FIRST_ENGINE = [
  ...IN_EVERY_ENGINE,
  'a payment with the key, by keyboard alone',
  'PSE, rejected at the bank, then tried again',
  'a create that a reload interrupts',
  'two tabs',
  'a backend that is restarted in the middle',
];

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
      const quick = installed === found[0] ? IN_FIRST_ENGINE : IN_EVERY_ENGINE;
      if (!isLong && !quick.includes(title)) continue;
      it(title, async (t) => {
        const stage = await openStage(browser, built);
        cleanup(t, () => stage.close());
        await play(stage);
      });
    }
  });
}
