import assert from 'node:assert/strict';
import { sizeOr } from '../../support/torture.js';
import { afterEach, test } from 'vitest';
import fc from 'fast-check';
import { memoryStore } from '../../../src/server.js';
import { WEBHOOK } from '../../support/kit.js';
import { openWorld, type World, type WorldOptions } from '../world.js';

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld(options));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const event = (name: string, data: object) => ({ event: name, resource: name.split('.')[0], data });

test('a webhook with a wrong or missing header is refused and stores nothing', async () => {
  const { startBreb, webhook, payinOf, store, requests, settle } = await open();
  const { attempt } = await startBreb();
  await settle();
  const [row, asked] = [await store.find(`a:${attempt.id}`), requests.length];
  const body = event('payin.confirmed', { id: payinOf(attempt.reference).id, status: 'CONFIRMED' });
  for (const headers of [{}, { [WEBHOOK.header]: 'wrong' }, { [WEBHOOK.header]: `${WEBHOOK.secret} x` }]) {
    const answer = await webhook(body, headers);
    assert.equal(answer.status, 401);
    assert.equal(answer.problem.code, 'webhook_unauthorized');
  }
  await settle();
  assert.deepEqual([await store.find(`a:${attempt.id}`), requests.length], [row, asked]);
});

test('what is no event is refused; an event of a new kind is taken and left alone', async () => {
  const { webhook, checkouts } = await open();
  for (const body of [
    '',
    'null',
    '[]',
    '{',
    { event: 'payin.confirmed' },
    { event: 'payin.confirmed', data: 1 },
  ]) {
    assert.equal((await webhook(body)).problem.code, 'webhook_unreadable');
  }
  assert.equal((await webhook({ event: 'refund.created', resource: 'refund', data: {} })).status, 200);
  assert.equal((await checkouts[0]?.status())?.store?.unmatchedEvents, 0);
  assert.equal((await webhook('x'.repeat(600_000))).problem.code, 'payload_too_large');
});

test('a confirmation is believed only when a read agrees', async () => {
  const { startBreb, webhook, payinOf, get, pass, told } = await open();
  const { attempt } = await startBreb();
  const { id } = payinOf(attempt.reference);
  const answer = await webhook(
    event('payin.confirmed', { id, reference: attempt.reference, status: 'CONFIRMED' }),
  );
  assert.equal(answer.status, 200);
  await pass(60_000);
  assert.equal((await get(`/payins/${attempt.id}`)).attempt.status, 'PROCESSING');
  assert.deepEqual(told, []);
});

test('a read that lags leaves the event unverified, and it is read again until it agrees', async () => {
  const { startBreb, engine, payinOf, get, pass, told } = await open();
  engine.setMishap('lagging-reads', true);
  const { attempt } = await startBreb();
  // By then the payment is read once a minute without an event.
  await pass(10 * 60_000);
  engine.settle(payinOf(attempt.reference).id, 'CONFIRMED');
  await pass(5_000);
  assert.equal((await get(`/payins/${attempt.id}`)).attempt.status, 'PROCESSING');
  await pass(15_000);
  assert.equal((await get(`/payins/${attempt.id}`)).attempt.status, 'CONFIRMED');
  assert.deepEqual(
    told.map(({ hook }) => hook),
    ['onConfirmed'],
  );
});

test('a late yes is not lost to a read that still says no', async () => {
  let isBehind = false;
  const { startBreb, engine, payinOf, webhook, told, passByTicks } = await open({
    work: false,
    sandbox: { webhooks: [] },
    async network(request, next) {
      const answer = await next(request);
      if (!isBehind || request.method !== 'GET') return answer;
      return Response.json({ ...((await answer.json()) as object), status: 'DECLINED' });
    },
  });
  const { attempt } = await startBreb();
  const { id } = payinOf(attempt.reference);
  engine.settle(id, 'DECLINED');
  await passByTicks(30 * 3_600_000, 30 * 60_000);
  engine.settle(id, 'CONFIRMED');
  isBehind = true;
  await webhook(event('payin.confirmed', { id, status: 'CONFIRMED' }));
  await passByTicks(2_000, 1_000);
  isBehind = false;
  await passByTicks(10_000, 1_000);
  assert.deepEqual(
    told.map(({ hook }) => hook),
    ['onDeclined', 'onConfirmed'],
  );
});

