/**
 * How strong the tests are: Stryker plants small mistakes, one at a time, and each that no test notices is named.
 *
 *   npm run mutation -- server/orders                   in one room, by the tests of its part
 *   npm run mutation -- service/retry.ts                in one file
 *   npm run mutation -- service/http.ts:60-100          in some of its lines
 *   npm run mutation -- server --sample 200 --seed 7    200 of its mistakes, the same ones for the same seed
 *   npm run mutation -- machine --pages element/views   also by the tests in pages whose path contains this
 *
 * The tests under node come first, without PostgreSQL and those that start programs. What they do not notice the part's
 * tests in pages try, in Chromium. What a module does only while it is loaded is left out.
 */
import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import type { MutantResult, MutantStatus, PartialStrykerOptions } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { testFiles } from './tests/files.js';
import { leaveOut } from './tests/needs.js';

const { values: options, positionals: places } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    pages: { type: 'string', multiple: true, default: [] },
  },
});
if (places.length === 0) throw new Error('Say where: npm run mutation -- server/orders');
const parts = [...new Set(places.map((place) => place.split('/')[0] ?? ''))];
const pages = [...parts.map((part) => `test/${part}/`), ...options.pages];
const hasPages = testFiles(pages).browser.length > 0;
process.env['PAY_CHECKOUT_MUTATED'] = parts.join();
process.env['PAY_CHECKOUT_PAGES'] = pages.join();
leaveOut('postgres', 'each mistake would start a server of its own');

const results = new Map<string, MutantResult>();
const unnoticed: readonly MutantStatus[] = ['Survived', 'NoCoverage'];
const byLot = (mistakes: readonly Mistake[]) =>
  options.sample === undefined ? mistakes : draw(mistakes, Number(options.sample), options.seed);
await tryMistakes(byLot, {
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts', related: false },
  incremental: options.sample === undefined,
  incrementalFile: `node_modules/.cache/stryker/${parts.join('-')}.json`,
  reporters: hasPages ? ['progress'] : ['survivors', 'progress'],
});
const isLeft = ({ id }: Pick<Mistake, 'id'>) => unnoticed.includes(results.get(id)?.status ?? 'Ignored');
if (hasPages && [...results.values()].some(isLeft)) {
  console.log('What no test under node noticed, in pages:');
  // For the runner, which Stryker starts in processes of its own.
  process.env['NODE_OPTIONS'] = '--import tsx';
  await tryMistakes((mistakes) => mistakes.filter(isLeft), {
    testRunner: 'pages',
    plugins: ['./scripts/mutation/pages-runner.ts'],
    concurrency: 1,
    timeoutFactor: 3,
  });
}
console.log(summary());

/** Plants the chosen ones: Stryker makes all, under the same ids each time, and leaves out those marked as ignored. */
async function tryMistakes(
  choose: (mistakes: readonly Mistake[]) => readonly Mistake[],
  { plugins = ['@stryker-mutator/vitest-runner'], ...settings }: PartialStrykerOptions,
): Promise<void> {
  const { instrument } = Instrumenter.prototype;
  Instrumenter.prototype.instrument = async function (files, instrumenting) {
    const { mutants, ...rest } = await instrument.call(this, files, instrumenting);
    const chosen = new Set(choose(mutants));
    console.log(`${chosen.size} of ${mutants.length} mistakes.`);
    const left = { status: 'Ignored', statusReason: 'Not chosen' } as const;
    return { ...rest, mutants: mutants.map((each) => (chosen.has(each) ? each : { ...each, ...left })) };
  };
  const tried = await new Stryker({
    mutate: places.map((place) => (place.includes('.ts') ? `src/${place}` : `src/${place}/**/*.ts`)),
    // All tests of the server once, with coverage, take longer than Stryker's five minutes on a busy machine.
    dryRunTimeoutMinutes: 30,
    ignorePatterns: ['dist', 'dist-demo', '.data', 'test/data/looks'],
    ignoreStatic: true,
    // A test that fails may wait first. Time over counts as noticed, so a busy machine must not be its cause.
    timeoutMS: 60_000,
    reporters: ['survivors', 'progress'],
    plugins: [...plugins, './scripts/mutation/survivors.js'],
    disableTypeChecks: false,
    ...settings,
  })
    .runMutationTest()
    .finally(() => (Instrumenter.prototype.instrument = instrument));
  for (const result of tried) {
    const isUntried = result.status === 'NoCoverage' || result.status === 'Ignored';
    const hasSurvived = results.get(result.id)?.status === 'Survived';
    if (result.statusReason !== 'Not chosen' && !(isUntried && hasSurvived)) results.set(result.id, result);
  }
}

/** By what it is and where, so that a change elsewhere draws the same ones. */
function draw(mistakes: readonly Mistake[], count: number, seed: string): Mistake[] {
  const lotOf = ({ fileName, location, replacement }: Mistake) =>
    createHash('sha256')
      .update(JSON.stringify([seed, relative('.', fileName), location, replacement]))
      .digest('hex');
  return mistakes
    .map((mistake) => ({ mistake, lot: lotOf(mistake) }))
    .sort((one, other) => (one.lot < other.lot ? -1 : 1))
    .slice(0, count)
    .map(({ mistake }) => mistake);
}

function summary(): string {
  const count = (...wanted: MutantStatus[]) =>
    [...results.values()].filter(({ status }) => wanted.includes(status)).length;
  const share = (all: number) => `${((100 * count('Killed', 'Timeout')) / all).toFixed(1)} %`;
  const reached = count('Killed', 'Timeout', 'Survived');
  const all = reached + count('NoCoverage');
  return [
    `Of ${all} mistakes ${count('Killed')} made a test fail, ${count('Timeout')} took too long,`,
    `${count('Survived')} were not noticed, ${count('NoCoverage')} not reached; ${count('Ignored')} left out.`,
    `Noticed: ${share(all)} of all, ${share(reached)} of those reached.`,
  ].join(' ');
}

type Mistake = Awaited<ReturnType<Instrumenter['instrument']>>['mutants'][number];
