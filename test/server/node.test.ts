import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { test } from 'vitest';
import { listen } from '../../src/node.js';
import { openWorld } from './world.js';

test('the checkout answers over real HTTP, and closes', async () => {
  const world = await openWorld();
  const [checkout] = world.checkouts;
  assert.ok(checkout !== undefined);
  const server = await listen(checkout);
  const answer = await fetch(`${server.url}/checkout/orders/${await world.token()}`);
  assert.equal(answer.status, 200);
  assert.equal(((await answer.json()) as { amountInCents: number }).amountInCents, 5_000_000);
  await world.close();
  await server.close();
  await assert.rejects(fetch(server.url));
});

test('a connection that never asked for anything does not keep a server from closing', async () => {
  const server = await listen({ fetch: () => new Response('here') });
  const idle = connect(server.port, '127.0.0.1');
  const hungUp = new Promise((resolve) => idle.once('close', resolve));
  await new Promise((resolve) => server.server.once('connection', resolve));
  await server.close();
  await hungUp;
});

test('a payer who hangs up is let go', async () => {
  const world = await openWorld({ work: false });
  const [checkout] = world.checkouts;
  assert.ok(checkout !== undefined);
  let listening = 0;
  const subscribe = world.store.subscribe.bind(world.store);
  let changed: () => void = () => undefined;
  world.store.subscribe = (...given) => {
    listening += 1;
    const unsubscribe = subscribe(...given);
    changed();
    return () => {
      listening -= 1;
      unsubscribe();
      changed();
    };
  };
  const next = () => new Promise<void>((resolve) => (changed = resolve));
  const server = await listen(checkout);
  const { attempt } = await world.startBreb();
  const joined = next();
  const path = `/checkout/payins/${attempt.id}?after=${attempt.version}&wait=25`;
  const waiting = httpRequest({ port: server.port, path }).on('error', () => undefined);
  waiting.end();
  await joined;
  assert.equal(listening, 1);
  const left = next();
  waiting.destroy();
  await left;
  assert.equal(listening, 0);
  await world.close();
  await server.close();
});

test('a client that stopped in the middle of its body does not keep a server from closing', async () => {
  const world = await openWorld({ work: false });
  const [checkout] = world.checkouts;
  assert.ok(checkout !== undefined);
  const server = await listen(checkout, { requestTimeoutMs: 100 });
  const socket = connect(server.port, '127.0.0.1');
  const asked = new Promise((resolve) => server.server.once('request', resolve));
  socket.resume();
  socket.write('POST /checkout/payins HTTP/1.1\r\nHost: shop.test\r\nOrigin: https://shop.test\r\n');
  socket.write('Idempotency-Key: a-key-of-the-test-1\r\nContent-Type: application/json\r\n');
  socket.write('Content-Length: 500\r\n\r\n{');
  await asked;
  const hungUp = new Promise((resolve) => socket.once('close', resolve));
  await server.close();
  await hungUp;
  await world.close();
});

test('a client that is slow to send its headers is cut off', async () => {
  const world = await openWorld({ work: false });
  const [checkout] = world.checkouts;
  assert.ok(checkout !== undefined);
  const server = await listen(checkout, { headersTimeoutMs: 50, requestTimeoutMs: 100 });
  const socket = connect(server.port, '127.0.0.1');
  socket.write('GET /checkout/orders/x HTTP/1.1\r\nHost: shop.test\r\n');
  const heard: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => heard.push(chunk));
  await new Promise((resolve) => socket.once('close', resolve));
  assert.match(Buffer.concat(heard).toString(), /^HTTP\/1\.1 408 /);
  await world.close();
  await server.close();
});
