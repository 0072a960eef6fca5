import assert from 'node:assert/strict';
import { it } from 'vitest';
import { paymentLine, troubleLine } from '../../demo/server/terminal.js';
import type { PaymentNotice } from '../../src/server.js';

const notice = (more: object = {}) =>
  ({
    order: 'A-7K3M9Q',
    rail: 'BRE_B',
    amountInCents: 4_290_000,
    confirmedAmountInCents: 4_290_000,
    ...more,
  }) as PaymentNotice;

it('the terminal of npm start has a line for each payment, with what arrived', () => {
  assert.equal(paymentLine('onConfirmed', notice()), '✓ A-7K3M9Q paid $ 42.900 · Bre-B');
  assert.equal(paymentLine('onConfirmed', notice({ rail: null })), '✓ A-7K3M9Q paid $ 42.900 · payment link');
  assert.equal(
    paymentLine('onDeclined', notice({ rail: 'PSE', confirmedAmountInCents: null })),
    '✗ A-7K3M9Q declined $ 42.900 · PSE',
  );
  assert.equal(
    paymentLine('onAmountMismatch', notice({ confirmedAmountInCents: 3_861_050 })),
    '! A-7K3M9Q received $ 38.610,50 of $ 42.900 · Bre-B',
  );
  assert.equal(paymentLine('onReport', notice()), undefined);
});

it('and one for what failed, without what only an engineer looks for', () => {
  const failed = { level: 'error', event: 'hook_failed', order: 'A-1', code: 'timeout' } as const;
  assert.equal(troubleLine(failed), '! hook_failed · A-1 · timeout');
  assert.equal(troubleLine({ level: 'info', event: 'attempt_created', order: 'A-1' }), undefined);
});
