import assert from 'node:assert/strict';
import { afterEach, beforeEach, test, vi } from 'vitest';
import type { PostgresPort } from '../../../src/server/stores/postgres/port.js';
import { postgresStore } from '../../../src/server/stores/postgres/postgres-store.js';

/** How waiters of one instance hear of writes of others, with and without a connection that listens. */

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('without listening, the server is asked each second while there are waiters, and only then', async () => {
  const { store, asked, pass } = fakeServer({ listens: false });
  const [leave, leaveToo] = ['a', 'b'].map((id) => store.subscribe(id, () => {}));
  await pass(3);
  assert.deepEqual(asked(), ['a,b', 'a,b', 'a,b']);
  leave?.();
  await pass(2);
  assert.deepEqual(asked(), ['b', 'b']);
  leaveToo?.();
  const leaveLast = store.subscribe('c', () => {});
  await pass(2);
  assert.deepEqual(asked(), ['c', 'c']);
  leaveLast();
  await pass(2);
  assert.deepEqual(asked(), []);
  store.subscribe('d', () => {});
  await pass(2);
  assert.deepEqual(asked(), ['d', 'd']);
  await store.close();
  await pass(2);
  assert.deepEqual(asked(), []);
});

test('an answer that comes when the last waiter has left ends the polling, until another waits', async () => {
  const { store, asked, pass, holdAnswers } = fakeServer({ listens: false });
  const answer = holdAnswers();
  const leave = store.subscribe('a', () => {});
  await pass(1);
  leave();
  answer();
  await pass(3);
  assert.deepEqual(asked(), ['a']);
  store.subscribe('a', () => {});
  await pass(2);
  assert.deepEqual(asked(), ['a', 'a']);
  await store.close();
});

test('waiters that come and go while the server is asked add no questions', async () => {
  const { store, asked, pass } = fakeServer({ listens: false });
  let leave = store.subscribe('a', () => {});
  for (let turn = 0; turn < 3; turn++) {
    vi.advanceTimersByTime(1_000);
    leave();
    leave = store.subscribe('a', () => {});
    await pass(0);
  }
  asked();
  await pass(3);
  assert.deepEqual(asked(), ['a', 'a', 'a']);
  await store.close();
});

test('without listening, the waiters are woken whose order has changed since they read it', async () => {
  const { store, states, woken, wait, pass } = fakeServer({ listens: false });
  states.set('changed', 1).set('same', 1);
  for (const id of ['changed', 'same', 'created', 'nobody']) await wait(id);
  states.set('changed', 2).set('created', 1);
  await pass(3);
  assert.deepEqual(woken(), ['changed', 'created']);
  states.delete('changed');
  await pass(1);
  assert.deepEqual(woken(), ['changed'], 'an order that is gone has changed');
  await store.close();
});

test('when the server cannot be asked every waiter is woken', async () => {
  const { store, wait, woken, refuse, pass } = fakeServer({ listens: false });
  for (const id of ['a', 'b']) await wait(id);
  refuse(true);
  await pass(1);
  assert.deepEqual(woken(), ['a', 'b']);
  refuse(false);
  await store.close();
});

test('a message wakes the waiters that have not seen its change, and any other message wakes none', async () => {
  const { store, states, woken, wait, say, asked, pass } = fakeServer({ listens: true });
  states.set('order 1', 3);
  for (const id of ['order 1', 'another']) await wait(id);
  await pass(0);
  assert.equal(asked().length, 1, 'what changed before it listened is asked for once');
  say('3 order 1');
  say('4 order 2');
  say('nonsense');
  say(' order 1');
  assert.deepEqual(woken(), []);
  say('4 order 1');
  say('4 order 1');
  assert.deepEqual(woken(), ['order 1']);
  await pass(4);
  assert.deepEqual(asked(), [], 'nothing is asked while a connection listens');
  await store.close();
});

test('a connection that begins to listen when all have left asks for nothing', async () => {
  const { store, asked, pass } = fakeServer({ listens: true });
  store.subscribe('order', () => {})();
  await pass(1);
  assert.deepEqual(asked(), []);
  await store.close();
});

test('while the connection that listened is lost, the server is asked', async () => {
  const { store, states, woken, wait, lose, refuseToListen, pass } = fakeServer({ listens: true });
  await wait('order');
  await pass(0);
  refuseToListen(true);
  lose();
  states.set('order', 1);
  await pass(1);
  assert.deepEqual(woken(), ['order']);
  await store.close();
});

test('a connection that died silently is found within eleven seconds while there are waiters', async () => {
  const { store, states, woken, wait, pass, advance, refuseToListen } = fakeServer({ listens: true });
  await wait('order');
  await pass(0);
  refuseToListen(true);
  states.set('order', 1);
  // A message to oneself is sent after five seconds, and is missed five seconds later.
  for (let second = 0; second < 11; second++) {
    advance(1_000);
    await pass(1);
  }
  assert.deepEqual(woken(), ['order']);
  await store.close();
});

interface Given {
  readonly listens: boolean;
}

/** A server that knows the states of orders. */
function fakeServer({ listens }: Given) {
  const states = new Map<string, number>();
  const asked: string[] = [];
  const woken: string[] = [];
  const started = performance.now();
  let ahead = 0;
  let isRefusing = false;
  let isDeaf = false;
  let held = Promise.resolve();
  let line = { say: (_payload: string) => {}, lose: () => {} };
  vi.spyOn(performance, 'now').mockImplementation(() => started + ahead);
  const port: PostgresPort = {
    async query(sql, [first]) {
      if (isRefusing) throw new Error('refused');
      if (sql.includes('pg_notify')) return [];
      const isPoll = sql.includes('json_array_elements_text');
      const keys = isPoll ? (JSON.parse(String(first)) as string[]) : [String(first)];
      if (isPoll) asked.push(keys.join());
      await held;
      // Databases give large numbers as text.
      return keys
        .filter((key) => states.has(key))
        .map((key) => ({ key, state: String(states.get(key)), revision: '1', body: '{}' }));
    },
    transaction: () => Promise.reject(new Error('not needed here')),
    ...(listens && {
      async listen(_channel, say, lose) {
        if (isDeaf) throw new Error('refused');
        line = { say, lose };
        return async () => {};
      },
    }),
  };
  const store = postgresStore(port);
  const settled = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };
  return {
    store,
    states,
    /** What was asked for since the last time. */
    asked: () => asked.splice(0),
    woken: () => woken.splice(0),
    wait: async (id: string) => {
      store.subscribe(id, () => woken.push(id));
      await store.read(id);
    },
    say: (text: string) => line.say(`${crypto.randomUUID()} ${text}`),
    lose: () => line.lose(),
    refuse: (value: boolean) => void (isRefusing = value),
    refuseToListen: (value: boolean) => void (isDeaf = value),
    /** Returns how to give the answers that are held from now on. */
    holdAnswers: () => {
      let answer = () => {};
      held = new Promise((resolve) => (answer = resolve));
      return answer;
    },
    advance: (ms: number) => void (ahead += ms),
    pass: async (seconds: number) => {
      await settled();
      for (let second = 0; second < seconds; second++) {
        vi.advanceTimersByTime(1_000);
        await settled();
      }
    },
  };
}
