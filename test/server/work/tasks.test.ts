import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import {
  asksForPayins,
  checkoutOf,
  emptyPage,
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

test('a payment whose order the merchant no longer knows is held against the price it was started for', async () => {
  const { startBreb, engine, payinOf, orders, pass, told } = await open();
  const { attempt } = await startBreb();
  orders.delete('order-1');
  engine.settle(payinOf(attempt.reference).id, 'CONFIRMED', { confirmedAmountInCents: 4_000_000 });
  await pass(2_000);
  assert.deepEqual(
    told.map(({ hook, orderAmountInCents, paidInCents }) => [hook, orderAmountInCents, paidInCents]),
    [['onAmountMismatch', 5_000_000, 4_000_000]],
  );
});

test('the merchant is asked for the price of an order when it was paid, not at every read', async () => {
  let asked = 0;
  const { startBreb, engine, payinOf, pass, requests } = await open({
    sandbox: { webhooks: [] },
    options: {
      findOrder: () => {
        asked += 1;
        return { amountInCents: 5_000_000 };
      },
    },
  });
  const { attempt } = await startBreb();
  asked = 0;
  await pass(60_000);
  assert.ok(requests.includes(`GET /payins/${payinOf(attempt.reference).id}`), 'it was read');
  assert.equal(asked, 0);
  engine.settle(payinOf(attempt.reference).id, 'CONFIRMED');
  await pass(60_000);
  assert.equal(asked, 1);
});

test('a price that is no amount of money confirms nothing, and is an error in the log', async () => {
  let amountInCents: unknown = 5_000_000;
  const { startBreb, engine, payinOf, pass, told, logged } = await open({
    options: { findOrder: () => ({ amountInCents: amountInCents as number }) },
  });
  const { attempt } = await startBreb();
  amountInCents = '5000000';
  engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
  await pass(2_000);
  assert.deepEqual(told, []);
  assert.deepEqual(
    logged.find(({ event }) => event === 'find_order_failed'),
    { level: 'error', event: 'find_order_failed', reference: attempt.reference, code: 'TypeError' },
  );
  amountInCents = 5_000_000;
  await pass(60_000);
  assert.deepEqual(
    told.map(({ hook }) => hook),
    ['onConfirmed'],
  );
});

for (const [what, event, isUnclear] of [
  ['read', 'read_failed', false],
  ['search in the list', 'lookup_failed', true],
] as const) {
  test(`a ${what} that fails is a warning with its reference and the reason`, async () => {
    const { startBreb, engine, pass, logged } = await open({
      sandbox: { webhooks: [] },
      network: async (request, next) =>
        request.method === 'GET' ? new Response(null, { status: 404 }) : next(request),
    });
    if (isUnclear) engine.armMishap('error-after-work', 1);
    const { attempt } = await startBreb();
    await pass(15_000);
    const entry = logged.find((each) => each.event === event);
    assert.ok(entry?.message);
    const { message, ...facts } = entry;
    assert.deepEqual(facts, { level: 'warn', event, reference: attempt.reference, code: 'not_found' });
  });
}

test('a payment that cannot be read is asked for a few times a minute, and never left', async () => {
  const { startBreb, pass, requests } = await open({
    sandbox: { webhooks: [] },
    network: async (request, next) =>
      request.method === 'GET' ? new Response(null, { status: 404 }) : next(request),
  });
  await startBreb();
  const reads: number[] = [];
  for (let minute = 0; minute < 5; minute++) {
    const before = requests.length;
    await pass(60_000);
    reads.push(requests.length - before);
  }
  assert.ok(
    reads.every((count) => count >= 1 && count <= 4),
    reads.join(),
  );
});

test('a service that takes no more is not asked for other orders either before the time it named', async () => {
  let isBusy = false;
  const { startBreb, pass, logged } = await open({
    sandbox: { webhooks: [] },
    orders: { first: { amountInCents: 5_000_000 }, second: { amountInCents: 5_000_000 } },
    network: async (request, next) =>
      isBusy ? new Response(null, { status: 429, headers: { 'retry-after': '25' } }) : next(request),
  });
  await startBreb({}, 'first');
  await pass(3_000);
  await startBreb({}, 'second');
  isBusy = true;
  await pass(20_000);
  assert.equal(logged.filter(({ event }) => event === 'read_failed').length, 1);
});

test('looking for a payin whose creation is unclear counts as a read for each page', async () => {
  let pages = 0;
  const { startBreb, engine, settle, checkouts } = await open({
    work: false,
    network: async (request, next) => {
      if (!asksForPayins(request) || ++pages > 2)
        return next(new Request(request.url.split('?')[0]!, request));
      return emptyPage(`page-${pages}`);
    },
  });
  engine.armMishap('error-after-work', 1);
  engine.setMishap('webhooks-lost', true);
  const before = (await checkouts[0]?.status())?.reads.left ?? 0;
  assert.equal((await startBreb()).status, 202);
  await settle();
  assert.equal(pages, 3);
  assert.equal((await checkouts[0]?.status())?.reads.left, before - 3);
});

test('an event that named only the id of a payin is taken up when the payin is found', async () => {
  let hides = true;
  const { startBreb, engine, webhook, pass, told } = await open({
    sandbox: { webhooks: [] },
    network: async (request, next) => {
      if (!asksForPayins(request)) return next(request);
      if (hides) return emptyPage(null);
      // The list lags behind.
      const page = (await (await next(request)).json()) as { data: object[] };
      return Response.json({ ...page, data: page.data.map((payin) => ({ ...payin, status: 'PROCESSING' })) });
    },
  });
  engine.armMishap('error-after-work', 1);
  assert.equal((await startBreb()).status, 202);
  const [payin] = engine.payins;
  assert.ok(payin);
  engine.settle(payin.id, 'CONFIRMED');
  await webhook({ event: 'payin.confirmed', resource: 'payin', data: { id: payin.id, status: 'CONFIRMED' } });
  hides = false;
  await pass(5_000);
  assert.deepEqual(
    told.map(({ hook, reference }) => [hook, reference]),
    [['onConfirmed', payin.reference]],
  );
});

test('what this process has no hook for waits for one that has, and is no failure', async () => {
  const { startBreb, engine, payinOf, pass, checkouts, logged } = await open({
    options: { onDeclined: undefined } as object,
  });
  const { attempt } = await startBreb();
  engine.decide(payinOf(attempt.reference).id, 'DECLINED');
  await pass(2_000);
  const { notices, attempts } = (await checkouts[0]?.orders.show('order-1')) ?? {};
  assert.equal(attempts?.[0]?.status, 'DECLINED');
  assert.deepEqual(
    notices?.map(({ hook, tries, deliveredAt }) => [hook, tries, deliveredAt]),
    [['onDeclined', 0, null]],
  );
  assert.ok(!logged.some(({ level }) => level === 'error'));
});

test('a hook that fails is an error in the log that says which notice, how often and what kind', async () => {
  const { startBreb, engine, payinOf, pass, logged } = await open({
    options: {
      onConfirmed() {
        throw new TypeError('the shop is closed');
      },
    },
  });
  const { attempt } = await startBreb();
  engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
  await pass(3_000);
  const failure = {
    level: 'error',
    event: 'hook_failed',
    hook: 'onConfirmed',
    detail: `confirmed.${attempt.reference}`,
    code: 'TypeError',
  };
  assert.deepEqual(logged.filter(({ event }) => event === 'hook_failed').slice(0, 2), [
    { ...failure, tries: 1 },
    { ...failure, tries: 2 },
  ]);
});

test('a read that gets no answer is given up after five seconds and repeated within two more', async () => {
  let isSilent = true;
  const { startBreb, engine, payinOf, pass, told } = await open({
    network: (request, next) => {
      if (!isSilent || request.method !== 'GET') return next(request);
      isSilent = false;
      return new Promise(() => undefined);
    },
  });
  const { attempt } = await startBreb();
  engine.settle(payinOf(attempt.reference).id, 'CONFIRMED');
  await pass(0);
  assert.equal(isSilent, false, 'the event made the kit ask');
  await pass(4_999);
  assert.deepEqual(told, []);
  await pass(2_001);
  assert.deepEqual(
    told.map(({ hook }) => hook),
    ['onConfirmed'],
  );
});

test('a search that gets no answer is given up in time to find the payin by another', async () => {
  let isSilent = true;
  const { startBreb, engine, pass, get } = await open({
    sandbox: { webhooks: [] },
    network: (request, next) => {
      if (!isSilent || !asksForPayins(request)) return next(request);
      isSilent = false;
      return new Promise(() => undefined);
    },
  });
  engine.armMishap('error-after-work', 1);
  const { attempt } = await startBreb();
  await pass(14_000);
  assert.notEqual((await get(`/payins/${attempt.id}`)).attempt.sourceData, null);
  assert.equal(engine.payins.length, 1);
});

test('the price of an order is not asked for where the merchant has none: a link that a person made is paid all the same', async () => {
  const asked: string[] = [];
  const opened = await open({
    options: {
      findOrder(id) {
        asked.push(id);
        throw new Error('the shop knows no such order');
      },
    },
  });
  const { links } = checkoutOf(opened);
  const { id } = await links.create({ amountInCents: 500_000, callbackUrl: `${SHOP}/gracias` });
  const [made] = opened.engine.links;
  assert.ok(made);
  const payin = opened.engine.payLink(made.id, { rail: 'BRE_B', keyType: 'QR_CODE' });
  opened.engine.settle(payin.id, 'CONFIRMED');
  await opened.pass(60_000);
  const paid = await links.find(id);
  assert.deepEqual([paid?.state, paid?.paidInCents, asked], ['COMPLETED', 500_000, []]);
  assert.ok(!opened.logged.some(({ event }) => event === 'find_order_failed'));
});

test('a chargeback of a payment is recorded when the merchant has filed its order away', async () => {
  let isFiled = false;
  const { startBreb, engine, payinOf, passByTicks, told } = await open({
    work: false,
    options: {
      findOrder() {
        if (isFiled) throw new Error('the order is in the archive');
        return { amountInCents: 5_000_000 };
      },
    },
  });
  const { attempt } = await startBreb();
  engine.settle(payinOf(attempt.reference).id, 'CONFIRMED');
  await passByTicks(4_000, 2_000);
  isFiled = true;
  engine.chargeBack(payinOf(attempt.reference).id);
  await passByTicks(2 * 86_400_000, 3_600_000);
  assert.deepEqual(
    told.map(({ hook }) => hook),
    ['onConfirmed', 'onChargeback'],
  );
});

test('a link whose list goes on and does not say where is not over', async () => {
  const { startLink, passByTicks, get, logged } = await open({
    work: false,
    network: async (request, next) => {
      const answer = await next(request);
      if (!asksForPayins(request)) return answer;
      const { data } = (await answer.json()) as { data: readonly object[] };
      const pageInfo = { hasNext: true, nextCursor: null, hasPrevious: false, previousCursor: null };
      return Response.json({ data, pageInfo });
    },
  });
  const { link } = await startLink();
  await passByTicks(70 * 60_000, 60_000);
  assert.equal((await get(`/payment-links/${link.id}`)).link.status, 'PENDING');
  const failures = logged.filter(({ event }) => event === 'read_failed');
  assert.ok(failures.length > 0 && failures.every(({ code }) => code === 'unreadable_answer'));
});
