import assert from 'node:assert/strict';
import { test } from 'vitest';
import { RecentBodies } from '../../../src/server/stores/sql/order-rows.js';

/** A row as a database returns it: numbers may be text. */
const row = (key: string, body: unknown, revision: number | string = 1) => ({
  key,
  revision,
  body: JSON.stringify(body),
});

test('a body that has not changed is parsed once, whatever else is read, and one that has is as it is now', () => {
  const bodies = new RecentBodies();
  const first = bodies.orderFrom(row('a', { step: 1 }));
  assert.deepEqual(first, { id: 'a', revision: 1, body: { step: 1 } });
  assert.deepEqual(bodies.orderFrom(row('b', { step: 1 })), { id: 'b', revision: 1, body: { step: 1 } });
  const again = bodies.orderFrom(row('a', { step: 1 }, '2'));
  assert.deepEqual(again, { id: 'a', revision: 2, body: { step: 1 } });
  assert.equal(again.body, first.body);
  assert.deepEqual(bodies.orderFrom(row('a', { step: 2 }, 3)), { id: 'a', revision: 3, body: { step: 2 } });
});

test('nothing of deleted orders is kept', () => {
  const bodies = new RecentBodies();
  const { body } = bodies.orderFrom(row('a', { step: 1 }));
  bodies.clear();
  const again = bodies.orderFrom(row('a', { step: 1 }));
  assert.deepEqual(again.body, body);
  assert.notEqual(again.body, body);
});

test('what is kept has a bound, however large the orders, and many writes of one do not use it up', () => {
  const bodies = new RecentBodies();
  const large = (sign: string) => ({ text: sign.repeat(1_000_000) });
  const keeps = (key: string, sign: string) => {
    const { body } = bodies.orderFrom(row(key, large(sign)));
    return () => bodies.orderFrom(row(key, large(sign))).body === body;
  };
  const isKept = keeps('a', 'x');
  for (const sign of '123456') assert.ok(keeps('b', sign)());
  assert.ok(isKept(), 'the same order written again and again takes the room of one');
  for (const key of 'cde') keeps(key, 'x');
  assert.ok(!isKept(), 'five large orders are more than is kept');
  const [one, two] = [keeps('g', 'x'), keeps('h', 'x')];
  assert.ok(one() && two(), 'there is room again');
});
