import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { openWorld, type World, type WorldOptions } from '../world.js';

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld(options));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

test('the status counts attempts, outcomes, calls, waiters and what waits', async () => {
  const opened = await open({
    orders: { a: { amountInCents: 500_000 }, b: { amountInCents: 500_000 } },
    options: {
      onConfirmed: () => {
        throw new Error('closed');
      },
    },
  });
  const [checkout] = opened.checkouts;
  const { attempt } = await opened.startBreb({}, 'a');
  const other = (await opened.startPse({}, 'b')).attempt;
  opened.engine.decide(opened.payinOf(attempt.reference).id, 'CONFIRMED');
  await opened.pass(5_000);
  const { version } = (await opened.get(`/payins/${other.id}`)).attempt;
  const waiting = opened.get(`/payins/${other.id}?after=${version}&wait=25`);
  await opened.settle();
  await opened.webhook({
    event: 'payin.confirmed',
    resource: 'payin',
    data: { id: crypto.randomUUID(), reference: 'nobody', status: 'CONFIRMED' },
  });
  const status = await checkout?.status();
  assert.equal(status?.ready, true);
  assert.deepEqual(status?.attempts, { BRE_B: 1, PSE: 1 });
  assert.deepEqual(status?.outcomes['confirmed'], { BRE_B: 1 });
  assert.equal(status?.waiters, 1);
  assert.equal(status?.work.running, true);
  assert.equal(status?.store?.waitingNotices, 1);
  assert.notEqual(status?.store?.oldestNoticeAt, null);
  assert.equal(status?.store?.unmatchedEvents, 1);
  assert.equal(status?.service.creates.answered, 2);
  assert.ok((status?.service.reads.answered ?? 0) > 0);
  assert.ok((status?.reads.left ?? 0) <= 200);
  await opened.pass(26_000);
  await waiting;
});

test('a store that is away is part of the answer, and so is work that has stopped', async () => {
  const opened = await open();
  const [checkout] = opened.checkouts;
  await opened.pass(2_000);
  const { stats, claim } = opened.store;
  opened.store.stats = () => Promise.reject(new Error('down'));
  const away = await checkout?.status();
  assert.deepEqual([away?.ready, away?.store], [false, null]);
  opened.store.stats = stats.bind(opened.store);
  assert.equal((await checkout?.status())?.ready, true);
  opened.store.claim = () => Promise.reject(new Error('down'));
  await opened.pass(120_000);
  const stopped = await checkout?.status();
  assert.deepEqual([stopped?.ready, stopped?.work.alive], [false, false], 'no round for two minutes');
  opened.store.claim = claim.bind(opened.store);
  await opened.pass(2_000);
  assert.equal((await checkout?.status())?.ready, true);
});

test('without background work readiness is the store alone', async () => {
  const opened = await open({ work: false });
  const status = await opened.checkouts[0]?.status();
  assert.deepEqual([status?.ready, status?.work], [true, { running: false, alive: true, lastRoundAt: null }]);
});
