import assert from 'node:assert/strict';
import { test } from 'vitest';
import { manualClock } from '../../../src/sandbox.js';
import { affordable, ReadBudget } from '../../../src/server/work/read-budget.js';

const PER_SECOND = 100;
const CAPACITY = 200;

function budgetAt(startMs: number) {
  const clock = { now: startMs };
  return { clock, budget: new ReadBudget(PER_SECOND, () => clock.now) };
}

test('a quarter is kept for reads that an event asks for', () => {
  const { budget } = budgetAt(0);
  assert.equal(budget.spare('event'), CAPACITY);
  assert.equal(budget.spare('payment'), (CAPACITY * 3) / 4);
  for (let reads = 0; reads < (CAPACITY * 3) / 4; reads++) budget.spend();
  assert.equal(budget.spare('payment'), 0);
  assert.equal(budget.spare('event'), CAPACITY / 4);
});

test('what was spent comes back with time, never more than there is room for', () => {
  const { budget, clock } = budgetAt(5_000);
  for (let reads = 0; reads < CAPACITY; reads++) budget.spend();
  assert.equal(budget.spare('event'), 0);
  clock.now += 500;
  assert.equal(budget.spare('event'), PER_SECOND / 2);
  // A clock that goes back takes nothing away.
  clock.now -= 60_000;
  assert.equal(budget.spare('event'), PER_SECOND / 2);
  clock.now += 3_600_000;
  assert.equal(budget.spare('event'), CAPACITY);
});

test('postponed reads come back after a second, one after the other', () => {
  const { budget } = budgetAt(7_000);
  assert.deepEqual(
    Array.from({ length: 3 }, () => budget.nextTurnAt()),
    [8_000, 8_010, 8_020],
  );
});

test('while the service takes no more nothing is read, and the turns begin afterwards', () => {
  const { budget, clock } = budgetAt(0);
  budget.pauseUntil(20_000);
  budget.pauseUntil(10_000);
  clock.now = 19_999;
  assert.equal(budget.spare('event'), 0);
  assert.equal(budget.nextTurnAt(), 20_999);
  clock.now = 20_000;
  assert.equal(budget.spare('event'), CAPACITY);
});

test('a pause lasts half a minute at most', () => {
  const { budget, clock } = budgetAt(0);
  budget.pauseUntil(3_600_000);
  assert.equal(budget.nextTurnAt(), 30_000);
  clock.now = 30_000;
  assert.equal(budget.spare('payment'), (CAPACITY * 3) / 4);
});

test('a page waits until it may be read, and is counted then', async () => {
  const clock = manualClock();
  const budget = new ReadBudget(PER_SECOND, () => clock.now());
  await affordable(clock, budget);
  assert.equal(budget.spare('event'), CAPACITY - 1);
  while (budget.spare('page') > 0) budget.spend();
  let isRead = false;
  const reading = affordable(clock, budget).then(() => (isRead = true));
  await clock.advance(99);
  assert.equal(isRead, false);
  await clock.advance(1);
  await reading;
  assert.equal(budget.spare('page'), PER_SECOND / 10 - 1);
});
