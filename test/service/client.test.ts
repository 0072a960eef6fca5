import assert from 'node:assert/strict';
import { onTestFinished, test, vi } from 'vitest';
import { createServiceClient } from '../../src/service.js';
import {
  ACCESS_TOKEN,
  API_KEY,
  failure,
  json,
  LINK,
  LINK_ID,
  linkAnswer,
  PAYIN,
  PAYIN_ID,
  payinAnswer,
  RECEIVER,
  scripted,
} from './fixtures.js';

test('creating a payin posts it as JSON with the API key and gives the typed payin', async () => {
  const { client, requests } = scripted([json(payinAnswer(), 201)]);
  const payin = await client.payins.create(PAYIN);
  const [request] = requests;
  assert.equal(request?.method, 'POST');
  assert.equal(request.url, 'https://service.example/v1/payins');
  assert.equal(request.headers.get('x-api-key'), API_KEY);
  assert.equal(request.headers.get('authorization'), null);
  assert.equal(request.headers.get('content-type'), 'application/json');
  assert.equal(request.headers.get('accept'), 'application/json');
  assert.deepEqual(await request.json(), PAYIN);
  assert.equal(payin.id, PAYIN_ID);
  assert.equal(payin.sourceData?.keyString, '@K9F3A');
});

test('keys the contract does not know are not sent to the service', async () => {
  const { client, requests } = scripted([json(payinAnswer(), 201)]);
  await client.payins.create(Object.assign({ cardNumber: '4111' }, PAYIN));
  assert.deepEqual(await requests[0]?.json(), PAYIN);
});

test('payment links are created and read with the bearer token', async () => {
  const { client, requests } = scripted([json(linkAnswer(), 201), json(linkAnswer({ status: 'COMPLETED' }))]);
  assert.equal((await client.paymentLinks.create(LINK)).paymentLinkUrl, 'https://pay.example/l/7b0d');
  assert.equal((await client.paymentLinks.retrieve(LINK_ID)).status, 'COMPLETED');
  assert.deepEqual(
    requests.map(({ method, url }) => [method, url]),
    [
      ['POST', 'https://service.example/v1/payment-links'],
      ['GET', `https://service.example/v1/payment-links/${LINK_ID}`],
    ],
  );
  assert.equal(requests[1]?.headers.get('content-type'), null);
  for (const request of requests) {
    assert.equal(request.headers.get('authorization'), `Bearer ${ACCESS_TOKEN}`);
    assert.equal(request.headers.get('x-api-key'), null);
  }
});

test('the credential of an operation can be overridden', async () => {
  const { client, requests } = scripted([json(linkAnswer())], {
    auth: { 'paymentLinks.retrieve': 'apiKey' },
  });
  await client.paymentLinks.retrieve(LINK_ID);
  assert.equal(requests[0]?.headers.get('x-api-key'), API_KEY);
  assert.equal(requests[0].headers.get('authorization'), null);
});

test('a credential given as a function is asked for on every call', async () => {
  let rotation = 0;
  const { client, requests } = scripted([json(payinAnswer())], { apiKey: () => `key_${++rotation}` });
  await client.payins.retrieve(PAYIN_ID);
  await client.payins.retrieve(PAYIN_ID);
  assert.deepEqual(
    requests.map((request) => request.headers.get('x-api-key')),
    ['key_1', 'key_2'],
  );
});

test('a credential that is missing, unusable or cannot be got is unauthorized, and nothing is sent', async () => {
  const broken = () => Promise.reject(new Error(`no vault for ${API_KEY}`));
  for (const apiKey of [() => '', () => 'two\nlines', broken]) {
    const { client, requests } = scripted([json(payinAnswer())], { apiKey });
    const error = await failure(client.payins.retrieve(PAYIN_ID));
    assert.equal(error.kind, 'unauthorized');
    assert.equal(error.status, null);
    assert.ok(!JSON.stringify(error).includes(API_KEY));
    assert.equal(requests.length, 0);
  }
  const client = createServiceClient({
    baseUrl: 'https://service.example',
    fetch: () => assert.fail('sent'),
  });
  assert.equal((await failure(client.paymentLinks.retrieve(LINK_ID))).kind, 'unauthorized');
});

test('a configuration that cannot work is refused at once, without repeating secrets', () => {
  const refused = [
    { baseUrl: 'ftp://service.example' },
    { baseUrl: 'http://service.example' },
    { baseUrl: 'http://192.168.1.7:4010' },
    { baseUrl: 'https://user:pw@service.example' },
    { baseUrl: 'https://service.example/?env=test' },
    { baseUrl: 'service.example' },
    { baseUrl: 'http://127.0.0.1.elsewhere.example' },
    { baseUrl: 'https://service.example', apiKey: 'hidden\r\nx-evil: 1' },
    { baseUrl: 'https://service.example', accessToken: 'hidden ' },
    { baseUrl: 'https://service.example', timeoutMs: 0 },
    { baseUrl: 'https://service.example', timeoutMs: Number.NaN },
    { baseUrl: 'https://service.example', timeoutMs: 86_400_001 },
  ];
  for (const options of refused) {
    assert.throws(
      () => createServiceClient(options),
      (error: Error) => /TypeError|RangeError/.test(error.name) && !/hidden|pw/.test(error.message),
    );
  }
});

