import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, test } from 'vitest';
import { toNodeHandler } from '../../../src/node.js';
import { KitError } from '../../../src/server/kit-error.js';
import { BACKEND, openWorld, SHOP, type World, type WorldOptions } from '../world.js';

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld(options));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

test('an order that cannot be offered is logged with its id and what is wrong with it', async () => {
  const { offer, logged } = await open({
    orders: { 'order-1': { amountInCents: 10.5 } },
  });
  assert.equal((await offer()).status, 500);
  const [line] = logged.filter(({ event }) => event === 'offer_failed');
  assert.deepEqual([line?.order, line?.code], ['order-1', 'MerchantOrderError']);
  assert.match(line?.message ?? '', /cannot be offered \(amountInCents: /);
});

test('the sentence of a mistake that the kit can name is logged, that of any other is not', async () => {
  let failure: Error = new KitError('The shop answered 500');
  const { offer, logged } = await open({
    options: { findOrder: () => Promise.reject(failure) },
  });
  await offer();
  failure = new Error('Ana Pérez has no such order');
  await offer();
  const lines = logged.filter(({ event }) => event === 'offer_failed');
  assert.deepEqual(
    lines.map(({ order, code, message }) => [order, code, message]),
    [
      ['order-1', 'KitError', 'The shop answered 500'],
      ['order-1', 'Error', undefined],
    ],
  );
});

test('a body that a parser has read before the checkout is named, in the answer and in the log', async (t) => {
  const { checkouts, logged } = await open();
  const [checkout] = checkouts;
  if (checkout === undefined) throw new Error('A world has a checkout');
  const handle = toNodeHandler(checkout);
  const server = createServer((incoming, outgoing) => {
    // As express.json() and Fastify do before they call what is mounted after them.
    incoming.resume().once('end', () => setImmediate(() => handle(incoming, outgoing)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const path = new URL(BACKEND).pathname.replace(/\/$/, '');
  for (const route of ['/payins', '/payment-links', '/webhooks']) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: SHOP },
      body: '{}',
    });
    assert.equal(answer.status, 500, route);
    assert.match(await answer.text(), /body parser read the body before the checkout/);
  }
  const lines = logged.filter(({ event }) => event === 'body_already_read');
  assert.match(lines[0]?.message ?? '', /before express\.json\(\)/);
});
