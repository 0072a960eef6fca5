import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { AttemptSchema, OfferSchema, ProblemSchema } from '../../../src/contract/backend.js';
import { returnIdIn } from '../../../src/contract/return-id.js';
import { read } from '../../../src/contract/schema.js';
import { CUSTOMER, openWorld, SHOP, type World, type WorldOptions } from '../world.js';

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld(options));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

test('a Bre-B attempt comes back with its key, its QR and the exact amount, and without the service’s id', async () => {
  const { startBreb, payinOf } = await open();
  const { status, attempt, text } = await startBreb();
  assert.equal(status, 201);
  assert.ok(read(AttemptSchema, attempt).ok);
  assert.equal(attempt.amountInCents, 5_000_000);
  assert.equal(attempt.rail, 'BRE_B');
  const source = attempt.rail === 'BRE_B' ? attempt.sourceData : null;
  assert.match(source?.keyString ?? '', /^@/);
  assert.match(source?.qrString ?? '', /^data:image\/png;base64,/);
  // The service's own page may name it in its address.
  const rest = text.replace(JSON.stringify(source?.checkoutUrl), '');
  assert.ok(!rest.includes(payinOf(attempt.reference).id));
  assert.doesNotMatch(text, /organizationId|inlineCustomer/);
});

test('the price is the order’s, whatever the browser says', async () => {
  const { startBreb, payinOf } = await open();
  const { attempt } = await startBreb({ amountInCents: 1, amount: 1 });
  assert.equal(payinOf(attempt.reference).amountInCents, 5_000_000);
});

test('the payer’s way back carries the attempt’s id, before any fragment', async () => {
  const { startBreb, payinOf } = await open();
  const { attempt } = await startBreb({ callbackUrl: `${SHOP}/gracias?pedido=1#arriba` });
  const url = new URL(payinOf(attempt.reference).callbackUrl ?? '');
  assert.deepEqual(returnIdIn(url.href), { kind: 'PAYIN', id: attempt.id });
  assert.equal(url.searchParams.get('pedido'), '1');
  assert.equal(url.hash, '#arriba');
});

test('PSE asks for what the merchant does not know, and says which field is wrong', async () => {
  const { startPse, post, token, offer } = await open();
  const { offer: offered } = await offer();
  const pse = offered.methods.find((method) => method.rail === 'PSE' && method.kind === 'PAYIN');
  assert.deepEqual(pse && 'requires' in pse ? pse.requires : [], [
    'name',
    'idType',
    'idNumber',
    'phone',
    'email',
  ]);

  const none = await post('/payins', {
    order: await token(),
    callbackUrl: SHOP,
    rail: 'PSE',
    pse: { bank: 'CO_BBVA', personType: 'INDIVIDUAL' },
  });
  assert.equal(none.status, 400);
  assert.ok(
    none.problem.errors?.some(({ field, code }) => field === 'inlineCustomer.name' && code === 'required'),
  );

  const wrong = await startPse({ inlineCustomer: { ...CUSTOMER, phone: '12' } });
  assert.deepEqual(wrong.problem.errors, [{ field: 'inlineCustomer.phone', code: 'format' }]);

  const company = await startPse({ pse: { bank: 'CO_BBVA', personType: 'BUSINESS' } });
  assert.deepEqual(company.problem.errors, [{ field: 'inlineCustomer.idType', code: 'not_allowed' }]);
});

test('what the merchant knows is merged on the server and shown to the browser only masked', async () => {
  const { startPse, offer, payinOf } = await open({
    orders: { 'order-1': { amountInCents: 5_000_000, customer: CUSTOMER } },
  });
  const offered = await offer();
  assert.ok(read(OfferSchema, offered.offer).ok);
  for (const value of [CUSTOMER.name, CUSTOMER.idNumber, CUSTOMER.phone, CUSTOMER.email]) {
    assert.ok(!offered.text.includes(value), `${value} left the server`);
  }
  assert.equal(offered.offer.hints.email, 'a•••@correo.test');
  const { attempt, status } = await startPse({ inlineCustomer: { name: 'Otra Persona' } });
  assert.equal(status, 201);
  assert.deepEqual(payinOf(attempt.reference).inlineCustomer, CUSTOMER);
});

