import assert from 'node:assert/strict';
import { test } from 'vitest';
import { orderOf } from '../../support/references.js';
import { chanceFrom, seedOr, sizeOr } from '../../support/torture.js';
import { PayoutError } from '../../../src/server.js';
import { ServiceError } from '../../../src/service.js';
import { CUSTOMER, openWorld, type Told, type World } from '../world.js';

/**
 * Many orders at once while everything goes wrong: answers fail before or after the work was done, never come or break
 * off, reads show an earlier state, webhooks are lost, doubled and late. Payers change their mind and pay old keys, and
 * the merchant gives money back, from both instances at once. Then the faults end, time passes, and the books must agree
 * with the service's.
 */

const ORDERS = sizeOr(15, 100);
const SEED = seedOr(Date.now() % 1_000_000);
/** Orders of one shop; more are more shops. */
const AT_ONCE = 100;

test(`${ORDERS} orders under random faults: one settlement per paid order, one notice per duplicate, none lost, no refund sent twice or beyond what came in`, async () => {
  console.log(`seed ${SEED}`);
  const counts = { paid: 0, duplicates: 0, payins: 0, links: 0, refunds: 0, requests: 0 };
  for (let done = 0; done < ORDERS; done += AT_ONCE) {
    const shop = await shopUnderFaults(Math.min(AT_ONCE, ORDERS - done), SEED + done);
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] += shop[name];
  }
  const { paid, duplicates, payins, links, refunds, requests } = counts;
  console.log(
    `${ORDERS} orders, ${paid} paid, ${duplicates} further payments, ${payins} payins, ${links} links and ` +
      `${refunds} refunds at the service, ${requests} requests to it`,
  );
  assert.ok(paid > ORDERS / 3, 'the faults must leave enough paid orders to say something');
  assert.ok(duplicates > 0, 'some orders must have been paid twice for this to say something');
  assert.ok(refunds > 0, 'some money must have gone back for this to say something');
});

