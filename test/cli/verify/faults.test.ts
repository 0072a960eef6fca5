import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { whyWithout } from '../../../scripts/tests/needs.js';
import { ORDERS_NEEDED } from '../../../src/cli/verify/plays.js';
import { verifyBackend } from '../../../src/cli/verify/run.js';
import type { Level } from '../../../src/cli/verify/visit.js';
import { listen } from '../../../src/node.js';
import { createSandbox } from '../../../src/sandbox.js';
import { isLong } from '../../support/long.js';
import { PLANTED_FAULTS } from './planted-faults.js';
import { type Python, pythonToken, startPython } from './python-backend.js';
import { skipWhen } from '../../support/skip-when.js';

const PAGE_ORIGIN = 'https://shop.example';
const WEBHOOK = { header: 'x-webhook-secret', secret: 'sandbox-webhook-secret' };
/** Pauses of `verify` are cut by so much: the broken backends read and deliver every few hundredths of a second. */
const HASTE = 5;
/** What the sandbox waits for, where nothing depends on how long. */
const TIMINGS = { pseUrlDelayMs: 0, webhookGapMs: 50 };

describe(
  'verify, with a backend in Python that',
  { concurrent: true, ...skipWhen(whyWithout('python')) },
  () => {
    let python: Python;
    beforeAll(() => {
      python = startPython();
    });
    afterAll(() => python.close());

    /** The ids of the checks that fail. */
    async function failures(level: Level, faults: readonly string[], isElsewhere: boolean, isPlayed = true) {
      const sandbox = createSandbox({ autoOutcome: 'never', timings: TIMINGS });
      const service = await listen(sandbox);
      sandbox.engine.publicUrl = service.url;
      const switches = level === 'basic' ? ['basic', ...faults] : faults;
      const backend = await python.start(switches, service.url, isElsewhere ? PAGE_ORIGIN : undefined);
      const origin = isElsewhere ? PAGE_ORIGIN : backend.origin;
      const numbers = Array.from({ length: ORDERS_NEEDED }, (_, index) => `A-${index + 1}`);
      const [order = '', ...spareOrders] = await Promise.all(numbers.map(pythonToken));
      try {
        const checks = await verifyBackend({
          backend: `${backend.origin}/checkout`,
          order,
          spareOrders: isPlayed ? spareOrders : [],
          level,
          origin,
          callbackUrl: `${origin}/gracias?x=1#pago`,
          webhook: WEBHOOK,
          sandbox: service.url,
          shop: `${backend.origin}/shop/{order}`,
          // real time: the backend is another process with a clock of its own
          pause: (durationMs) => new Promise((resolve) => setTimeout(resolve, durationMs / HASTE)),
        });
        const failed = checks.filter(({ outcome }) => outcome === 'fail');
        for (const { id, advice } of failed)
          assert.ok(advice !== null && advice.length > 20, `${id} says what to do`);
        return { ids: failed.map(({ id }) => id), text: JSON.stringify(failed, null, 2) };
      } finally {
        backend.stop();
        await service.close();
        sandbox.close();
      }
    }

    for (const level of ['full', 'basic'] as const) {
      for (const isElsewhere of [false, true]) {
        it(`is right, at the ${level} level${isElsewhere ? ', for pages of another origin' : ''}: passes`, async () => {
          const { ids, text } = await failures(level, [], isElsewhere);
          assert.deepEqual(ids, [], text);
        });
      }
    }

    it('tells a shop again that failed at first: passes', async () => {
      const { ids, text } = await failures('full', ['a-shop-that-fails-at-first'], false);
      assert.deepEqual(ids, [], text);
    });

    const A_FEW = 6;
    const shown = new Set<string>();
    for (const { fault, isElsewhere = false, ...fails } of PLANTED_FAULTS) {
      for (const level of ['full', 'basic'] as const) {
        const expected = fails[level];
        if (expected === undefined) continue;
        // A quick run has a few, each of which fails at a check of its own; a long one every fault at both levels.
        if (!isLong && (shown.size >= A_FEW || expected.some((id) => shown.has(id)))) continue;
        for (const id of expected) shown.add(id);
        it(`${fault.replaceAll('-', ' ')} (${level}): fails at ${expected.join(', ')}`, async () => {
          const { ids, text } = await failures(
            level,
            [fault],
            isElsewhere,
            expected.some((id) => id.startsWith('play-')),
          );
          assert.deepEqual(ids, expected, text);
        });
      }
    }
  },
);
