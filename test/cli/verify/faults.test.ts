import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { isLong } from '../../support/long.js';
import { BASIC } from './edge-faults.js';
import { SHOP_THAT_FAILS_AT_FIRST } from './money-faults.js';
import { FAULTS, PLANTED_FAULTS } from './planted-faults.js';
import { failuresOf, type Plant, type Setting } from './wrapped-kit.js';

async function expectFailures(ids: readonly string[], plants: readonly Plant[], setting: Setting) {
  const failed = await failuresOf([...plants, ...(setting.level === 'basic' ? BASIC : [])], setting);
  assert.deepEqual(
    failed.map(({ id }) => id),
    ids,
    JSON.stringify(failed, null, 2),
  );
  for (const { id, advice } of failed)
    assert.ok(advice !== null && advice.length > 20, `${id} says what to do`);
}

/** These are tried only with orders of their own. */
const needsOrders = (id: string) =>
  id.startsWith('play-') || id === 'idempotency-order' || id === 'price-raised';

describe('verify, with a backend around the kit that', () => {
  for (const level of ['full', 'basic'] as const) {
    for (const isElsewhere of [false, true]) {
      it(`is right, at the ${level} level${isElsewhere ? ', for pages of another origin' : ''}: passes`, () =>
        expectFailures([], [], { level, isElsewhere, isPlayed: true }));
    }
  }

  it('tells a shop again that failed at first: passes', () =>
    expectFailures([], [SHOP_THAT_FAILS_AT_FIRST], { level: 'full', isPlayed: true }));

  // A quick run tries every fourth fault at one level, a long one all of them at both.
  const tried = isLong ? PLANTED_FAULTS : PLANTED_FAULTS.filter((_, index) => index % 4 === 0);
  for (const { fault, isElsewhere = false, ...fails } of tried) {
    for (const level of ['full', 'basic'] as const) {
      const expected = fails[level];
      if (expected === undefined) continue;
      if (!isLong && level === 'basic' && fails.full !== undefined) continue;
      it(`${fault} (${level}): fails at ${expected.join(', ')}`, () =>
        expectFailures(expected, [FAULTS[fault]], {
          level,
          isElsewhere,
          isPlayed: expected.some(needsOrders),
        }));
    }
  }

  it('has any fault of the list: is in the table of what must be found', () => {
    const listed = new Set<string>(PLANTED_FAULTS.map(({ fault }) => fault));
    assert.deepEqual(
      Object.keys(FAULTS).filter((name) => !listed.has(name)),
      [],
    );
  });
});
