import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { isLong } from './test/support/long.js';
import { TEST_PATIENCE_MS } from './test/support/patience.js';

const inPages = 'test/**/*.browser.test.ts';
const onlyLong = 'test/**/*.long.test.ts';
const leftOut = isLong ? [inPages] : [inPages, onlyLong];

/** Files that drive a whole browser from outside. */
export const withBrowsers = [
  'test/journeys/**/*.test.ts',
  'test/element/{gallery,heap,looks.long,missing-script}.test.ts',
  'test/element/codes/readability.long.test.ts',
  'test/element/controllers/stable-height.test.ts',
  'test/package/cdn.test.ts',
  'test/sandbox/pages/in-chromium.test.ts',
];

/** Files that start programs, databases or servers. */
const withProcesses = [
  'test/cli/**/*.test.ts',
  'test/docs/*.test.ts',
  'test/known-mistakes/*.test.ts',
  'test/package/*.test.ts',
  'test/server/{crash,stores}/*.test.ts',
  'test/server/work/{clocks,disk-full}.test.ts',
  'test/server/{examples,node,slow-clients}.test.ts',
];

/** Files that change what others would find: each in a process of its own. */
const alone = [
  // It compares globals with those that a process begins with.
  'test/server/node-guest.test.ts',
  // They put a cheap stand-in in place of Web Crypto.
  'test/simulation/*.test.ts',
  'test/server/work/clock-jumps.test.ts',
];

/** A process runs many of them, because they leave nothing behind: the setup holds them to that. */
const inOneProcess = { isolate: false, setupFiles: 'test/support/shared-process.ts' };

export const pure = {
  name: 'pure',
  include: ['test/**/*.test.ts'],
  exclude: [...leftOut, ...withProcesses, ...withBrowsers, ...alone],
  ...inOneProcess,
};

export default defineConfig({
  test: {
    pool: 'forks',
    // Files spend about half of their time waiting for browsers, servers and databases; those of a long run compute.
    maxWorkers: Math.max(availableParallelism(), 2) * (isLong ? 1 : 2),
    testTimeout: TEST_PATIENCE_MS,
    hookTimeout: TEST_PATIENCE_MS,
    // Of the tests of a file that run side by side.
    maxConcurrency: 8,
    projects: [
      { extends: true, test: pure },
      {
        extends: true,
        test: {
          name: 'processes',
          include: withProcesses,
          exclude: [...leftOut, ...withBrowsers, ...alone],
          ...inOneProcess,
        },
      },
      { extends: true, test: { name: 'browsers', include: withBrowsers, exclude: leftOut, ...inOneProcess } },
      { extends: true, test: { name: 'alone', include: alone, exclude: leftOut } },
    ],
  },
});
