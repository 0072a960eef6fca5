import assert from 'node:assert/strict';
import { afterEach, beforeEach, test, vi } from 'vitest';
import { listen } from '../../../src/console/page/live.js';

/** The page's connection to its backend, on a clock that the test holds. */

const SECOND_MS = 1_000;

class Connection extends EventTarget {
  isClosed = false;
  constructor() {
    super();
    opened.push(this);
  }
  close(): void {
    this.isClosed = true;
  }
  says(name: string): void {
    this.dispatchEvent(new Event(name));
  }
}

let opened: Connection[] = [];
let said: string[] = [];
let stop: () => void = () => {};
const page = { visibilityState: 'visible' };

beforeEach(() => {
  opened = [];
  said = [];
  page.visibilityState = 'visible';
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  vi.stubGlobal('EventSource', Connection);
  vi.stubGlobal('document', page);
  stop = listen('/live', {
    changed: () => said.push('changed'),
    connection: (state) => said.push(state),
  });
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const last = () => opened.at(-1)!;
const saidSince = () => said.splice(0);

/** How many seconds pass before it tries again. */
function secondsUntilNext(): number {
  const before = opened.length;
  for (let seconds = 1; seconds <= 60; seconds++) {
    vi.advanceTimersByTime(SECOND_MS);
    if (opened.length > before) return seconds;
  }
  return Infinity;
}

test('a lost connection is tried again after one second, then less and less often, at least every fifteen', () => {
  const pauses = Array.from({ length: 6 }, () => {
    last().says('error');
    return secondsUntilNext();
  });
  assert.deepEqual(pauses, [1, 2, 4, 8, 15, 15]);
  assert.ok(opened.slice(0, -1).every(({ isClosed }) => isClosed));

  last().says('open');
  last().says('error');
  assert.equal(secondsUntilNext(), 1, 'after one that worked it begins anew');
});

test('a connection that is silent for twelve seconds is lost, and one that speaks every five is not', () => {
  last().says('open');
  for (let beats = 0; beats < 10; beats++) {
    vi.advanceTimersByTime(5 * SECOND_MS);
    last().says('beat');
  }
  assert.ok(!said.includes('lost'));
  vi.advanceTimersByTime(12 * SECOND_MS - 1);
  assert.ok(!said.includes('lost'));
  vi.advanceTimersByTime(1);
  assert.ok(said.includes('lost'));
  assert.equal(last().isClosed, true);
});

test('it looks again when it is live, when something changed, and when it is lost', () => {
  last().says('open');
  assert.deepEqual(saidSince(), ['live', 'changed']);
  last().says('changed');
  assert.deepEqual(saidSince(), ['changed']);
  last().says('error');
  assert.deepEqual(saidSince(), ['lost', 'changed']);
});

test('a page that is seen looks again every fifteen seconds, a hidden one does not', () => {
  vi.advanceTimersByTime(15 * SECOND_MS - 1);
  assert.deepEqual(saidSince(), []);
  vi.advanceTimersByTime(15 * SECOND_MS + 1);
  assert.deepEqual(saidSince(), ['changed', 'changed']);
  page.visibilityState = 'hidden';
  vi.advanceTimersByTime(60 * SECOND_MS);
  assert.deepEqual(saidSince(), []);
});

test('stopping leaves neither a connection nor a timer', () => {
  last().says('open');
  stop();
  assert.equal(last().isClosed, true);
  assert.equal(vi.getTimerCount(), 0);
});
