import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOfDays } from '../../../src/server/orders/overview.js';

const COLOMBIA_MS = -5 * 3_600_000;

test('days begin at midnight in Colombia, and today is one of them', () => {
  const start = (now: string, dayCount: number) =>
    new Date(startOfDays(Date.parse(now), dayCount, COLOMBIA_MS)).toISOString();
  assert.equal(start('2026-01-16T04:59:59.999Z', 1), '2026-01-15T05:00:00.000Z');
  assert.equal(start('2026-01-16T05:00:00.000Z', 1), '2026-01-16T05:00:00.000Z');
  assert.equal(start('2026-01-16T05:00:00.000Z', 7), '2026-01-10T05:00:00.000Z');
  assert.equal(start('2026-03-01T12:00:00.000Z', 30), '2026-01-31T05:00:00.000Z');
});
