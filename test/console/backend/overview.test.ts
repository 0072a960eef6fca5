import assert from 'node:assert/strict';
import { test } from 'vitest';
import { overviewOf, startOfDays } from '../../../src/console/backend/overview.js';

const COLOMBIA_MS = -5 * 3_600_000;

test('days begin at midnight in Colombia, and today is one of them', () => {
  const start = (now: string, dayCount: number) =>
    new Date(startOfDays(Date.parse(now), dayCount, COLOMBIA_MS)).toISOString();
  assert.equal(start('2026-01-16T04:59:59.999Z', 1), '2026-01-15T05:00:00.000Z');
  assert.equal(start('2026-01-16T05:00:00.000Z', 1), '2026-01-16T05:00:00.000Z');
  assert.equal(start('2026-01-16T05:00:00.000Z', 7), '2026-01-10T05:00:00.000Z');
  assert.equal(start('2026-03-01T12:00:00.000Z', 30), '2026-01-31T05:00:00.000Z');
});

test('an overview has every day, the sums of all, and for each method where its payers stopped', () => {
  const now = Date.parse('2026-01-16T05:00:00.000Z');
  const today = Date.parse('2026-01-16T00:00:00.000Z') / 86_400_000;
  const waits = [{ rail: 'PSE', paid: 2, medianMs: 30_000, p90Ms: 90_000 }];
  const reasons = [{ rail: 'PSE', reason: 'NO_FUNDS', count: 3 }];
  const overview = overviewOf(
    {
      days: [
        { day: today - 3, paid: 9, paidInCents: 900, returnedInCents: 5 },
        { day: today - 2, paid: 1, paidInCents: 100, returnedInCents: 0 },
        { day: today, paid: 2, paidInCents: 251, returnedInCents: 51 },
      ],
      methods: [
        { rail: 'PSE', status: 'CONFIRMED', started: 4, shown: 4, paid: 4 },
        { rail: 'PSE', status: 'PENDING', started: 2, shown: 1, paid: 0 },
        { rail: 'PSE', status: 'PROCESSING', started: 5, shown: 5, paid: 1 },
        { rail: 'PSE', status: 'DECLINED', started: 7, shown: 4, paid: 1 },
        // One that was paid although nothing of it had been shown.
        { rail: 'BRE_B', status: 'CONFIRMED', started: 1, shown: 0, paid: 1 },
        { rail: 'BRE_B', status: 'PENDING', started: 1, shown: 0, paid: 1 },
      ],
      waits,
      reasons,
    },
    now,
    3,
    COLOMBIA_MS,
  );
  assert.deepEqual(overview, {
    dayCount: 3,
    paid: 3,
    paidInCents: 351,
    returnedInCents: 51,
    netInCents: 300,
    averageInCents: 100,
    days: [
      { date: '2026-01-14', paid: 1, paidInCents: 100, returnedInCents: 0 },
      { date: '2026-01-15', paid: 0, paidInCents: 0, returnedInCents: 0 },
      { date: '2026-01-16', paid: 2, paidInCents: 251, returnedInCents: 51 },
    ],
    methods: [
      { rail: 'PSE', started: 18, shown: 14, paid: 6, declined: 3, open: 5, failed: 4 },
      { rail: 'BRE_B', started: 2, shown: 0, paid: 2, declined: 0, open: 0, failed: 2 },
    ],
    waits,
    reasons,
  });
  const nothing = { days: [], methods: [], waits: [], reasons: [] };
  const empty = overviewOf(nothing, now, 1, COLOMBIA_MS);
  assert.deepEqual(empty, {
    ...nothing,
    dayCount: 1,
    paid: 0,
    paidInCents: 0,
    returnedInCents: 0,
    netInCents: 0,
    averageInCents: null,
    days: [{ date: '2026-01-16', paid: 0, paidInCents: 0, returnedInCents: 0 }],
  });
});
