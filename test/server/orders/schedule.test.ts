import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AttemptRecord, Submission } from '../../../src/server/orders/record.js';
import { nextReadAt } from '../../../src/server/orders/schedule.js';

const DAY_MS = 86_400_000;

test('a payment is read daily for chargebacks, up to the very end of the watch', () => {
  const attempt = { choice: { kind: 'PAYIN' } } as AttemptRecord;
  const paid = { status: 'CONFIRMED', finalAt: 0, chargebackAt: null } as Submission;
  const next = (now: number, submission = paid) => nextReadAt(attempt, submission, now, 2 * DAY_MS);
  assert.equal(next(0), DAY_MS);
  assert.equal(next(DAY_MS), 2 * DAY_MS);
  assert.equal(next(DAY_MS + 1), null);
  assert.equal(next(0, { ...paid, chargebackAt: '2026-01-16T00:00:00.000Z' }), null);
  const link = { choice: { kind: 'PAYMENT_LINK' } } as AttemptRecord;
  assert.equal(nextReadAt(link, paid, 0, 2 * DAY_MS), null);
});
