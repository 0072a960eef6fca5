import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'vitest';
import fc from 'fast-check';
import { createServiceClient, ServiceError } from '../../src/service.js';
import { DEFAULT_RETRY, parseRetryAfter, retryDelayMs } from '../../src/service/retry.js';
import {
  failure,
  inFakeTime,
  json,
  LINK,
  linkAnswer,
  PAYIN,
  PAYIN_ID,
  PAYOUT,
  payinAnswer,
  scripted,
  silence,
  type Answer,
} from './fixtures.js';

const turns = () => new Promise<void>((resolve) => setImmediate(resolve));

const lost = new TypeError('fetch failed');
const neverSent = Object.assign(new TypeError('fetch failed'), {
  cause: Object.assign(new Error('lookup'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' }),
});
/** The body breaks off after its first bytes. */
const brokenOff = () =>
  new Response(
    new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"id":'));
      },
      pull(controller) {
        controller.error(new TypeError('terminated'));
      },
    }),
  );

/** Failures that may pass by themselves, and after how long two of them are over. */
const passing: Record<string, [Answer, number]> = {
  'a lost connection': [lost, 500],
  'no answer in time': [silence, 30_500],
  'a body that breaks off': [brokenOff, 500],
  'status 408': [json({}, 408), 500],
  'status 429': [json({}, 429), 750],
  'status 500': [json({}, 500), 500],
  'status 503': [json({}, 503), 500],
};
for (const [name, [answer, afterMs]] of Object.entries(passing)) {
  test(`a read is tried again a quarter of a second after ${name}`, async () => {
    const { client, requests, clock } = scripted([answer, answer, json(payinAnswer())]);
    const startedAtMs = clock.now();
    assert.equal((await inFakeTime(clock, client.payins.retrieve(PAYIN_ID))).id, PAYIN_ID);
    assert.deepEqual([requests.length, clock.now() - startedAtMs], [3, afterMs]);
  });
}

test('a read gives up after the third try, with the last failure', async () => {
  const { client, requests, clock } = scripted([lost, lost, json({}, 503), json(payinAnswer())]);
  const error = await inFakeTime(clock, failure(client.payins.retrieve(PAYIN_ID)));
  assert.deepEqual([error.kind, error.status, error.mayHaveHappened], ['unavailable', 503, false]);
  assert.equal(requests.length, 3);
});

for (const status of [400, 401, 403, 404, 409, 418]) {
  test(`status ${status} is final at once`, async () => {
    const { client, requests } = scripted([json({}, status), json(payinAnswer())]);
    assert.equal((await failure(client.payins.retrieve(PAYIN_ID))).status, status);
    assert.equal(requests.length, 1);
  });
}

for (const name of [
  'a lost connection',
  'no answer in time',
  'a body that breaks off',
  'status 500',
  'status 503',
]) {
  test(`creating is not repeated after ${name}, and the error says it may have happened`, async () => {
    const { client, requests, clock } = scripted([passing[name]?.[0] ?? lost, json(payinAnswer(), 201)]);
    const error = await inFakeTime(clock, failure(client.payins.create(PAYIN)));
    assert.equal(error.mayHaveHappened, true);
    assert.equal(requests.length, 1);
  });
}

test('creating is repeated when the service certainly did not take it', async () => {
  const payin = scripted([json({}, 429), neverSent, json(payinAnswer(), 201)]);
  assert.equal((await inFakeTime(payin.clock, payin.client.payins.create(PAYIN))).id, PAYIN_ID);
  assert.deepEqual(await payin.requests[2]?.json(), PAYIN);
  const link = scripted([neverSent, json(linkAnswer(), 201)]);
  await inFakeTime(link.clock, link.client.paymentLinks.create(LINK));
  assert.equal(link.requests.length, 2);
});

