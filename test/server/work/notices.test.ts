import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { openWorld, type World, type WorldOptions } from '../world.js';

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld(options));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

test('a hook that keeps failing holds up only itself: notices about money are delivered', async () => {
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

test('a process without a hook leaves its notice to one that has it, and goes on with others', async () => {
  let isDown = true;
  const taken: string[] = [];
  const shop = await open({
    work: false,
    options: {
      onAmountMismatch({ key }) {
        if (isDown) throw new Error('the shop is down');
        taken.push(key);
      },
      onConfirmed() {
        throw new Error('the shop is down');
      },
    },
  });
  const { startBreb, engine, payinOf, passByTicks, store, clock, checkouts } = shop;
  const first = (await startBreb()).attempt;
  const second = (await startBreb({ replaces: first.id })).attempt;
  engine.settle(payinOf(first.reference).id, 'CONFIRMED', { confirmedAmountInCents: 1_000_000 });
  engine.settle(payinOf(second.reference).id, 'CONFIRMED', { confirmedAmountInCents: 4_000_000 });
  await passByTicks(60_000, 10_000);
  const confirmed: string[] = [];
  const job = await openWorld({
    store,
    clocks: () => clock,
    work: false,
    options: {
      onAmountMismatch: undefined,
      onConfirmed: ({ key }: { key: string }) => void confirmed.push(key),
    } as unknown as NonNullable<WorldOptions['options']>,
  });
  await clock.advance(3_600_000, job.settle);
  for (let ticks = 0; ticks < 3; ticks++) {
    const { orders } = (await job.checkouts[0]?.tick()) ?? { orders: -1 };
    assert.equal(orders, ticks === 0 ? 1 : 0, 'it is not claimed over and over');
  }
  assert.equal((await job.checkouts[0]?.status())?.store?.waitingNotices, 1);
  isDown = false;
  await passByTicks(10 * 60_000, 60_000);
  assert.deepEqual(taken, [`amount-mismatch.${first.reference}`]);
  assert.deepEqual(confirmed, [`confirmed.${second.reference}`]);
  assert.equal((await checkouts[0]?.status())?.store?.waitingNotices, 0);
});
