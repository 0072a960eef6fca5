import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { CUSTOMER } from '../world.js';
import { ALL_DAY, close, iso, open, START } from './reconcile-world.js';

/** Payins that a comparison finds at the service alone, and the orders that they are given to. */

afterEach(close);

const BREB = 'a-AP9GX8NJ-2222222A';
const PSE = 'b-S7YPE8XG-2222222B';
const BY_PSE = {
  rail: 'PSE',
  breb: undefined,
  pse: { bank: 'CO_BBVA', personType: 'INDIVIDUAL' },
  inlineCustomer: CUSTOMER,
};

test('a payin whose reference names an order is given to it, and a dry run only looks', async () => {
  const { checkout, results, payinElsewhere, offer, engine, told, clock, token } = await open();
  const made = payinElsewhere(BREB, { amountInCents: 500_000 });
  payinElsewhere(PSE, { amountInCents: 500_000, ...BY_PSE });
  await clock.advance(60_000);
  assert.deepEqual(await results({ dryRun: true }), [
    [PSE, 'unknown_order'],
    [BREB, 'unknown_order'],
  ]);
  assert.equal(await checkout.orders.show('a'), undefined);
  assert.deepEqual(await results(), [
    [PSE, 'adopted'],
    [BREB, 'adopted'],
  ]);
  const common = { kind: 'PAYIN', amountInCents: 500_000, createdAt: iso(START) };
  const seen = async (order: string) => {
    const { attempt } = (await offer(order)).offer;
    assert.ok(attempt?.kind === 'PAYIN');
    const { kind, status, amountInCents, createdAt, expiresAt, reference, rail, merchant } = attempt;
    assert.match(attempt.id, /^[\w-]{20,}$/);
    assert.equal(attempt.order, await token(order));
    assert.equal(merchant.name, 'Tienda');
    return { kind, status, amountInCents, createdAt, expiresAt, reference, rail };
  };
  assert.deepEqual(await seen('a'), {
    ...common,
    status: 'PROCESSING',
    expiresAt: iso(START + 15 * 60_000),
    reference: BREB,
    rail: 'BRE_B',
  });
  assert.deepEqual(await seen('b'), {
    ...common,
    status: 'PENDING',
    expiresAt: null,
    reference: PSE,
    rail: 'PSE',
  });
  engine.settle(made.id, 'CONFIRMED');
  assert.deepEqual(await results(), [
    [PSE, 'same'],
    [BREB, 'settled'],
  ]);
  assert.deepEqual(
    told.map(({ hook, order, orderAmountInCents }) => [hook, order, orderAmountInCents]),
    [['onConfirmed', 'a', 500_000]],
  );
});

test('a payin that was given to its order shows the key or the bank that the payer had chosen', async () => {
  const { checkout, payinElsewhere } = await open({
    // The merchant's own sign-in decides, so that orders go by their ids.
    options: { orderSecret: undefined, authorize: () => true } as object,
  });
  const asked = { amountInCents: 500_000 };
  payinElsewhere('a-AP9GX8NJ-2222222A', asked);
  payinElsewhere('b-S7YPE8XG-2222222B', { ...asked, breb: { keyType: 'SINGLE_USE' } });
  payinElsewhere('c-7Z6AVVPE-2222222C', { ...asked, ...BY_PSE });
  await checkout.reconcile(ALL_DAY);
  const shown = async (order: string) => {
    const { attempt } = (await checkout.offer(order)) ?? {};
    assert.ok(attempt?.kind === 'PAYIN' && attempt.sourceData !== null);
    const { sourceData } = attempt;
    return [attempt.order, 'keyType' in sourceData ? sourceData.keyType : sourceData.bank];
  };
  assert.deepEqual(await shown('a'), ['a', 'QR_CODE']);
  assert.deepEqual(await shown('b'), ['b', 'SINGLE_USE']);
  assert.deepEqual(await shown('c'), ['c', 'CO_BBVA']);
});

test('a payin is given to no order that the merchant does not know, nor when it is of a link or of another rail', async () => {
  const { checkout, results, payinElsewhere, engine } = await open({
    show: (page) => ({
      ...page,
      data: page.data.map((payin) => (payin.reference === PSE ? { ...payin, rail: 'CARD' } : payin)),
    }),
  });
  payinElsewhere(PSE);
  payinElsewhere('unheard-of-RY89N6P6-2222222C');
  const link = engine.createLink({
    amountType: 'FIXED',
    amountInCents: 500_000,
    reference: BREB,
    callbackUrl: 'https://shop.test/gracias',
  });
  engine.payLink(link.id, { rail: 'BRE_B', keyType: 'QR_CODE' });
  assert.deepEqual(await results(), [
    [BREB, 'unknown_order'],
    ['unheard-of-RY89N6P6-2222222C', 'unknown_order'],
    [PSE, 'unknown_order'],
  ]);
  for (const order of ['a', 'b', 'unheard-of']) assert.equal(await checkout.orders.show(order), undefined);
});

test('a payin that is listed without what the payer chose is given to its order all the same', async () => {
  const { results, payinElsewhere } = await open({
    show: (page) => ({ ...page, data: page.data.map((payin) => ({ ...payin, sourceData: null })) }),
  });
  payinElsewhere(BREB, { amountInCents: 500_000 });
  payinElsewhere(PSE, { amountInCents: 500_000, ...BY_PSE });
  assert.deepEqual(await results(), [
    [PSE, 'adopted'],
    [BREB, 'adopted'],
  ]);
});

test('a payin that was adopted without its amount has the price of its order', async () => {
  const { checkout, results, payinElsewhere, engine } = await open();
  engine.setMishap('amount-in-cents-omitted', true);
  payinElsewhere(BREB, { amountInCents: 500_000 });
  assert.deepEqual(await results(), [[BREB, 'adopted']]);
  assert.equal((await checkout.orders.show('a'))?.attempts[0]?.amountInCents, 500_000);
});