test('masked words fit into the offer, also where they are longer than what they mask', async () => {
  const email = `a@${'correo.'.repeat(35)}pruebas`;
  const { offer } = await open({
    orders: {
      'order-1': {
        amountInCents: 5_000_000,
        customer: { ...CUSTOMER, name: 'A B '.repeat(25).trim(), email },
      },
    },
  });
  const { hints } = (await offer()).offer;
  assert.ok(read(OfferSchema, (await offer()).offer).ok);
  assert.deepEqual([hints.name?.length, hints.email?.length], [120, 254]);
});

test('the payer’s data is gone from the store as soon as the service has answered', async () => {
  const { startPse, store } = await open();
  const { attempt } = await startPse();
  const row = await store.find(`a:${attempt.id}`);
  assert.ok(row !== undefined);
  assert.doesNotMatch(JSON.stringify(row.body), /Pérez|1000000001|3001234567|ana@/);
});

test('a method that the order does not offer is refused', async () => {
  const { startBreb, startPse } = await open();
  assert.equal((await startBreb({ breb: { keyType: 'SINGLE_USE' } })).problem.code, 'method_unavailable');
  const testBank = await startPse({ pse: { bank: 'CO_BANKA', personType: 'INDIVIDUAL' } });
  assert.equal(testBank.problem.code, 'method_unavailable');
});

test('the same request with the same key gives the same attempt; with another wish it is refused', async () => {
  const { startBreb, startPse, engine } = await open();
  const headers = { 'idempotency-key': 'the-same-key-twice' };
  const first = await startBreb({}, 'order-1', headers);
  const again = await startBreb({}, 'order-1', headers);
  assert.equal(again.status, 201);
  assert.equal(again.attempt.id, first.attempt.id);
  const other = await startPse({}, 'order-1', headers);
  assert.equal(other.status, 422);
  assert.equal(other.problem.code, 'idempotency_mismatch');
  assert.equal(engine.payins.length, 1);
});

test('a key used for one order cannot be used for another', async () => {
  const { startBreb } = await open({
    orders: { 'order-1': { amountInCents: 100 }, 'order-2': { amountInCents: 100 } },
  });
  const headers = { 'idempotency-key': 'one-key-for-two-orders' };
  assert.equal((await startBreb({}, 'order-1', headers)).status, 201);
  const other = await startBreb({}, 'order-2', headers);
  assert.equal(other.problem.code, 'idempotency_mismatch');
});

test('an open attempt is given back instead of making a second one, also for another method', async () => {
  const { startBreb, startPse, engine } = await open();
  const first = await startBreb();
  const second = await startBreb();
  assert.equal(second.status, 200);
  assert.equal(second.attempt.id, first.attempt.id);
  assert.equal((await startPse()).attempt.id, first.attempt.id);
  assert.equal(engine.payins.length, 1);
});

test('replacing is a compare-and-set on the current attempt', async () => {
  const { startBreb, startPse, engine } = await open();
  const first = await startBreb();
  const second = await startPse({ replaces: first.attempt.id });
  assert.equal(second.status, 201);
  assert.notEqual(second.attempt.id, first.attempt.id);
  const stale = await startBreb({ replaces: first.attempt.id });
  assert.equal(stale.status, 409);
  assert.equal(stale.problem.code, 'not_current');
  assert.equal(stale.problem.attempt?.id, second.attempt.id);
  assert.equal(engine.payins.length, 2);
});

