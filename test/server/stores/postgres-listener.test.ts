import assert from 'node:assert/strict';
import { test, vi } from 'vitest';
import { PostgresListener } from '../../../src/server/stores/postgres/listener.js';
import type { PostgresPort } from '../../../src/server/stores/postgres/port.js';

test('a message of another instance is passed on, one of its own is not', async () => {
  const { listener, line, heard } = await listening();
  line.say(`${crypto.randomUUID()} 7 order`);
  line.say(listener.message('8 order'));
  assert.deepEqual(heard, ['7 order']);
  await listener.close();
});

test('a connection that says it is lost is replaced, and what was missed is asked for', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { listener, line, lines, restored } = await listening();
    assert.equal(restored(), 1);
    line.lose();
    line.lose();
    assert.equal(listener.listening, false);
    vi.advanceTimersByTime(100);
    await settled();
    assert.equal(lines.length, 2);
    assert.equal(listener.listening, true);
    assert.equal(restored(), 2);
    assert.equal(line.stops(), 1);
    line.lose();
    assert.equal(listener.listening, true, 'the old connection has no say any more');
    await listener.close();
    await listener.close();
    assert.deepEqual(
      lines.map((each) => each.stops()),
      [1, 1],
    );
  } finally {
    vi.useRealTimers();
  }
});

test('one connection is opened, however often it is asked for', async () => {
  const { listener, attempts } = fakeServer();
  listener.start();
  listener.start();
  await settled();
  listener.start();
  await settled();
  assert.equal(attempts(), 1);
  await listener.close();
});

test('a connection that is lost before it listens is replaced, and one that failed has no say later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { listener, lines, attempts, refuse, loseWhileConnecting } = fakeServer();
    refuse(true);
    listener.start();
    await settled();
    refuse(false);
    loseWhileConnecting(true);
    vi.advanceTimersByTime(100);
    await settled();
    loseWhileConnecting(false);
    assert.deepEqual([attempts(), listener.listening], [2, false]);
    vi.advanceTimersByTime(200);
    await settled();
    assert.deepEqual([attempts(), listener.listening], [3, true]);
    for (const line of lines.slice(0, 2)) line.lose();
    assert.equal(listener.listening, true);
    await listener.close();
    assert.deepEqual(
      lines.map((line) => line.stops()),
      [0, 1, 1],
      'each that was opened is closed',
    );
  } finally {
    vi.useRealTimers();
  }
});

test('a connection that is found to be lost twice is replaced once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { listener, line, attempts, refuse, advance } = await listening();
    advance(5_000);
    refuse(true);
    const checked = listener.check();
    line.lose();
    await checked;
    refuse(false);
    vi.advanceTimersByTime(5_000);
    await settled();
    assert.equal(attempts(), 2);
    await listener.close();
  } finally {
    vi.useRealTimers();
  }
});

test('once closed no connection is opened, neither after a lost one nor after one that failed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const lost = await listening();
    lost.line.lose();
    lost.advance(5_000);
    await lost.listener.check();
    assert.deepEqual(lost.asked(), [], 'nothing is sent while it does not listen');
    await lost.listener.close();
    assert.equal(lost.line.stops(), 1);
    const failed = fakeServer();
    failed.refuse(true);
    failed.listener.start();
    await failed.listener.close();
    for (const { attempts } of [lost, failed]) {
      await settled();
      vi.advanceTimersByTime(60_000);
      await settled();
      assert.equal(attempts(), 1);
    }
  } finally {
    vi.useRealTimers();
  }
});

test('a server that stays away is tried after a tenth of a second, then half as often each time up to 5 s, and soon again after a success', async () => {
  const pausesOf = async (random: number) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.spyOn(Math, 'random').mockImplementation(() => random);
    try {
      const { listener, lines, attempts, refuse } = fakeServer();
      const pause = async () => {
        const before = attempts();
        let passedMs = 0;
        for (; attempts() === before; passedMs += 10) {
          vi.advanceTimersByTime(10);
          await settled();
        }
        return passedMs;
      };
      refuse(true);
      listener.start();
      await settled();
      const pauses: number[] = [];
      while (pauses.length < 8) pauses.push(await pause());
      refuse(false);
      await pause();
      lines.at(-1)?.lose();
      pauses.push(await pause());
      await listener.close();
      return pauses;
    } finally {
      vi.restoreAllMocks();
      vi.useRealTimers();
    }
  };
  const longest = await pausesOf(1);
  assert.deepEqual(longest, [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 100]);
  assert.deepEqual(
    await pausesOf(0),
    longest.map((pause) => pause / 2),
  );
});

test('a connection that is dead without saying so is found by a message to oneself', async () => {
  const { listener, line, advance, asked } = await listening();
  advance(4_999);
  await listener.check();
  assert.equal(asked().length, 0);
  advance(1);
  await listener.check();
  line.say(asked()[0] ?? '');
  advance(5_000);
  await listener.check();
  assert.equal(asked().length, 2);
  assert.equal(listener.listening, true);
  advance(5_000);
  await listener.check();
  assert.equal(listener.listening, false);
  await listener.close();
});

test('a server that cannot be asked counts as lost, and what the old connection says later does not count', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { listener, line, advance, refuse } = await listening();
    refuse(true);
    advance(5_001);
    await listener.check();
    assert.equal(listener.listening, false);
    refuse(false);
    vi.advanceTimersByTime(100);
    await settled();
    line.lose();
    assert.equal(listener.listening, true);
    await listener.close();
  } finally {
    vi.useRealTimers();
  }
});

test('a connection that opens after closing is closed at once', async () => {
  const { listener, lines } = fakeServer();
  listener.start();
  await listener.close();
  await settled();
  assert.equal(listener.listening, false);
  assert.deepEqual(
    lines.map((line) => line.stops()),
    [1],
  );
});

interface Line {
  say(payload: string): void;
  lose(): void;
  stops(): number;
}

function fakeServer() {
  const lines: Line[] = [];
  const asked: string[] = [];
  const heard: string[] = [];
  let restored = 0;
  let attempts = 0;
  let refusing = false;
  let loses = false;
  let now = 1_000_000;
  const port: PostgresPort = {
    async query(_sql, values) {
      if (refusing) throw new Error('refused');
      asked.push(String(values[1]));
      return [];
    },
    transaction: () => Promise.reject(new Error('not needed here')),
    async listen(_channel, say, lose) {
      attempts += 1;
      let stops = 0;
      lines.push({ say, lose, stops: () => stops });
      if (refusing) throw new Error('refused');
      if (loses) lose();
      return async () => {
        stops += 1;
      };
    },
  };
  const listener = new PostgresListener(
    port,
    'channel',
    { onMessage: (text) => heard.push(text), onRestored: () => (restored += 1) },
    () => now,
  );
  return {
    listener,
    lines,
    heard,
    asked: () => asked,
    attempts: () => attempts,
    restored: () => restored,
    refuse: (value: boolean) => void (refusing = value),
    loseWhileConnecting: (value: boolean) => void (loses = value),
    advance: (ms: number) => void (now += ms),
  };
}

async function listening() {
  const server = fakeServer();
  server.listener.start();
  await settled();
  const [line] = server.lines;
  assert.ok(line);
  return { ...server, line };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}
