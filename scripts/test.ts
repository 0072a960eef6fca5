/**
 * `npm test`: the checks, the tests under node and the tests in every engine, one after another.
 *
 *   npm test -- --node                only the tests under node
 *   npm test -- --browser             only the tests in browsers
 *   npm test -- --engine chromium     only this engine (may be repeated)
 *   npm test -- --check               only the checks
 *   npm test -- contract/money        only test files whose path contains this
 *
 * The last line is always `N passed, N failed`, summed over all runners.
 */
import { parseArgs } from 'node:util';
import { type Engine, engines, provideBrowsers } from './browsers.js';
import { runChecks } from './checks.js';
import { stopAll, stopAllOnSignals } from './processes.js';
import { type Tally, failureLines, newTally, tallyLine } from './tally.js';
import { testFiles } from './test-files.js';
import { testInBrowser } from './test-browsers.js';
import { testInNode } from './test-node.js';

const tallies: Tally[] = [];
const notes: string[] = [];

stopAllOnSignals();
try {
  await main();
} catch (error) {
  console.error(error);
  const broken = newTally('test run');
  broken.failures.push({ name: String(error) });
  tallies.push(broken);
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
    },
  });
  const wantedEngines = options.engine.map(toEngine);
  const inBrowsers = options.browser || wantedEngines.length > 0;
  const chosen = options.check || options.node || inBrowsers;
  const files = testFiles(filters);
  if (files.node.length + files.browser.length === 0)
    throw new Error(`No test file matches ${filters.join(' ')}`);

  if (options.check || (!chosen && filters.length === 0)) tallies.push(await check());
  if ((options.node || !chosen) && files.node.length > 0) {
    heading('Tests under node');
    tallies.push(await testInNode(files.node));
  }
  if ((inBrowsers || !chosen) && files.browser.length > 0) await testInBrowsers(files.browser, wantedEngines);
}

function toEngine(name: string): Engine {
  const engine = engines.find((known) => known === name);
  if (engine === undefined) throw new Error(`--engine is one of ${engines.join(', ')}; got ${name}`);
  return engine;
}

async function check(): Promise<Tally> {
  heading('Checks');
  const tally = newTally('checks');
  for (const { name, passed, output } of await runChecks()) {
    if (passed) tally.passed += 1;
    else tally.failures.push({ name, reason: output });
  }
  return tally;
}

/** Engines take turns: on two cores a second one only makes both miss their time limits. */
async function testInBrowsers(files: readonly string[], wanted: readonly Engine[]): Promise<void> {
  const { found, missing } = await provideBrowsers(wanted.length === 0 ? engines : wanted);
  for (const browser of found) {
    heading(`Tests in ${browser.engine} (${browser.executable})`);
    tallies.push(await testInBrowser(browser, files));
  }
  notes.push(`Engines that ran: ${found.map(({ engine }) => engine).join(', ') || 'none'}`);
  for (const { engine, reason } of missing) notes.push(`Left out: ${engine}, ${reason}`);
  if (found.length === 0 || (wanted.length > 0 && missing.length > 0)) {
    const tally = newTally('browsers');
    const name = `needs ${wanted.length > 0 ? wanted.join(' and ') : 'at least one browser'}`;
    tally.failures.push({ name });
    tallies.push(tally);
  }
}

function heading(text: string): void {
  console.log(`\n── ${text}`);
}

function summarise(): number {
  heading('Summary');
  for (const tally of tallies) {
    console.log(tallyLine(tally));
    for (const failure of tally.failures) console.log(failureLines(failure));
    for (const skipped of tally.skipped) console.log(`  skipped: ${skipped}`);
  }
  for (const note of notes) console.log(note);
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
  const failed = tallies.reduce((sum, tally) => sum + tally.failures.length, 0);
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}
