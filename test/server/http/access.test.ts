import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { orderTokens } from '../../../src/server/order-tokens.js';
import { crowdOf, KEY_ONLY, openWorld, SHOP, type World, type WorldOptions } from '../world.js';

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld(options));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

test('orders are seen only with a token that was signed here', async () => {
  const { get, token, offer, checkouts, clock } = await open({
    orders: { 'order-1': { amountInCents: 100 }, 'order-2': { amountInCents: 200 } },
  });
  assert.equal((await offer()).status, 200);
  const [first, second] = [await token('order-1'), await token('order-2')];
  const [name, day] = first.split('.');
  const [, , signature] = second.split('.');
  const { sign } = orderTokens(['another secret that is long enough'], () => clock.now(), null);
  for (const forged of ['order-1', `${name}.${day}.${signature}`, await sign('order-1'), `${first}=`]) {
    assert.equal((await get(`/orders/${encodeURIComponent(forged)}`)).status, 404, forged);
    assert.equal(await checkouts[0]?.orderOf(forged), null, 'nor by a page of the shop');
  }
  assert.equal(await checkouts[0]?.orderOf(first), 'order-1');
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

test('a body without an end is not read beyond its limit', async () => {
  const { send } = await open();
  let pulled = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(4_096).fill(32));
    },
  });
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'a-key-for-large-bodies' };
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body: endless, duplex: 'half' };
  assert.equal((await send('/payins', init)).problem.code, 'payload_too_large');
  assert.ok(pulled < 10, `${pulled} pieces were read`);
});

test('nothing is created without an idempotency key', async () => {
  const { startBreb, engine } = await open();
  for (const key of ['', 'short']) {
    const { problem } = await startBreb({}, 'order-1', { 'idempotency-key': key });
    assert.equal(problem.code, 'idempotency_key_missing', key);
  }
  assert.equal(engine.payins.length, 0);
});

test('creates are counted for one order, for one client on all instances, and for all together', async () => {
  for (const [limit, instances, calls, other] of [
    ['createsPerOrder', 1, ['0 a', '0 b', '0 c'], '1 a'],
    ['createsPerClient', 2, ['0 a', '1 a', '2 a'], '0 b'],
    ['createsOverall', 1, ['0 a', '1 b', '2 c'], undefined],
  ] as const) {
    const opened = await open({
      orders: crowdOf(3),
      instances,
      options: {
        rateLimits: { createsPerOrder: 9, createsPerClient: 9, createsOverall: 9, [limit]: 2 },
        clientAddress: (request) => request.headers.get('x-real-ip') ?? undefined,
      },
    });
    const isTaken = async (call: string) => {
      const [order, client = ''] = call.split(' ');
      return (await opened.startBreb(KEY_ONLY, `order-${order}`, { 'x-real-ip': client })).status < 300;
    };
    const taken: boolean[] = [];
    for (const call of calls) taken.push(await isTaken(call));
    assert.deepEqual(taken, [true, true, false], limit);
    if (other !== undefined) assert.ok(await isTaken(other), `${limit} leaves others alone`);
    await opened.close();
  }
});

test('reads are counted for each attempt by itself', async () => {
  const { startBreb, get } = await open({
    orders: crowdOf(2),
    options: { rateLimits: { readsPerAttempt: 1 } },
  });
  const [one, other] = [
    (await startBreb(KEY_ONLY, 'order-0')).attempt,
    (await startBreb(KEY_ONLY, 'order-1')).attempt,
  ];
  assert.equal((await get(`/payins/${one.id}`)).status, 200);
  assert.equal((await get(`/payins/${one.id}`)).problem.code, 'rate_limited');
  assert.equal((await get(`/payins/${other.id}`)).status, 200);
});

test('nothing is cached, and nothing is sniffed', async () => {
  const { startBreb, get, offer, webhook } = await open();
  const created = await startBreb();
  const { attempt } = created;
  for (const { headers } of [
    created,
    await get(`/payins/${attempt.id}`),
    await offer(),
    await get('/x'),
    await webhook(''),
  ]) {
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
  }
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
