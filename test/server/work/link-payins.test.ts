import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { asksForPayins, emptyPage, openWorld, type World, type WorldOptions } from '../world.js';

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld({ work: false, ...options }));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const BREB = { rail: 'BRE_B', keyType: 'QR_CODE' } as const;

/** A world in which a payer has begun to pay several times on one hosted page. */
async function onePage(payments: number, options?: WorldOptions) {
  const opened = await open(options);
  const { startLink, engine } = opened;
  const { link } = await startLink();
  const [made] = engine.links;
  assert.ok(made !== undefined);
  const payins = Array.from({ length: payments }, () => engine.payLink(made.id, BREB).id);
  const told = () => opened.told.map(({ hook, confirmedAmountInCents }) => [hook, confirmedAmountInCents]);
  const read = async () => (await opened.get(`/payment-links/${link.id}`)).link;
  return { ...opened, link, payins, told, read };
}

test('a second payment through one link is reported once, and the payer sees it', async () => {
  const { engine, payins, passByTicks, told, read, checkouts } = await onePage(2);
  for (const id of payins) engine.settle(id, 'CONFIRMED');
  await passByTicks(2 * HOUR_MS, MINUTE_MS);
  assert.deepEqual(told(), [
    ['onConfirmed', 5_000_000],
    ['onDuplicatePayment', 5_000_000],
  ]);
  const { settlement, confirmedAmountInCents, status } = await read();
  assert.deepEqual([settlement.duplicate, confirmedAmountInCents, status], [true, 10_000_000, 'COMPLETED']);
  const review = await checkouts[0]?.orders.review();
  assert.deepEqual(
    review?.orders.flatMap(({ items }) => items.map(({ kind, key }) => [kind, key])),
    [['duplicate', `duplicate.${payins[1] ?? ''}.5000000`]],
  );
});

test('a second payment that is confirmed days after the first is found too', async () => {
  const { engine, payins, passByTicks, told } = await onePage(2);
  engine.settle(payins[0] ?? '', 'CONFIRMED');
  await passByTicks(3 * DAY_MS, HOUR_MS);
  engine.settle(payins[1] ?? '', 'CONFIRMED');
  await passByTicks(3 * HOUR_MS, HOUR_MS);
  assert.deepEqual(
    told().map(([hook]) => hook),
    ['onConfirmed', 'onDuplicatePayment'],
  );
});

test('a payment through a link that fell short and the next one are added up, and no more can be paid', async () => {
  const { engine, payins, passByTicks, told, read, startBreb } = await onePage(2);
  engine.settle(payins[0] ?? '', 'CONFIRMED', { confirmedAmountInCents: 1_000_000 });
  engine.settle(payins[1] ?? '', 'CONFIRMED');
  await passByTicks(10 * MINUTE_MS, MINUTE_MS);
  assert.deepEqual(
    told().map(([hook]) => hook),
    ['onAmountMismatch', 'onConfirmed', 'onDuplicatePayment'],
  );
  assert.equal((await read()).settlement.state, 'PAID');
  assert.equal((await startBreb()).problem.code, 'already_paid');
});

test('a payin of a link that is confirmed 25 hours and more after the link expired settles the order', async () => {
  const { engine, payins, passByTicks, told, read } = await onePage(1);
  await passByTicks(HOUR_MS + 5 * MINUTE_MS, MINUTE_MS);
  assert.equal((await read()).status, 'EXPIRED');
  await passByTicks(25 * HOUR_MS, HOUR_MS);
  engine.settle(payins[0] ?? '', 'CONFIRMED');
  await passByTicks(3 * HOUR_MS, HOUR_MS);
  assert.deepEqual(
    told().map(([hook]) => hook),
    ['onCanceled', 'onConfirmed'],
  );
  const { status, late } = await read();
  assert.deepEqual([status, late], ['COMPLETED', true]);
});

test('thousands of newer payins in the list hide no payin of a link', async () => {
  const { engine, payins, passByTicks, told, read } = await onePage(1);
  for (let count = 0; count < 2_100; count++) {
    engine.createPayin({
      amountInCents: 100,
      currency: 'COP',
      rail: 'BRE_B',
      reference: `other-${count}`,
      breb: { keyType: 'SINGLE_USE' },
    });
  }
  await passByTicks(HOUR_MS + 5 * MINUTE_MS, MINUTE_MS);
  assert.equal((await read()).status, 'EXPIRED');
  engine.settle(payins[0] ?? '', 'CONFIRMED');
  await passByTicks(2 * HOUR_MS, 10 * MINUTE_MS);
  assert.deepEqual(
    told().map(([hook]) => hook),
    ['onCanceled', 'onConfirmed'],
  );
});

test('a link is not over while the list was not searched to its end', async () => {
  let pages = 0;
  const { passByTicks, read, told } = await onePage(0, {
    network: async (request, next) => (asksForPayins(request) ? emptyPage(`page-${++pages}`) : next(request)),
  });
  await passByTicks(HOUR_MS + 10 * MINUTE_MS, MINUTE_MS);
  assert.ok(pages > 0);
  assert.equal((await read()).status, 'PENDING');
  assert.deepEqual(told(), []);
});

test('a chargeback of a link’s payment is reported, once for each payment', async () => {
  const { engine, payins, passByTicks, told, checkouts } = await onePage(2);
  for (const id of payins) engine.settle(id, 'CONFIRMED');
  await passByTicks(10 * MINUTE_MS, MINUTE_MS);
  for (const id of payins) engine.chargeBack(id);
  await passByTicks(3 * DAY_MS, HOUR_MS);
  assert.deepEqual(
    told().map(([hook]) => hook),
    ['onConfirmed', 'onDuplicatePayment', 'onChargeback', 'onChargeback'],
  );
  const shown = await checkouts[0]?.orders.show('order-1');
  assert.equal(shown?.review.filter(({ kind }) => kind === 'chargeback').length, 2);
});

test('reconcile finds the chargeback of a link’s payment, and its second payment', async () => {
  const { engine, payins, passByTicks, told, checkouts, clock } = await onePage(2);
  engine.settle(payins[0] ?? '', 'CONFIRMED');
  await passByTicks(10 * MINUTE_MS, MINUTE_MS);
  engine.chargeBack(payins[0] ?? '');
  engine.settle(payins[1] ?? '', 'CONFIRMED');
  const run = () =>
    checkouts[0]?.reconcile({ from: new Date(clock.now() - DAY_MS), to: new Date(clock.now() + 1) });
  const results = async () => (await run())?.payments.map(({ serviceId, result }) => [serviceId, result]);
  assert.deepEqual(await results(), [
    [payins[1], 'settled'],
    [payins[0], 'settled'],
  ]);
  assert.deepEqual(await results(), [
    [payins[1], 'same'],
    [payins[0], 'same'],
  ]);
  await passByTicks(MINUTE_MS, MINUTE_MS);
  assert.deepEqual(
    told()
      .map(([hook]) => hook)
      .sort(),
    ['onChargeback', 'onConfirmed', 'onDuplicatePayment'],
  );
});
