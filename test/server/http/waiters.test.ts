import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'vitest';
import { manualClock } from '../../../src/sandbox.js';
import { memoryStore } from '../../../src/server.js';
import { LongPoll, type LongPollOptions } from '../../../src/server/http/long-poll.js';
import { newOrder, type OrderRecord } from '../../../src/server/orders/record.js';
import { settle } from '../turns.js';

/** Those who wait for news, on a clock that starts at 0 and beside a store that counts its subscriptions. */
function openRoom(options: Partial<LongPollOptions> = {}) {
  const clock = manualClock(0);
  const store = memoryStore();
  const { subscribe } = store;
  let subscriptions = 0;
  store.subscribe = (...given) => {
    subscriptions += 1;
    const unsubscribe = subscribe.apply(store, given);
    return () => {
      subscriptions -= 1;
      unsubscribe();
    };
  };
  const longPoll = new LongPoll({
    store,
    clock,
    maxWaiters: 100,
    readNow: async () => newOrder('nothing to do'),
    readsLeft: () => 100,
    ...options,
  });
  return {
    clock,
    longPoll,
    subscriptions: () => subscriptions,
    pass: (durationMs: number) => clock.advance(durationMs, settle),
    change: async (rowId: string) => {
      const write = { body: {}, addKeys: [], dueAt: null, at: 0, wake: true };
      await store.update(rowId, () => ({ result: undefined, write }));
      await settle();
    },
    /** One who waits. `readAt` is when the order should be read, never if not given; null when there is news already. */
    enter(rowId: string, waitMs = 25_000, readAt: number | null = Infinity) {
      const controller = new AbortController();
      let confirmed = 0;
      let released = false;
      const waiting = longPoll.wait(rowId, waitMs, controller.signal, async () => {
        confirmed += 1;
        return readAt ?? undefined;
      });
      void waiting.then(() => {
        released = true;
      });
      return {
        released: () => released,
        confirmed: () => confirmed,
        hangUp: async () => {
          controller.abort();
          await settle();
        },
        listeners: () => getEventListeners(controller.signal, 'abort').length,
      };
    },
  };
}

/** An order that has something to do at that time. */
const dueAt = (nextAt: number): OrderRecord => ({
  ...newOrder('order'),
  notices: [{ key: 'key', hook: 'onConfirmed', payload: {}, tries: 0, nextAt }],
});

test('a change releases all waiters of that order, and no others', async () => {
  const room = openRoom();
  const [first, second, other] = [room.enter('a'), room.enter('a'), room.enter('b')];
  await settle();
  assert.deepEqual([room.longPoll.waiting, room.subscriptions()], [3, 2]);
  await room.change('a');
  assert.deepEqual(
    [first, second, other].map(({ released }) => released()),
    [true, true, false],
  );
  assert.deepEqual([room.longPoll.waiting, room.subscriptions()], [1, 1]);
});

test('who hangs up leaves the others waiting, and they still hear of a change', async () => {
  const room = openRoom();
  const [first, second, third] = [room.enter('a'), room.enter('a'), room.enter('a')];
  await first.hangUp();
  await second.hangUp();
  assert.deepEqual(
    [first, second, third].map(({ released }) => released()),
    [true, true, false],
  );
  assert.deepEqual([room.longPoll.waiting, room.subscriptions()], [1, 1]);
  await room.change('a');
  assert.equal(third.released(), true);
});

test('when all have left, nothing is left behind, and the next one hears of a change again', async () => {
  const room = openRoom();
  const gone = room.enter('a');
  await room.change('a');
  assert.equal(gone.released(), true);
  assert.deepEqual([room.longPoll.waiting, room.subscriptions(), gone.listeners()], [0, 0, 0]);
  await room.pass(1_000);
  assert.equal(room.clock.nextDueAtMs(), undefined, 'no timer');

  const next = room.enter('a');
  await settle();
  assert.equal(next.released(), false);
  await room.change('a');
  assert.equal(next.released(), true);
});

test('each is held for as long as it asked, and not longer', async () => {
  const room = openRoom();
  const [short, long] = [room.enter('a', 1_000), room.enter('a', 2_000)];
  await room.pass(999);
  assert.deepEqual([short.released(), long.released()], [false, false]);
  await room.pass(1);
  assert.deepEqual([short.released(), long.released()], [true, false]);
  await room.pass(999);
  assert.equal(long.released(), false);
  await room.pass(1);
  assert.equal(long.released(), true);
});

test('who has news already, or has hung up already, does not wait', async () => {
  const room = openRoom();
  const informed = room.enter('a', 25_000, null);
  await settle();
  assert.deepEqual([informed.released(), informed.confirmed()], [true, 1]);
  assert.deepEqual([room.longPoll.waiting, room.subscriptions(), informed.listeners()], [0, 0, 0]);

  let asked = false;
  await room.longPoll.wait('a', 25_000, AbortSignal.abort(), async () => {
    asked = true;
    return Infinity;
  });
  assert.equal(asked, false);
});

test('there is room until as many wait as may, and again when one has left', async () => {
  const room = openRoom({ maxWaiters: 2 });
  const { longPoll } = room;
  assert.equal(longPoll.hasRoom, true);
  const first = room.enter('a');
  assert.equal(longPoll.hasRoom, true);
  room.enter('b');
  assert.equal(longPoll.hasRoom, false);
  await first.hangUp();
  assert.equal(longPoll.hasRoom, true);
});

test('closing releases all waiters and takes no new ones', async () => {
  const room = openRoom();
  const all = [room.enter('a'), room.enter('a'), room.enter('b')];
  await settle();
  room.longPoll.close();
  await settle();
  assert.ok(all.every(({ released }) => released()));
  assert.equal(room.longPoll.hasRoom, false);
});

test('a watched order is read when it is due, and then as often as it needs', async () => {
  const reads: number[] = [];
  const records = [dueAt(0), undefined, dueAt(10_000), newOrder('order')];
  const room = openRoom({
    readNow: async () => {
      reads.push(room.clock.now());
      return records.shift();
    },
  });
  room.enter('a', 60_000, 2_000);
  // The next read is known already: who comes later does not put it off.
  room.enter('a', 60_000, 9_000);
  await room.pass(60_000);
  // A second between two reads: of what is due at once, and of what another instance works on.
  assert.deepEqual(reads, [2_000, 3_000, 4_000, 10_000]);
});

test('an order that is being read is not read once more meanwhile', async () => {
  const ends: (() => void)[] = [];
  const room = openRoom({
    readNow: () => new Promise((resolve) => ends.push(() => resolve(dueAt(0)))),
  });
  room.enter('a', 60_000, 0);
  await room.pass(5_300);
  assert.equal(ends.length, 1);
  ends[0]?.();
  await room.pass(1_000);
  assert.equal(ends.length, 1, 'a second is left between two');
  await room.pass(500);
  assert.equal(ends.length, 2);
});

test('of more orders than may be read, those that have waited longest come first', async () => {
  const reads: [number, string][] = [];
  const room = openRoom({
    readsLeft: () => 1,
    readNow: async (rowId) => {
      reads.push([room.clock.now(), rowId]);
      return newOrder(rowId);
    },
  });
  for (const [rowId, readAt] of [
    ['third', 900],
    ['first', 700],
    ['second', 800],
  ] as const)
    room.enter(rowId, 60_000, readAt);
  await room.pass(5_000);
  assert.deepEqual(reads, [
    [1_000, 'first'],
    [1_500, 'second'],
    [2_000, 'third'],
  ]);
});
