import assert from 'node:assert/strict';
import { test } from 'vitest';
import { figuresOf } from '../../../src/console/backend/figures.js';
import { MONEY_OUT } from '../../../src/contract/merchant/payouts.js';
import type { Line } from '../../../src/server/line.js';
import { memoryStore } from '../../../src/server/stores/memory-store.js';
import type { Store } from '../../../src/server/stores/store.js';
import { HOUR_MS, line, midnight, paid, zoneMs } from '../../server/stores/lines.js';

async function storeWith(...lines: Line[]): Promise<Store> {
  const store = memoryStore();
  const facts = { reviewAt: null, noticeAt: null, lines };
  const write = { body: {}, dueAt: null, facts, addKeys: [], at: 1, wake: false };
  await store.update('o:A', () => ({ result: undefined, write }));
  return store;
}

test('attempts add up by day, method, wait and reason', async () => {
  const until = midnight + 48 * HOUR_MS;
  const declined = { rail: 'PSE', status: 'DECLINED', shownAt: midnight } as const;
  const waits = [9, 1, 100, 4, 5, 3, 7, 8, 6, 2].map((seconds) => paid(`w${seconds}`, seconds * 1_000));
  const begunBefore = { startedAt: midnight - HOUR_MS, shownAt: midnight - HOUR_MS };
  const store = await storeWith(
    line('declined', { ...declined, reason: 'FUNDS' }),
    line('declined too', { ...declined, reason: 'FUNDS' }),
    line('declined by the bank', { ...declined, reason: 'BANK' }),
    paid('next day', 24 * HOUR_MS, { rail: 'PSE' }),
    paid('after all', 23 * HOUR_MS, { rail: 'PSE', paidInCents: 7_000, reason: 'FUNDS' }),
    line('refused', { status: 'DECLINED', reason: 'refused' }),
    line('open', { rail: 'PAYMENT_LINK' }),
    line('before', { startedAt: midnight - 1, reason: 'FUNDS' }),
    paid('begun before', 0, { rail: 'PAYMENT_LINK', ...begunBefore }),
    paid('afterwards', 48 * HOUR_MS, { startedAt: until }),
    paid('refund', 5, { rail: 'REFUND', paidInCents: 400 }),
    paid('chargeback', 5, { rail: 'CHARGEBACK', paidInCents: 200 }),
    paid('payout', 5, { rail: 'PAYOUT', paidInCents: 900 }),
    line('on its way', { rail: 'REFUND', status: 'PROCESSING' }),
    ...waits,
  );
  const day = Math.floor((midnight + zoneMs) / (24 * HOUR_MS));
  const { methods, ...figures } = await figuresOf(store, { from: midnight, until, zoneMs });
  assert.deepEqual(figures, {
    days: [
      { day: day + 1, paid: 1, paidInCents: 1_000, returnedInCents: 0 },
      { day, paid: 12, paidInCents: 18_000, returnedInCents: 600 },
    ],
    waits: [
      { rail: 'BRE_B', paid: 10, medianMs: 5_000, p90Ms: 9_000 },
      { rail: 'PAYMENT_LINK', paid: 1, medianMs: HOUR_MS, p90Ms: HOUR_MS },
      { rail: 'PSE', paid: 2, medianMs: 23 * HOUR_MS, p90Ms: 24 * HOUR_MS },
    ],
    reasons: [
      { rail: 'PSE', reason: 'FUNDS', count: 2 },
      { rail: 'BRE_B', reason: 'refused', count: 1 },
      { rail: 'PSE', reason: 'BANK', count: 1 },
    ],
  });
  const of = (wanted: string) => methods.filter(({ rail }) => rail === wanted);
  const added = (rail: string) =>
    (['started', 'shown', 'paid'] as const).map((each) => of(rail).reduce((sum, row) => sum + row[each], 0));
  assert.deepEqual(added('BRE_B'), [11, 10, 10]);
  assert.deepEqual(added('PSE'), [5, 5, 2]);
  assert.deepEqual(added('PAYMENT_LINK'), [1, 0, 0]);
});

test('money that goes out is no part of the figures', async () => {
  const store = await storeWith(
    paid('in', 5_000),
    ...MONEY_OUT.map((rail) => paid(rail, 5_000, { rail, reason: 'x' })),
  );
  const span = { from: midnight, until: midnight + HOUR_MS, zoneMs };
  const { days, methods, waits, reasons } = await figuresOf(store, span);
  assert.deepEqual([days.map(({ paidInCents }) => paidInCents), reasons], [[1_000], []]);
  for (const group of [methods, waits])
    assert.deepEqual([...new Set(group.map(({ rail }) => rail))], ['BRE_B']);
});

test('of many reasons the twenty most frequent are shown', async () => {
  const reasons = Array.from({ length: 21 }, (_, index) => `reason ${String.fromCharCode(97 + index)}`);
  const store = await storeWith(
    ...[...reasons, 'reason u'].map((reason, index) => line(`l${index}`, { reason })),
  );
  const { reasons: shown } = await figuresOf(store, { from: 0, until: midnight + 1, zoneMs });
  assert.deepEqual(
    shown.map(({ reason, count }) => [reason, count]),
    [['reason u', 2], ...reasons.slice(0, 19).map((reason) => [reason, 1])],
  );
});
