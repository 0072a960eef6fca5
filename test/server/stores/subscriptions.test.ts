import assert from 'node:assert/strict';
import { test } from 'vitest';
import { Subscriptions } from '../../../src/server/stores/subscriptions.js';

/** A waiter for an order, and how often it was called. */
function waiter(subscriptions: Subscriptions, key: string) {
  const calls = { count: 0, leave: () => {} };
  calls.leave = subscriptions.add(key, () => (calls.count += 1));
  return calls;
}

test('an order is waited for until its last waiter has left; one that leaves twice removes no other', () => {
  const subscriptions = new Subscriptions();
  const [one, two] = [waiter(subscriptions, 'a'), waiter(subscriptions, 'a')];
  waiter(subscriptions, 'b');
  assert.deepEqual([subscriptions.size, subscriptions.keys()], [2, ['a', 'b']]);
  one.leave();
  assert.deepEqual(subscriptions.keys(), ['a', 'b']);
  two.leave();
  assert.deepEqual([subscriptions.size, subscriptions.keys()], [1, ['b']]);
  const next = waiter(subscriptions, 'a');
  two.leave();
  subscriptions.wake('a');
  assert.deepEqual([one.count, two.count, next.count], [0, 0, 1]);
});

test('a waiter that has seen the state of an order is called once when it is in another', () => {
  const subscriptions = new Subscriptions();
  const calls = waiter(subscriptions, 'order');
  subscriptions.saw('order', 3);
  subscriptions.compare('order', 3);
  assert.equal(calls.count, 0);
  subscriptions.compare('order', 4);
  subscriptions.compare('order', 4);
  assert.equal(calls.count, 1);
  subscriptions.wake('order', 5);
  subscriptions.compare('order', 5);
  assert.equal(calls.count, 2);
});

test('an order that no waiter has read yet counts as changed', () => {
  const subscriptions = new Subscriptions();
  const calls = waiter(subscriptions, 'order');
  subscriptions.saw('another', 1);
  subscriptions.compare('another', 2);
  subscriptions.compare('order', 0);
  assert.equal(calls.count, 1);
});

test('when two states were read, the older one counts', () => {
  for (const states of [
    [3, 4],
    [4, 3],
  ]) {
    const subscriptions = new Subscriptions();
    const calls = waiter(subscriptions, 'order');
    for (const state of states) subscriptions.saw('order', state);
    subscriptions.compare('order', 4);
    assert.equal(calls.count, 1);
  }
});

test('all waiters are called when what changed is unknown, and none after they were released', () => {
  const subscriptions = new Subscriptions();
  const waiters = ['a', 'b', 'b'].map((key) => waiter(subscriptions, key));
  subscriptions.wakeAll();
  assert.deepEqual(
    waiters.map(({ count }) => count),
    [1, 1, 1],
  );
  subscriptions.clear();
  subscriptions.wakeAll();
  subscriptions.wake('a', 7);
  assert.deepEqual(
    waiters.map(({ count }) => count),
    [1, 1, 1],
  );
  assert.equal(subscriptions.size, 0);
});
