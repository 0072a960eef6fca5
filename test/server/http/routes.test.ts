import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import type { Measurement } from '../../../src/server.js';
import { WEBHOOK } from '../../support/kit.js';
import { BACKEND, openWorld, SHOP, type World, type WorldOptions } from '../world.js';

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld({ work: false, ...options }));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

test('each request is timed under the name of its call', async () => {
  const measured: Measurement[] = [];
  const opened = await open({ options: { metrics: (measurement) => void measured.push(measurement) } });
  const { get, send } = opened;
  const { attempt } = await opened.startBreb();
  const { link } = await opened.startLink({ replaces: attempt.id });
  for (const [label, call] of [
    ['offer', () => opened.offer()],
    ['create_payin', () => opened.startBreb()],
    ['create_link', () => opened.startLink()],
    ['read_payin', () => get(`/payins/${attempt.id}`)],
    ['read_link', () => get(`/payment-links/${link.id}`)],
    ['webhook', () => opened.webhook('')],
    ['preflight', () => send('/payins', { method: 'OPTIONS' })],
    ['not_found', () => get('/nothing')],
  ] as const) {
    measured.length = 0;
    await call();
    assert.deepEqual(
      measured.filter(({ name }) => name === 'request'),
      [{ name: 'request', value: 0, unit: 'ms', label }],
    );
  }
});

test('a request takes as long as the service does', async () => {
  const measured: Measurement[] = [];
  let release: () => void = () => undefined;
  const opened = await open({
    options: { metrics: (measurement) => void measured.push(measurement) },
    network: async (request, next) => {
      await new Promise<void>((resolve) => (release = resolve));
      return next(request);
    },
  });
  const starting = opened.startBreb();
  await opened.pass(1_234);
  release();
  assert.equal((await starting).status, 201);
  assert.deepEqual(
    measured.filter(({ name }) => name === 'request'),
    [{ name: 'request', value: 1_234, unit: 'ms', label: 'create_payin' }],
  );
});

test('those who prove no order are counted, however they ask', async () => {
  const measured: Measurement[] = [];
  const opened = await open({ options: { metrics: (measurement) => void measured.push(measurement) } });
  const body = { order: 'order-1', callbackUrl: SHOP };
  for (const refused of [
    await opened.get('/orders/order-1'),
    await opened.post('/payins', { ...body, rail: 'BRE_B', breb: { keyType: 'QR_CODE' } }),
    await opened.post('/payment-links', body),
  ])
    assert.equal(refused.status, 404);
  await opened.offer();
  assert.deepEqual(
    measured.filter(({ name }) => name === 'order.refused'),
    Array.from({ length: 3 }, () => ({ name: 'order.refused', value: 1, unit: 'count' })),
  );
});

test('a fault of the shop’s own code is in the log under the call’s name, with the order and the error’s name alone', async () => {
  const fault = new RangeError('of the shop');
  const logged: unknown[] = [];
  const opened = await open({
    options: {
      findOrder() {
        throw fault;
      },
      log: (...line) => logged.push(line),
    },
  });
  await opened.offer();
  await opened.startBreb();
  await opened.startLink();
  assert.deepEqual(
    logged,
    ['offer_failed', 'create_payin_failed', 'create_link_failed'].map((event) => [
      { level: 'error', event, code: 'RangeError', order: 'order-1' },
      fault,
    ]),
  );
});

test('a store that fails while an attempt is started is 503, not the payer’s mistake', async () => {
  const opened = await open();
  const { update } = opened.store;
  opened.store.update = () => Promise.reject(new Error('the disk is full'));
  const { status, problem, headers } = await opened.startBreb();
  assert.deepEqual([status, problem.code, headers.get('retry-after')], [503, 'store_unavailable', '2']);
  opened.store.update = update;
  assert.equal((await opened.startBreb()).status, 201);
});

/** A runtime that ends with the answer unless it is asked to stay. */
function runtime() {
  const kept: Promise<unknown>[] = [];
  let pending = 0;
  return {
    waitUntil(work: Promise<unknown>) {
      pending += 1;
      kept.push(work.finally(() => (pending -= 1)));
    },
    pending: () => pending,
    async end() {
      while (kept.length > 0) await kept.pop();
    },
  };
}

const post = (path: string, body: object, headers: Record<string, string>) =>
  new Request(BACKEND + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: SHOP, ...headers },
    body: JSON.stringify(body),
  });

test('a runtime that ends with its answers stays until the service has answered, and what follows is done', async () => {
  let release: () => void = () => undefined;
  const opened = await open({
    sandbox: { webhooks: [] },
    network: async (request, next) => {
      const answer = await next(request);
      if (request.method === 'POST') await new Promise<void>((resolve) => (release = resolve));
      return answer;
    },
  });
  const [checkout] = opened.checkouts;
  const body = {
    order: await opened.token(),
    callbackUrl: SHOP,
    rail: 'BRE_B',
    breb: { keyType: 'QR_CODE' },
  };
  const starting = runtime();
  const headers = { 'idempotency-key': 'a-payer-who-leaves-at-once' };
  const answer = checkout?.fetch(post('/payins', body, headers), {}, starting);
  await opened.settle();
  assert.equal(starting.pending(), 1);
  release();
  await starting.end();
  const { offer } = await opened.offer();
  assert.ok(offer.attempt?.kind === 'PAYIN' && offer.attempt.sourceData);
  assert.equal((await answer)?.status, 201);

  const id = opened.engine.payins[0]?.id ?? '';
  opened.engine.settle(id, 'CONFIRMED');
  const receiving = runtime();
  const event = { event: 'payin.confirmed', resource: 'payin', data: { id, status: 'CONFIRMED' } };
  const received = await checkout?.fetch(
    post('/webhooks', event, { [WEBHOOK.header]: WEBHOOK.secret }),
    {},
    receiving,
  );
  assert.equal(received?.status, 200);
  await receiving.end();
  assert.deepEqual(
    opened.told.map(({ hook }) => hook),
    ['onConfirmed'],
  );
});

test('mounted at the root, it answers there', async () => {
  const opened = await open({ options: { basePath: '' } });
  const [checkout] = opened.checkouts;
  const ask = async (path: string, method = 'GET') =>
    (await checkout?.fetch(new Request(SHOP + path, { method })))?.status;
  const order = await opened.token();
  assert.equal(await ask(`/orders/${order}`), 200);
  assert.equal(await ask(`/orders/${order}`, 'PUT'), 405);
  assert.equal(await ask(`/checkout/orders/${order}`), 404);
});
