import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { asksForPayins, openWorld, type World, type WorldOptions } from '../world.js';

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld(options));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

/** A create that the service refuses, answers late, or never answers. */

test('a refusal by the service ends the attempt with its reason and lets the payer try again', async () => {
  let refusing = true;
  const { startBreb, settle, told, store } = await open({
    network: async (request, next) =>
      refusing && request.method === 'POST'
        ? Response.json({ code: 'AMOUNT_NOT_ALLOWED' }, { status: 400 })
        : next(request),
  });
  const refused = await startBreb();
  assert.equal(refused.status, 422);
  assert.equal(refused.problem.code, 'service_refused');
  assert.equal(refused.problem.attempt?.status, 'DECLINED');
  assert.equal(refused.problem.attempt?.errorCode, 'AMOUNT_NOT_ALLOWED');
  await settle();
  assert.deepEqual(
    told.map(({ hook }) => hook),
    ['onDeclined'],
  );
  const row = await store.find(`a:${refused.problem.attempt?.id}`);
  assert.doesNotMatch(JSON.stringify(row?.body), /"draft":\{/);
  refusing = false;
  assert.equal((await startBreb()).status, 201);
});

test('an event that comes before the answer shows the payin as soon as a read agrees', async () => {
  const { startBreb, engine, get, pass, settle } = await open();
  engine.armMishap('timeout-after-work', 1);
  const pending = startBreb();
  await settle();
  await pass(1_000);
  const found = await startBreb();
  assert.equal(found.status, 200);
  assert.ok((await get(`/payins/${found.attempt.id}`)).attempt.sourceData);
  await pass(10_000);
  assert.equal((await pending).status, 201);
  assert.equal(engine.payins.length, 1);
});

test('an unclear answer is 202, and the payin that was made is found by its reference', async () => {
  const { startBreb, engine, get, settle } = await open();
  engine.armMishap('error-after-work', 1);
  const unclear = await startBreb();
  assert.equal(unclear.status, 202);
  assert.equal(unclear.attempt.sourceData, null);
  await settle();
  const { attempt } = await get(`/payins/${unclear.attempt.id}`);
  assert.equal(attempt.reference, unclear.attempt.reference);
  assert.ok(attempt.sourceData);
  assert.equal(engine.payins.length, 1);
});

test('a reference that the service has already is looked up at once, as a try whose answer was lost may have made it', async () => {
  const { startBreb, engine, get, settle } = await open({
    network: async (request, next) => {
      const answer = await next(request);
      return request.method === 'POST' ? Response.json({ code: 'conflict' }, { status: 409 }) : answer;
    },
  });
  const { status, attempt } = await startBreb();
  assert.equal(status, 202);
  await settle();
  assert.ok((await get(`/payins/${attempt.id}`)).attempt.sourceData);
  assert.equal(engine.payins.length, 1);
});

test('an answer that never comes is 202 after ten seconds, and the payin is found within another', async () => {
  const { startBreb, engine, get, pass, settle } = await open();
  engine.setMishap('webhooks-lost', true);
  engine.armMishap('timeout-after-work', 1);
  let isAnswered = false;
  const pending = startBreb().finally(() => (isAnswered = true));
  await settle();
  await pass(9_999);
  assert.equal(isAnswered, false);
  await pass(1);
  assert.equal(isAnswered, true);
  const unclear = await pending;
  assert.equal(unclear.status, 202);
  await pass(1_000);
  const { attempt } = await get(`/payins/${unclear.attempt.id}`);
  assert.ok(attempt.sourceData);
  assert.equal(engine.payins.length, 1);
});

test('what cannot be found within 15 seconds gets another reference, and the lost one is still noticed when it is paid', async () => {
  const hidden = new Set<string>();
  const { startBreb, engine, get, pass, payinOf, told } = await open({
    network: async (request, next) => {
      const answer = await next(request);
      if (!asksForPayins(request)) return answer;
      const page = (await answer.json()) as { data: { reference: string }[] };
      return Response.json({ ...page, data: page.data.filter(({ reference }) => !hidden.has(reference)) });
    },
  });
  engine.setMishap('webhooks-lost', true);
  engine.armMishap('error-after-work', 1);
  const unclear = await startBreb();
  hidden.add(unclear.attempt.reference);
  await pass(14_999);
  assert.equal((await get(`/payins/${unclear.attempt.id}`)).attempt.sourceData, null);
  await pass(1_001);
  const { attempt } = await get(`/payins/${unclear.attempt.id}`);
  assert.notEqual(attempt.reference, unclear.attempt.reference);
  assert.ok(attempt.sourceData);
  assert.equal(engine.payins.length, 2);

  // Its key was never shown; but if it is paid all the same, it is not lost.
  hidden.clear();
  await pass(120_000);
  engine.settle(payinOf(unclear.attempt.reference).id, 'CONFIRMED');
  engine.settle(payinOf(attempt.reference).id, 'CONFIRMED');
  await pass(120_000);
  assert.deepEqual(told.map(({ hook }) => hook).sort(), ['onConfirmed', 'onDuplicatePayment']);
});

test('a service that stays down ends the attempt within 50 seconds', async () => {
  const { startBreb, get, pass, told, engine } = await open();
  engine.setMishap('error-before-work', true);
  const { attempt } = await startBreb();
  await pass(50_000);
  const after = (await get(`/payins/${attempt.id}`)).attempt;
  assert.equal(after.status, 'CANCELED');
  assert.equal(after.errorCode, 'service_unavailable');
  assert.deepEqual(
    told.map(({ hook }) => hook),
    ['onCanceled'],
  );
  assert.equal(engine.payins.length, 0);
});

test('an attempt that ended stays ended when a payin that was not shown is canceled, and not when it is paid', async () => {
  let hides = true;
  const { startBreb, engine, get, pass, told } = await open({
    network: async (request, next) => {
      const answer = await next(request);
      return hides && asksForPayins(request)
        ? Response.json({ ...((await answer.json()) as object), data: [] })
        : answer;
    },
  });
  engine.setMishap('webhooks-lost', true);
  engine.setMishap('error-after-work', true);
  const { attempt } = await startBreb();
  await pass(120_000);
  const statusNow = async () => (await get(`/payins/${attempt.id}`)).attempt.status;
  assert.equal(await statusNow(), 'CANCELED');

  hides = false;
  const [latest, earlier] = engine.payins.map(({ id }) => id);
  engine.settle(latest!, 'CANCELED');
  await pass(3_600_000);
  assert.equal(await statusNow(), 'CANCELED');
  engine.settle(earlier!, 'CONFIRMED');
  await pass(2 * 3_600_000);
  assert.equal(await statusNow(), 'CONFIRMED');
  assert.ok(told.some(({ hook }) => hook === 'onConfirmed'));
});

test('a connection that breaks when the payin was already made is looked up, not made again', async () => {
  let posts = 0;
  const { startBreb, engine, get, pass } = await open({
    network: async (request, next) => {
      const answer = await next(request);
      if (request.method !== 'POST' || ++posts > 1) return answer;
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }),
      });
    },
  });
  engine.setMishap('webhooks-lost', true);
  const { attempt } = await startBreb();
  await pass(120_000);
  assert.ok((await get(`/payins/${attempt.id}`)).attempt.sourceData);
  assert.deepEqual(
    engine.payins.map(({ reference }) => reference),
    [attempt.reference],
  );
  assert.equal(posts, 1);
});