test('http is for this machine under each of its names', () => {
  for (const host of ['localhost', '127.0.0.1', '127.10.200.3', '[::1]'])
    assert.doesNotThrow(() => createServiceClient({ baseUrl: `http://${host}:4010`, timeoutMs: 86_400_000 }));
});

test('invalid input is refused before anything is sent, field by field', async () => {
  const { client, requests } = scripted([json(payinAnswer(), 201)]);
  const error = await failure(client.payins.create({ ...PAYIN, amountInCents: 0, reference: '' }));
  assert.equal(error.kind, 'invalid_input');
  assert.deepEqual(error.fields, [
    { field: 'amountInCents', code: 'too_small' },
    { field: 'reference', code: 'too_short' },
  ]);
  const noBank = { ...PAYIN, rail: 'PSE', pse: { personType: 'INDIVIDUAL' } } as unknown as typeof PAYIN;
  assert.deepEqual((await failure(client.payins.create(noBank))).fields, [
    { field: 'pse.bank', code: 'required' },
  ]);
  const strayBank = { ...LINK, rail: 'BRE_B', pse: { bank: 'CO_BANCOLOMBIA' } } as const;
  assert.deepEqual((await failure(client.paymentLinks.create(strayBank))).fields, [
    { field: 'pse', code: 'not_allowed' },
  ]);
  assert.equal(requests.length, 0);
});

test('a key is encoded into the path', async () => {
  const { client, requests } = scripted([json({ details: RECEIVER })]);
  await client.keys.lookup('a/b?c#d e@ñ%2f');
  assert.equal(requests[0]?.url, 'https://service.example/v1/breb/keys/a%2Fb%3Fc%23d%20e%40%C3%B1%252f');
});

test('ids and keys that would walk out of their path are refused', async () => {
  const { client, requests } = scripted([json(payinAnswer())]);
  for (const id of ['.', '..', '', '../payouts', 'a/b', 'x'.repeat(129)]) {
    const error = await failure(client.payins.retrieve(id));
    assert.equal(error.kind, 'invalid_input');
    assert.equal(error.fields[0]?.field, 'id');
    const ofLink = await failure(client.paymentLinks.retrieve(id));
    assert.deepEqual([ofLink.kind, ofLink.fields[0]?.field], ['invalid_input', 'paymentLinkId']);
  }
  for (const key of ['.', '..', '', '\ud800', 'x\ny', 'x'.repeat(257)]) {
    assert.equal((await failure(client.keys.lookup(key))).fields[0]?.field, 'keyString');
  }
  assert.equal(requests.length, 0);
});

test('a link with an unknown status is pending until that name is configured', async () => {
  const paid = json(linkAnswer({ status: 'PAID' }));
  const unknown = await scripted([paid]).client.paymentLinks.retrieve(LINK_ID);
  assert.deepEqual([unknown.status, unknown.statusName], ['PENDING', 'PAID']);
  const { client } = scripted([paid], { linkStatusNames: { PAID: 'COMPLETED' } });
  assert.equal((await client.paymentLinks.retrieve(LINK_ID)).status, 'COMPLETED');
});

test('what the service leaves out of a payin is null, and what it adds is dropped', async () => {
  const { client } = scripted([json(payinAnswer({ amountInCents: undefined, internal: 'x' }))]);
  const payin = await client.payins.retrieve(PAYIN_ID);
  assert.equal(payin.amountInCents, null);
  assert.ok(!('internal' in payin));
});

test('an answer about another payin or link is not taken for the one asked for', async () => {
  const payin = scripted([json(payinAnswer({ id: LINK_ID }))]);
  assert.equal((await failure(payin.client.payins.retrieve(PAYIN_ID))).kind, 'unreadable_answer');
  const link = scripted([json(linkAnswer({ paymentLinkId: PAYIN_ID }))]);
  assert.equal((await failure(link.client.paymentLinks.retrieve(LINK_ID))).kind, 'unreadable_answer');
});

test('a link that comes back without an address may have been made, but cannot be used', async () => {
  const { client } = scripted([json(linkAnswer({ paymentLinkUrl: null }), 201)]);
  const error = await failure(client.paymentLinks.create(LINK));
  assert.equal(error.kind, 'unreadable_answer');
  assert.equal(error.mayHaveHappened, true);
});

test('without a fetch of its own the client calls the platform through the global object', async () => {
  const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(function (this: unknown) {
    assert.ok(this === globalThis || this === undefined);
    return Promise.resolve(json(payinAnswer()));
  });
  onTestFinished(() => asked.mockRestore());
  const client = createServiceClient({ baseUrl: 'https://service.example', apiKey: API_KEY });
  assert.equal((await client.payins.retrieve(PAYIN_ID)).id, PAYIN_ID);
  assert.equal(asked.mock.calls.length, 1);
});

test('baseUrl may be http for a host of a private network only when that is allowed', () => {
  const at = (baseUrl: string, allowHttp?: boolean) => () =>
    createServiceClient({ baseUrl, apiKey: 'key', ...(allowHttp !== undefined && { allowHttp }) });
  assert.throws(at('http://sandbox:4010'), /allowHttp: true for a host of your private network/);
  assert.throws(at('http://sandbox:4010', false), /allowHttp/);
  assert.doesNotThrow(at('http://sandbox:4010', true));
  assert.throws(at('http://user:pw@sandbox:4010', true), /without credentials/);
  assert.throws(at('ftp://sandbox', true), /https address/);
});