const failed = (code: string, syscall?: string) => Object.assign(new Error(), { code, syscall });
const causes: [string, Error, 'not sent' | 'unclear'][] = [
  ['a host that cannot be reached', failed('EHOSTUNREACH', 'connect'), 'not sent'],
  ['a connection that timed out', failed('ETIMEDOUT', 'connect'), 'not sent'],
  ['a connection that undici gave up', failed('UND_ERR_CONNECT_TIMEOUT'), 'not sent'],
  ['a connection that Bun was refused', failed('ConnectionRefused'), 'not sent'],
  ['a host that is gone when the answer is read', failed('EHOSTUNREACH', 'read'), 'unclear'],
  ['a network that is gone while the request is written', failed('ENETUNREACH', 'write'), 'unclear'],
  ['a code without its system call', failed('EHOSTUNREACH'), 'unclear'],
  [
    'two addresses that both refuse',
    new AggregateError([failed('ECONNREFUSED', 'connect'), failed('ECONNREFUSED', 'connect')]),
    'not sent',
  ],
  [
    'two addresses, one of which failed later',
    new AggregateError([failed('ECONNREFUSED', 'connect'), failed('EHOSTUNREACH', 'read')]),
    'unclear',
  ],
];
for (const [name, cause, verdict] of causes) {
  test(`after ${name} it is ${verdict === 'not sent' ? 'certain' : 'not certain'} that nothing was sent`, async () => {
    // Bun throws its error as it is.
    const error = name.includes('Bun') ? cause : new TypeError('fetch failed', { cause });
    const creating = scripted([error, json(payinAnswer(), 201)]);
    const created = inFakeTime(creating.clock, creating.client.payins.create(PAYIN));
    if (verdict === 'not sent') assert.equal((await created).id, PAYIN_ID);
    else assert.equal((await failure(created)).mayHaveHappened, true);
    assert.equal(creating.requests.length, verdict === 'not sent' ? 2 : 1);

    const paying = scripted([error]);
    const refusal = await failure(paying.client.payouts.create(PAYOUT));
    assert.equal(refusal.kind, verdict === 'not sent' ? 'network' : 'payout_unclear');
  });
}

test('over a connection that is really refused nothing was sent, by number and by name', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  for (const host of ['127.0.0.1', 'localhost']) {
    const client = createServiceClient({
      baseUrl: `http://${host}:${port}`,
      apiKey: 'key',
      retry: { maxTries: 1 },
    });
    for (const call of [() => client.payins.create(PAYIN), () => client.payouts.create(PAYOUT)]) {
      const error = await failure(call());
      assert.deepEqual([error.kind, error.mayHaveHappened], ['network', false], `${error.operation} ${host}`);
    }
  }
});

test('retries can be turned off', async () => {
  const { client, requests } = scripted([lost], { retry: { maxTries: 1 } });
  assert.equal((await failure(client.payins.retrieve(PAYIN_ID))).kind, 'network');
  assert.equal(requests.length, 1);
});

test('Retry-After of either status is waited for, in seconds or until a date, and no longer', async () => {
  for (const status of [429, 503]) {
    for (const wish of ['7', new Date(Date.UTC(2026, 0, 15, 15, 0, 7)).toUTCString()]) {
      const { client, clock } = scripted([json({}, status, { 'retry-after': wish }), json(payinAnswer())]);
      const startedAtMs = clock.now();
      await inFakeTime(clock, client.payins.retrieve(PAYIN_ID));
      assert.equal(clock.now() - startedAtMs, 7_000, `${status} ${wish}`);
    }
  }
});

test('a longer Retry-After than the cap is neither waited for nor cut short: the error passes it on', async () => {
  const { client, requests } = scripted([json({}, 503, { 'retry-after': '3600' }), json(payinAnswer())]);
  const error = await failure(client.payins.retrieve(PAYIN_ID));
  assert.deepEqual([error.kind, error.retryAfterMs, requests.length], ['unavailable', 3_600_000, 1]);

  const longest = scripted([json({}, 503, { 'retry-after': '10' }), json(payinAnswer())]);
  await inFakeTime(longest.clock, longest.client.payins.retrieve(PAYIN_ID));
  assert.equal(longest.requests.length, 2, 'the cap itself is waited for');
});