test('a PSE payment whose address was handed out is locked, and the payer can say that it was not authorised', async () => {
  const { startPse, startBreb, pass, clock, get } = await open();
  const createdAt = clock.now();
  const { attempt } = await startPse();
  await pass(3_000);
  const shown = (await get(`/payins/${attempt.id}`)).attempt;
  assert.match((shown.rail === 'PSE' && shown.sourceData?.pseUrl) || '', /^https:/);

  const locked = await startBreb({ replaces: attempt.id });
  assert.equal(locked.problem.code, 'pse_in_progress');
  assert.equal(Date.parse(locked.problem.retryAt ?? ''), createdAt + 21 * 60_000);
  assert.equal(locked.problem.attempt?.id, attempt.id);
  assert.ok(read(ProblemSchema, locked.problem).ok);

  const released = await startBreb({ replaces: attempt.id, override: true });
  assert.equal(released.status, 201);
});

test('where the merchant does not take the payer’s word, a PSE payment is unlocked 21 minutes after it was created', async () => {
  const { startPse, startBreb, pass } = await open({ options: { allowPseOverride: false } });
  const { attempt } = await startPse();
  await pass(3_000);
  const replace = () => startBreb({ replaces: attempt.id, override: true });
  assert.equal((await replace()).problem.code, 'pse_in_progress');
  await pass(21 * 60_000 - 3_001);
  assert.equal((await replace()).problem.code, 'pse_in_progress');
  await pass(1);
  assert.equal((await replace()).status, 201);
});

test('a changed price refuses the old offer and shows the new one', async () => {
  const { offer, startBreb, orders } = await open();
  const { offer: old } = await offer();
  orders.set('order-1', { amountInCents: 6_000_000 });
  const refused = await startBreb({ offerVersion: old.version });
  assert.equal(refused.status, 409);
  assert.equal(refused.problem.code, 'offer_changed');
  assert.equal(refused.problem.offer?.amountInCents, 6_000_000);
  const accepted = await startBreb({ offerVersion: refused.problem.offer?.version });
  assert.equal(accepted.attempt.amountInCents, 6_000_000);
});

test('an open attempt at an old price does not stand in for one at the new price', async () => {
  const { startBreb, orders } = await open();
  const old = await startBreb();
  orders.set('order-1', { amountInCents: 6_000_000 });
  const next = await startBreb();
  assert.equal(next.status, 201);
  assert.equal(next.attempt.amountInCents, 6_000_000);
  assert.notEqual(next.attempt.id, old.attempt.id);
});

test('an attempt whose time is over makes room for another, and is still confirmed when it is paid', async () => {
  const { startBreb, engine, payinOf, pass, told } = await open();
  const first = await startBreb();
  await pass(16 * 60_000);
  const second = await startBreb();
  assert.equal(second.status, 201);
  engine.decide(payinOf(first.attempt.reference).id, 'CONFIRMED');
  await pass(1_000);
  assert.deepEqual(
    told.map(({ hook, attempt, late }) => [hook, attempt, late]),
    [['onConfirmed', first.attempt.id, true]],
  );
});

test('a paid order takes no further attempt and says who paid', async () => {
  const { startBreb, startLink, engine, payinOf, pass } = await open();
  const { attempt } = await startBreb();
  engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
  await pass(1_000);
  for (const answer of [await startBreb(), await startBreb({ replaces: attempt.id }), await startLink()]) {
    assert.equal(answer.status, 409);
    assert.equal(answer.problem.code, 'already_paid');
    assert.equal(answer.problem.attempt?.id, attempt.id);
  }
});

test('attempts per order are capped', async () => {
  const { startBreb } = await open({ options: { maxAttempts: 3 } });
  let current = (await startBreb()).attempt.id;
  for (let index = 0; index < 2; index++) current = (await startBreb({ replaces: current })).attempt.id;
  const refused = await startBreb({ replaces: current });
  assert.equal(refused.status, 429);
  assert.equal(refused.problem.code, 'too_many_attempts');
});
