import assert from 'node:assert/strict';
import { test } from 'vitest';
import { RateGate } from '../../src/service/rate-gate.js';
import { DEFAULT_RETRY } from '../../src/service/retry.js';

const NOW = 1_000;

/** A client that was refused so often, each time after the silence before had ended, and when it may ask again. */
function refusedTimes(times: number): { gate: RateGate; nowMs: number; quietMs: number } {
  const gate = new RateGate();
  let nowMs = NOW;
  let quietMs = 0;
  for (let time = 0; time < times; time++) {
    nowMs += quietMs;
    gate.refused(nowMs, null, DEFAULT_RETRY);
    quietMs = gate.remainingMs(nowMs);
  }
  return { gate, nowMs, quietMs };
}

test('no call waits before the first refusal', () => {
  assert.equal(new RateGate().remainingMs(NOW), 0);
});

test('without Retry-After the silence doubles with every refusal, up to the longest pause of the policy', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6, 40].map((times) => refusedTimes(times).quietMs),
    [250, 500, 1_000, 2_000, 4_000, 4_000, 4_000],
  );
});

test('an answer after the silence makes the next one short again', () => {
  const { gate, nowMs, quietMs } = refusedTimes(4);
  gate.answered(nowMs + quietMs);
  gate.refused(nowMs + quietMs, null, DEFAULT_RETRY);
  assert.equal(gate.remainingMs(nowMs + quietMs), 250);
});

test('an answer to a call that was sent before the silence neither ends nor shortens it', () => {
  const { gate, nowMs, quietMs } = refusedTimes(3);
  gate.answered(nowMs + quietMs - 1);
  assert.equal(gate.remainingMs(nowMs), quietMs);
  gate.refused(nowMs + quietMs, null, DEFAULT_RETRY);
  assert.equal(gate.remainingMs(nowMs + quietMs), 2_000);
});

test('calls that are refused together count as one refusal', () => {
  const gate = new RateGate();
  for (let call = 0; call < 8; call++) gate.refused(NOW, null, DEFAULT_RETRY);
  gate.refused(NOW + 1_000, null, DEFAULT_RETRY);
  assert.equal(gate.remainingMs(NOW + 1_000), 500);
});

test('Retry-After is the silence, as long as it is no longer than half a minute', () => {
  for (const [askedMs, quietMs] of [
    [0, 0],
    [7_000, 7_000],
    [30_000, 30_000],
    [3_600_000, 30_000],
  ] as const) {
    const gate = new RateGate();
    gate.refused(NOW, askedMs, DEFAULT_RETRY);
    assert.equal(gate.remainingMs(NOW), quietMs, String(askedMs));
    assert.equal(gate.remainingMs(NOW + quietMs), 0);
  }
});

test('a shorter wish that comes later does not shorten the silence, a longer one makes it longer', () => {
  const gate = new RateGate();
  gate.refused(NOW, 7_000, DEFAULT_RETRY);
  gate.refused(NOW, 1_000, DEFAULT_RETRY);
  assert.equal(gate.remainingMs(NOW), 7_000);
  gate.refused(NOW, 9_000, DEFAULT_RETRY);
  assert.equal(gate.remainingMs(NOW), 9_000);
});
