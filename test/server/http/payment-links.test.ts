import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { AttemptSchema } from '../../../src/contract/backend.js';
import { returnIdIn } from '../../../src/contract/return-id.js';
import { read } from '../../../src/contract/schema.js';
import { checkoutOf, CUSTOMER, openWorld, type World, type WorldOptions } from '../world.js';

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld(options));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const HOUR_MS = 3_600_000;

test('a payment link is an attempt with the address of the hosted page', async () => {
  const { startLink, engine } = await open();
  const { status, link } = await startLink({ rail: 'PSE', pse: { bank: 'CO_BBVA' } });
  assert.equal(status, 201);
  assert.ok(read(AttemptSchema, link).ok);
  assert.equal(link.kind, 'PAYMENT_LINK');
  assert.equal(link.status, 'PENDING');
  assert.match(link.paymentLinkUrl ?? '', /^https:\/\/service\.test\//);
  const [made] = engine.links;
  assert.equal(made?.bank, 'CO_BBVA');
  assert.equal(made?.amountInCents, 5_000_000);
  assert.equal(link.expiresAt, new Date(made?.expiresAtMs ?? 0).toISOString());
  assert.deepEqual(returnIdIn(made?.callbackUrl ?? ''), { kind: 'PAYMENT_LINK', id: link.id });
});

test('a bank is chosen for a link by PSE alone', async () => {
  const { startLink, engine } = await open();
  for (const rail of [{}, { rail: 'BRE_B' }]) {
    const { status, problem } = await startLink({ ...rail, pse: { bank: 'CO_BBVA' } });
    assert.deepEqual([status, problem.errors], [400, [{ field: 'pse', code: 'not_allowed' }]]);
  }
  assert.equal(engine.links.length, 0);
});

test('a link that was paid settles the order, once, whether or not its payin fires an event too', async () => {
  const { startLink, engine, pass, get, told, webhook, checkouts } = await open();
  const { link } = await startLink();
  const [made] = engine.links;
  assert.ok(made !== undefined);
  const payin = engine.payLink(made.id, { rail: 'BRE_B', keyType: 'QR_CODE', inlineCustomer: CUSTOMER });
  engine.decide(payin.id, 'CONFIRMED');
  await webhook({
    event: 'payin.confirmed',
    resource: 'payin',
    data: { id: payin.id, reference: payin.reference, status: 'CONFIRMED' },
  });
  await pass(5_000);
  const after = (await get(`/payment-links/${link.id}`)).link;
  assert.equal(after.status, 'COMPLETED');
  assert.deepEqual(after.settlement, { state: 'PAID', by: link.id, duplicate: false });
  assert.deepEqual(
    told.map(({ hook, confirmedAmountInCents }) => [hook, confirmedAmountInCents]),
    [['onConfirmed', 5_000_000]],
  );
  // The order shows its money once: with the payin, not with the link too.
  const [attempt] = (await checkouts[0]?.orders.show('order-1'))?.attempts ?? [];
  assert.deepEqual(
    attempt?.payments.map(({ kind, confirmedAmountInCents }) => [kind, confirmedAmountInCents]),
    [
      ['PAYMENT_LINK', null],
      ['PAYIN', 5_000_000],
    ],
  );
});

test('an event of a payin makes the kit read the link at once, and the link decides', async () => {
  const { startLink, engine, pass, get, told, webhook, requests } = await open();
  engine.setMishap('webhooks-lost', true);
  const { link } = await startLink();
  const before = requests.length;
  await webhook({
    event: 'payin.confirmed',
    resource: 'payin',
    data: { id: 'some-payin', reference: link.reference, status: 'CONFIRMED' },
  });
  await pass(0);
  assert.equal(requests[before], `GET /payment-links/${engine.links[0]?.id}`);
  await pass(2_000);
  assert.equal((await get(`/payment-links/${link.id}`)).link.status, 'PENDING');
  assert.deepEqual(told, []);
});

test('an expired link is notified, never reused, and makes room for another', async () => {
  const opened = await open({ work: false });
  const { startLink, engine, passByTicks, get, told } = opened;
  const first = (await startLink()).link;
  await passByTicks(HOUR_MS + 60_000, 30_000);
  assert.equal((await get(`/payment-links/${first.id}`)).link.status, 'EXPIRED');
  assert.deepEqual(
    told.map(({ hook, status }) => [hook, status]),
    [['onCanceled', 'EXPIRED']],
  );
  const second = await startLink();
  assert.equal(second.status, 201);
  assert.notEqual(second.link.paymentLinkUrl, first.paymentLinkUrl);
  assert.equal(engine.links.length, 2);
  const { find } = checkoutOf(opened).links;
  for (const { id, paymentLinkUrl } of [first, second.link]) {
    const shown = await find(id);
    assert.deepEqual([shown?.id, shown?.url], [id, paymentLinkUrl], 'the merchant finds each');
    assert.deepEqual(await find(shown?.serviceId ?? ''), shown, 'by either id');
  }
});

test('with its webhooks lost, a link is read within five seconds after it expired', async () => {
  const { startLink, engine, passByTicks, get } = await open({ work: false });
  engine.setMishap('webhooks-lost', true);
  const { link } = await startLink();
  await passByTicks(HOUR_MS + 5_000, 5_000);
  assert.equal((await get(`/payment-links/${link.id}`)).link.status, 'EXPIRED');
});

test('links and payins replace each other, and a second payment is a duplicate', async () => {
  const { startBreb, startLink, engine, payinOf, pass, told } = await open();
  const { attempt } = await startBreb();
  const inTheWay = await startLink();
  assert.equal(inTheWay.status, 200);
  assert.equal(inTheWay.attempt.id, attempt.id);
  const { link } = await startLink({ replaces: attempt.id });
  const [made] = engine.links;
  assert.ok(made !== undefined);
  engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
  await pass(2_000);
  engine.decide(engine.payLink(made.id, { rail: 'BRE_B', keyType: 'QR_CODE' }).id, 'CONFIRMED');
  await pass(2_000);
  assert.deepEqual(
    told.map(({ hook, attempt: id }) => [hook, id]),
    [
      ['onConfirmed', attempt.id],
      ['onDuplicatePayment', link.id],
    ],
  );
});

test('a link whose creation is unclear cannot be looked up: another is made, and the first stays unseen', async () => {
  const { startLink, engine, get, pass } = await open();
  engine.armMishap('error-after-work', 1);
  const unclear = await startLink();
  assert.equal(unclear.status, 202);
  assert.equal(unclear.link.paymentLinkUrl, null);
  await pass(2_000);
  const after = (await get(`/payment-links/${unclear.link.id}`)).link;
  assert.ok(after.paymentLinkUrl);
  assert.ok(after.reference && after.reference !== unclear.link.reference);
  assert.equal(engine.links.length, 2);
});

test('a link whose creation was unclear and that is paid all the same settles the order, its event lost', async () => {
  const { startLink, engine, pass, told } = await open();
  engine.setMishap('webhooks-lost', true);
  engine.armMishap('error-after-work', 1);
  assert.equal((await startLink()).status, 202);
  const [unseen] = engine.links;
  assert.ok(unseen !== undefined);
  const { id } = engine.payLink(unseen.id, { rail: 'BRE_B', keyType: 'QR_CODE' });
  engine.settle(id, 'CONFIRMED');
  await pass(90_000);
  const notices = told.map(({ hook, reference }) => [hook, reference]);
  assert.deepEqual(notices, [['onConfirmed', unseen.reference]]);
});

test('a link that was paid with another amount is a mismatch, not a paid order', async () => {
  const { startLink, engine, pass, get, told } = await open();
  const { link } = await startLink();
  const [made] = engine.links;
  const payin = engine.payLink(made?.id ?? '', { rail: 'BRE_B', keyType: 'QR_CODE' });
  engine.settle(payin.id, 'CONFIRMED', { confirmedAmountInCents: 1_000_000 });
  await pass(5_000);
  assert.deepEqual(
    told.map(({ hook, confirmedAmountInCents }) => [hook, confirmedAmountInCents]),
    [['onAmountMismatch', 1_000_000]],
  );
  assert.equal((await get(`/payment-links/${link.id}`)).link.settlement.state, 'AMOUNT_DIFFERS');
});

test('a link that calls itself completed is not paid while no payin of it is', async () => {
  const { startLink, pass, get, told, webhook } = await open({
    network: async (request, next) => {
      const answer = await next(request);
      const isLink = request.method === 'GET' && new URL(request.url).pathname.startsWith('/payment-links/');
      return isLink ? Response.json({ ...((await answer.json()) as object), status: 'COMPLETED' }) : answer;
    },
  });
  const { link } = await startLink();
  await webhook({
    event: 'paymentlink.completed',
    resource: 'paymentlink',
    data: { paymentLinkId: 'unknown', reference: link.reference, status: 'COMPLETED' },
  });
  await pass(5_000);
  assert.deepEqual(told, []);
  assert.equal((await get(`/payment-links/${link.id}`)).link.settlement.state, 'OPEN');
});

test('a link with another reference or amount than was asked for is never shown, and reported', async () => {
  for (const [other, detail] of [
    [{ reference: 'of-another-order' }, 'reference'],
    [{ amountInCents: 100 }, 'amount'],
  ] as const) {
    const { startLink, settle, told } = await open({
      network: async (request, next) => {
        const answer = await next(request);
        if (request.method !== 'POST') return answer;
        return Response.json({ ...((await answer.json()) as object), ...other }, { status: 201 });
      },
    });
    const { problem } = await startLink();
    assert.equal(problem.code, 'service_unavailable', detail);
    assert.equal(problem.attempt?.kind === 'PAYMENT_LINK' && problem.attempt.paymentLinkUrl, null, detail);
    await settle();
    assert.deepEqual(
      told.filter(({ hook }) => hook === 'onReport').map((each) => [each.report, each.detail]),
      [['quarantined', detail]],
    );
  }
});
