import { after, before, describe, it } from 'node:test';
import { type Engine, engines } from '../../scripts/browsers.js';
import { findBrowsers } from '../../scripts/needs.js';
import { cleanup } from '../support/cleanup.js';
import { JOURNEYS } from './paying.js';
import { type RunningBrowser, startBrowser } from './paying-engines.js';
import { type Built, buildPages, openStage } from './paying-stage.js';

/** Real browsers, real HTTP: the widget as it is built, the kit and the sandbox. `ENGINES=firefox` runs only that. */
const wanted = (process.env['ENGINES']?.split(',') ?? engines) as readonly Engine[];
const { found, missing } = findBrowsers(wanted);

let built: Built;
before(async () => {
  built = await buildPages();
});

for (const { engine, reason } of missing) it(`paying in ${engine}`, { skip: reason }, () => {});

for (const installed of found) {
  describe(`paying in ${installed.engine}`, () => {
    let browser: RunningBrowser;
    before(async () => {
      browser = await startBrowser(installed);
    });
    after(() => browser.close());

    for (const [title, play] of Object.entries(JOURNEYS)) {
      it(title, async (t) => {
        const stage = await openStage(browser, built);
        cleanup(t, () => stage.close());
        await play(stage);
      });
    }
  });
}
