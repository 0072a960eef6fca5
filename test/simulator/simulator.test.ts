import assert from 'node:assert/strict';
import { type TestContext, describe, test, vi } from 'vitest';
import { manualClock } from '../../src/sandbox.js';
import { run } from '../../scripts/tests/processes.js';
import { createSimulator, SCENARIO_NAMES, type SimulatorOptions } from '../../src/simulator.js';
import { skippingClock } from '../../src/simulator/skipping-clock.js';
import { TransportError } from '../../src/transport/port.js';
import { cleanup } from '../support/cleanup.js';

/** The simulator where there is no page: the same checkout, as a program asks it. */

const { signal } = new AbortController();
const ORDER = 'A-1042';
const breb = {
  order: ORDER,
  rail: 'BRE_B',
  breb: { keyType: 'QR_CODE' },
  callbackUrl: 'http://localhost/pagar',
} as const;

function open(t: TestContext, options: SimulatorOptions = {}) {
  const clock = manualClock();
  const simulator = createSimulator({ clock, seed: 7, ...options });
  cleanup(t, () => simulator.close());
  const { engine } = simulator.sandbox;
  let keys = 0;
  return {
    simulator,
    engine,
    clock,
    pay: () => simulator.createPayin(breb, { signal, idempotencyKey: `a-key-of-the-tests-${++keys}` }),
    read: (id: string) => simulator.read({ kind: 'PAYIN', id }, { signal }),
    /** Lets time go by, with everything that happens in it. */
    pass: (durationMs: number) =>
      clock.advance(durationMs, async () => {
        await engine.idle();
        await simulator.checkout.idle();
      }),
  };
}

