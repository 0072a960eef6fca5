import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { openWorld, type World, type WorldOptions } from '../world.js';

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld(options));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

test('a hook that keeps failing holds up only itself: the money is told', async () => {
  const seen: string[] = [];
  const { startBreb, engine, payinOf, pass } = await open({
    options: {
      onDeclined() {
        throw new Error('this shop has no such page');
      },
      onConfirmed: ({ attempt }) => void seen.push(attempt),
    },
  });
  const first = (await startBreb()).attempt;
  engine.decide(payinOf(first.reference).id, 'DECLINED');
  await pass(2_000);
  const second = (await startBreb()).attempt;
  engine.decide(payinOf(second.reference).id, 'CONFIRMED');
  await pass(5_000);
  assert.deepEqual(seen, [second.id]);
});

test('notices of one kind come in order, even when the first keeps failing', async () => {
  let failing = true;
  const seen: string[] = [];
  const { startBreb, engine, payinOf, pass } = await open({
    options: {
      onDeclined({ attempt }) {
        if (failing) throw new Error('not now');
        seen.push(attempt);
      },
    },
  });
  const declined: string[] = [];
  for (let index = 0; index < 3; index++) {
    const { attempt } = await startBreb();
    engine.decide(payinOf(attempt.reference).id, 'DECLINED');
    await pass(2_000);
    declined.push(attempt.id);
  }
  failing = false;
  await pass(60_000);
  assert.deepEqual(seen, declined);
});

test('money is told before what else waits for the same order', async () => {
  const seen: string[] = [];
  let failing = true;
  const note = (hook: string) => () => {
    if (failing) throw new Error('the shop is down');
    seen.push(hook);
  };
  const { startBreb, engine, payinOf, pass, clock } = await open({
    options: { onDeclined: note('onDeclined'), onConfirmed: note('onConfirmed') },
  });
  const first = (await startBreb()).attempt;
  engine.decide(payinOf(first.reference).id, 'DECLINED');
  await pass(2_000);
  const second = (await startBreb()).attempt;
  engine.decide(payinOf(second.reference).id, 'CONFIRMED');
  await pass(2_000);
  failing = false;
  void clock;
  await pass(3_600_000);
  assert.deepEqual(seen.toSorted(), ['onConfirmed', 'onDeclined']);
  assert.equal(seen[0], 'onConfirmed');
});
