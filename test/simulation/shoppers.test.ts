import assert from 'node:assert/strict';
import { test } from 'vitest';
import { isLong } from '../support/long.js';
import { seedOr, sizeOr } from '../support/torture.js';
import { DEFECTS } from './planted.js';
import { anHourOf } from './shoppers.js';

/** Widget, kit and the whole sandbox with all of its mishaps at once, for an hour of a clock that only the test moves. */

const shoppers = sizeOr(3, 20);
const seed = seedOr(1);
const AT_ONCE = 200;
const HOURS_TO_FIND = 5;

test(`${shoppers} shoppers, every mishap: each payment ends right, none is lost or doubled`, async () => {
  const counts = new Map<string, number>();
  for (let done = 0; done < shoppers; done += AT_ONCE) {
    const hour = await anHourOf(Math.min(AT_ONCE, shoppers - done), seed + done);
    assert.deepEqual(hour.faults, [], `seed ${seed + done}`);
    for (const [what, count] of hour.counts) counts.set(what, (counts.get(what) ?? 0) + count);
  }
  console.log(`seed ${seed}: ${[...counts].map(([what, count]) => `${what}: ${count}`).join(', ')}`);
  assert.ok((counts.get('paid orders') ?? 0) > shoppers / 5, 'too few paid to say something');
});

for (const { name, wrapStore } of isLong ? DEFECTS : []) {
  if (wrapStore === undefined) continue;
  test(`the shoppers find ${name}`, async () => {
    for (let hour = 1; hour <= HOURS_TO_FIND; hour++) {
      const [fault] = (await anHourOf(20, seed + hour, { wrapStore })).faults;
      if (fault === undefined) continue;
      console.log(`found in hour ${hour}: ${fault}`);
      return;
    }
    assert.fail(`${HOURS_TO_FIND} hours saw nothing wrong with it`);
  });
}
