/**
 * Runs browser tests in one engine. A process of its own, because the test runner ends the process
 * it lives in when it cannot start, and its summary has to be printed all the same.
 */
import { resolve } from 'node:path';
import {
  type BrowserLauncher,
  type Reporter,
  type TestRunnerConfig,
  type TestSession,
  type TestSuiteResult,
  chromeLauncher,
  defaultReporter,
  startTestRunner,
} from '@web/test-runner';
import { playwrightLauncher } from '@web/test-runner-playwright';
import type { Page } from 'puppeteer-core';
import { webdriverLauncher } from '@web/test-runner-webdriver';
import { FILE_PATIENCE_MS, PATIENCE_MS, TEST_PATIENCE_MS } from '../../test/support/patience.js';
import { type Browser, chromiumArgs, startWebKitDriver } from './browsers.js';
import { freePort } from './free-port.js';
import { stopAllOnSignals } from './processes.js';
import { fileLine, newTally, type Tally, type Timed } from './tally.js';

const EXPECTED_LOGS = ['Lit is in dev mode', 'payments on this page are simulated'];

const [browserJson, filesJson] = process.argv.slice(2);
if (browserJson === undefined || filesJson === undefined)
  throw new Error('usage: browser-worker <browser as JSON> <test files by built file, as JSON>');
const browser = JSON.parse(browserJson) as Browser;
const built = new Map(
  Object.entries(JSON.parse(filesJson) as Record<string, string>).map(([path, file]) => [
    resolve(path),
    file,
  ]),
);
const sourceOf = ({ testFile }: TestSession) => built.get(resolve(testFile)) ?? testFile;

async function launch(): Promise<{ launcher: BrowserLauncher; close(): Promise<void> }> {
  const close = () => Promise.resolve();
  switch (browser.engine) {
    case 'chromium':
      return {
        launcher: playwrightLauncher({
          product: 'chromium',
          launchOptions: { executablePath: browser.executable, args: chromiumArgs },
        }),
        close,
      };
    case 'firefox':
      return {
        launcher: chromeLauncher({
          launchOptions: { browser: 'firefox', executablePath: browser.executable },
          createPage: async ({ context }) => withFocus(forgivingOrientation(await context.newPage())),
        }),
        close,
      };
    case 'webkit': {
      const driver = await startWebKitDriver(browser);
      const { hostname, port } = driver;
      // The runner knows by itself when a page is there, and on a busy machine the driver may wait for one for ever.
      const capabilities = { ...driver.capabilities, pageLoadStrategy: 'none' } as const;
      return {
        launcher: webdriverLauncher({ hostname, port, capabilities }) as BrowserLauncher,
        close: driver.stop,
      };
    }
  }
}

/**
 * Puppeteer sets the orientation along with the size. Firefox ESR 140 does not know that command and
 * says so; the size, which is all that is wanted, arrives all the same.
 */
function forgivingOrientation(page: Page): Page {
  const setViewport = page.setViewport.bind(page);
  page.setViewport = async (viewport) => {
    try {
      await setViewport(viewport);
    } catch (error) {
      if (!String(error).includes('setScreenOrientationOverride')) throw error;
      await page.waitForFunction((width) => innerWidth === width, {}, viewport?.width ?? 0);
    }
  };
  return page;
}

/**
 * The runner uses one page for all files. A file whose frames had the focus leaves it nowhere in Firefox, and the files
 * after it get no focus and no blur: going to another page and back gives it to the page again.
 */
function withFocus(page: Page): Page {
  const goto = page.goto.bind(page);
  page.goto = async (url, options) => {
    // Where it goes when a file has ended.
    if (url === 'about:blank') return goto(url, options);
    const other = await page.browserContext().newPage();
    await other.bringToFront();
    await page.bringToFront();
    await other.close();
    return goto(url, options);
  };
  return page;
}

