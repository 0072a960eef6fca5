import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { memoryStore } from '../../../src/server.js';
import { CUSTOMER, openWorld, SHOP, type World, type WorldOptions } from '../world.js';

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld(options));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

test('the service is asked for exactly what the payer chose, for the order’s price', async () => {
  const bodies: { reference: string; callbackUrl: string }[] = [];
  const { startBreb, startPse, startLink } = await open({
    work: false,
    orders: Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e', 'f', 'known', 'known-link'].map((id) => [
        id,
        { amountInCents: 500_000, ...(id.startsWith('known') && { customer: CUSTOMER }) },
      ]),
    ),
    network: async (request, next) => {
      if (request.method === 'POST') bodies.push((await request.clone().json()) as (typeof bodies)[number]);
      return next(request);
    },
  });
  const money = { amountInCents: 500_000, currency: 'COP' };
  const link = { amountType: 'FIXED', amountInCents: 500_000 };
  const breb = { ...money, rail: 'BRE_B', breb: { keyType: 'QR_CODE' } };
  const pse = { ...money, rail: 'PSE', pse: { bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' } };
  const company = {
    pse: { bank: 'CO_BBVA', personType: 'BUSINESS' },
    inlineCustomer: { ...CUSTOMER, idType: 'CO_NIT', idNumber: '900123456' },
  } as const;
  const cases = [
    [await startBreb({}, 'a'), breb],
    [await startBreb({}, 'known'), { ...breb, inlineCustomer: CUSTOMER }],
    [await startPse({}, 'b'), { ...pse, inlineCustomer: CUSTOMER }],
    [await startPse(company, 'f'), { ...money, rail: 'PSE', ...company }],
    [await startLink({}, 'c'), link],
    [await startLink({ rail: 'BRE_B' }, 'd'), { ...link, rail: 'BRE_B' }],
    [
      await startLink({ rail: 'PSE', pse: { bank: 'CO_BBVA' } }, 'e'),
      { ...link, rail: 'PSE', pse: { bank: 'CO_BBVA' } },
    ],
    [await startLink({}, 'known-link'), { ...link, inlineCustomer: CUSTOMER }],
  ] as const;
  assert.equal(bodies.length, cases.length);
  for (const [index, [{ status, attempt }, expected]] of cases.entries()) {
    assert.equal(status, 201);
    const { reference, callbackUrl, ...asked } = bodies[index] ?? { reference: '', callbackUrl: '' };
    assert.equal(reference, attempt.reference);
    assert.ok(callbackUrl.startsWith(`${SHOP}/gracias?`), callbackUrl);
    assert.deepEqual(asked, expected);
  }
});

test('a payin that could not be made is a warning with its reference and the service’s reason', async () => {
  const { startBreb, logged } = await open({
    work: false,
    network: async () => Response.json({ code: 'AMOUNT_NOT_ALLOWED' }, { status: 400 }),
  });
  const { problem } = await startBreb();
  const entry = logged.find(({ event }) => event === 'create_failed');
  assert.ok(entry?.message);
  const { message, ...facts } = entry;
  assert.deepEqual(facts, {
    level: 'warn',
    event: 'create_failed',
    reference: problem.attempt?.reference,
    code: 'invalid_input',
  });
});

test('an answer with the id of another order’s payment is never shown, and reported', async () => {
  let taken = '';
  const { startBreb, payinOf, settle, told, get, checkouts } = await open({
    orders: { a: { amountInCents: 500_000 }, b: { amountInCents: 500_000 } },
    network: async (request, next) => {
      const answer = await next(request);
      if (request.method !== 'POST' || taken === '') return answer;
      return Response.json({ ...((await answer.json()) as object), id: taken }, { status: 201 });
    },
  });
  const first = (await startBreb({}, 'a')).attempt;
  taken = payinOf(first.reference).id;
  const { problem } = await startBreb({}, 'b');
  assert.equal(problem.code, 'service_unavailable');
  assert.equal(problem.attempt?.kind === 'PAYIN' && problem.attempt.sourceData, null);
  await settle();
  assert.deepEqual(
    told.map(({ hook, order, report, detail }) => [hook, order, report, detail]),
    [
      ['onReport', 'b', 'quarantined', 'id'],
      ['onCanceled', 'b', undefined, undefined],
    ],
  );
  assert.equal((await get(`/payins/${first.id}`)).attempt.status, 'PROCESSING');
  assert.equal(await checkouts[0]?.orders.find(taken), 'a');
});

test('an answer that could not be stored is found again, and nothing is reported', async () => {
  const store = memoryStore();
  const { startBreb, engine, pass, get, token, offer, told } = await open({
    store,
    sandbox: { webhooks: [] },
    network: async (request, next) => {
      const answer = await next(request);
      if (request.method === 'POST') isFull = true;
      return answer;
    },
  });
  let isFull = false;
  const update = store.update.bind(store);
  store.update = (...given) => {
    if (!isFull) return update(...given);
    isFull = false;
    return Promise.reject(new Error('the disk is full'));
  };
  assert.equal((await startBreb()).status, 503);
  await pass(30_000);
  const { attempt } = (await offer()).offer;
  assert.equal(attempt?.order, await token());
  assert.notEqual((await get(`/payins/${attempt?.id}`)).attempt.sourceData, null);
  assert.equal(engine.payins.length, 1);
  assert.deepEqual(told, []);
});

/** A service behind a slow line. */
const slowly = (delayMs: number, work: () => Promise<Response>, clock: World['clock']) =>
  new Promise<void>((resolve) => clock.setTimer(delayMs, resolve)).then(work);

test('all tries of a creation together end when its time is up', async () => {
  let posts = 0;
  const { startBreb, pass, settle, clock } = await open({
    work: false,
    options: { createTimeoutMs: 2_000 },
    network: (request, next) => {
      if (request.method !== 'POST') return next(request);
      posts += 1;
      const cause = Object.assign(new Error(), { code: 'ECONNREFUSED', syscall: 'connect' });
      return slowly(1_500, () => Promise.reject(new TypeError('fetch failed', { cause })), clock);
    },
  });
  let status: number | undefined;
  void startBreb().then((answer) => {
    status = answer.status;
  });
  await settle();
  await pass(1_999);
  assert.deepEqual([posts, status], [2, undefined], 'it was tried again');
  await pass(1);
  assert.equal(status, 202);
});

test('a creation may take as long as the merchant allows', async () => {
  const { startBreb, pass, settle, clock } = await open({
    work: false,
    options: { createTimeoutMs: 60_000 },
    network: (request, next) =>
      request.method === 'POST' ? slowly(59_000, () => next(request), clock) : next(request),
  });
  const starting = startBreb();
  await settle();
  await pass(59_000);
  assert.equal((await starting).status, 201);
});
