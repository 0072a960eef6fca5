import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { memoryStore } from '../../../src/server.js';
import { BACKEND, openWorld, SHOP, type World, type WorldOptions } from '../world.js';

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld(options));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

test('orders are seen only with a token that was signed here', async () => {
  const { get, token, offer } = await open({
    orders: { 'order-1': { amountInCents: 100 }, 'order-2': { amountInCents: 200 } },
  });
  assert.equal((await offer()).status, 200);
  const [first, second] = [await token('order-1'), await token('order-2')];
  const [name] = first.split('.');
  const [, signature] = second.split('.');
  for (const forged of [
    'order-1',
    `${name}.`,
    `${name}.${signature}`,
    `${first}.x`,
    `${first}=`,
    `.${signature}`,
  ]) {
    assert.equal((await get(`/orders/${encodeURIComponent(forged)}`)).status, 404, forged);
  }
});

test('a shop’s own pages learn from a token which order it is for', async () => {
  const { checkouts, token } = await open();
  const signed = await token('order-1');
  assert.equal(await checkouts[0]?.orderOf(signed), 'order-1');
  for (const forged of ['', 'order-1', `${signed}x`]) assert.equal(await checkouts[0]?.orderOf(forged), null);
});

test('any id of the merchant’s survives being signed', async () => {
  const ids = ['1', 'pedido #1/2', 'ñandú', '🛒', 'a'.repeat(198), '../..', '"|'];
  const { offer } = await open({
    orders: Object.fromEntries(ids.map((id, index) => [id, { amountInCents: 100 + index }])),
  });
  for (const [index, id] of ids.entries()) assert.equal((await offer(id)).offer.amountInCents, 100 + index);
});

test('an id that no store can keep is refused when it is signed', async () => {
  const { token } = await open();
  for (const id of ['', 'a'.repeat(199), 'a\0b', 'a\ud800']) {
    await assert.rejects(token(id), RangeError);
  }
});

test('a changed secret still takes the tokens of the one before', async () => {
  const old = await openWorld();
  const token = await old.token();
  await old.close();
  const { get } = await open({
    options: {
      orderSecret: ['another secret that is long enough', 'a secret of the tests that is long enough'],
    },
  });
  assert.equal((await get(`/orders/${token}`)).status, 200);
});

test('authorize decides by the request instead of a token', async () => {
  const { send } = await open({
    options: {
      orderSecret: [],
      authorize: (request, order) => request.headers.get('cookie') === 'session=1' && order === 'order-1',
    },
  });
  assert.equal((await send('/orders/order-1')).status, 404);
  const { status, offer } = await send('/orders/order-1', { headers: { cookie: 'session=1' } });
  assert.equal(status, 200);
  assert.equal(offer.amountInCents, 5_000_000);
});

test('authorize is asked only about ids that can be on the wire and in a store, and must say true itself', async () => {
  const asked: string[] = [];
  const longest = 'a'.repeat(198);
  const { get } = await open({
    work: false,
    orders: {
      'order-1': { amountInCents: 100 },
      'order-2': { amountInCents: 100 },
      [longest]: { amountInCents: 100 },
    },
    options: {
      orderSecret: [],
      authorize(_request, order) {
        asked.push(order);
        return (order === 'order-2' ? 'yes' : true) as boolean;
      },
    },
  });
  for (const [order, status] of [
    ['order-1', 200],
    [longest, 200],
    ['order-2', 404],
  ] as const)
    assert.equal((await get(`/orders/${order}`)).status, status);
  assert.deepEqual(asked.splice(0), ['order-1', longest, 'order-2']);
  for (const order of [`${longest}a`, 'a b', 'a"b', 'ñandú', '<order-1>', 'a\u0000'])
    assert.equal((await get(`/orders/${encodeURIComponent(order)}`)).status, 404, order);
  assert.deepEqual(asked, []);
});

