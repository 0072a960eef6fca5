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
  test(`a bank’s address that cannot be visited ("${bad}") is not shown, and the good one is within a second`, async () => {
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
    await opened.pass(1_000);
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

test('attempts that the service refused do not count towards the most an order may have', async () => {
  let isRefusing = true;
  const { startBreb, pass } = await open({
    options: { maxAttempts: 3 },
    network: async (request, next) =>
      isRefusing && request.method === 'POST' ? new Response(null, { status: 400 }) : next(request),
  });
  for (let tries = 0; tries < 5; tries++) {
    assert.equal((await startBreb()).problem.code, 'service_refused');
    await pass(1_000);
  }
  isRefusing = false;
  let current = (await startBreb()).attempt.id;
  for (let index = 0; index < 2; index++) current = (await startBreb({ replaces: current })).attempt.id;
  assert.equal((await startBreb({ replaces: current })).problem.code, 'too_many_attempts');
});

test('attempts of an outage count until the list shows, ten minutes later, that no payin was made', async () => {
  let isDown = true;
  const { startBreb, pass, engine } = await open({
    options: { maxAttempts: 3 },
    network: async (request, next) =>
      isDown && request.method === 'POST' ? new Response(null, { status: 503 }) : next(request),
  });
  for (let tries = 0; tries < 3; tries++) {
    assert.equal((await startBreb()).status, 202);
    await pass(60_000);
  }
  isDown = false;
  assert.equal((await startBreb()).problem.code, 'too_many_attempts');
  await pass(10 * 60_000);
  assert.equal((await startBreb()).status, 201);
  assert.equal(engine.payins.length, 1);
});

test('a payment that could not be started is not a decline', async () => {
  const { startPse, pass, told, get } = await open({
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
});

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
