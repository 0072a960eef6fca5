import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { sqliteStore } from '../../../src/server.js';
import { sqliteFile } from '../../support/sqlite.js';
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
      serviceReadsPerSecond: 1,
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
  assert.equal(status?.store?.unmatchedEvents, 1);
  assert.equal(status?.service.creates.answered, 2);
  const reads = opened.requests.filter((request) => request.startsWith('GET')).length;
  assert.ok(reads > 0);
  assert.equal(status?.service.reads.answered, reads);
  // What it may save up: the reads of the first seconds have been earned again.
  assert.deepEqual(status?.reads, { perSecond: 1, left: 2 });
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

const NO_CALLS = { answered: 0, failed: {}, meanMs: 0, slowestMs: 0 };
const NO_OUTCOMES = {
  confirmed: {},
  declined: {},
  canceled: {},
  duplicate: {},
  amount_mismatch: {},
  quarantined: {},
  failed: {},
  chargeback: {},
};

test('a checkout that has just begun has nothing to show, and its tables are made for the answer', async (t) => {
  const opened = await open({ store: sqliteStore(sqliteFile(t).open()), work: false });
  assert.deepEqual(await opened.checkouts[0]?.status(), {
    ready: true,
    store: {
      due: 0,
      oldestDueAt: null,
      waitingNotices: 0,
      oldestNoticeAt: null,
      unmatchedEvents: 0,
      oldestUnmatchedEventAt: null,
      review: 0,
    },
    work: { running: false, alive: true, lastRoundAt: null },
    waiters: 0,
    reads: { perSecond: 100, left: 200 },
    service: { creates: NO_CALLS, reads: NO_CALLS },
    attempts: {},
    outcomes: NO_OUTCOMES,
  });
});

test('the status says since when things wait, and how long the service takes', async () => {
  const creates = [100, 300];
  const opened = await open({
    work: false,
    orders: Object.fromEntries(['a', 'b', 'c'].map((id) => [id, { amountInCents: 500_000 }])),
    options: {
      onAmountMismatch: () => {
        throw new Error('closed');
      },
    },
    network: async (request, next) => {
      const delayMs = request.method === 'POST' ? creates.shift() : 50;
      if (delayMs === undefined) return new Response(null, { status: 400 });
      await new Promise<void>((resolve) => opened.clock.setTimer(delayMs, resolve));
      return next(request);
    },
  });
  const started = async (order: string) => {
    const starting = opened.startBreb({}, order);
    await opened.settle();
    await opened.pass(1_000);
    return (await starting).attempt;
  };
  opened.engine.setMishap('underpaid', true);
  const first = await started('a');
  await started('b');
  const askedAt = opened.clock.now();
  opened.engine.settle(opened.payinOf(first.reference).id, 'CONFIRMED');
  await opened.pass(50);
  await started('c');
  const unmatchedAt = opened.clock.now();
  const data = { id: crypto.randomUUID(), reference: 'nobody', status: 'CONFIRMED' };
  await opened.webhook({ event: 'payin.confirmed', resource: 'payin', data });
  await opened.pass(60_000);
  const [checkout] = opened.checkouts;
  const dueTimes = await Promise.all(
    ['a', 'b', 'c'].map(async (order) => (await checkout?.orders.show(order))?.dueAt ?? ''),
  );
  const iso = (at: number) => new Date(at).toISOString();
  const due = dueTimes.filter((at) => at !== '' && at <= iso(opened.clock.now())).sort();
  const reads = opened.requests.filter((request) => request.startsWith('GET')).length;
  assert.deepEqual(await checkout?.status(), {
    ready: true,
    store: {
      due: due.length,
      oldestDueAt: due[0],
      waitingNotices: 1,
      oldestNoticeAt: iso(askedAt + 50),
      unmatchedEvents: 1,
      oldestUnmatchedEventAt: iso(unmatchedAt),
      review: 1,
    },
    work: { running: false, alive: true, lastRoundAt: null },
    waiters: 0,
    reads: { perSecond: 100, left: 200 },
    service: {
      creates: { answered: 2, failed: { invalid_input: 1 }, meanMs: 200, slowestMs: 300 },
      reads: { answered: reads, failed: {}, meanMs: 50, slowestMs: 50 },
    },
    attempts: { BRE_B: 3 },
    outcomes: { ...NO_OUTCOMES, amount_mismatch: { BRE_B: 1 }, declined: { BRE_B: 1 }, failed: { BRE_B: 1 } },
  });
});

test('what was read of the service is taken off what may be read', async () => {
  const opened = await open({ work: false, options: { serviceReadsPerSecond: 10 } });
  const { attempt } = await opened.startBreb();
  await opened.clock.advance(10_000);
  const left = async () => (await opened.checkouts[0]?.status())?.reads;
  assert.deepEqual(await left(), { perSecond: 10, left: 20 });
  opened.engine.settle(opened.payinOf(attempt.reference).id, 'CONFIRMED');
  await opened.settle();
  assert.deepEqual(await left(), { perSecond: 10, left: 19 });
});

test('work counts as stopped a minute after its last round', async () => {
  const opened = await open();
  const [checkout] = opened.checkouts;
  await opened.pass(2_000);
  const lastRoundAt = new Date(opened.clock.now()).toISOString();
  opened.store.claim = () => Promise.reject(new Error('down'));
  await opened.pass(59_999);
  assert.deepEqual((await checkout?.status())?.work, { running: true, alive: true, lastRoundAt });
  await opened.pass(1);
  assert.deepEqual((await checkout?.status())?.work, { running: true, alive: false, lastRoundAt });
});

test('a store that is away is an error in the log, once a minute however often it is asked', async () => {
  const opened = await open({ work: false });
  opened.store.stats = () => Promise.reject(new Error('down'));
  const lines = async () => {
    for (let asked = 0; asked < 3; asked++) await opened.checkouts[0]?.status();
    return opened.logged;
  };
  const line = { level: 'error', event: 'store_unreachable', code: 'StoreUnavailableError' };
  assert.deepEqual(await lines(), [line]);
  await opened.pass(59_999);
  assert.deepEqual(await lines(), [line]);
  await opened.pass(1);
  assert.deepEqual(await lines(), [line, line]);
});
