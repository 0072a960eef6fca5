import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { CheckoutContext } from '../../../src/server/context.js';
import { moneyOut } from '../../../src/server/operations/money-out.js';
import { memoryStore } from '../../../src/server/stores/memory-store.js';
import { line, midnight } from '../stores/lines.js';

test('all that went out is added up, however much it is', async () => {
  const store = memoryStore();
  const lines = Array.from({ length: 401 }, (_, index) =>
    line(`out-${index}`, {
      rail: 'PAYOUT',
      status: index === 0 ? 'UNCLEAR' : 'CONFIRMED',
      startedAt: midnight + index,
      paidInCents: index === 0 ? 0 : 1_000,
    }),
  );
  await store.update('p:many', () => ({
    result: undefined,
    write: {
      body: {},
      dueAt: null,
      facts: { reviewAt: null, noticeAt: null, lines },
      addKeys: [],
      at: midnight,
      wake: false,
    },
  }));
  const out = await moneyOut({ store } as unknown as CheckoutContext, midnight, midnight + 500);
  assert.equal(new Set(out.lines.map(({ reference }) => reference)).size, 401);
  assert.deepEqual([out.outInCents, out.openInCents], [400_000, 1_000]);
  const none = await moneyOut({ store } as unknown as CheckoutContext, midnight + 401, midnight + 500);
  assert.deepEqual([none.lines, none.outInCents], [[], 0]);
});
