/**
 * How strong the tests are: Stryker plants small mistakes, one at a time, and lists those that no test notices.
 *
 *   npm run mutation -- server/orders                       in one room, by the tests of its part
 *   npm run mutation -- service/retry.ts                    in one file
 *   npm run mutation -- service/http.ts:60-100              in some of its lines
 *   npm run mutation -- server --sample 200 --seed 7        200 of its mistakes, the same ones for the same seed
 *   npm run mutation -- element/paying --sample 20 --pages element/views
 *                                                           by the tests in pages whose path contains this
 *
 * Without a sample a second run tries only what has changed since. Only tests that need no process, port or browser are
 * run, or those that `--pages` names, in Chromium: all of them for each mistake, so name those nearby and draw few.
 */
import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { Instrumenter } from '@stryker-mutator/instrumenter';

const { values: options, positionals: places } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    pages: { type: 'string', multiple: true, default: [] },
  },
});
if (places.length === 0) throw new Error('Say where: npm run mutation -- server/orders');
const parts = new Set(places.map((place) => place.split('/')[0]));
process.env['PAY_CHECKOUT_MUTATED'] = [...parts].join();
if (options.sample !== undefined) drawOnly(Number(options.sample), options.seed);

await new Stryker({
  mutate: places.map((place) => (place.includes('.ts') ? `src/${place}` : `src/${place}/**/*.ts`)),
  ...(options.pages.length === 0
    ? { testRunner: 'vitest', vitest: { configFile: 'vitest.mutation.config.ts', related: false } }
    : {
        testRunner: 'command',
        commandRunner: { command: `tsx scripts/test.ts --engine chromium ${options.pages.join(' ')}` },
        concurrency: 1,
        // A test that fails waits with patience first: time over is noticed too, unless the machine was busy.
        timeoutFactor: 3,
      }),
  // All tests of the server once, with coverage, take longer than Stryker's five minutes on a busy machine.
  dryRunTimeoutMinutes: 30,
  ignorePatterns: ['dist', 'dist-demo', '.data', 'test/data/looks'],
  ignoreStatic: options.pages.length === 0,
  incremental: options.sample === undefined,
  incrementalFile: `node_modules/.cache/stryker/${[...parts].join('-')}.json`,
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { allowColor: process.stdout.isTTY, logTests: false, reportTests: false },
  disableTypeChecks: false,
}).runMutationTest();

/** Stryker has no samples: of the mistakes that it made, those that were not drawn are marked as ignored. */
function drawOnly(count: number, seed: string): void {
  const { instrument } = Instrumenter.prototype;
  Instrumenter.prototype.instrument = async function (files, settings) {
    const { mutants, ...rest } = await instrument.call(this, files, settings);
    const byLot = mutants
      .map((mutant) => ({ mutant, lot: hash(seed, mutant) }))
      .sort((one, other) => (one.lot < other.lot ? -1 : 1))
      .map(({ mutant }) => mutant);
    const drawn = new Set(byLot.slice(0, count));
    console.log(`Drawn by seed ${seed}: ${drawn.size} of ${mutants.length} mistakes.`);
    const statusReason = 'Not drawn';
    return {
      ...rest,
      mutants: mutants.map((mutant) =>
        drawn.has(mutant) ? mutant : { ...mutant, status: 'Ignored', statusReason },
      ),
    };
  };
}

/** By what it is and where, so that a change elsewhere draws the same ones. */
function hash(seed: string, { fileName, location, replacement }: Mistake): string {
  const mistake = JSON.stringify([seed, relative('.', fileName), location, replacement]);
  return createHash('sha256').update(mistake).digest('hex');
}

type Mistake = Awaited<ReturnType<Instrumenter['instrument']>>['mutants'][number];