test('after a 429 the whole client is quiet, and calls that waited together do not come back together', async () => {
  const chances = [0, 0.4, 0.8];
  const sentAtMs: number[] = [];
  const { client, clock } = scripted(
    [
      () => {
        sentAtMs.push(clock.now() - startedAtMs);
        return sentAtMs.length === 1 ? json({}, 429, { 'retry-after': '7' }) : json(payinAnswer());
      },
    ],
    { random: () => chances.shift() ?? 0 },
  );
  const startedAtMs = clock.now();
  const first = client.payins.retrieve(PAYIN_ID);
  await clock.advance(1_000, turns);
  const others = [client.payins.retrieve(PAYIN_ID), client.payins.retrieve(PAYIN_ID)];
  await inFakeTime(clock, Promise.all([first, ...others]));
  assert.deepEqual(sentAtMs, [0, 7_000, 7_100, 7_200]);
});

test('a longer silence than a call waits for is an error at once, and nothing is sent', async () => {
  const { client, requests, clock } = scripted([
    json({}, 429, { 'retry-after': '25' }),
    json(payinAnswer(), 201),
  ]);
  await failure(client.payins.retrieve(PAYIN_ID));
  const error = await failure(client.payins.create(PAYIN));
  assert.deepEqual([error.kind, error.retryAfterMs, error.mayHaveHappened], ['rate_limited', 25_000, false]);
  assert.equal(requests.length, 1);
  await clock.advance(25_000);
  assert.equal((await client.payins.create(PAYIN)).id, PAYIN_ID);
});

test('a call that is called off while the client is quiet was never sent, and says so', async () => {
  const { client, requests } = scripted([json({}, 429, { 'retry-after': '5' })], { retry: { maxTries: 1 } });
  await failure(client.payins.retrieve(PAYIN_ID));
  const controller = new AbortController();
  const create = failure(client.payins.create(PAYIN, { signal: controller.signal }));
  await turns();
  controller.abort();
  const { kind, mayHaveHappened } = await create;
  assert.deepEqual([kind, mayHaveHappened, requests.length], ['rate_limited', false, 1]);
});

test('Retry-After that makes no sense is ignored, and none is longer than a day', () => {
  const nowMs = Date.UTC(2026, 0, 15);
  assert.equal(parseRetryAfter(null, nowMs), null);
  for (const wish of ['', 'soon', '-5', '1.5', '0x10', 'Foo, bar', '9'.repeat(65)]) {
    assert.equal(parseRetryAfter(wish, nowMs), null, wish);
  }
  assert.equal(parseRetryAfter('0', nowMs), 0);
  assert.equal(parseRetryAfter(' 12 ', nowMs), 12_000);
  assert.equal(parseRetryAfter('12'.padStart(64, '0'), nowMs), 12_000);
  assert.equal(parseRetryAfter('Wed, 14 Jan 2026 00:00:00 GMT', nowMs), 0);
  assert.equal(parseRetryAfter('99999999999999999999', nowMs), 86_400_000);
});

test('pauses grow, spread, and never fall below the base or above the limits', () => {
  const error = new ServiceError('unavailable', 'payins.retrieve', { status: 503 });
  const policy = { ...DEFAULT_RETRY, maxTries: 20 };
  const delays = (random: number) =>
    [1, 2, 3, 6].map((tries) => retryDelayMs(error, 'read', tries, policy, () => random));
  assert.deepEqual(delays(0), [250, 250, 250, 250]);
  assert.deepEqual(delays(1), [500, 1_000, 2_000, 4_000]);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 19 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (tries, random) => {
        const delayMs = retryDelayMs(error, 'read', tries, policy, () => random);
        return delayMs !== undefined && delayMs >= policy.baseDelayMs && delayMs <= policy.maxDelayMs;
      },
    ),
  );
});