async function shopUnderFaults(count: number, seed: number) {
  const random = chanceFrom(seed);
  const chance = (probability: number) => random() < probability;
  let faulty = true;

  const orders = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`o${index}`, { amountInCents: 10_000 + index }]),
  );
  const stale = new Map<string, string>();
  const world = await openWorld({
    orders,
    instances: 2,
    options: {
      serviceReadsPerSecond: 10_000,
      maxAttempts: 20,
      // Without pictures, which the sandbox would draw for every answer.
      methods: [{ rail: 'BRE_B', keyType: 'SINGLE_USE' }, { rail: 'PSE' }, { kind: 'PAYMENT_LINK' }],
      rateLimits: { createsPerOrder: Infinity, createsPerClient: Infinity, createsOverall: Infinity },
    },
    async network(request, next) {
      if (!faulty) return next(request);
      if (chance(0.1)) return new Response(null, { status: 503 });
      if (chance(0.05))
        throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) });
      const path = new URL(request.url).pathname;
      const answer = await next(request);
      if (request.method === 'POST') {
        if (chance(0.1)) return new Response('<html>', { status: 500 });
        if (chance(0.05)) return new Promise(() => undefined);
        if (chance(0.05)) throw new TypeError('terminated');
        return answer;
      }
      if (path === '/payins') return answer;
      const text = await answer.text();
      const shown = chance(0.2) ? (stale.get(path) ?? text) : text;
      stale.set(path, shown);
      return new Response(shown, answer);
    },
    async webhooks(request, next) {
      if (faulty && chance(0.3)) return new Response(null, { status: 200 });
      if (faulty && chance(0.1)) await next(request.clone());
      return next(request);
    },
  });
  const { engine } = world;

  const pay = (reference: string) => {
    const payin = engine.payins.find((each) => each.reference === reference && each.paymentLinkId === null);
    if (payin === undefined || !['PENDING', 'PROCESSING'].includes(payin.status)) return;
    engine.settle(payin.id, chance(0.8) ? 'CONFIRMED' : chance(0.5) ? 'DECLINED' : 'CANCELED');
  };
  const payLink = (reference: string) => {
    const link = engine.links.find((each) => each.reference === reference);
    if (link === undefined || link.status !== 'PENDING') return;
    engine.settle(engine.payLink(link.id, { rail: 'BRE_B', keyType: 'QR_CODE' }).id, 'CONFIRMED');
  };

  /** Twice at once, by either instance: what one of them sends the other must not send as well. */
  const refundTwice = (order: string) =>
    Promise.all(
      world.checkouts.map(async ({ refunds }) => {
        try {
          const draft = await refunds.draft({ order, keyString: CUSTOMER.idNumber, customer: CUSTOMER });
          await refunds.send(draft.id, { version: draft.version, receiverAccepted: true });
        } catch (error) {
          // Nothing can be given back, or the service does not answer just now.
          assert.ok(error instanceof PayoutError || error instanceof ServiceError, String(error));
        }
      }),
    );
  const settlePayouts = () => {
    for (const { id, status } of engine.payouts)
      if (status === 'PROCESSING' && chance(0.7)) engine.settle(id, chance(0.7) ? 'CONFIRMED' : 'DECLINED');
  };

  for (let round = 0; round < 4; round++) {
    const started = Object.keys(orders).map(async (order) => {
      const current = (await world.offer(order)).offer.attempt;
      const replaces = current !== null && chance(0.6) ? { replaces: current.id, override: true } : {};
      if (chance(0.6)) await world.startBreb({ ...replaces, breb: { keyType: 'SINGLE_USE' } }, order);
      else await (chance(0.5) ? world.startPse : world.startLink)(replaces, order);
    });
    await world.pass(20_000);
    await Promise.all(started);
    for (const order of Object.keys(orders)) {
      const { attempt } = (await world.offer(order)).offer;
      if (attempt === null || !chance(round === 3 ? 0.8 : 0.1)) continue;
      if (attempt.kind === 'PAYMENT_LINK' && attempt.paymentLinkUrl !== null) payLink(attempt.reference);
      if (attempt.kind === 'PAYIN' && attempt.sourceData !== null) pay(attempt.reference);
    }
    // Some pay a key that is long replaced, or that was never shown to anybody here.
    for (const payin of engine.payins)
      if (payin.paymentLinkId === null && chance(round === 3 ? 0.3 : 0.02)) pay(payin.reference);
    await world.pass(10_000);
    // Chance alone might give nothing back, so that every order has a try in the last round.
    const refunded = Object.keys(orders).filter(() => round === 3 || chance(0.3));
    const refunding = refunded.map((order) => refundTwice(order));
    await world.pass(60_000);
    await Promise.all(refunding);
    settlePayouts();
  }
  // Chance alone might pay none twice.
  const paidAlready = new Set(
    engine.payins.filter(({ status }) => status === 'CONFIRMED').map(({ reference }) => orderOf(reference)),
  );
  const second = engine.payins.find(
    ({ reference, status, paymentLinkId }) =>
      paidAlready.has(orderOf(reference)) && paymentLinkId === null && status === 'PROCESSING',
  );
  if (second !== undefined) engine.settle(second.id, 'CONFIRMED');
  await world.pass(10_000);
  faulty = false;
  await world.pass(60_000);
  await world.passByTicks(7 * 3_600_000, 600_000);

  const truth = new Map<string, string[]>();
  for (const payin of engine.payins) {
    if (payin.status !== 'CONFIRMED') continue;
    const order = orderOf(payin.reference);
    truth.set(order, [...(truth.get(order) ?? []), payin.reference]);
  }
  let paidOrders = 0;
  let duplicates = 0;
  let refunds = 0;
  for (const order of Object.keys(orders)) {
    const paid = truth.get(order) ?? [];
    const told = world.told.filter((each) => each.order === order);
    const keys = new Set(told.map(({ key }) => key));
    assert.equal(keys.size, told.length, `${order} was told something twice, seed ${seed}`);
    const settlements = told.filter(({ hook }) => hook === 'onConfirmed' || hook === 'onAmountMismatch');
    assert.equal(
      settlements.length,
      Math.min(1, paid.length),
      `${order} has ${paid.length} payments, seed ${seed}`,
    );
    const further = told.filter(({ hook }) => hook === 'onDuplicatePayment');
    assert.equal(
      further.length,
      Math.max(0, paid.length - 1),
      `${order} has ${paid.length} payments, seed ${seed}`,
    );
    const booked = [...settlements, ...further].map((each: Told) => each.reference).sort();
    assert.deepEqual(booked, paid.sort(), `the payments of ${order}, seed ${seed}`);
    refunds += await judgeRefunds(world, order, seed);
    if (paid.length > 0) paidOrders += 1;
    duplicates += further.length;
  }
  assert.equal(refunds, engine.payouts.length, `every payout is the refund of an order, seed ${seed}`);
  await world.close();
  return {
    paid: paidOrders,
    duplicates,
    payins: engine.payins.length,
    links: engine.links.length,
    refunds,
    requests: world.requests.length,
  };
}

/** Each refund is sent once, no order gives more back than it got, and only what arrived is reported. */
async function judgeRefunds(
  { engine, told, checkouts }: World,
  order: string,
  seed: number,
): Promise<number> {
  const sum = (all: readonly { readonly amountInCents: number | null }[]) =>
    all.reduce((total, { amountInCents }) => total + (amountInCents ?? 0), 0);
  const intents = (await checkouts[0]?.refunds.list(order)) ?? [];
  const references = new Set<string | null>(intents.map(({ reference }) => reference));
  const sent = engine.payouts.filter(({ reference }) => references.has(reference));
  const isOnce = new Set(sent.map(({ reference }) => reference)).size === sent.length;
  assert.ok(isOnce, `${order} was refunded twice by one intent, seed ${seed}`);
  const cameIn = sum(
    engine.payins.filter(({ reference, status }) => orderOf(reference) === order && status === 'CONFIRMED'),
  );
  const wentOut = sum(sent.filter(({ status }) => status !== 'DECLINED'));
  assert.ok(wentOut <= cameIn, `${order} got ${cameIn} and gave back ${wentOut}, seed ${seed}`);
  for (const notice of told.filter((each) => each.order === order && each.hook === 'onRefunded')) {
    const payout = sent.find(({ reference }) => reference === notice.reference);
    assert.equal(payout?.status, 'CONFIRMED', `${notice.key}, seed ${seed}`);
  }
  return sent.length;
}
