import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { PostgresListener } from '../../../src/server/stores/postgres/listener.js';
import type { PostgresPort } from '../../../src/server/stores/postgres/port.js';

test('a message of another instance is heard, one of its own is not', async () => {
  const { listener, line, heard } = await listening();
  line.say(`${crypto.randomUUID()} 7 order`);
  line.say(listener.message('8 order'));
  assert.deepEqual(heard, ['7 order']);
  await listener.close();
});

test('a connection that says it is lost is replaced, and what was missed is asked for', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const { listener, line, lines, restored } = await listening();
    assert.equal(restored(), 1);
    line.lose();
    line.lose();
    assert.equal(listener.listening, false);
    mock.timers.tick(100);
    await settled();
    assert.equal(lines.length, 2);
    assert.equal(listener.listening, true);
    assert.equal(restored(), 2);
    assert.ok(line.stopped());
    await listener.close();
    assert.ok(lines[1]?.stopped());
  } finally {
    mock.timers.reset();
  }
});

test('a server that stays away is tried at growing intervals until it is back', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const { listener, line, attempts, refuse } = await listening();
    refuse(true);
    line.lose();
    for (let second = 0; second < 60; second++) {
      mock.timers.tick(1_000);
      await settled();
    }
    assert.ok(attempts() >= 12 && attempts() <= 40, `${attempts()} attempts in a minute`);
    refuse(false);
    mock.timers.tick(5_000);
    await settled();
    assert.equal(listener.listening, true);
    await listener.close();
  } finally {
    mock.timers.reset();
  }
});

test('a connection that is dead without saying so is found by a message to oneself', async () => {
  const { listener, line, advance, asked } = await listening();
  advance(4_000);
  await listener.check();
  assert.equal(asked().length, 0);
  advance(1_001);
  await listener.check();
  line.say(asked()[0] ?? '');
  advance(5_001);
  await listener.check();
  assert.equal(asked().length, 2);
  assert.equal(listener.listening, true);
  advance(5_001);
  await listener.check();
  assert.equal(listener.listening, false);
  await listener.close();
});

test('a server that cannot be asked counts as lost', async () => {
  const { listener, advance, refuse } = await listening();
  refuse(true);
  advance(5_001);
  await listener.check();
  assert.equal(listener.listening, false);
  await listener.close();
});

test('a connection that opens after closing is closed at once', async () => {
  const { listener, lines, port } = fakeServer();
  void port;
  listener.start();
  await listener.close();
  await settled();
  assert.equal(listener.listening, false);
  assert.ok(lines.every((line) => line.stopped()));
});

interface Line {
  say(payload: string): void;
  lose(): void;
  stopped(): boolean;
}

function fakeServer() {
  const lines: Line[] = [];
  const asked: string[] = [];
  const heard: string[] = [];
  let restored = 0;
  let attempts = 0;
  let refusing = false;
  let now = 0;
  const port: PostgresPort = {
    async query(_sql, values) {
      if (refusing) throw new Error('refused');
      asked.push(String(values[1]));
      return [];
    },
    transaction: () => Promise.reject(new Error('not needed here')),
    async listen(_channel, say, lose) {
      attempts += 1;
      if (refusing) throw new Error('refused');
      let stopped = false;
      lines.push({ say, lose, stopped: () => stopped });
      return async () => {
        stopped = true;
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
    port,
    listener,
    lines,
    heard,
    asked: () => asked,
    attempts: () => attempts,
    restored: () => restored,
    refuse: (value: boolean) => void (refusing = value),
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
