import assert from 'node:assert/strict';
import { test } from 'vitest';
import { run } from '../../scripts/tests/processes.js';
import { whyNoPostgres } from '../support/postgres.js';
import { skipWhen } from '../support/skip-when.js';
import { KNOWN_MISTAKES } from './known-mistakes.js';

for (const [index, { says, noticedBy }] of KNOWN_MISTAKES.entries()) {
  test(
    `${noticedBy} notices that ${says}`,
    skipWhen(/postgres/.test(noticedBy) && whyNoPostgres()),
    async () => {
      const { output } = await run(
        process.execPath,
        [
          'node_modules/vitest/vitest.mjs',
          'run',
          '--config',
          'test/known-mistakes/vitest.config.ts',
          '--reporter',
          'json',
        ],
        { env: { ...process.env, PAY_CHECKOUT_MISTAKE: String(index), PAY_CHECKOUT_LONG: '' } },
      );
      const { numFailedTests } = JSON.parse(/\{"numTotalTestSuites.*/.exec(output)?.[0] ?? '{}') as {
        numFailedTests?: number;
      };
      assert.ok((numFailedTests ?? 0) > 0, output.slice(-2_000));
    },
  );
}
