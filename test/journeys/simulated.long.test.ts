import { afterAll, beforeAll, describe, it } from 'vitest';
import { findBrowsers } from '../../scripts/tests/needs.js';
import { cleanup } from '../support/cleanup.js';
import { bundleForPages } from '../support/bundles.js';
import { JOURNEYS } from './paying/paying.js';
import { type RunningBrowser, startBrowser } from './paying/engines.js';
import { buildAgent } from './paying/builds.js';
import { openSimulatedStage } from './simulated-stage.js';
import { skipWhen } from '../support/skip-when.js';

/**
 * The journeys of `paying.test.ts`, played by the simulator in the page. `npm test` has the simulator's own journeys in
 * every engine, in `test/simulator`.
 */
const { found, missing } = findBrowsers();

/** What one page alone cannot play, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'PSE, pending and then approved, by an address that was copied and replayed': 'needs a second page',
  'two tabs': 'needs a second page',
  'two tabs, of which the one that watches is closed': 'needs a second page',
  'a create that a reload interrupts': 'the backend goes with the page',
  'a backend that does not wait': 'the backend always waits',
  'a backend that is restarted in the middle': 'the backend goes with the page',
};

let files: ReadonlyMap<string, string>;
let agent: string;
beforeAll(async () => {
  files = await bundleForPages({ define: 'src/define.ts', simulator: 'src/simulator.ts' });
  agent = await buildAgent();
});

for (const { engine, reason } of missing) it(`simulated in ${engine}`, skipWhen(reason), () => {});

for (const installed of found) {
  describe(`simulated in ${installed.engine}`, () => {
    let browser: RunningBrowser;
    beforeAll(async () => {
      browser = await startBrowser(installed);
    });
    afterAll(() => browser.close());

    for (const [title, play] of Object.entries(JOURNEYS)) {
      const left = LEFT_OUT[title];
      it(title, skipWhen(left), async (t) => {
        const stage = await openSimulatedStage(browser, files, agent);
        cleanup(t, () => stage.close());
        await play(stage);
      });
    }
  });
}
