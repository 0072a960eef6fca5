import assert from 'node:assert/strict';
import { test } from 'vitest';
import { isLong } from '../support/long.js';
import { simulateOutage } from './outage.js';

const widgets = isLong ? 10_000 : 2_000;

for (const canWait of [true, false]) {
  const backend = canWait ? 'a backend that waits' : 'a backend that cannot wait';
  test(`an outage of a minute with ${widgets} widgets at ${backend} makes no storm`, async () => {
    const figures = await simulateOutage({ widgets, canWait, outageMs: 60_000, seed: 1 });
    const { steady, peak, laterInOutage, upToDateP50Ms, upToDateMaxMs } = figures;
    console.log(
      `requests a second: steady ${steady.toFixed(0)}, busiest ${peak} (${(peak / steady).toFixed(2)} × steady), ` +
        `from 30 s into the outage ${laterInOutage.toFixed(0)}; up to date after recovery: ` +
        `p50 ${(upToDateP50Ms / 1_000).toFixed(1)} s, last ${(upToDateMaxMs / 1_000).toFixed(1)} s`,
    );
    assert.ok(steady > widgets / 30, 'nobody was waiting');
    assert.ok(laterInOutage <= steady, `${laterInOutage} a second late in the outage`);
    assert.ok(peak <= 2 * steady, `${peak} in one second`);
    assert.ok(upToDateP50Ms <= 20_000, `half of them only after ${upToDateP50Ms} ms`);
    assert.ok(upToDateMaxMs <= 60_000, `the last one only after ${upToDateMaxMs} ms`);
  });
}