test('a payin is given only to the order that its reference proves, not to one that looks the same', async () => {
  const orders = { 'A/1': { amountInCents: 500_000 }, 'A-1': { amountInCents: 500_000 } };
  const { checkout, results, startBreb, payinElsewhere, payinOf, engine, told } = await open({ orders });
  const { reference } = (await startBreb({}, 'A/1')).attempt;
  engine.settle(payinOf(reference).id, 'CONFIRMED');
  // As after a restore from a backup: the store knows nothing of it.
  assert.equal(await checkout.orders.forget('A/1', { evenIfOpen: true }), 'forgotten');
  payinElsewhere('A-1-22222222222A', { amountInCents: 500_000 });
  assert.deepEqual(await results(), [
    ['A-1-22222222222A', 'unknown_order'],
    [reference, 'unknown_order'],
  ]);
  assert.equal(await checkout.orders.show('A-1'), undefined);
  assert.deepEqual(told, []);
});

test('a second payment under one reference does not hide behind the first: it is adopted and reported as a duplicate', async () => {
  const { checkout, startBreb, payinElsewhere, payinOf, engine, told, requests } = await open();
  const { reference } = (await startBreb({}, 'a')).attempt;
  const first = payinOf(reference);
  engine.settle(first.id, 'CONFIRMED');
  // The service has carried out the creation twice.
  engine.setMishap('repeated-references', true);
  const second = payinElsewhere(reference, { amountInCents: 500_000 });
  engine.settle(second.id, 'CONFIRMED');
  const run = async (options: object = {}) => {
    const { payments, theirsInCents, oursInCents } = await checkout.reconcile({ ...ALL_DAY, ...options });
    const byId = new Map(payments.map(({ serviceId, order, result }) => [serviceId, `${order} ${result}`]));
    return [byId.get(first.id), byId.get(second.id), theirsInCents, oursInCents];
  };
  assert.deepEqual(await run({ dryRun: true }), ['a differs', 'a differs', 1_000_000, 0]);
  const asked = requests.length;
  assert.deepEqual(await run(), ['a settled', 'a adopted', 1_000_000, 1_000_000]);
  assert.ok(requests.slice(asked).includes(`GET /payins/${second.id}`), 'it was read');
  assert.deepEqual(
    told.map(({ hook, reference: told }) => [hook, told]),
    [
      ['onConfirmed', reference],
      ['onDuplicatePayment', reference],
    ],
  );
  assert.deepEqual(await run(), ['a same', 'a same', 1_000_000, 1_000_000]);
  assert.deepEqual(
    (await checkout.orders.show('a'))?.review.map(({ kind }) => kind),
    ['duplicate'],
  );
});

test('a second payment is not taken for one whose creation was never answered', async () => {
  let isLost = true;
  const { checkout, startBreb, payinElsewhere, passByTicks, engine, told } = await open({
    async network(request, next) {
      if (!isLost || request.method !== 'POST') return next(request);
      isLost = false;
      throw new TypeError('fetch failed');
    },
  });
  await startBreb({}, 'a');
  await passByTicks(120_000, 1_000);
  const [first] = engine.payins;
  assert.ok(first, 'it was created again, under another reference');
  engine.setMishap('repeated-references', true);
  const second = payinElsewhere(first.reference, { amountInCents: 500_000 });
  for (const { id } of [first, second]) engine.settle(id, 'CONFIRMED');
  const { payments } = await checkout.reconcile(ALL_DAY);
  assert.deepEqual(
    payments.map(({ serviceId, result }) => [serviceId, result]).toSorted(),
    [
      [first.id, 'settled'],
      [second.id, 'adopted'],
    ].toSorted(),
  );
  assert.deepEqual(
    told.map(({ hook }) => hook),
    ['onConfirmed', 'onDuplicatePayment'],
  );
});

test('a payment under the reference of one that failed completes its order, and one that failed too is no difference', async () => {
  const { results, startBreb, payinElsewhere, payinOf, engine, told, get, checkout } = await open();
  const { reference, id } = (await startBreb({}, 'a')).attempt;
  engine.settle(payinOf(reference).id, 'DECLINED');
  assert.deepEqual(await results(), [[reference, 'settled']]);
  engine.setMishap('repeated-references', true);
  const failed = payinElsewhere(reference, { amountInCents: 500_000 });
  engine.settle(failed.id, 'DECLINED');
  assert.deepEqual(await results(), [
    [reference, 'same'],
    [reference, 'same'],
  ]);
  const paid = payinElsewhere(reference, { amountInCents: 500_000 });
  assert.deepEqual((await results())[0], [reference, 'adopted'], 'it is open, and watched from now on');
  engine.settle(paid.id, 'CONFIRMED');
  assert.deepEqual((await results())[0], [reference, 'settled']);
  assert.deepEqual(
    told.map(({ hook, order }) => [hook, order]),
    [
      ['onDeclined', 'a'],
      ['onConfirmed', 'a'],
    ],
  );
  const { attempt } = await get(`/payins/${id}`);
  assert.deepEqual(
    [attempt.status, attempt.reference, attempt.settlement.state],
    ['CONFIRMED', reference, 'PAID'],
  );
  const other = payinElsewhere(reference, { amountInCents: 70_000 });
  engine.settle(other.id, 'CONFIRMED');
  assert.deepEqual(
    (await results())[0],
    [reference, 'differs'],
    'of another amount: nothing of it is believed',
  );
  assert.deepEqual(
    (await checkout.orders.show('a'))?.review.map(({ kind }) => kind),
    ['late', 'quarantined'],
  );
});
