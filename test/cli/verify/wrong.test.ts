import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { verifyBackend } from '../../../src/cli/verify/run.js';
import { openBackend, PAGE_ORIGIN, WEBHOOK } from './good-backend.js';
import { WRONG_BACKENDS } from './wrong-backends.js';

describe('pay-checkout verify, with a backend that', () => {
  for (const { mistake, level = 'full', isElsewhere, fails, between } of WRONG_BACKENDS) {
    it(`${mistake}: fails at ${fails.join(', ')} and nowhere else`, async () => {
      const backend = await openBackend(between(), isElsewhere ? [PAGE_ORIGIN] : []);
      const origin = isElsewhere ? PAGE_ORIGIN : new URL(backend.url).origin;
      try {
        const checks = await verifyBackend({
          backend: backend.url,
          order: await backend.freshOrder(),
          level,
          origin,
          callbackUrl: `${origin}/`,
          webhook: WEBHOOK,
        });
        const failed = checks.filter(({ outcome }) => outcome === 'fail');
        assert.deepEqual(
          failed.map(({ id }) => id),
          fails,
          JSON.stringify(failed, null, 2),
        );
        for (const { fix } of failed) assert.ok(fix !== null && fix.length > 20, 'says what to fix');
      } finally {
        await backend.close();
      }
    });
  }

  it('answers late although there is news: fails at conditional', async () => {
    const backend = await openBackend();
    let ahead = 0;
    // A clock that runs ahead stands for the wait: only the measured time counts.
    const checks = await verifyBackend({
      backend: backend.url,
      order: await backend.freshOrder(),
      level: 'basic',
      callbackUrl: `${new URL(backend.url).origin}/`,
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        if (input.includes('an-old-version')) ahead += 21_000;
        return response;
      },
      now: () => performance.now() + ahead,
    });
    await backend.close();
    assert.deepEqual(
      checks.filter(({ outcome }) => outcome === 'fail').map(({ id }) => id),
      ['conditional'],
    );
  });
});
