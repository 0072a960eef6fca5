import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { BACKEND, openWorld, SHOP, type World, type WorldOptions } from '../world.js';

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld(options));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

/** As Node's adapter passes the peer: here the proxy, which is the same for everybody. */
const THROUGH_PROXY = { incoming: { socket: { remoteAddress: '10.0.0.1' } } };
const ORDERS = Object.fromEntries(
  Array.from({ length: 80 }, (_, index) => [`order-${index}`, { amountInCents: 5_000_000 }]),
);

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
        breb: { keyType: 'QR_CODE' },
      }),
    }),
    THROUGH_PROXY,
  );
  return response?.status ?? 0;
}

const DEFAULTS = { rateLimits: {} } as const;

test('behind a proxy a stranger without a valid token stops nobody who has one', async () => {
  const opened = await open({ orders: ORDERS, options: DEFAULTS });
  const strangers = await Promise.all(
    Array.from({ length: 300 }, (_, index) => create(opened, `guess-${index}`, '203.0.113.9')),
  );
  assert.deepEqual([...new Set(strangers)].sort(), [404, 429], 'bounded, apart from the payers');
  assert.equal(await create(opened, await opened.token('order-0'), '198.51.100.4'), 201);
});

test('behind a proxy that nobody named, payers of many orders are not counted as one client', async () => {
  const opened = await open({ orders: ORDERS, options: DEFAULTS });
  for (let index = 0; index < 65; index++) {
    assert.equal(await create(opened, await opened.token(`order-${index}`), `198.51.100.${index}`), 201);
  }
  const warnings = opened.logged.filter(({ event }) => event === 'client_address_unset');
  assert.equal(warnings.length, 1, 'one warning, not one for each payer');
  assert.match(warnings[0]?.message ?? '', /clientAddress/);
});

test('behind a proxy that nobody named, those who look at offers are not counted as one client either', async () => {
  const opened = await open({ orders: ORDERS, options: { rateLimits: { offersPerClient: 2 } } });
  const look = async (order: string, client: string) => {
    const address = `${BACKEND}/orders/${await opened.token(order)}`;
    const request = new Request(address, { headers: { 'x-forwarded-for': client } });
    return (await opened.checkouts[0]?.fetch(request, THROUGH_PROXY))?.status;
  };
  for (let index = 0; index < 5; index++)
    assert.equal(await look(`order-${index}`, `198.51.100.${index}`), 200);
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
  const buckets: string[] = [];
  const opened = await open({
    options: { rateLimits: {}, clientAddress: () => '198.51.100.4' },
  });
  const hit = opened.store.hit.bind(opened.store);
  opened.store.hit = (bucket, windowMs, now) => {
    buckets.push(bucket);
    return hit(bucket, windowMs, now);
  };
  await create(opened, await opened.token(), '');
  const bytes = new Uint8Array(
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode('198.51.100.4')),
  );
  const plain = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .slice(0, 22);
  assert.ok(buckets.some((bucket) => bucket.startsWith('cc:')));
  assert.ok(!buckets.join().includes(plain) && !buckets.join().includes('198.51.100.4'));
});
