/**
 * `npm test`: the checks, the tests under node and the tests in every engine, as many at a time as there are cores.
 *
 *   npm test -- --node                only the tests under node
 *   npm test -- --browser             only the tests in browsers
 *   npm test -- --engine chromium     only this engine (may be repeated)
 *   npm test -- --check               only the checks
 *   npm test -- values/money          only test files whose path contains this
 *   npm test -- --watch contract      those under node, again whenever something they import changes
 *
 * `npm run test:long`: what takes long and is tried at a few places above, tried everywhere.
 *
 *   npm run test:long -- server/      only test files whose path contains this
 *   npm run test:long -- --minutes 30 ends after so long; what did not fit is named and does not count
 *
 * The last line is always `N passed, N failed`, summed over all runners.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Browser, type Engine, engines } from './tests/browsers.js';
import { checkNames, longCheckNames, runCheck } from './tests/checks.js';
import { findBrowsers, needs } from './tests/needs.js';
import { stopAll, stopAllOnSignals } from './tests/processes.js';
import { describeNeeds, installMissing } from './tests/provide.js';
import { addTally, failureLines, newTally, slowestLines, type Tally, tallyLine } from './tests/tally.js';
import { isForEveryEngine, needsOf, testFiles } from './tests/files.js';
import { testInBrowser } from './tests/in-browser.js';
import { bundleForPages } from './tests/page-bundle.js';
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
  const { found, missing } = findBrowsers(ofBrowserFiles);
  const isAsked = wantedEngines.length > 0;
  const inEngines = isAsked
    ? found.map((browser) => ({ browser, files: browserFiles }))
    : shareOut(found, browserFiles, options.long);
  heading('Tests');
  if (options.long) return testLong(isWhole ? longCheckNames : [], nodeFiles, inEngines, options.minutes);

  const quickChecks = checkNames.filter((name) => !longCheckNames.includes(name));
  const checks = options.check ? checkNames : isWhole ? quickChecks : [];
  await Promise.all([
    testInEngines(inEngines),
    nodeFiles.length === 0 ? undefined : testInNode(nodeFiles, { quiet: isWhole }).then(count),
    runChecks(checks),
  ]);
  if (browserFiles.length === 0) return;
  const ran = inEngines.filter(({ files }) => files.length > 0).map(({ browser }) => browser.engine);
  notes.push(`Engines that ran: ${ran.join(', ') || 'none'}`);
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

interface InEngine {
  readonly browser: Browser;
  readonly files: readonly string[];
}

/** All in the first engine, and in the others what engines can do differently; the rest of those in a long run. */
function shareOut(browsers: readonly Browser[], files: readonly string[], isLong: boolean): InEngine[] {
  return browsers.map((browser, index) => {
    const isFirst = index === 0;
    const isMine = (file: string) =>
      isLong ? !isFirst && !isForEveryEngine(file) : isFirst || isForEveryEngine(file);
    return { browser, files: files.filter(isMine) };
  });
}

/** One engine at a time, because they need a whole core each. */
async function testInEngines(engines: readonly InEngine[], signal?: AbortSignal): Promise<void> {
  const wanted = engines.filter(({ files }) => files.length > 0);
  if (wanted.length === 0) return;
  const bundle = await bundleForPages([...new Set(wanted.flatMap(({ files }) => files))]);
  try {
    for (const { browser, files } of wanted) {
      if (signal?.aborted === true) return;
      const built = Object.fromEntries(files.map((file) => [bundle.builtOf(file), file]));
      count(await testInBrowser(browser, built, signal));
    }
  } finally {
    bundle.remove();
  }
}

/** Says each test as it ends, so that those who look on see where it is. */
async function testLong(
  checks: readonly string[],
  files: readonly string[],
  inEngines: readonly InEngine[],
  minutes: string | undefined,
): Promise<void> {
  process.env['PAY_CHECKOUT_LONG'] = '1';
  const end = new AbortController();
  const timer = minutes === undefined ? undefined : setTimeout(() => end.abort(), Number(minutes) * 60_000);
  const left: string[] = [];
  const runFiles = async () => {
    if (files.length === 0) return;
    const tally = await testInNode(files, { signal: end.signal, showTests: true });
    count(tally);
    if (end.signal.aborted)
      left.push(...files.filter((file) => !tally.files.some(({ name }) => name === file)));
  };
  await Promise.all([
    runFiles(),
    runChecks(checks, end.signal).then((names) => left.push(...names)),
    testInEngines(inEngines, end.signal).then(() => end.signal.aborted && left.push('some engines')),
  ]);
  clearTimeout(timer);
  ranOutOfTime = left.length > 0;
  if (left.length > 0) notes.push(`Did not fit into ${minutes} minutes: ${left.join(', ')}`);
}

/** One after the other; returns those that were not begun in time. */
async function runChecks(names: readonly string[], signal?: AbortSignal): Promise<readonly string[]> {
  for (const [index, name] of names.entries()) {
    if (signal?.aborted === true) return names.slice(index);
    count(await runCheck(name));
  }
  return [];
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

/** Of this process and of all it started; only Linux tells that. */
function processorTime(): string {
  if (process.platform !== 'linux') return '';
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
  // utime, stime, cutime and cstime, in hundredths of a second.
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return ` and ${(ticks / 100).toFixed(0)} s of processor time`;
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
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0);
  console.log(`It took ${seconds} s${processorTime()}.`);
  const passed = all.reduce((sum, tally) => sum + tally.passed, 0);
  const failed = all.reduce((sum, tally) => sum + tally.failures.length, 0);
  console.log(`\n${passed} passed, ${failed} failed`);
  // Nothing passed is nothing proven, unless there was no time for it, which the notes say.
  return failed === 0 && (passed > 0 || ranOutOfTime) ? 0 : 1;
}