test('each try has its own time, and a call can set its own', async () => {
  const slow = scripted([silence], { timeoutMs: 2_000, retry: { maxTries: 2 } });
  const startedAtMs = slow.clock.now();
  const error = await inFakeTime(slow.clock, failure(slow.client.payins.retrieve(PAYIN_ID)));
  assert.deepEqual([error.kind, error.status], ['timeout', null]);
  assert.equal(slow.clock.now() - startedAtMs, 2_000 + 250 + 2_000);

  const own = scripted([silence], { retry: { maxTries: 1 } });
  await inFakeTime(own.clock, failure(own.client.payins.retrieve(PAYIN_ID, { timeoutMs: 300 })));
  assert.equal(own.clock.now() - startedAtMs, 300);
  await assert.rejects(own.client.payins.retrieve(PAYIN_ID, { timeoutMs: -1 }), RangeError);

  const page = own.client.payins.list({ timeoutMs: 300 }).pages()[Symbol.asyncIterator]().next();
  await inFakeTime(own.clock, failure(page));
  assert.equal(own.clock.now() - startedAtMs, 600);
});

test('the time also covers a body that never ends and a credential that never comes', async () => {
  const drip = () =>
    new Response(new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array([123])) }));
  const body = scripted([drip]);
  const startedAtMs = body.clock.now();
  const bodyError = await inFakeTime(body.clock, failure(body.client.payins.create(PAYIN)));
  assert.equal(body.clock.now() - startedAtMs, 15_000);
  assert.deepEqual([bodyError.kind, bodyError.status, bodyError.mayHaveHappened], ['timeout', 200, true]);

  const credential = scripted([lost], { apiKey: () => new Promise<string>(() => undefined) });
  const error = await inFakeTime(credential.clock, failure(credential.client.payins.create(PAYIN)));
  assert.deepEqual([error.kind, error.mayHaveHappened], ['timeout', false]);
  assert.deepEqual([credential.requests.length, credential.clock.now() - startedAtMs], [0, 15_000]);
});

test('a call can be called off before it is sent, while it runs, and while it waits to try again', async () => {
  const before = scripted([json(payinAnswer(), 201)]);
  const unsent = await failure(before.client.payins.create(PAYIN, { signal: AbortSignal.abort() }));
  assert.deepEqual([unsent.kind, unsent.mayHaveHappened, before.requests.length], ['aborted', false, 0]);

  const during = scripted([silence]);
  const running = new AbortController();
  const created = failure(during.client.payins.create(PAYIN, { signal: running.signal }));
  await new Promise(setImmediate);
  assert.equal(during.requests[0]?.signal.aborted, false);
  running.abort();
  const sent = await created;
  assert.deepEqual([sent.kind, sent.mayHaveHappened], ['aborted', true]);
  assert.equal(during.requests[0]?.signal.aborted, true, 'the request itself is called off too');

  const between = scripted([lost]);
  const waiting = new AbortController();
  const read = failure(between.client.payins.retrieve(PAYIN_ID, { signal: waiting.signal }));
  await new Promise(setImmediate);
  waiting.abort();
  assert.equal((await read).kind, 'aborted');
  assert.equal(between.requests.length, 1);
});

test('a call that ended at its second try leaves no timer and no listener behind', async () => {
  const { client, clock } = scripted([lost, json(payinAnswer())]);
  const controller = new AbortController();
  let listeners = 0;
  const { signal } = controller;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add(...args));
  signal.removeEventListener = (...args: Parameters<typeof remove>) => (listeners--, remove(...args));
  await inFakeTime(clock, client.payins.retrieve(PAYIN_ID, { signal }));
  assert.equal(clock.nextDueAtMs(), undefined);
  assert.equal(listeners, 0);
});