describe('a simulator without a page', () => {
  test('offers, takes and confirms a payment', async (t) => {
    const { simulator, engine, pay, read, pass } = open(t, { order: { amountInCents: 990_000 } });
    const { offer, level } = await simulator.offer(ORDER, { signal });
    assert.deepEqual([level, offer.amountInCents], ['FULL', 990_000]);
    const attempt = await pay();
    assert.equal(attempt.amountInCents, 990_000);
    engine.decide(engine.payins[0]!.id, 'CONFIRMED');
    await pass(1_000);
    const paid = await read(attempt.id);
    assert.deepEqual([paid.status, paid.settlement.state], ['CONFIRMED', 'PAID']);
    assert.equal(simulator.attempt?.id, attempt.id);
  });

  test('lets a process end that never closed it, and waits for an answer all the same', async () => {
    const program = `
      import { createSimulator } from './src/simulator.ts';
      const simulator = createSimulator({ scenario: 'confirmed' });
      const { signal } = new AbortController();
      const idempotencyKey = 'a-key-of-the-tests-1';
      const { id, version } = await simulator.createPayin(${JSON.stringify(breb)}, { signal, idempotencyKey });
      simulator.sandbox.engine.clock.setTimer(100, () => simulator.sandbox.engine.settle(simulator.sandbox.engine.payins[0].id, 'CONFIRMED'));
      const paid = await simulator.read({ kind: 'PAYIN', id }, { signal, after: version, waitSeconds: 25 });
      console.log(paid.status);`;
    const { code, output } = await run(process.execPath, [
      ...['--import', 'tsx', '--input-type=module', '--eval', program],
    ]);
    assert.deepEqual([code, output.trim()], [0, 'CONFIRMED']);
  });

  test('gives the same keys for the same seed', async (t) => {
    const keys = [];
    for (const seed of [7, 7, 8]) {
      const attempt = await open(t, { seed }).pay();
      assert.ok(attempt.kind === 'PAYIN' && attempt.rail === 'BRE_B');
      keys.push(attempt.sourceData?.keyString);
    }
    assert.equal(keys[0], keys[1]);
    assert.notEqual(keys[0], keys[2]);
  });

  for (const [scenario, status] of [
    ['confirmed', 'CONFIRMED'],
    ['declined', 'DECLINED'],
    ['canceled', 'CANCELED'],
    ['pending', 'PROCESSING'],
    ['webhooks-lost', 'CONFIRMED'],
    ['webhooks-forged-with-secret', 'PROCESSING'],
  ] as const) {
    test(`ends by itself: ${scenario} is ${status}`, async (t) => {
      const { pay, read, pass } = open(t, { scenario });
      const { id } = await pay();
      await pass(30_000);
      assert.equal((await read(id)).status, status);
    });
  }

  test('knows every scenario of the sandbox, and turns each off again', (t) => {
    const { simulator, engine } = open(t);
    for (const name of SCENARIO_NAMES) {
      simulator.scenario = name;
      assert.ok(engine.mishaps.everywhere.includes(name));
    }
    simulator.scenario = null;
    assert.deepEqual(engine.mishaps.everywhere, []);
  });

  test('fails every call while the network is down, and those that were waiting', async (t) => {
    const { simulator, pay } = open(t);
    const { id, version } = await pay();
    const waiting = simulator.read({ kind: 'PAYIN', id }, { signal, after: version, waitSeconds: 25 });
    const failed = assert.rejects(
      waiting,
      (error) => error instanceof TransportError && error.kind === 'NETWORK',
    );
    simulator.online = false;
    await failed;
    await assert.rejects(simulator.offer(ORDER, { signal }), { name: 'TransportError' });
    simulator.online = true;
    assert.equal((await simulator.offer(ORDER, { signal })).offer.attempt?.id, id);
  });

  test('tells who waits for news the new time at once, however little was skipped', async (t) => {
    const { simulator, pay, pass, read, clock } = open(t);
    const { id } = await pay();
    await pass(1_000);
    const { version } = await read(id);
    const wait = () => simulator.read({ kind: 'PAYIN', id }, { signal, after: version, waitSeconds: 25 });
    // Nothing else may end their waiting.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    t.onTestFinished(() => void vi.useRealTimers());
    const told = [wait(), wait()];
    simulator.skip(5_000);
    const first = await Promise.all(told);
    // Nobody waits: who asks next is told.
    simulator.skip(5_000);
    const next = await wait();
    assert.deepEqual(
      [...first, next].map(({ now }) => Date.parse(now) - clock.now()),
      [5_000, 5_000, 10_000],
    );
  });

  test('goes on after a reload, with what was made before and as late as it was', async (t) => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    };
    const before = open(t, { storage });
    const { id } = await before.pay();
    before.simulator.skip(60_000);
    await before.simulator.close();

    const later = open(t, { storage });
    const { offer } = await later.simulator.offer(ORDER, { signal });
    assert.equal(offer.attempt?.id, id);
    assert.equal(later.engine.clock.now() - later.clock.now(), 60_000);
    later.engine.decide(later.engine.payins[0]!.id, 'CONFIRMED');
    await later.pass(1_000);
    assert.equal((await later.read(id)).status, 'CONFIRMED');
  });

  test('begins anew when what was kept is of no use', async (t) => {
    for (const text of ['{', '{"service":{"version":0},"orders":[],"aheadMs":0}', 'null']) {
      const { simulator } = open(t, { storage: { getItem: () => text, setItem: () => undefined } });
      assert.equal((await simulator.offer(ORDER, { signal })).offer.attempt, null);
    }
  });

  test('asks nothing of any network', async (t) => {
    const asked = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('asked the network'));
    t.onTestFinished(() => asked.mockRestore());
    const { simulator, engine, pay, pass, read } = open(t);
    await simulator.offer(ORDER, { signal });
    const { id } = await pay();
    engine.decide(engine.payins[0]!.id, 'CONFIRMED');
    await pass(1_000);
    assert.equal((await read(id)).status, 'CONFIRMED');
    assert.equal(asked.mock.calls.length, 0);
    assert.ok(simulator.owns('https://service.simulator.invalid/bank/x'));
    for (const url of ['https://service.simulator.invalid.example/', 'https://bank.example/']) {
      assert.equal(simulator.owns(url), false);
    }
  });
});

describe('a clock that can be moved ahead', () => {
  test('runs what falls due on the way, once, and keeps the rest in its place', async () => {
    const below = manualClock(0);
    const clock = skippingClock(below);
    const ran: string[] = [];
    clock.setTimer(1_000, () => ran.push('soon'));
    clock.setTimer(10_000, () => ran.push('later'));
    const cancel = clock.setTimer(2_000, () => ran.push('never'));
    cancel();
    clock.skip(5_000);
    await below.advance(0);
    assert.deepEqual([ran, clock.now(), clock.aheadMs], [['soon'], 5_000, 5_000]);
    await below.advance(4_999);
    assert.deepEqual(ran, ['soon']);
    await below.advance(1);
    assert.deepEqual(ran, ['soon', 'later']);
  });
});
