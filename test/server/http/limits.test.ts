import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import {
  type Answer,
  BACKEND,
  crowdOf,
  KEY_ONLY,
  openWorld,
  SHOP,
  type World,
  type WorldOptions,
} from '../world.js';

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld(options));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

/** As Node's adapter passes the peer: here the proxy, which is the same for everybody. */
const THROUGH_PROXY = { incoming: { socket: { remoteAddress: '10.0.0.1' } } };
const ORDERS = crowdOf(80);

async function create({ checkouts: [checkout] }: World, order: string, client: string): Promise<number> {
  const response = await checkout?.fetch(
    new Request(`${BACKEND}/payins`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: SHOP,
        'idempotency-key': crypto.randomUUID(),
        'x-forwarded-for': client,
      },
      body: JSON.stringify({
        order,
        callbackUrl: `${SHOP}/gracias`,
        rail: 'BRE_B',
        ...KEY_ONLY,
      }),
    }),
    THROUGH_PROXY,
  );
  return response?.status ?? 0;
}

const DEFAULTS = { rateLimits: {} } as const;

test('behind a proxy a stranger without a valid token stops no payer who has one', async () => {
  const opened = await open({ orders: ORDERS, options: DEFAULTS });
  const strangers = await Promise.all(
    Array.from({ length: 300 }, (_, index) => create(opened, `guess-${index}`, '203.0.113.9')),
  );
  assert.deepEqual([...new Set(strangers)].sort(), [404, 429], 'bounded, apart from the payers');
  assert.equal(await create(opened, await opened.token('order-0'), '198.51.100.4'), 201);
});

test('a forwarding header that no option trusts switches no limit off', async () => {
  const opened = await open({ orders: ORDERS, options: DEFAULTS });
  const statuses: number[] = [];
  for (let index = 0; index < 65; index++)
    statuses.push(await create(opened, await opened.token(`order-${index}`), `198.51.100.${index}`));
  assert.deepEqual([statuses.indexOf(429), statuses.at(-1)], [60, 429]);
  const warnings = opened.logged.filter(({ event }) => event === 'client_address_unset');
  assert.equal(warnings.length, 1, 'one warning, not one for each payer');
  assert.match(warnings[0]?.message ?? '', /trustedProxies or clientAddress/);
});

test('offers are counted by the peer too, whatever a forwarding header says', async () => {
  const opened = await open({ orders: ORDERS, options: { rateLimits: { offersPerClient: 2 } } });
  const look = async (order: string, client: string) => {
    const address = `${BACKEND}/orders/${await opened.token(order)}`;
    const request = new Request(address, { headers: { 'x-forwarded-for': client } });
    return (await opened.checkouts[0]?.fetch(request, THROUGH_PROXY))?.status;
  };
  const statuses = [];
  for (let index = 0; index < 3; index++) statuses.push(await look(`order-${index}`, `198.51.100.${index}`));
  assert.deepEqual(statuses, [200, 200, 429]);
});

test('a client is the address that the first of the trusted proxies was asked from', async () => {
  const asked = async (trustedProxies: number, ...forwarded: string[]) => {
    const opened = await open({
      orders: ORDERS,
      options: { rateLimits: { createsPerClient: 1 }, trustedProxies },
    });
    const statuses: number[] = [];
    for (const [index, each] of forwarded.entries())
      statuses.push(await create(opened, await opened.token(`order-${index}`), each));
    assert.deepEqual(
      opened.logged.filter(({ event }) => event === 'client_address_unset'),
      [],
    );
    await opened.close();
    return statuses;
  };
  assert.deepEqual(await asked(1, '198.51.100.4', '198.51.100.5'), [201, 201]);
  assert.deepEqual(await asked(1, '1.1.1.1, 198.51.100.4', '2.2.2.2,198.51.100.4'), [201, 429], 'forged');
  assert.deepEqual(await asked(2, '198.51.100.4, 10.0.0.2', '198.51.100.5, 10.0.0.2'), [201, 201]);
  assert.deepEqual(await asked(2, 'x, 198.51.100.4, 10.0.0.2', 'y, 198.51.100.4, 10.0.0.3'), [201, 429]);
  assert.deepEqual(await asked(2, '1.1.1.1', '2.2.2.2'), [201, 429], 'past a proxy: the peer counts');
  assert.deepEqual(await asked(0, '1.1.1.1', '2.2.2.2'), [201, 429]);
});

