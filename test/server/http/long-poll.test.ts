import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import {
  asksForPayins,
  crowdOf,
  emptyPage,
  KEY_ONLY,
  openWorld,
  type World,
  type WorldOptions,
} from '../world.js';

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld(options));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

/** A request whose answer the test can look for without waiting for it. */
function observed<Value>(work: Promise<Value>): { value: () => Value | undefined; work: Promise<Value> } {
  let seen: Value | undefined;
  void work.then((value) => {
    seen = value;
  });
  return { value: () => seen, work };
}

test('an answer is held until something changes, and then comes at once', async () => {
  const { startBreb, get, engine, payinOf, pass, settle } = await open();
  const { attempt } = await startBreb();
  const held = observed(get(`/payins/${attempt.id}?after=${attempt.version}&wait=25`));
  await settle();
  assert.equal(held.value(), undefined);
  engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
  await pass(0);
  assert.equal(held.value()?.attempt.status, 'CONFIRMED');
  assert.equal(held.value()?.attempt.waited, true);
  assert.notEqual(held.value()?.attempt.version, attempt.version);
});

test('the version covers every attempt of the order: a payer who looks at an old one learns that another paid', async () => {
  const { startBreb, get, engine, payinOf, pass } = await open();
  const first = (await startBreb()).attempt;
  const second = (await startBreb({ replaces: first.id })).attempt;
  const held = observed(get(`/payins/${first.id}?after=${second.version}&wait=25`));
  engine.decide(payinOf(second.reference).id, 'CONFIRMED');
  await pass(0);
  assert.deepEqual(held.value()?.attempt.settlement, { state: 'PAID', by: second.id, duplicate: false });
  assert.equal(held.value()?.attempt.status, 'PROCESSING');
});

test('one webhook answers a hundred payers who wait on two instances', async () => {
  const { startBreb, get, engine, payinOf, pass, settle } = await open({ instances: 2 });
  const { attempt } = await startBreb();
  const waiting = Array.from({ length: 100 }, () =>
    observed(get(`/payins/${attempt.id}?after=${attempt.version}&wait=25`)),
  );
  await settle();
  engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
  await pass(0);
  for (const { value } of waiting) assert.equal(value()?.attempt.status, 'CONFIRMED');
});

test('more payers than may wait are answered at once, and the answer says that it was not held', async () => {
  const { startBreb, get, settle } = await open({ options: { maxWaiters: 1 } });
  const { attempt } = await startBreb();
  const first = observed(get(`/payins/${attempt.id}?after=${attempt.version}&wait=25`));
  await settle();
  const second = await get(`/payins/${attempt.id}?after=${attempt.version}&wait=25`);
  assert.equal(second.attempt.waited, false);
  assert.equal(first.value(), undefined);
});

for (const [ageMinutes, seconds] of [
  [0, 5],
  [3, 10],
  [15, 30],
] as const) {
  test(`with its webhooks lost, a payment is settled within ${seconds} seconds while a payer watches from minute ${ageMinutes} on`, async () => {
    const { startBreb, get, engine, payinOf, pass, told } = await open({ work: false });
    engine.setMishap('webhooks-lost', true);
    const { attempt } = await startBreb();
    await pass(ageMinutes * 60_000);
    const watch = () => observed(get(`/payins/${attempt.id}?after=${attempt.version}&wait=25`));
    let held = watch();
    await pass(1_000);
    engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
    // Payments that are due are looked for every half second.
    for (let waitedMs = 0; waitedMs < seconds * 1_000; waitedMs += 500) {
      await pass(500);
      if (held.value()?.attempt.status === 'PROCESSING') held = watch();
    }
    assert.equal(held.value()?.attempt.status, 'CONFIRMED');
    assert.deepEqual(
      told.map(({ hook }) => hook),
      ['onConfirmed'],
    );
  });
}

