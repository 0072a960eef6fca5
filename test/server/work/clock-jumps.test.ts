import assert from 'node:assert/strict';
import { test } from 'vitest';
import { seedOr, sizeOr } from '../../support/torture.js';
import { DEFECTS, live } from './clock-life.js';
import { isLong } from '../../support/long.js';

/** Waits, limits, expiry and outcomes on a machine whose clock is set forwards and back at random. */

const lives = sizeOr(6, 30);
const firstSeed = seedOr(1);
const ENOUGH_TO_FIND = 200;

test(`${lives} lives of an order while the clock jumps: answers, limits, expiry and outcomes in true time`, async () => {
  console.log(`seeds ${firstSeed} to ${firstSeed + lives - 1}`);
  const seen = new Map<string, number>();
  for (let seed = firstSeed; seed < firstSeed + lives; seed++) {
    const life = await live(seed);
    assert.deepEqual(life.faults, [], `seed ${seed}`);
    for (const [what, count] of life.seen) seen.set(what, (seen.get(what) ?? 0) + count);
  }
  console.log([...seen].map(([what, count]) => `${what}: ${count}`).join(', '));
  // A life in which nothing happens proves nothing.
  for (const what of ['set forward', 'set back', 'created', 'paid', 'looks'])
    assert.ok(seen.has(what), `it never came to this: ${what}`);
});

// A quick run has the quickest.
for (const { name, complaint, ...planted } of isLong ? DEFECTS : DEFECTS.slice(0, 1)) {
  test(`the lives find ${name}`, async () => {
    for (let tried = 1; tried <= ENOUGH_TO_FIND; tried++) {
      const fault = (await live(firstSeed + tried, planted)).faults.find((each) => complaint.test(each));
      if (fault === undefined) continue;
      console.log(`found by life ${tried}: ${fault}`);
      return;
    }
    assert.fail(`${ENOUGH_TO_FIND} lives saw nothing wrong with it`);
  });
}
