import assert from 'node:assert/strict';
import { test } from 'vitest';
import { Tally } from '../../../src/server/log/tally.js';

test('what was never measured counts zero', () => {
  const tally = new Tally();
  assert.deepEqual(tally.total('service.read'), { count: 0, sum: 0, largest: 0 });
  assert.deepEqual(tally.counts('service.read'), {});
});

test('measurements are counted by label, and added up over all labels', () => {
  const tally = new Tally();
  const add = (name: string, value: number, label?: string) =>
    tally.add({ name, value, unit: 'ms', ...(label !== undefined && { label }) });
  add('service.create', 30, 'PAYIN');
  add('service.create', 50, 'PAYMENT_LINK');
  add('service.create', 20, 'PAYIN');
  add('service.read', 7);
  add('service.read', 3);
  assert.deepEqual(tally.total('service.create'), { count: 3, sum: 100, largest: 50 });
  assert.deepEqual(tally.counts('service.create'), { PAYIN: 2, PAYMENT_LINK: 1 });
  assert.deepEqual(tally.total('service.read'), { count: 2, sum: 10, largest: 7 });
  assert.deepEqual(tally.counts('service.read'), { '': 2 });
});