test('an event about a second payin under one reference has that payin read, which alone says that it is paid', async () => {
  const { startBreb, engine, payinOf, webhook, told, requests, passByTicks } = await open({
    work: false,
    sandbox: { webhooks: [] },
  });
  const { reference } = (await startBreb()).attempt;
  const first = payinOf(reference);
  engine.settle(first.id, 'CONFIRMED');
  await webhook(event('payin.confirmed', { id: first.id, reference, status: 'CONFIRMED' }));
  await passByTicks(1_000, 1_000);
  // The service has carried out the creation twice.
  engine.setMishap('repeated-references', true);
  const second = engine.createPayin({
    amountInCents: 5_000_000,
    currency: 'COP',
    rail: 'BRE_B',
    reference,
    breb: { keyType: 'QR_CODE' },
  });
  const ofSecond = event('payin.confirmed', { id: second.id, reference, status: 'CONFIRMED' });
  await webhook(ofSecond);
  await passByTicks(1_000, 1_000);
  assert.ok(requests.includes(`GET /payins/${second.id}`), 'it was read');
  const hooks = () => told.map(({ hook }) => hook);
  assert.deepEqual(hooks(), ['onConfirmed'], 'and is not paid yet');
  engine.settle(second.id, 'CONFIRMED');
  await webhook(ofSecond);
  await passByTicks(60_000, 1_000);
  assert.deepEqual(hooks(), ['onConfirmed', 'onDuplicatePayment']);
});

test('an event that no read agrees with is dropped after a day, with a report', async () => {
  const { startBreb, webhook, payinOf, passByTicks, told } = await open({ work: false });
  const { attempt } = await startBreb();
  await webhook(event('payin.confirmed', { id: payinOf(attempt.reference).id, status: 'CONFIRMED' }));
  await passByTicks(24 * 3_600_000 - 60_000, 60_000);
  assert.deepEqual(told, []);
  await passByTicks(60_000, 60_000);
  assert.deepEqual(
    told.map(({ hook, report, detail }) => [hook, report, detail]),
    [['onReport', 'event_unverified', 'CONFIRMED']],
  );
});

test('an event that comes before the answer of its creation settles the payment once that is here', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const { startBreb, engine, webhook, settle, get, pass, told } = await open({
    sandbox: { webhooks: [] },
    network: async (request, next) => {
      const answer = await next(request);
      if (request.method === 'POST') await held;
      return answer;
    },
  });
  const pending = startBreb();
  await settle();
  const [payin] = engine.payins;
  assert.ok(payin !== undefined);
  engine.settle(payin.id, 'CONFIRMED');
  // Without the reference only the service's id could tell, and that is not known yet.
  await webhook(event('payin.confirmed', { id: payin.id, status: 'CONFIRMED' }));
  release();
  const { attempt } = await pending;
  await pass(300);
  assert.equal((await get(`/payins/${attempt.id}`)).attempt.status, 'CONFIRMED');
  assert.deepEqual(
    told.map(({ hook }) => hook),
    ['onConfirmed'],
  );
});

test('an event that names another payment’s id is not believed', async () => {
  const orders = { 'order-1': { amountInCents: 100 }, 'order-2': { amountInCents: 100 } };
  const { startBreb, engine, webhook, payinOf, pass, told, get } = await open({ orders });
  engine.setMishap('webhooks-lost', true);
  const paid = (await startBreb({}, 'order-1')).attempt;
  const open2 = (await startBreb({}, 'order-2')).attempt;
  engine.settle(payinOf(paid.reference).id, 'CONFIRMED');
  // The id of the paid one with the reference of the open one, and the other way round.
  await webhook(
    event('payin.confirmed', {
      id: payinOf(paid.reference).id,
      reference: open2.reference,
      status: 'CONFIRMED',
    }),
  );
  await webhook(
    event('payin.confirmed', {
      id: payinOf(open2.reference).id,
      reference: paid.reference,
      status: 'CONFIRMED',
    }),
  );
  await pass(30_000);
  assert.equal((await get(`/payins/${open2.id}`)).attempt.status, 'PROCESSING');
  assert.deepEqual(
    told.filter(({ hook }) => hook === 'onConfirmed').map(({ order }) => order),
    ['order-1'],
  );
});

for (const mishap of ['webhooks-duplicated', 'webhooks-reordered', 'webhooks-slow'] as const) {
  test(`with ${mishap} the outcome is the same and notified once`, async () => {
    const { startBreb, engine, payinOf, get, pass, told } = await open();
    engine.setMishap(mishap, true);
    const { attempt } = await startBreb();
    await pass(2_000);
    engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
    await pass(120_000);
    assert.equal((await get(`/payins/${attempt.id}`)).attempt.status, 'CONFIRMED');
    assert.deepEqual(
      told.map(({ hook }) => hook),
      ['onConfirmed'],
    );
  });
}

test('a payment confirmed after it was declined is settled, late', async () => {
  const { startBreb, engine, payinOf, get, pass, told } = await open();
  engine.setMishap('declined-then-confirmed', true);
  const { attempt } = await startBreb();
  engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
  await pass(1_000);
  assert.equal((await get(`/payins/${attempt.id}`)).attempt.status, 'DECLINED');
  await pass(30_000);
  const after = (await get(`/payins/${attempt.id}`)).attempt;
  assert.equal(after.status, 'CONFIRMED');
  assert.equal(after.late, true);
  assert.deepEqual(
    told.map(({ hook }) => hook),
    ['onDeclined', 'onConfirmed'],
  );
});

