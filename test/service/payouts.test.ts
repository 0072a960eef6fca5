import assert from 'node:assert/strict';
import { test } from 'vitest';
import { PayoutUnclearError, type Receiver } from '../../src/service.js';
import {
  failure,
  inFakeTime,
  json,
  payoutAnswer,
  PAYOUT,
  RECEIVER,
  scripted,
  silence,
  type Answer,
} from './fixtures.js';

const found = json({ details: RECEIVER });

test('sending a payout looks the key up, asks the caller about the receiver, then creates it for the same key', async () => {
  const { client, requests } = scripted([found, json(payoutAnswer(), 201)]);
  const asked: Receiver[] = [];
  const payout = await client.payouts.send(PAYOUT, {
    confirmReceiver(receiver) {
      asked.push(receiver);
      assert.equal(requests.length, 1, 'nothing is created before the receiver is confirmed');
      return true;
    },
  });
  assert.deepEqual(asked, [RECEIVER]);
  assert.deepEqual(
    requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`),
    ['GET /v1/breb/keys/%40ximenaq77', 'POST /v1/payouts'],
  );
  assert.deepEqual(await requests[1]?.json(), PAYOUT);
  assert.equal(payout.status, 'PROCESSING');
});

test('a payout is not made when the receiver is not the intended one', async () => {
  for (const answer of [false, undefined, 'yes', 1]) {
    const { client, requests } = scripted([found]);
    const sending = client.payouts.send(PAYOUT, { confirmReceiver: () => answer as boolean });
    const { kind, operation } = await failure(sending);
    assert.deepEqual([kind, operation], ['receiver_not_confirmed', 'payouts.create']);
    assert.equal(requests.length, 1);
  }
});

test('a payout is not made when asking the caller fails, and the caller gets their own error', async () => {
  const { client, requests } = scripted([found]);
  const own = new Error('the dialog was closed');
  await assert.rejects(client.payouts.send(PAYOUT, { confirmReceiver: () => Promise.reject(own) }), own);
  assert.equal(requests.length, 1);
});

test('a payout is not made when the key does not exist', async () => {
  const { client, requests } = scripted([json({ code: 'not_found' }, 404)]);
  const error = await failure(client.payouts.send(PAYOUT, { confirmReceiver: () => true }));
  assert.deepEqual([error.kind, error.operation, requests.length], ['not_found', 'keys.lookup', 1]);
});

test('what was confirmed is what is sent, even if the caller changes the input meanwhile', async () => {
  const { client, requests } = scripted([found, json(payoutAnswer(), 201)]);
  const input = structuredClone(PAYOUT);
  await client.payouts.send(input, {
    confirmReceiver() {
      input.amountInCents = 99_999_999;
      input.breb.keyString = '@somebodyelse';
      return true;
    },
  });
  assert.deepEqual(await requests[1]?.json(), PAYOUT);
});

test('an invalid payout is refused before the key is looked up', async () => {
  const { client, requests } = scripted([found]);
  const error = await failure(
    client.payouts.send({ ...PAYOUT, amountInCents: 10.5 }, { confirmReceiver: () => true }),
  );
  assert.deepEqual(error.fields, [{ field: 'amountInCents', code: 'wrong_type' }]);
  assert.equal(requests.length, 0);
});

const unclear: Record<string, [Answer, string]> = {
  'no answer in time': [silence, 'timeout'],
  'a lost connection': [new TypeError('fetch failed'), 'network'],
  'a failure of the service': [json({}, 500), 'unavailable'],
  'an unavailable service that asks to come back': [json({}, 503, { 'retry-after': '1' }), 'unavailable'],
  'an answer that is no payout': [json({ ok: true }, 201), 'unreadable_answer'],
  'an answer without a body': [new Response(null, { status: 204 }), 'unreadable_answer'],
  'a redirect': [new Response(null, { status: 302, headers: { location: '/x' } }), 'unreadable_answer'],
};
for (const [name, [answer, origin]] of Object.entries(unclear)) {
  test(`a payout with ${name} is unclear, is not sent again, and must wait for its event`, async () => {
    const { client, requests, clock } = scripted([answer, json(payoutAnswer(), 201)]);
    const error = await inFakeTime(clock, failure(client.payouts.create(PAYOUT)));
    assert.ok(error instanceof PayoutUnclearError);
    assert.equal(error.name, 'PayoutUnclearError');
    assert.equal(error.kind, 'payout_unclear');
    assert.equal(error.origin, origin);
    assert.equal(error.mayHaveHappened, true);
    assert.match(error.message, /unclear.*not send it again.*wait for its payout event/);
    assert.equal(requests.length, 1);
  });
}

test('a payout called off after it was sent is unclear; called off before, it is not', async () => {
  const sent = scripted([silence]);
  const controller = new AbortController();
  const sending = failure(sent.client.payouts.create(PAYOUT, { signal: controller.signal }));
  await new Promise(setImmediate);
  controller.abort();
  assert.equal((await sending).kind, 'payout_unclear');

  const unsent = scripted([silence]);
  const error = await failure(unsent.client.payouts.create(PAYOUT, { signal: AbortSignal.abort() }));
  assert.deepEqual([error.kind, error.mayHaveHappened, unsent.requests.length], ['aborted', false, 0]);
});

test('a payout the service clearly did not take is not called unclear, and is still not sent again', async () => {
  const refused = Object.assign(new TypeError('fetch failed'), {
    cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' }),
  });
  const clear: [Answer, string][] = [
    [json({}, 429, { 'retry-after': '1' }), 'rate_limited'],
    [json({}, 400), 'invalid_input'],
    [json({}, 409), 'conflict'],
    [refused, 'network'],
  ];
  for (const [answer, kind] of clear) {
    const { client, requests, clock } = scripted([answer, json(payoutAnswer(), 201)]);
    const error = await inFakeTime(clock, failure(client.payouts.create(PAYOUT)));
    assert.deepEqual([error.kind, error.mayHaveHappened, requests.length], [kind, false, 1]);
  }
});