test('with clientAddress each client has its own limit', async () => {
  const opened = await open({
    orders: ORDERS,
    options: {
      rateLimits: { createsPerClient: 3 },
      clientAddress: (request) => request.headers.get('x-forwarded-for') ?? undefined,
    },
  });
  const statuses: number[] = [];
  for (let index = 0; index < 5; index++) {
    statuses.push(await create(opened, await opened.token(`order-${index}`), '198.51.100.4'));
  }
  assert.deepEqual(statuses, [201, 201, 201, 429, 429]);
  assert.equal(await create(opened, await opened.token('order-9'), '198.51.100.5'), 201);
  assert.ok(!opened.logged.some(({ event }) => event === 'client_address_unset'));
});

test('what is counted of an address says nothing without the secret', async () => {
  const bucketWith = async (orderSecret: string) => {
    const buckets: string[] = [];
    const opened = await open({
      options: { rateLimits: {}, clientAddress: () => '198.51.100.4', orderSecret },
    });
    const hit = opened.store.hit.bind(opened.store);
    opened.store.hit = (bucket, windowMs, now) => {
      buckets.push(bucket);
      return hit(bucket, windowMs, now);
    };
    await create(opened, await opened.token(), '');
    assert.ok(!buckets.join().includes('198.51.100.4'));
    return buckets.find((bucket) => bucket.startsWith('cc:'));
  };
  const [one, same, other] = ['1', '1', '2'].map((digit) => bucketWith(digit.repeat(32)));
  assert.ok(await one);
  assert.equal(await same, await one);
  assert.notEqual(await other, await one);
});

const CLIENT = '198.51.100.4';
const UNLIMITED = {
  createsPerOrder: Infinity,
  createsPerClient: Infinity,
  createsOverall: Infinity,
  offersPerClient: Infinity,
  refusedPerClient: Infinity,
  readsPerAttempt: Infinity,
};

for (const [limit, windowMs, ask] of [
  ['createsPerOrder', 60_000, ({ startBreb }) => startBreb()],
  ['createsPerClient', 60_000, ({ startBreb }) => startBreb()],
  ['createsOverall', 1_000, ({ startBreb }) => startBreb()],
  ['offersPerClient', 60_000, ({ offer }) => offer()],
  ['refusedPerClient', 60_000, ({ get }) => get('/orders/order-1')],
  ['readsPerAttempt', 10_000, ({ get }, { attempt }) => get(`/payins/${attempt.id}`)],
] as const satisfies [string, number, (world: World, made: Answer) => Promise<Answer>][]) {
  test(`${limit} holds for ${windowMs / 1_000} s, and Retry-After says to the second when they are over`, async () => {
    const opened = await open({
      work: false,
      options: { rateLimits: UNLIMITED, clientAddress: () => CLIENT },
    });
    const made = await opened.startBreb();
    await opened.close();
    const limited = await open({
      store: opened.store,
      work: false,
      options: { rateLimits: { ...UNLIMITED, [limit]: 2 }, clientAddress: () => CLIENT },
    });
    let at = 0;
    const waitAt = async (time: number) => {
      await limited.clock.advance(time - at);
      at = time;
      const { status, problem, headers } = await ask(limited, made);
      if (status === 429) assert.equal(problem.code, 'rate_limited');
      return status === 429 ? headers.get('retry-after') : null;
    };
    const seconds = windowMs / 1_000;
    assert.deepEqual([await waitAt(0), await waitAt(0), await waitAt(0)], [null, null, `${seconds}`]);
    if (seconds > 1) assert.equal(await waitAt(windowMs - 1_001), '2');
    assert.equal(await waitAt(windowMs - 1), '1');
    assert.deepEqual(
      [await waitAt(windowMs), await waitAt(windowMs), await waitAt(windowMs)],
      [null, null, `${seconds}`],
    );
  });
}

