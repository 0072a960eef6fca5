import { defineConfig } from 'vitest/config';
import { pure, withBrowsers } from './vitest.config.js';

const parts = process.env['PAY_CHECKOUT_MUTATED']?.split(',') ?? [];

/** Files for other runners or that only start programs, in which no mistake is planted. */
const leftOut = [
  'test/**/*.{browser,long}.test.ts',
  ...withBrowsers,
  // They judge the built text, which has all mistakes in it.
  'test/element/{size,old-browsers/newer-features}.test.ts',
  'test/server/crash/*.test.ts',
  'test/server/work/{clocks,clock-jumps,disk-full}.test.ts',
  'test/server/{examples,node-guest,slow-clients}.test.ts',
];

/** Tests of another part that try much of this one. */
const neighbours: Readonly<Record<string, string>> = { server: 'test/console/backend/*.test.ts' };

/** The tests that Stryker runs: those of the parts it mutates, on stores in memory and SQLite. */
export default defineConfig({
  test: {
    ...pure,
    include: parts.flatMap((part) => [`test/${part}/**/*.test.ts`, neighbours[part] ?? []]).flat(),
    exclude: leftOut,
    // Many a mistake makes a test wait for what will not happen.
    testTimeout: 20_000,
  },
});
