import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'vitest';
import { toNodeHandler } from '../../src/node.js';
import { openWorld } from './world.js';

test('it is mounted in a server of the merchant’s own, which keeps its other addresses', async () => {
  const world = await openWorld();
  const [checkout] = world.checkouts;
  assert.ok(checkout !== undefined);
  const before = globalThis.Response;
  const handle = toNodeHandler(checkout);
  const server = createServer((incoming, outgoing) => {
    if (incoming.url?.startsWith('/checkout/') === true) handle(incoming, outgoing);
    else outgoing.end('the shop');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  assert.equal(await (await fetch(base)).text(), 'the shop');
  assert.equal((await fetch(`${base}/checkout/orders/${await world.token()}`)).status, 200);
  assert.equal((await fetch(`${base}/checkout/payins`, { method: 'POST', body: '{}' })).status, 415);
  assert.equal(globalThis.Response, before, 'a guest does not change the globals of its host');
  await world.close();
  await new Promise((resolve) => server.close(resolve));
});