test('what is not limited is not counted', async () => {
  const opened = await open({ work: false, options: { rateLimits: UNLIMITED, clientAddress: () => CLIENT } });
  let hits = 0;
  opened.store.hit = async () => (hits += 1);
  assert.equal((await opened.startBreb()).status, 201);
  assert.equal((await opened.offer()).status, 200);
  assert.equal(hits, 0);
});

test('without a proxy a client is the address that the request comes from', async () => {
  const opened = await open({
    work: false,
    options: { rateLimits: { offersPerClient: 1 } },
  });
  const address = `${BACKEND}/orders/${await opened.token()}`;
  const look = async (env?: unknown) => (await opened.checkouts[0]?.fetch(new Request(address), env))?.status;
  const from = (remoteAddress: unknown) => ({ incoming: { socket: { remoteAddress } } });
  assert.deepEqual([await look(from(CLIENT)), await look(from(CLIENT))], [200, 429]);
  assert.equal(await look(from('198.51.100.5')), 200);
  // Unknown clients are not counted: all of them would be one.
  for (const unknown of [undefined, {}, { incoming: {} }, from(undefined), from(''), from(7)])
    assert.deepEqual([await look(unknown), await look(unknown)], [200, 200], JSON.stringify(unknown));
  assert.deepEqual(opened.logged, []);
});

test('a client that clientAddress does not know is not counted', async () => {
  for (const unknown of [undefined, '']) {
    const opened = await open({
      work: false,
      options: { rateLimits: { offersPerClient: 1 }, clientAddress: () => unknown },
    });
    assert.deepEqual([(await opened.offer()).status, (await opened.offer()).status], [200, 200]);
    await opened.close();
  }
});

test('a proxy that no option names is logged for the operator, with the header that shows it', async () => {
  const opened = await open({ work: false });
  const address = `${BACKEND}/orders/${await opened.token()}`;
  const headers = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip'];
  for (const header of headers) {
    const request = new Request(address, { headers: { [header]: CLIENT } });
    assert.equal((await opened.checkouts[0]?.fetch(request, THROUGH_PROXY))?.status, 200);
  }
  assert.deepEqual(
    opened.logged.map(({ level, event, code }) => [level, event, code]),
    headers.map((header) => ['warn', 'client_address_unset', header]),
  );
});

test('what is counted fits into any store, however long the order’s id is', async () => {
  const buckets: string[] = [];
  const longest = 'a'.repeat(198);
  const opened = await open({
    work: false,
    orders: { [longest]: { amountInCents: 100 } },
    options: { rateLimits: {}, clientAddress: () => 'a'.repeat(500) },
  });
  opened.store.hit = async (bucket) => buckets.push(bucket);
  assert.equal((await opened.startBreb({}, longest)).status, 201);
  assert.deepEqual(
    buckets.map((bucket) => bucket.slice(0, 2)),
    ['cc'],
  );
  for (const bucket of buckets) assert.ok(bucket.length <= 200, bucket);
});

test('a body is JSON of at most 16 KiB, and says so', async () => {
  const opened = await open({ work: false });
  const start = {
    order: await opened.token(),
    callbackUrl: SHOP,
    rail: 'BRE_B',
    breb: { keyType: 'QR_CODE' },
  };
  let keys = 0;
  const post = async (body: string, type?: string) => {
    const { status, problem } = await opened.send('/payins', {
      method: 'POST',
      headers: {
        'idempotency-key': `a-key-for-a-body-${++keys}`,
        ...(type !== undefined && { 'content-type': type }),
      },
      body: new TextEncoder().encode(body),
    });
    return status < 300 ? 'taken' : problem.code;
  };
  const text = JSON.stringify(start);
  for (const type of [
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json ;x',
  ])
    assert.equal(await post(text, type), 'taken', type);
  for (const type of [
    undefined,
    '',
    'text/json',
    'application/jsonx',
    'application/json-patch+json',
    'x application/json',
  ])
    assert.equal(await post(text, type), 'unsupported_media_type', type);
  assert.equal(await post(text.padEnd(16_384), 'application/json'), 'taken');
  assert.equal(await post(text.padEnd(16_385), 'application/json'), 'payload_too_large');
  assert.equal(await post(`${text}}`, 'application/json'), 'invalid_request');
});