/** Counts the sessions' tests; a file that broke or holds no test is a failure too. */
function countTests(sessions: Iterable<TestSession>): Tally {
  const tally = newTally(browser.engine);
  for (const session of sessions) {
    const file = sourceOf(session);
    const before = tally.passed + tally.failures.length + tally.skipped.length;
    if (session.testResults) countSuite(tally, session.testResults, file);
    for (const error of session.errors) tally.failures.push({ name: file, reason: error.message });
    if (tally.passed + tally.failures.length + tally.skipped.length === before) {
      tally.failures.push({ name: file, reason: 'holds no test' });
    }
  }
  return tally;
}

function countSuite(tally: Tally, suite: TestSuiteResult, path: string): void {
  for (const test of suite.tests) {
    const name = `${path} › ${test.name}`;
    if (test.skipped) tally.skipped.push(name);
    else if (test.passed) {
      tally.passed += 1;
      tally.tests.push({ name, seconds: (test.duration ?? 0) / 1_000 });
    } else tally.failures.push({ name, reason: test.error?.message ?? '' });
  }
  for (const inner of suite.suites) countSuite(tally, inner, `${path} › ${inner.name}`);
}

/** The mistake of Stryker that is planted: the first test that fails has noticed it, many by waiting for nothing. */
const mistake = process.env['__STRYKER_ACTIVE_MUTANT__'];
const framework =
  mistake === undefined ? { timeout: String(TEST_PATIENCE_MS) } : { timeout: '30000', bail: true };

const fileTimes: Timed[] = [];
let lastEndMs = performance.now();

const tallyReporter: Reporter = {
  reportTestFileResults({ sessionsForTestFile }) {
    for (const session of sessionsForTestFile) {
      const name = sourceOf(session);
      // They run one after the other.
      const seconds = (performance.now() - lastEndMs) / 1_000;
      lastEndMs = performance.now();
      fileTimes.push({ name, seconds });
      console.log(fileLine(browser.engine, name, countTests([session]), seconds));
    }
    const failed = sessionsForTestFile.filter((session) => countTests([session]).failures.length > 0);
    if (mistake === undefined || failed.length === 0) return;
    process.send?.({ ...countTests(failed), files: fileTimes }, () => process.exit());
  },
  onTestRunFinished({ sessions }) {
    process.send?.({ ...countTests(sessions), files: fileTimes });
  },
};

/**
 * What a failed test compared is cloned and sent from the page. Elements and functions cannot be cloned: nothing would
 * be sent then, and the failure would only be known when the file's hour is over. They are sent as words.
 */
const pageOf = (framework: string) => `<!doctype html>
<style>
  /* No test looks at the soft shadow, and without a GPU it is most of what painting costs. */
  pay-checkout {
    --pay-shadow: none;
  }
</style>
<script>
  globalThis.__stryker__ = { activeMutant: ${JSON.stringify(mistake)} };
  const clone = structuredClone;
  const inWords = (key, value) => (value instanceof Node || typeof value === 'function' ? String(value) : value);
  structuredClone = (value) => {
    try {
      return clone(value);
    } catch {
      return JSON.parse(JSON.stringify(value, inWords));
    }
  };
</script>
<script type="module" src="${framework}"></script>`;

stopAllOnSignals();
const { launcher, close } = await launch();
const config: TestRunnerConfig = {
  files: [...built.keys()],
  port: await freePort(),
  browsers: [launcher],
  // One page at a time: focus, visibility and WebDriver's real input belong to one page only.
  concurrency: 1,
  nodeResolve: true,
  testRunnerHtml: pageOf,
  testFramework: { config: framework },
  browserStartTimeout: PATIENCE_MS,
  testsStartTimeout: PATIENCE_MS,
  testsFinishTimeout: FILE_PATIENCE_MS,
  filterBrowserLogs: ({ args }) => !EXPECTED_LOGS.some((known) => String(args[0]).includes(known)),
  staticLogging: true,
  reporters: [tallyReporter, defaultReporter({ reportTestProgress: false })],
};
const runner = await startTestRunner({
  config,
  readCliArgs: false,
  readFileConfig: false,
  autoExitProcess: false,
});
runner?.on('stopped', () => {
  void close().finally(() => process.exit(0));
});
