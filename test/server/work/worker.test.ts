import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import type { PayinAttempt } from '../../../src/contract/backend.js';
import { memoryStore, sqliteStore, type Store } from '../../../src/server.js';
import { sqliteFile } from '../../support/sqlite.js';
import { crowdOf, KEY_ONLY, openWorld, type World, type WorldOptions } from '../world.js';

/** Many who wait at once want more reads than may be made; the one who has just paid must not stand behind them. */

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld(options));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const CROWD = 40;
const READS_PER_SECOND = 5;

/** A store that counts how often work on an order was begun. */
function countingStore(): { readonly store: Store; readonly begun: () => number } {
  const store = memoryStore();
  let begun = 0;
  const { claimOne } = store;
  store.claimOne = (...given) => {
    begun += 1;
    return claimOne.apply(store, given);
  };
  return { store, begun: () => begun };
}

async function openCrowd(more: WorldOptions = {}) {
  const orders = crowdOf(CROWD);
  const opened = await open({
    orders,
    options: { serviceReadsPerSecond: READS_PER_SECOND },
    // Watching alone is what is looked at.
    work: false,
    ...more,
  });
  const attempts: PayinAttempt[] = [];
  for (const name of Object.keys(orders)) attempts.push((await opened.startBreb(KEY_ONLY, name)).attempt);
  // Every payment may be read again because somebody watches.
  await opened.pass(10_000);
  const answers = new Map<string, string>();
  const wait = () => {
    for (const { id, version } of attempts) {
      void opened.get(`/payins/${id}?after=${version}&wait=25`).then(({ attempt }) => {
        answers.set(id, attempt.status);
      });
    }
  };
  return { ...opened, attempts, answers, wait };
}

test('a crowd that arrives at once begins no more than may be read, and everybody has a turn', async () => {
  const { store, begun } = countingStore();
  const { requests, pass, wait, attempts, payinOf } = await openCrowd({ store });
  const [begunBefore, requestsBefore] = [begun(), requests.length];
  wait();
  const seconds = CROWD / READS_PER_SECOND + 4;
  await pass(seconds * 1_000);
  const reads = requests.slice(requestsBefore);
  assert.ok(reads.length <= READS_PER_SECOND * (seconds + 2), `${reads.length} reads`);
  // A few may find that another was quicker.
  const beganInVain = begun() - begunBefore - reads.length;
  assert.ok(beganInVain <= reads.length / 10, `${beganInVain} begun in vain beside ${reads.length} reads`);
  const unread = attempts.filter(({ reference }) => {
    const { id } = payinOf(reference);
    return !reads.some((request) => request.endsWith(`/${id}`));
  });
  assert.equal(unread.length, 0, 'not one is passed over');
});

test('a paid order is notified at once, however many wait to be read', async () => {
  const { engine, payinOf, pass, wait, attempts, answers } = await openCrowd();
  wait();
  await pass(2_000);
  for (const { id, reference } of attempts.slice(-READS_PER_SECOND / 2)) {
    engine.decide(payinOf(reference).id, 'CONFIRMED');
    await pass(0);
    assert.equal(answers.get(id), 'CONFIRMED');
  }
});

test('an event that comes while a read is under way is not answered by what that read could not know', async () => {
  let release: (() => void) | undefined;
  let slow = false;
  const { startBreb, get, engine, payinOf, pass } = await open({
    async network(request, next) {
      const answer = await next(request);
      if (slow) await new Promise<void>((resolve) => (release = resolve));
      return answer;
    },
  });
  const { attempt } = await startBreb();
  await pass(4_000);
  let status: string | undefined;
  void get(`/payins/${attempt.id}?after=${attempt.version}&wait=25`).then((answer) => {
    status = answer.attempt.status;
  });
  slow = true;
  await pass(2_000);
  assert.ok(release, 'a read because somebody watches is under way');
  slow = false;
  engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
  await pass(0);
  assert.equal(status, undefined);
  release();
  await pass(0);
  assert.equal(status, 'CONFIRMED');
});

test('an outcome is read at once, also right after another read', async () => {
  const { startBreb, get, engine, payinOf, pass, requests } = await open();
  const { attempt } = await startBreb();
  let status: string | undefined;
  void get(`/payins/${attempt.id}?after=${attempt.version}&wait=25`).then((answer) => {
    status = answer.attempt.status;
  });
  const before = requests.length;
  for (let tries = 0; requests.length === before && tries < 1_000; tries++) await pass(100);
  assert.ok(requests.length > before, 'the payment was read because somebody watches');
  engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
  await pass(0);
  assert.equal(status, 'CONFIRMED');
});

test('after a 429 no order is begun until the time that the service named', async () => {
  const { store, begun } = countingStore();
  let refusals = 0;
  const { pass, wait, logged } = await openCrowd({
    store,
    network: async (request, next) => {
      if (refusals === 0) return next(request);
      refusals -= 1;
      return new Response('{}', { status: 429, headers: { 'retry-after': '20' } });
    },
  });
  refusals = 1;
  wait();
  await pass(2_000);
  assert.equal(refusals, 0);
  const begunByThen = begun();
  await pass(16_000);
  assert.equal(begun(), begunByThen, 'neither leases nor failed reads while the service is to be left alone');
  const failed = logged.length;
  await pass(6_000);
  assert.ok(begun() > begunByThen);
  assert.equal(logged.length, failed, 'and then they succeed');
});

test('work that begins before the store is ready waits for it', async (t) => {
  const { logged, settle } = await open({ store: sqliteStore(sqliteFile(t).open()) });
  await settle();
  assert.deepEqual(logged, []);
});

test('an order that time cannot move on is not tried for ever, and its notices are delivered all the same', async () => {
  const store = memoryStore();
  let updates = 0;
  const update: Store['update'] = store.update.bind(store);
  store.update = (orderId, decide) => {
    updates += 1;
    return update(orderId, decide);
  };
  const { startBreb, engine, payinOf, checkouts, told, logged, clock } = await open({
    store,
    work: false,
    sandbox: { webhooks: [] },
  });
  const { attempt } = await startBreb();
  // Two submissions under one reference: the second is never found, so its time is up for ever.
  await update('o:order-1', (row) => {
    const body = row?.body as { readonly attempts: readonly [{ readonly submissions: readonly [object] }] };
    const [first] = body.attempts;
    const unsent = {
      ...first.submissions[0],
      state: 'calling',
      giveUpAt: 0,
      serviceId: null,
      nextReadAt: null,
    };
    const lost = { ...first, id: 'lost', submissions: [unsent] };
    const at = clock.now();
    return {
      result: undefined,
      write: { body: { ...body, attempts: [first, lost] }, dueAt: at, addKeys: [], at, wake: true },
    };
  });
  engine.settle(payinOf(attempt.reference).id, 'CONFIRMED');
  updates = 0;
  for (let round = 0; round < 10; round++) {
    await clock.advance(15_000);
    await checkouts[0]?.tick();
  }
  assert.deepEqual(
    told.map(({ hook }) => hook),
    ['onConfirmed'],
  );
  assert.ok(updates < 40, `${updates} transactions in ten ticks`);
  assert.ok(logged.some(({ event }) => event === 'advance_stuck'));
});