test('without background work and with its webhooks lost, a look at a payment makes the next look true', async () => {
  const { startBreb, get, offer, engine, payinOf, clock, settle, requests } = await open({ work: false });
  engine.setMishap('webhooks-lost', true);
  const { attempt } = await startBreb();
  const look = async () => (await get(`/payins/${attempt.id}`)).attempt.status;
  await clock.advance(60_000);
  engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
  assert.notEqual(await look(), 'CONFIRMED');
  await settle();
  assert.equal(await look(), 'CONFIRMED');
  await settle();
  const before = requests.length;
  await look();
  await offer();
  await settle();
  assert.equal(requests.length, before, 'what is known to the end is not asked about');
});

test('with no payer watching and its webhooks lost, a payment of three hours ago is settled within 20 minutes', async () => {
  const { startBreb, engine, payinOf, passByTicks, told } = await open({ work: false });
  engine.setMishap('webhooks-lost', true);
  const { attempt } = await startBreb();
  await passByTicks(190 * 60_000, 60_000);
  engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
  await passByTicks(20 * 60_000, 60_000);
  assert.deepEqual(
    told.map(({ hook, late }) => [hook, late]),
    [['onConfirmed', true]],
  );
});

test('background reads slow down from four a minute to one an hour, end after 30 days and say so once', async () => {
  const { startBreb, engine, passByTicks, requests, told } = await open({ work: false });
  engine.setMishap('webhooks-lost', true);
  await startBreb();
  const readsDuring = async (durationMs: number, stepMs: number) => {
    const before = requests.length;
    await passByTicks(durationMs, stepMs);
    return requests.length - before;
  };
  assert.equal(await readsDuring(60_000, 5_000), 4);
  await readsDuring(7 * 3_600_000, 600_000);
  assert.equal(await readsDuring(24 * 3_600_000, 600_000), 24);
  await readsDuring(28 * 86_400_000, 6 * 3_600_000);
  assert.deepEqual(told, []);
  await readsDuring(86_400_000, 6 * 3_600_000);
  assert.deepEqual(
    told.map(({ hook, report }) => [hook, report]),
    [['onReport', 'watch_ended']],
  );
  assert.equal(await readsDuring(5 * 86_400_000, 6 * 3_600_000), 0);
});

test('a payin is read every five seconds, however many watch it on however many instances', async () => {
  const { startBreb, get, engine, pass, requests } = await open({ instances: 2 });
  engine.setMishap('webhooks-lost', true);
  const { attempt } = await startBreb();
  const before = requests.length;
  for (let round = 0; round < 2; round++) {
    const held = Array.from({ length: 30 }, () =>
      get(`/payins/${attempt.id}?after=${attempt.version}&wait=25`),
    );
    await pass(26_000);
    await Promise.all(held);
  }
  const reads = requests.length - before;
  assert.ok(reads >= 9 && reads <= 11, `${reads} reads in 52 seconds`);
});

test('reads are bounded over all payins too', async () => {
  const orders = crowdOf(40);
  const { startBreb, engine, pass, requests } = await open({ orders, options: { serviceReadsPerSecond: 1 } });
  engine.setMishap('webhooks-lost', true);
  for (const order of Object.keys(orders)) await startBreb(KEY_ONLY, order);
  const before = requests.length;
  await pass(60_000);
  const reads = requests.length - before;
  assert.ok(reads <= 62, `${reads} reads in a minute`);
  assert.ok(reads >= 40, `only ${reads} reads in a minute`);
});

