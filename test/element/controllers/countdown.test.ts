import assert from 'node:assert/strict';
import { describe, it, vi } from 'vitest';
import { Countdown } from '../../../src/element/paying/key/countdown.js';
import type { Host } from '../../../src/element/host.js';

const UNTIL_MS = Date.parse('2026-03-02T15:00:00Z');

function counting() {
  const said: string[] = [];
  const drawn = { times: 0 };
  const host = {
    addController: () => undefined,
    announce: (text: string) => said.push(text),
    requestUpdate: () => drawn.times++,
  } as unknown as Host;
  const countdown = new Countdown(host);
  const left = (seconds: number, untilMs = UNTIL_MS) =>
    countdown.left(untilMs, untilMs - seconds * 1_000, (minutes) => `${minutes} min`);
  /** What was said by now: it is said after the drawing. */
  const heard = async () => {
    await Promise.resolve();
    return said.splice(0);
  };
  return { countdown, left, heard, drawn };
}

describe('the time left', () => {
  it('is whole minutes until the last two, then seconds', () => {
    const { left } = counting();
    for (const [seconds, shown] of [
      [0.2, '0:01'],
      [5, '0:05'],
      [65, '1:05'],
      [119, '1:59'],
      [120, '2 min'],
      [600, '10 min'],
      [872, '14 min'],
      [3_599, '59 min'],
      [3_600, '1 h 0 min'],
      [3_723, '1 h 2 min'],
      [360_000, '100 h 0 min'],
    ] as const)
      assert.equal(left(seconds), shown);
  });

  it('is none when the moment has come, and for no moment', () => {
    const { left } = counting();
    for (const seconds of [0, -1, NaN]) assert.equal(left(seconds), null);
  });

  it('is said at five minutes and at one, once each', async () => {
    const { left, heard } = counting();
    for (const [seconds, said] of [
      [301, []],
      [299.5, ['5 min']],
      [298.5, []],
      [60.4, []],
      [59.9, ['1 min']],
      // The server's clock may put it back a little.
      [60.4, []],
      [59.9, []],
    ] as const) {
      left(seconds);
      assert.deepEqual(await heard(), said, String(seconds));
    }
    left(300, UNTIL_MS + 900_000);
    assert.deepEqual(await heard(), ['5 min'], 'another key');
  });

  it('is said up to half a minute late', async () => {
    for (const [seconds, said] of [
      [270.001, ['5 min']],
      [270, []],
      [30.001, ['1 min']],
      [30, []],
    ] as const) {
      const { left, heard } = counting();
      left(seconds);
      assert.deepEqual(await heard(), said, String(seconds));
    }
  });

  it('is not said when the mark is long past', async () => {
    const { left, heard } = counting();
    for (const seconds of [200, 25]) left(seconds);
    assert.deepEqual(await heard(), []);
  });
});

describe('a screen that counts down', () => {
  it('is drawn when its minute is over, and in the last two a second after it was drawn', (t) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    t.onTestFinished(() => void vi.useRealTimers());
    const { countdown, left, drawn } = counting();
    countdown.hostUpdated();
    vi.advanceTimersByTime(5_000);
    assert.equal(drawn.times, 0, 'nothing is shown');
    left(632);
    countdown.hostUpdated();
    vi.advanceTimersByTime(32_999);
    assert.equal(drawn.times, 0, 'ten minutes');
    vi.advanceTimersByTime(1);
    assert.equal(drawn.times, 1);
    left(119);
    countdown.hostUpdated();
    left(118.5);
    countdown.hostUpdated();
    vi.advanceTimersByTime(1_000);
    assert.equal(drawn.times, 2, 'one timer, however often it is drawn');
    countdown.hostUpdated();
    vi.advanceTimersByTime(5_000);
    assert.equal(drawn.times, 2, 'shown no more');
  });

  it('is not drawn once it has left the page', (t) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    t.onTestFinished(() => void vi.useRealTimers());
    const { countdown, left, drawn } = counting();
    left(60);
    countdown.hostUpdated();
    countdown.hostDisconnected();
    vi.advanceTimersByTime(5_000);
    assert.equal(drawn.times, 0);
  });
});