test('pages of other origins cannot post, and allowed ones can read the answer', async () => {
  const other = 'https://other.test';
  const { startBreb, send, get } = await open({ options: { allowedOrigins: [other] } });
  for (const origin of ['https://evil.test', 'null', `${other}.evil.test`, 'http://shop.test']) {
    const refused = await startBreb({}, 'order-1', { origin });
    assert.equal(refused.problem.code, 'origin_not_allowed', origin);
    assert.equal(refused.headers.get('access-control-allow-origin'), null);
    assert.equal(refused.headers.get('vary'), 'origin', 'another origin is answered otherwise');
  }
  const allowed = await startBreb({}, 'order-1', { origin: other });
  assert.equal(allowed.status, 201);
  assert.equal(allowed.headers.get('access-control-allow-origin'), other);
  assert.equal(allowed.headers.get('vary'), 'origin');
  const preflight = (origin: string) =>
    send('/payins', {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'idempotency-key',
      },
    });
  assert.equal((await preflight(other)).headers.get('access-control-allow-methods'), 'GET, POST');
  assert.equal((await preflight(other)).headers.get('access-control-allow-headers'), 'idempotency-key');
  assert.equal((await preflight('https://evil.test')).headers.get('access-control-allow-methods'), null);
  const plain = await get(`/payins/${allowed.attempt.id}`);
  assert.equal(plain.headers.get('access-control-allow-origin'), null);
  assert.equal(plain.headers.get('vary'), 'origin');
});

test('a post of another site is refused without an origin too; a program sends neither', async () => {
  const { send, token } = await open();
  const body = { order: await token(), callbackUrl: SHOP, rail: 'BRE_B', breb: { keyType: 'QR_CODE' } };
  const post = (headers: Record<string, string>) =>
    send('/payins', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'a-key-without-origin', ...headers },
      body: JSON.stringify(body),
    });
  const refused = await post({ 'sec-fetch-site': 'cross-site' });
  assert.equal(refused.status, 403);
  assert.equal(refused.problem.code, 'origin_not_allowed');
  assert.equal((await post({})).status, 201);
});

test('behind a proxy that ends TLS the page’s own origin is the public one', async () => {
  const { checkouts, token } = await open();
  const request = new Request('http://10.0.0.7:8080/checkout/payins', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: SHOP, 'idempotency-key': 'a-key-behind-a-proxy' },
    body: JSON.stringify({
      order: await token(),
      callbackUrl: SHOP,
      rail: 'BRE_B',
      breb: { keyType: 'QR_CODE' },
    }),
  });
  assert.equal((await checkouts[0]?.fetch(request))?.status, 201);
});

test('payers are sent back only to allowed addresses', async () => {
  const { startBreb } = await open({
    options: { allowedReturnUrls: ['https://shop.test/pagos', 'https://app.test'] },
  });
  for (const callbackUrl of [
    'https://shop.test/otro',
    'https://shop.test/pagos-falsos',
    'https://shop.test/pagos/../otro',
    'https://shop.test/pagos/%2e%2e/otro',
    'http://shop.test/pagos',
    'https://shop.test@evil.test/pagos',
    'https://app.test.evil.test/',
    'https://evil.test/?https://app.test',
  ]) {
    assert.equal((await startBreb({ callbackUrl })).problem.code, 'return_url_not_allowed', callbackUrl);
  }
  assert.equal((await startBreb({ callbackUrl: 'https://shop.test/pagos/fin?x=1' })).status, 201);
});

test('without a list, payers are sent back to the checkout’s own origin and to those that may use it', async () => {
  const { startBreb } = await open({ options: { allowedOrigins: ['https://app.test'] } });
  const refused = await startBreb({ callbackUrl: 'https://evil.test/' });
  assert.equal(refused.problem.code, 'return_url_not_allowed');
  for (const callbackUrl of [`${SHOP}/fin`, 'https://app.test/fin']) {
    assert.equal((await startBreb({ callbackUrl })).status < 300, true, callbackUrl);
  }
});

test('bodies are JSON, and no larger than they need to be, whatever length they claim', async () => {
  const { send, token } = await open();
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'a-key-for-large-bodies' };
  const form = await send('/payins', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'text/plain' },
    body: '{}',
  });
  assert.equal(form.problem.code, 'unsupported_media_type');
  const large = await send('/payins', {
    method: 'POST',
    headers,
    body: JSON.stringify({ order: 'x'.repeat(20_000) }),
  });
  assert.equal(large.problem.code, 'payload_too_large');
  let pulled = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(4_096).fill(32));
    },
  });
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body: endless, duplex: 'half' };
  assert.equal((await send('/payins', init)).problem.code, 'payload_too_large');
  assert.ok(pulled < 10, `${pulled} pieces were read`);
  const missing = await send('/payins', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      order: await token(),
      callbackUrl: SHOP,
      rail: 'BRE_B',
      breb: { keyType: 'QR_CODE' },
    }),
  });
  assert.equal(missing.problem.code, 'idempotency_key_missing');
});

