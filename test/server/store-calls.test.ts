import assert from 'node:assert/strict';
import { test } from 'vitest';
import { memoryStore, type Store } from '../../src/server.js';
import { openWorld, type WorldOptions } from './world.js';

/** A world without rounds of its own, and the names of the calls that its store gets. */
async function openCounted(given: WorldOptions = {}) {
  const calls: string[] = [];
  const store = new Proxy(memoryStore(), {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...values: unknown[]): unknown => {
        calls.push(String(name));
        return method.apply(target, values);
      };
    },
  }) satisfies Store;
  const world = await openWorld({
    store,
    work: false,
    options: { clientAddress: () => '198.51.100.4', rateLimits: {} },
    ...given,
  });
  await world.checkouts[0]?.tick();
  return { ...world, calls: () => calls.splice(0) };
}

test('a payment is created with three store calls, and one more when it is answered', async () => {
  const { startBreb, checkouts, calls, close } = await openCounted();
  calls();
  assert.equal((await startBreb()).status, 201);
  await checkouts[0]?.idle();
  assert.deepEqual(calls(), ['hit', 'update', 'update', 'takeOrphans']);
  await close();
});

test('a webhook reaches its hook with five store calls', async () => {
  const { startBreb, engine, payinOf, pass, told, calls, close } = await openCounted();
  const { attempt } = await startBreb();
  await pass(0);
  calls();
  engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
  await pass(0);
  assert.deepEqual(
    told.map(({ hook }) => hook),
    ['onConfirmed'],
  );
  assert.deepEqual(calls(), ['updateByKey', 'claimOne', 'update', 'update', 'release']);
  await close();
});
