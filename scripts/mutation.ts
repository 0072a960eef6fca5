/**
 * How strong the tests are: Stryker plants small mistakes, one at a time, and lists those that no test notices.
 *
 *   npm run mutation -- server/orders            in one room, by the tests of its part
 *   npm run mutation -- service/retry.ts         in one file
 *   npm run mutation -- service/http.ts:60-100   in some of its lines
 *
 * A second run tries only what has changed since. Only tests that need no process, port or browser are run, so that views
 * of the element, which are tested in pages, are not for it.
 */
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';

const { positionals: places } = parseArgs({ allowPositionals: true });
if (places.length === 0) throw new Error('Say where: npm run mutation -- server/orders');
const parts = new Set(places.map((place) => place.split('/')[0]));
process.env['PAY_CHECKOUT_MUTATED'] = [...parts].join();

await new Stryker({
  mutate: places.map((place) => (place.includes('.ts') ? `src/${place}` : `src/${place}/**/*.ts`)),
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts', related: false },
  ignorePatterns: ['dist', 'dist-demo', 'docs', '.data', 'test/data/looks'],
  ignoreStatic: true,
  incremental: true,
  incrementalFile: `node_modules/.cache/stryker/${[...parts].join('-')}.json`,
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { allowColor: process.stdout.isTTY, logTests: false, reportTests: false },
  disableTypeChecks: false,
}).runMutationTest();
