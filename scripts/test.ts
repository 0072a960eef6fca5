/**
 * `npm test`: the checks, the tests under node and the tests in every engine, as many at a time as there are cores.
 *
 *   npm test -- --node                only the tests under node
 *   npm test -- --browser             only the tests in browsers
 *   npm test -- --engine chromium     only this engine (may be repeated)
 *   npm test -- --check               only the checks
 *   npm test -- contract/money        only test files whose path contains this
 *   npm test -- --watch contract      those under node, again whenever something they import changes
 *
 * `npm run test:long`: what takes long and is tried at a few places above, tried everywhere.
 *
 *   npm run test:long -- server/      only test files whose path contains this
 *   npm run test:long -- --minutes 30 ends after so long; what did not fit is named and does not count
 *
 * The last line is always `N passed, N failed`, summed over all runners.
 */
import { parseArgs } from 'node:util';
import { type Browser, type Engine, engines } from './tests/browsers.js';
import { checkNames, longCheckNames, runCheck } from './tests/checks.js';
import { inLanes } from './tests/lanes.js';
import { findBrowsers, needs } from './tests/needs.js';
import { stopAll, stopAllOnSignals } from './tests/processes.js';
import { describeNeeds, installMissing } from './tests/provide.js';
import { addTally, failureLines, newTally, slowestLines, type Tally, tallyLine } from './tests/tally.js';
import { needsOf, testFiles } from './tests/files.js';
import { testInBrowser } from './tests/in-browser.js';
import { testInNode, watchInNode } from './tests/in-node.js';

const startedMs = performance.now();
const tallies = new Map<string, Tally>();
const notes: string[] = [];
let ranOutOfTime = false;

stopAllOnSignals();
try {
  await main();
} catch (error) {
  console.error(error);
  tallyOf('test run').failures.push({ name: String(error) });
}
const strays = await stopAll();
if (strays.length > 0) notes.push(`Left running by the tests, ended now: ${strays.join(', ')}`);
process.exit(summarise());

async function main(): Promise<void> {
  const { values: options, positionals: filters } = parseArgs({
    allowPositionals: true,
    options: {
      check: { type: 'boolean', default: false },
      node: { type: 'boolean', default: false },
      browser: { type: 'boolean', default: false },
      engine: { type: 'string', multiple: true, default: [] },
      long: { type: 'boolean', default: false },
      watch: { type: 'boolean', default: false },
      minutes: { type: 'string' },
    },
  });
  const wantedEngines = options.engine.map(toEngine);
  const inBrowsers = options.browser || wantedEngines.length > 0;
  const chosen = options.check || options.node || inBrowsers;
  const isWhole = !chosen && filters.length === 0;
  const files = testFiles(filters, options);
  if (files.node.length + files.browser.length === 0)
    throw new Error(`No test file matches ${filters.join(' ')}`);
  const nodeFiles = options.node || !chosen ? files.node : [];
  const browserFiles = inBrowsers || !chosen ? files.browser : [];

  const ofBrowserFiles =
    browserFiles.length === 0 ? [] : wantedEngines.length === 0 ? engines : wantedEngines;
  const ofNodeFiles = isWhole ? needs : needsOf(nodeFiles);
  const needed = needs.filter((need) => [...ofNodeFiles, ...ofBrowserFiles].includes(need));
  await installMissing(needed);
  if (options.watch) return watchInNode(nodeFiles);
  if (isWhole) {
    heading('What there is');
    console.log(`✓ Node ${process.versions.node} on ${process.platform} ${process.arch}`);
    notes.push(...(await describeNeeds(needed)));
  }
  if (options.long) return testLong(isWhole ? longCheckNames : [], nodeFiles, options.minutes);

  heading('Tests');
  const { found, missing } = findBrowsers(ofBrowserFiles);
  const quickChecks = checkNames.filter((name) => !longCheckNames.includes(name));
  const checks = options.check ? checkNames : isWhole ? quickChecks : [];
  // One engine at a time, because they need a whole core each; the rest goes on beside it.
  await Promise.all([
    inLanes(
      1,
      found.map((browser) => () => inEngine(browser, browserFiles)),
    ),
    nodeFiles.length === 0 ? undefined : testInNode(nodeFiles, { quiet: isWhole }).then(count),
    inLanes(
      1,
      checks.map((name) => async () => count(await runCheck(name))),
    ),
  ]);
  if (browserFiles.length === 0) return;
  notes.push(`Engines that ran: ${found.map(({ engine }) => engine).join(', ') || 'none'}`);
  if (found.length === 0 || (wantedEngines.length > 0 && missing.length > 0)) {
    const name = `needs ${wantedEngines.length > 0 ? wantedEngines.join(' and ') : 'at least one browser'}`;
    tallyOf('browsers').failures.push({ name, reason: missing.map(({ reason }) => reason).join('\n') });
  }
}

function toEngine(name: string): Engine {
  const engine = engines.find((known) => known === name);
  if (engine === undefined) throw new Error(`--engine is one of ${engines.join(', ')}; got ${name}`);
  return engine;
}

async function inEngine(browser: Browser, files: readonly string[]): Promise<void> {
  count(await testInBrowser(browser, files));
}

/** Says each test as it ends, so that those who look on see where it is. */
async function testLong(
  checks: readonly string[],
  files: readonly string[],
  minutes: string | undefined,
): Promise<void> {
  process.env['PAY_CHECKOUT_LONG'] = '1';
  const end = new AbortController();
  const timer = minutes === undefined ? undefined : setTimeout(() => end.abort(), Number(minutes) * 60_000);
  const left: string[] = [];
  await inLanes(
    1,
    checks.map((name) => async () => {
      if (end.signal.aborted) left.push(name);
      else count(await runCheck(name));
    }),
  );
  if (end.signal.aborted) left.push(...files);
  else {
    const tally = await testInNode(files, { signal: end.signal, showTests: true });
    count(tally);
    left.push(
      ...files.filter((file) => end.signal.aborted && !tally.files.some(({ name }) => name === file)),
    );
  }
  clearTimeout(timer);
  ranOutOfTime = left.length > 0;
  if (left.length > 0) notes.push(`Did not fit into ${minutes} minutes: ${left.join(', ')}`);
}

function tallyOf(runner: string): Tally {
  const known = tallies.get(runner) ?? newTally(runner);
  tallies.set(runner, known);
  return known;
}

function count(part: Tally): void {
  addTally(tallyOf(part.runner), part);
}

function heading(text: string): void {
  console.log(`\n── ${text}`);
}

function summarise(): number {
  heading('Summary');
  const all = [...tallies.values()];
  for (const tally of all) {
    console.log(tallyLine(tally));
    for (const failure of tally.failures) console.log(failureLines(failure));
    for (const skipped of tally.skipped) console.log(`  skipped: ${skipped}`);
  }
  for (const note of notes) console.log(note);
  for (const what of ['files', 'tests'] as const) {
    console.log(`The slowest ${what}:`);
    for (const line of slowestLines(all, what)) console.log(line);
  }
  console.log(`It took ${((performance.now() - startedMs) / 1_000).toFixed(0)} s.`);
  const passed = all.reduce((sum, tally) => sum + tally.passed, 0);
  const failed = all.reduce((sum, tally) => sum + tally.failures.length, 0);
  console.log(`\n${passed} passed, ${failed} failed`);
  // Nothing passed is nothing proven, unless there was no time for it, which the notes say.
  return failed === 0 && (passed > 0 || ranOutOfTime) ? 0 : 1;
}