test('with the store down a webhook is 503, and nothing is half done', async () => {
  const store = memoryStore();
  const { startBreb, engine, payinOf, pass, webhook, told, get } = await open({ store });
  engine.setMishap('webhooks-lost', true);
  const { attempt } = await startBreb();
  const { id } = payinOf(attempt.reference);
  engine.settle(id, 'CONFIRMED');
  const { update, find } = store;
  store.update = () => Promise.reject(new Error('the disk is full'));
  const body = event('payin.confirmed', { id, reference: attempt.reference, status: 'CONFIRMED' });
  const refused = await webhook(body);
  assert.equal(refused.status, 503);
  assert.equal(refused.problem.code, 'store_unavailable');
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  store.find = () => Promise.reject(new Error('the disk is full'));
  assert.equal((await webhook(body)).status, 503);
  Object.assign(store, { update, find });
  assert.equal((await webhook(body)).status, 200);
  await pass(1_000);
  assert.equal((await get(`/payins/${attempt.id}`)).attempt.status, 'CONFIRMED');
  assert.deepEqual(
    told.map(({ hook }) => hook),
    ['onConfirmed'],
  );
});

test('a payout’s events reach the merchant once each, marked as unverified', async () => {
  const { webhook, pass, told } = await open();
  const data = { id: 'b2c3', reference: 'payout-1', status: 'CONFIRMED', amount: 1000 };
  for (const name of ['payout.processing', 'payout.confirmed', 'payout.confirmed', 'payout.processing']) {
    assert.equal((await webhook(event(name, data))).status, 200);
  }
  await pass(1_000);
  assert.deepEqual(
    told.map(({ hook, key, status, verified }) => [hook, key, status, verified]),
    [
      ['onPayout', 'payout.b2c3.PROCESSING', 'PROCESSING', false],
      ['onPayout', 'payout.b2c3.CONFIRMED', 'CONFIRMED', false],
    ],
  );
});

const forgeries = sizeOr(500, 5_000);

test(`of ${forgeries} forged or altered webhooks, with and without the true header, none leads to paid`, async () => {
  const { startBreb, startPse, startLink, webhook, payinOf, engine, pass, told, get } = await open({
    orders: {
      'order-1': { amountInCents: 100 },
      'order-2': { amountInCents: 200 },
      'order-3': { amountInCents: 300 },
    },
  });
  const [breb, pse, link] = [
    (await startBreb({}, 'order-1')).attempt,
    (await startPse({}, 'order-2')).attempt,
    (await startLink({}, 'order-3')).link,
  ];
  const ids = [payinOf(breb.reference).id, payinOf(pse.reference).id, engine.links[0]?.id ?? '', 'unknown'];
  const references = [breb.reference, pse.reference, link.reference, 'unknown', null];
  const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.jsonValue({ maxDepth: 2 }));
  const bodies = fc.record({
    event: fc.constantFrom('payin.confirmed', 'paymentlink.completed', 'payin.declined', 'payout.confirmed'),
    resource: fc.constantFrom('payin', 'paymentlink', 'payout', 'thing'),
    data: fc.record(
      {
        id: fc.constantFrom(...ids),
        paymentLinkId: fc.constantFrom(...ids),
        reference: fc.constantFrom(...references),
        status: fc.constantFrom('CONFIRMED', 'COMPLETED', 'APPROVED', 'constructor'),
        amount: value,
        amountInCents: value,
        currency: fc.constantFrom('COP', 'USD'),
      },
      { requiredKeys: ['status'] },
    ),
  });
  const headers = fc.constantFrom(WEBHOOK.secret, WEBHOOK.secret.toUpperCase(), '', 'null');
  let count = 0;
  for (const [body, header] of fc.sample(fc.tuple(bodies, headers), {
    numRuns: forgeries,
    seed: 20_261_115,
  })) {
    const { status } = await webhook(body, { [WEBHOOK.header]: header });
    assert.ok(status < 500, `a forged webhook was answered with ${status}`);
    if (++count % 500 === 0) await pass(1_000);
  }
  await pass(60_000);
  for (const path of [`/payins/${breb.id}`, `/payins/${pse.id}`, `/payment-links/${link.id}`]) {
    const { attempt } = await get(path);
    assert.equal(attempt.settlement.state, 'OPEN');
    assert.ok(['PENDING', 'PROCESSING'].includes(attempt.status));
  }
  assert.ok(!told.some(({ hook }) => hook === 'onConfirmed'));
});