test('a service that is busy for a minute is asked again after half of it', async () => {
  let posts = 0;
  const { startBreb, get, pass } = await open({
    network: async (request, next) =>
      request.method === 'POST' && ++posts === 1
        ? new Response(null, { status: 429, headers: { 'retry-after': '60' } })
        : next(request),
  });
  const { attempt, status } = await startBreb();
  assert.equal(status, 202);
  await pass(29_999);
  assert.equal(posts, 1);
  // Due work is looked for every second.
  await pass(1_001);
  assert.equal(posts, 2);
  assert.ok((await get(`/payins/${attempt.id}`)).attempt.sourceData);
});

test('a service that could not be connected to made nothing: it is asked again, and not searched', async () => {
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' });
  let isDown = true;
  const { startBreb, get, pass, requests, engine } = await open({
    network: (request, next) =>
      isDown ? Promise.reject(new TypeError('fetch failed', { cause: refused })) : next(request),
  });
  const [{ attempt, status }] = await Promise.all([startBreb(), pass(3_000)]);
  assert.equal(status, 202);
  isDown = false;
  await pass(10_000);
  const shown = (await get(`/payins/${attempt.id}`)).attempt;
  assert.ok(shown.sourceData);
  assert.equal(engine.payins.length, 1);
  assert.ok(!requests.includes('GET /payins'), 'its list could have nothing');
});

test('of the attempts that came to nothing, an order keeps the last ten', async () => {
  const { startBreb, pass, checkouts } = await open({
    network: async (request, next) =>
      request.method === 'POST' ? Response.json({ error: 'BAD_REQUEST' }, { status: 400 }) : next(request),
  });
  const triedAt: (string | undefined)[] = [];
  for (let i = 0; i < 13; i++) {
    triedAt.push((await startBreb()).problem.attempt?.createdAt);
    await pass(1_000);
  }
  const order = await checkouts[0]!.orders.show('order-1');
  // Ten, and the latest, which had not come to nothing when it was started.
  assert.deepEqual(
    order?.attempts.map(({ createdAt }) => createdAt),
    triedAt.slice(-11),
  );
});

test('an answer about another amount is never shown and is reported', async () => {
  const { startBreb, told, settle } = await open({
    network: async (request, next) => {
      const answer = await next(request);
      if (request.method !== 'POST') return answer;
      const payin = (await answer.json()) as object;
      return Response.json({ ...payin, amountInCents: 100 }, { status: 201 });
    },
  });
  const refused = await startBreb();
  assert.equal(refused.problem.code, 'service_unavailable');
  assert.equal(refused.problem.attempt?.kind === 'PAYIN' && refused.problem.attempt.sourceData, null);
  await settle();
  assert.deepEqual(
    told.map(({ hook, report, detail }) => [hook, report, detail]),
    [
      ['onReport', 'quarantined', 'amount'],
      ['onCanceled', undefined, undefined],
    ],
  );
});

test('200 parallel creates for one order over two instances make one payin', async () => {
  const { startBreb, engine } = await open({ instances: 2 });
  const answers = await Promise.all(Array.from({ length: 200 }, () => startBreb()));
  assert.equal(engine.payins.length, 1);
  assert.equal(new Set(answers.map(({ attempt }) => attempt.id)).size, 1);
  assert.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), [200, 201]);
});
