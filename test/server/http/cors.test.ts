import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { openWorld, SHOP, type World, type WorldOptions } from '../world.js';

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld({ work: false, ...options }));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const OTHER = 'https://other.test';
const NAMES = [
  'vary',
  'cache-control',
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-allow-methods',
  'access-control-allow-headers',
  'access-control-expose-headers',
  'access-control-max-age',
];
/** What a browser goes by. */
const headersOf = ({ headers }: { headers: Headers }) =>
  Object.fromEntries(NAMES.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)]] : [])));

const ask = ({ send }: World, origin: string, asked?: string) =>
  send('/payins', {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      ...(asked !== undefined && { 'access-control-request-headers': asked }),
    },
  });

test('a page of an allowed origin may post with its own headers, and its browser may remember that for ten minutes', async () => {
  const opened = await open({ options: { allowedOrigins: [OTHER] } });
  const allowed = {
    vary: 'origin',
    'cache-control': 'no-store',
    'access-control-allow-origin': OTHER,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'content-type, idempotency-key, x-of-the-shop',
    'access-control-expose-headers': 'retry-after',
    'access-control-max-age': '600',
  };
  const answer = await ask(opened, OTHER, 'content-type, idempotency-key, x-of-the-shop');
  assert.equal(answer.status, 204);
  assert.equal(answer.text, '');
  assert.deepEqual(headersOf(answer), allowed);
  // What no browser asks for is not repeated.
  for (const strange of [undefined, '', '*', 'a: b', 'x'.repeat(513)])
    assert.deepEqual(
      headersOf(await ask(opened, OTHER, strange)),
      { ...allowed, 'access-control-allow-headers': 'content-type, idempotency-key' },
      strange,
    );
  const longest = 'x'.repeat(512);
  assert.equal(headersOf(await ask(opened, OTHER, longest))['access-control-allow-headers'], longest);
  const stranger = await ask(opened, 'https://evil.test');
  assert.equal(stranger.status, 204);
  assert.deepEqual(headersOf(stranger), { vary: 'origin', 'cache-control': 'no-store' });
});

test('a page of an allowed origin may read every answer, and how long to wait; others may not', async () => {
  const opened = await open({ options: { allowedOrigins: [OTHER] } });
  const order = await opened.token();
  const plain = { 'cache-control': 'no-store', vary: 'origin' };
  const allowed = {
    ...plain,
    'access-control-allow-origin': OTHER,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'retry-after',
  };
  for (const path of [`/orders/${order}`, '/orders/unknown', '/nothing']) {
    const look = (headers: Record<string, string>) => opened.send(path, { headers });
    assert.deepEqual(headersOf(await look({ origin: OTHER })), allowed, path);
    assert.deepEqual(headersOf(await look({ origin: 'https://evil.test' })), plain, path);
    assert.deepEqual(headersOf(await look({})), plain, path);
  }
});

test('where no other origin is allowed, answers are the same for every page', async () => {
  const opened = await open();
  const order = await opened.token();
  for (const origin of [SHOP, OTHER]) {
    const offer = await opened.send(`/orders/${order}`, { headers: { origin } });
    assert.deepEqual(headersOf(offer), { 'cache-control': 'no-store' });
    assert.deepEqual(headersOf(await ask(opened, origin)), { 'cache-control': 'no-store' });
  }
});

test('every address answers a browser that asks first, and names its method to one that uses another', async () => {
  const opened = await open({ options: { allowedOrigins: [OTHER] } });
  for (const [path, allow] of [
    ['/orders/x', 'GET'],
    ['/payins', 'POST'],
    ['/payins/x', 'GET'],
    ['/payment-links', 'POST'],
    ['/payment-links/x', 'GET'],
    ['/webhooks', 'POST'],
  ] as const) {
    const asked = await opened.send(path, { method: 'OPTIONS', headers: { origin: OTHER } });
    assert.equal(asked.status, 204, path);
    assert.equal(asked.headers.get('access-control-allow-origin'), OTHER, path);
    const wrong = await opened.send(path, { method: 'PUT' });
    assert.deepEqual([wrong.status, wrong.problem.code], [405, 'method_not_allowed'], path);
    assert.equal(wrong.headers.get('allow'), allow, path);
  }
});

test('an address that only looks like ours is not found, whatever the method', async () => {
  const opened = await open();
  const [checkout] = opened.checkouts;
  for (const path of [
    '/another9/payins',
    '/payins',
    '/checkout',
    '/checkout/payins/a/b',
    '/checkout/orders/',
  ])
    for (const method of ['GET', 'POST', 'PUT', 'OPTIONS']) {
      const answer = await checkout?.fetch(new Request(SHOP + path, { method }));
      assert.equal(answer?.status, 404, `${method} ${path}`);
    }
});