test('lookups stay within the bounds too, and a payer who watches does not wait behind them', async () => {
  const names = ['watched', ...Array.from({ length: 30 }, (_, index) => `lost-${index}`)];
  let isLosing = false;
  let pages = 0;
  const { startBreb, engine, payinOf, get, pass, requests } = await open({
    orders: Object.fromEntries(names.map((name) => [name, { amountInCents: 100 }])),
    options: { serviceReadsPerSecond: 10 },
    network: async (request, next) => {
      if (asksForPayins(request)) return emptyPage(`${(pages += 1)}`);
      return isLosing && request.method === 'POST' ? new Response(null, { status: 503 }) : next(request);
    },
  });
  engine.setMishap('webhooks-lost', true);
  const { attempt } = await startBreb({}, 'watched');
  isLosing = true;
  const lost = Promise.all(names.slice(1).map((name) => startBreb({}, name)));
  await pass(5_000);
  await lost;
  const reads = () => requests.filter((request) => request.startsWith('GET')).length;
  const before = reads();
  engine.settle(payinOf(attempt.reference).id, 'CONFIRMED');
  const held = observed(get(`/payins/${attempt.id}?after=${attempt.version}&wait=25`));
  await pass(8_000);
  assert.equal(held.value()?.attempt.status, 'CONFIRMED');
  await pass(52_000);
  assert.ok(pages > 0);
  assert.ok(reads() - before <= 10 * 60 + 20, `${reads() - before} reads in a minute`);
});

test('the bank’s address is handed out within a second', async () => {
  const { startPse, get, pass } = await open({ sandbox: { timings: { pseUrlDelayMs: 10_000 } } });
  const { attempt } = await startPse();
  assert.equal(attempt.rail === 'PSE' && attempt.sourceData?.pseUrl, null);
  const held = observed(get(`/payins/${attempt.id}?after=${attempt.version}&wait=25`));
  await pass(9_999);
  assert.equal(held.value(), undefined);
  await pass(1_001);
  const shown = held.value()?.attempt;
  assert.match((shown?.rail === 'PSE' && shown.sourceData?.pseUrl) || '', /^https:\/\/service\.test\//);
  assert.equal(shown?.rail === 'PSE' && shown.sourceData?.bankName, 'Bancolombia');
});

test('the payer learns after 20 seconds that the bank’s address has not come', async () => {
  const { startPse, get, engine, pass } = await open();
  engine.setMishap('pse-url-never-set', true);
  const { attempt } = await startPse();
  const early = (await get(`/payins/${attempt.id}`)).attempt;
  assert.equal(early.stalled, false);
  const held = observed(get(`/payins/${attempt.id}?after=${early.version}&wait=25`));
  await pass(19_999);
  assert.equal(held.value(), undefined);
  await pass(1_001);
  assert.equal(held.value()?.attempt.stalled, true);
});

test('nothing is missed once the bank’s address came, or the payment has ended', async () => {
  const { startPse, get, engine, payinOf, pass } = await open({
    orders: { came: { amountInCents: 500_000 }, ended: { amountInCents: 500_000 } },
  });
  const came = (await startPse({}, 'came')).attempt;
  await pass(3_000);
  engine.setMishap('pse-url-never-set', true);
  const ended = (await startPse({}, 'ended')).attempt;
  engine.settle(payinOf(ended.reference).id, 'DECLINED');
  await pass(60_000);
  for (const { id } of [came, ended]) assert.equal((await get(`/payins/${id}`)).attempt.stalled, false);
});

test('an offer carries the current attempt, or the one that paid', async () => {
  const { startBreb, offer, engine, payinOf, pass } = await open();
  assert.equal((await offer()).offer.attempt, null);
  const first = (await startBreb()).attempt;
  const second = (await startBreb({ replaces: first.id })).attempt;
  assert.equal((await offer()).offer.attempt?.id, second.id);
  engine.decide(payinOf(first.reference).id, 'CONFIRMED');
  await pass(1_000);
  assert.equal((await offer()).offer.attempt?.id, first.id);
});

test('all unknown ids get the same 404, byte for byte', async () => {
  const { startBreb, get, token } = await open();
  const { attempt } = await startBreb();
  const signed = await token('no-such-order');
  const altered = `${(await token()).slice(0, -1)}A`;
  const answers = await Promise.all([
    get('/payins/AAAAAAAAAAAAAAAAAAAAAAAA'),
    get('/payins/short'),
    get(`/payment-links/${attempt.id}`),
    get(`/orders/${signed}`),
    get(`/orders/${altered}`),
    get('/orders/order-1'),
    get('/nothing/here'),
  ]);
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([404]));
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
});
