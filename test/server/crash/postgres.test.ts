import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { isLong } from '../../support/long.js';
import { whyNoPostgres } from '../../support/postgres.js';
import { onPostgres } from './databases.js';
import { live } from './harness.js';
import type { Death } from './plan.js';
import { defectsOf, liveAll, placesOf, RARER, SCENARIOS, type Scenario, sidesOf, survivors } from './runs.js';
import { skipWhen } from '../../support/skip-when.js';

describe('On PostgreSQL', skipWhen(whyNoPostgres()), () => {
  // The webhook's deaths are those of SQLite in `npm test`: the kit does the same on both.
  for (const scenario of isLong ? SCENARIOS : SCENARIOS.filter((each) => each !== 'webhook')) {
    test(`killed around writes to the socket in "${scenario}", nothing is lost, doubled or stuck`, async () => {
      const writes = await countWrites(scenario);
      const lives = placesOf(writes, 2).flatMap((nth, index) =>
        sidesOf(index).map((side) => postgresLife(scenario, { kind: 'socket', nth, side })),
      );
      const findings = await liveAll(lives, 2);
      console.log(`${findings.length} deaths at ${writes} writes of "${scenario}"`);
      assert.deepEqual(defectsOf(findings), []);
      assert.deepEqual(survivors(findings), []);
    });
  }

  for (const scenario of RARER) {
    test(`with the server stopped in immediate mode in "${scenario}", nothing is lost, doubled or stuck`, async () => {
      const writes = await countWrites(scenario);
      const places = placesOf(writes, 2);
      const lives = places.map((nth) => postgresLife(scenario, { kind: 'server', nth }));
      const findings = await liveAll(lives, 1);
      console.log(`${findings.length} stops of the server at ${writes} writes of "${scenario}"`);
      assert.deepEqual(defectsOf(findings), []);
      const notReached = places.filter((nth, index) => (findings[index]?.verdict.points ?? 0) < nth);
      assert.deepEqual(notReached, [], 'writes at which the server was to be stopped');
    });
  }
});

function postgresLife(scenario: Scenario, death: Exclude<Death, { kind: 'none' }>) {
  return {
    place: `${scenario}, ${death.kind} write ${death.nth}`,
    life: (run: typeof live) => onPostgres((database) => run({ database, scenario, death })),
  };
}

async function countWrites(scenario: Scenario): Promise<number> {
  const { points, defects } = await onPostgres((database) =>
    live({ database, scenario, death: { kind: 'none' } }),
  );
  assert.deepEqual(defects, []);
  assert.ok(points !== undefined && points > 10, `${String(points)} writes`);
  return points;
}
