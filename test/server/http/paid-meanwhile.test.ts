import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { openWorld, type World, type WorldOptions } from '../world.js';

/** While one key is being created, another one is paid: whatever comes then, no payer is invited to pay again. */

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld(options));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const isCreate = ({ method, url }: Request) => method === 'POST' && new URL(url).pathname === '/payins';

test('a key that comes when another one has been paid is not shown', async () => {
  let held: (() => void) | undefined;
  let holds = false;
  const { startBreb, engine, payinOf, pass, settle, offer } = await open({
    network: async (request, next) => {
      const answer = await next(request);
      if (holds && isCreate(request)) await new Promise<void>((resolve) => (held = resolve));
      return answer;
    },
  });
  const first = (await startBreb()).attempt;
  holds = true;
  const asking = startBreb({ replaces: first.id });
  await settle();
  engine.decide(payinOf(first.reference).id, 'CONFIRMED');
  await pass(2_000);
  held?.();
  const { status, problem, text } = await asking;
  assert.deepEqual([status, problem.code], [409, 'already_paid']);
  assert.equal(problem.attempt?.reference, first.reference);
  assert.equal(engine.payins.length, 2);
  for (const { reference } of engine.payins)
    if (reference !== first.reference) assert.ok(!text.includes(reference));
  assert.equal((await offer()).offer.attempt?.reference, first.reference);
});

test('a key that could not be created yet is given up when another one has been paid', async () => {
  let isUnreachable = false;
  const { startBreb, get, engine, payinOf, pass, settle } = await open({
    network: (request, next) =>
      isUnreachable && isCreate(request)
        ? Promise.reject(
            new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED', syscall: 'connect' } }),
          )
        : next(request),
  });
  const first = (await startBreb()).attempt;
  isUnreachable = true;
  const asking = startBreb({ replaces: first.id });
  await settle();
  engine.decide(payinOf(first.reference).id, 'CONFIRMED');
  await pass(120_000);
  const { attempt } = await get(`/payins/${(await asking).attempt.id}`);
  assert.deepEqual([attempt.status, attempt.errorCode], ['CANCELED', 'already_paid']);
});

test('a repeated request for a key that was replaced is answered with the one that replaced it', async () => {
  let busy = true;
  const { startBreb, pass } = await open({
    network: async (request, next) =>
      busy && isCreate(request)
        ? new Response(null, { status: 429, headers: { 'retry-after': '60' } })
        : next(request),
  });
  const headers = { 'idempotency-key': 'the-payer-pressed-once-and-again' };
  const first = await startBreb({}, undefined, headers);
  busy = false;
  const second = await startBreb({ replaces: first.attempt.id });
  await pass(120_000);
  const { status, problem } = await startBreb({}, undefined, headers);
  assert.deepEqual([status, problem.code], [409, 'not_current']);
  assert.equal(problem.attempt?.id, second.attempt.id);
});
