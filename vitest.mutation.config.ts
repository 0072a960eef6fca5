import { defineConfig } from 'vitest/config';
import { TEST_PATIENCE_MS } from './test/support/patience.js';
import { pure } from './vitest.config.js';

const parts = process.env['PAY_CHECKOUT_MUTATED']?.split(',') ?? [];

/** The tests that Stryker runs: those of the parts it mutates. Each mistake needs modules of its own. */
export default defineConfig({
  test: {
    ...pure,
    include: parts.map((part) => `test/${part}/**/*.test.ts`),
    isolate: true,
    testTimeout: TEST_PATIENCE_MS,
  },
});
