import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oncePer } from '../../../src/server/orders/record.js';

test('what is worked out of an object is worked out once, also when it is nothing', () => {
  const asked: object[] = [];
  const nothing = oncePer((source: object) => void asked.push(source));
  const [one, other] = [{}, {}];
  for (const source of [one, one, other, one]) nothing(source);
  assert.deepEqual(asked.length, 2);
  assert.ok(asked[0] === one && asked[1] === other);
});
