import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { AttemptSchema, OfferSchema } from '../../../src/contract/backend.js';
import { read } from '../../../src/contract/schema.js';
import { openWorld, type World, type WorldOptions } from '../world.js';

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld(options));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const pseUrlOf = async (world: World, id: string) => {
  const { sourceData } = (await world.get(`/payins/${id}`)).attempt;
  return sourceData !== null && 'pseUrl' in sourceData ? sourceData.pseUrl : null;
};

for (const bad of ['', '/pagar', 'javascript:alert(1)']) {
  test(`a bank's address that nobody can visit ("${bad}") gives way to the good one`, async () => {
    let broken = true;
    const opened = await open({
      network: async (request, next) => {
        const answer = await next(request);
        if (request.method !== 'GET' || !broken) return answer;
        const payin = (await answer.json()) as { sourceData: object };
        return Response.json({ ...payin, sourceData: { ...payin.sourceData, pseUrl: bad } });
      },
    });
    const { attempt } = await opened.startPse();
    await opened.pass(10_000);
    assert.equal(await pseUrlOf(opened, attempt.id), null);
    broken = false;
    await opened.pass(60_000);
    assert.match((await pseUrlOf(opened, attempt.id)) ?? '', /^https:/);
  });

  test(`until a usable address comes in place of "${bad}", the attempt can be replaced`, async () => {
    const opened = await open({
      network: async (request, next) => {
        const answer = await next(request);
        if (request.method !== 'GET') return answer;
        const payin = (await answer.json()) as { sourceData: object };
        return Response.json({ ...payin, sourceData: { ...payin.sourceData, pseUrl: bad } });
      },
    });
    const { attempt } = await opened.startPse();
    await opened.pass(10_000);
    assert.equal((await opened.startBreb({ replaces: attempt.id })).status, 201);
  });
}

test('attempts that never became a payin do not count towards the most an order may have', async () => {
  let down = true;
  const { startBreb, pass } = await open({
    options: { maxAttempts: 3 },
    network: async (request, next) =>
      down && request.method === 'POST' ? new Response(null, { status: 400 }) : next(request),
  });
  for (let index = 0; index < 15; index++) {
    assert.equal((await startBreb()).problem.code, 'service_refused');
    await pass(1_000);
  }
  down = false;
  let current = (await startBreb()).attempt.id;
  for (let index = 0; index < 2; index++) current = (await startBreb({ replaces: current })).attempt.id;
  assert.equal((await startBreb({ replaces: current })).problem.code, 'too_many_attempts');
});

test('a payment that could not be started is not a decline', async () => {
  const { startPse, pass, told, get, startBreb } = await open({
    network: async () => {
      throw Object.assign(new TypeError('fetch failed'), {
        cause: Object.assign(new Error(), { code: 'ECONNREFUSED', syscall: 'connect' }),
      });
    },
  });
  const starting = startPse();
  await pass(60_000);
  const { attempt } = await starting;
  const id = attempt.id;
  await pass(60_000);
  const after = (await get(`/payins/${id}`)).attempt;
  assert.ok(read(AttemptSchema, after).ok);
  assert.equal(after.status, 'CANCELED');
  assert.equal(after.started, false);
  assert.equal(after.rail, 'PSE', 'the method that was chosen is still known');
  assert.deepEqual(
    told.map(({ hook }) => hook),
    ['onCanceled'],
  );
  void startBreb;
});

for (const description of ['', '   ', 'dos\nlíneas\ty tabulador', 'x'.repeat(2_000)]) {
  test(`a description of ${JSON.stringify(description.slice(0, 20))} is cleaned and served`, async () => {
    const { offer, startBreb } = await open({
      orders: { 'order-1': { amountInCents: 5_000_000, description } },
    });
    const offered = await offer();
    assert.equal(offered.status, 200);
    assert.ok(read(OfferSchema, offered.offer).ok);
    assert.doesNotMatch(offered.offer.description ?? 'none', /[\n\t]|^$/);
    assert.equal((await startBreb()).status, 201);
  });
}

test('after findOrder returned null a payer with a token still sees the outcome', async () => {
  const { startBreb, engine, payinOf, pass, offer, orders, token, post } = await open();
  const body = async () => ({
    order: await token(),
    callbackUrl: 'https://shop.test/gracias',
    rail: 'BRE_B',
    breb: { keyType: 'QR_CODE' },
  });
  const key = { 'idempotency-key': 'a-key-that-is-sent-again' };
  const { attempt } = await post('/payins', await body(), key);
  engine.decide(payinOf(attempt.reference).id, 'CONFIRMED');
  await pass(2_000);
  orders.delete('order-1');

  const seen = await offer();
  assert.equal(seen.status, 200);
  assert.ok(read(OfferSchema, seen.offer).ok);
  assert.equal(seen.offer.attempt?.id, attempt.id);
  assert.equal(seen.offer.attempt?.status, 'CONFIRMED');
  assert.deepEqual(seen.offer.methods, []);

  const again = await post('/payins', await body(), key);
  assert.equal(again.status, 201);
  assert.equal(again.attempt.id, attempt.id);
  const other = { ...(await body()), breb: { keyType: 'SINGLE_USE' } };
  assert.equal((await post('/payins', other, key)).problem.code, 'idempotency_mismatch');
  assert.equal((await startBreb()).status, 404, 'nothing new can be started');
});

test('an order that never had an attempt and is gone is not found', async () => {
  const { offer, orders } = await open();
  orders.delete('order-1');
  assert.equal((await offer()).status, 404);
});