test('creating is limited per order, per client over all instances, and overall, with Retry-After', async () => {
  const orders = Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [`o${index}`, { amountInCents: 100 }]),
  );
  const limited = async (rateLimits: object, instances: number, order: (index: number) => string) => {
    const { startBreb, close } = await openWorld({
      orders,
      instances,
      options: {
        rateLimits: { createsPerOrder: 1_000, createsPerClient: 1_000, createsOverall: 1_000, ...rateLimits },
        clientAddress: (request) => request.headers.get('x-real-ip') ?? undefined,
      },
    });
    const codes: (string | undefined)[] = [];
    for (let index = 0; index < 5; index++) {
      const { problem, headers, status } = await startBreb({}, order(index), { 'x-real-ip': '203.0.113.7' });
      codes.push(status === 429 ? problem.code : undefined);
      if (status === 429) assert.ok(Number(headers.get('retry-after')) >= 1);
    }
    await close();
    return codes;
  };
  const expected = [undefined, undefined, undefined, 'rate_limited', 'rate_limited'];
  assert.deepEqual(await limited({ createsPerOrder: 3 }, 1, () => 'o0'), expected);
  assert.deepEqual(await limited({ createsPerClient: 3 }, 2, (index) => `o${index}`), expected);
  assert.deepEqual(await limited({ createsOverall: 3 }, 1, (index) => `o${index}`), expected);
});

test('status reads are limited per attempt, and recover', async () => {
  const { startBreb, get, pass } = await open({ options: { rateLimits: { readsPerAttempt: 5 } } });
  const { attempt } = await startBreb();
  for (let index = 0; index < 5; index++) assert.equal((await get(`/payins/${attempt.id}`)).status, 200);
  const refused = await get(`/payins/${attempt.id}`);
  assert.equal(refused.problem.code, 'rate_limited');
  await pass(Number(refused.headers.get('retry-after')) * 1_000);
  assert.equal((await get(`/payins/${attempt.id}`)).status, 200);
});

test('nothing is cached, and nothing is sniffed', async () => {
  const { startBreb, get, offer, webhook } = await open();
  const { attempt } = await startBreb();
  for (const { headers } of [
    await get(`/payins/${attempt.id}`),
    await offer(),
    await get('/x'),
    await webhook(''),
  ]) {
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
  }
});

test('a method an address does not take is 405 and says which it takes', async () => {
  const { send } = await open();
  const answer = await send('/payins', { method: 'DELETE' });
  assert.equal(answer.status, 405);
  assert.equal(answer.problem.code, 'method_not_allowed');
  assert.equal(answer.headers.get('allow'), 'POST');
});

test('a fault of the merchant’s own code is a plain 500 that says nothing', async () => {
  const { offer, logged } = await open({
    options: {
      findOrder() {
        throw new Error('password=hunter2');
      },
    },
  });
  const answer = await offer();
  assert.equal(answer.status, 500);
  assert.equal(answer.problem.code, 'internal_error');
  assert.doesNotMatch(answer.text + JSON.stringify(logged), /hunter2/);
});

test('an order that cannot be offered is the merchant’s fault, and says which field', async () => {
  const errors: unknown[] = [];
  const { offer } = await open({
    orders: { 'order-1': { amountInCents: 10.5 } },
    options: { log: (_entry, error) => errors.push(error) },
  });
  assert.equal((await offer()).status, 500);
  assert.match(String(errors[0]), /amountInCents: wrong_type/);
});

test('a store that cannot be opened is 503, and is tried again', async () => {
  const store = memoryStore();
  const migrate = store.migrate.bind(store);
  let down = true;
  store.migrate = () => (down ? Promise.reject(new Error('down')) : migrate());
  const { offer } = await open({ store, work: false });
  assert.equal((await offer()).problem.code, 'store_unavailable');
  down = false;
  assert.equal((await offer()).status, 200);
});

test('the paths are relative to where it is mounted', async () => {
  const { checkouts, token } = await open();
  const outside = await checkouts[0]?.fetch(new Request(`${SHOP}/orders/${await token()}`));
  assert.equal(outside?.status, 404);
  assert.equal((await checkouts[0]?.fetch(new Request(`${BACKEND}/orders/${await token()}`)))?.status, 200);
});
