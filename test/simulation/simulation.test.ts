/**
 * Widget, kit and the sandbox's engine on one clock that only the test moves, under schedules that fast-check makes.
 *
 * A few hundred, ten thousand in a long run, and as many as wanted with `npm run torture -- schedules`; each thousand has
 * the next seed. A failure names its seed and path; both again, with `SIMULATION_PATH`, run that schedule alone.
 */
import assert from 'node:assert/strict';
import { test } from 'vitest';
import fc from 'fast-check';
import { isLong } from '../support/long.js';
import { seedOr, sizeOr } from '../support/torture.js';
import { DEFECTS } from './planted.js';
import { schedules } from './schedule.js';
import { simulate } from './simulation.js';

const runs = sizeOr(300, 10_000);
const firstSeed = seedOr(1);
const path = process.env['SIMULATION_PATH'];
const BLOCK = 1_000;
const ENOUGH_TO_FIND = 5_000;

for (let before = 0, seed = firstSeed; before < runs; before += BLOCK, seed++) {
  const numRuns = Math.min(BLOCK, runs - before);
  test(`${numRuns} schedules of seed ${seed}: one settlement, true screens, each event once, nobody stuck`, async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(schedules, async (schedule) => {
        const outcome = await simulate(schedule);
        for (const what of outcome.seen) seen.set(what, (seen.get(what) ?? 0) + 1);
        assert.deepEqual(outcome.faults, []);
      }),
      { seed, numRuns, ...(path === undefined ? {} : { path }) },
    );
    const counts = [...seen].sort(([, one], [, other]) => other - one);
    console.log(counts.map(([what, count]) => `${what}: ${count}`).join(', '));
    if (path !== undefined || numRuns < 300) return;
    // A simulation in which nothing happens proves nothing.
    for (const what of MUST_HAPPEN) assert.ok(seen.has(what), `it never came to this: ${what}`);
  });
}

const MUST_HAPPEN = [
  'paying',
  'pending',
  'verifying',
  'lapsed',
  'confirmed',
  'duplicate',
  'amount-differs',
  'declined',
  'canceled',
  'failed',
  'onConfirmed',
  'onDuplicatePayment',
  'onAmountMismatch',
  'payin-confirmed',
  'paymentlink-completed',
  'a late payment',
  'a resumed outcome',
  'a restarted kit',
  'a frozen page',
  'left for the bank',
  'back by the cache',
  'returned from the bank',
  'fresh after it was seen again',
];

test('the same schedule gives the same run', async () => {
  for (const schedule of fc.sample(schedules, { numRuns: 10, seed: 5 })) {
    const [first, second] = [await simulate(schedule), await simulate(schedule)];
    assert.deepEqual([...first.seen], [...second.seen]);
    assert.deepEqual(first.trace, second.trace);
  }
});

for (const { name, complaint, seed, ...planted } of isLong ? DEFECTS : DEFECTS.slice(0, 1)) {
  test(`the schedules find ${name}`, async () => {
    let found: string | undefined;
    const faultless = fc.asyncProperty(schedules, async (schedule) => {
      const { faults } = await simulate(schedule, planted);
      found = faults.find((each) => complaint.test(each));
      return found === undefined;
    });
    const { failed, numRuns } = await fc.check(faultless, {
      seed,
      numRuns: ENOUGH_TO_FIND,
      endOnFailure: true,
    });
    assert.ok(failed && found !== undefined, `${numRuns} schedules saw nothing wrong with it`);
    console.log(`found by schedule ${numRuns}: ${found}`);
  });
}
