import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { read } from '../../../src/contract/schema.js';
import {
  KeyLookupSchema,
  PayinPageSchema,
  PayinSchema,
  PayoutSchema,
} from '../../../src/contract/service/resources.js';
import {
  brebPayin,
  customer,
  link,
  payout,
  psePayin,
  refused,
  startSandbox,
  without,
  withValue,
} from '../harness.js';

/** "What the service does", "Endpoints" and the conventions, row by row. The ids are those of rules.md. */

type Service = ReturnType<typeof startSandbox>;

async function withKeyLookedUp(): Promise<Service> {
  const service = startSandbox();
  await service.get('/breb/keys/@PROVEEDOR1');
  return service;
}

describe('what the service does', () => {
  test('W1 a merchant creates a payin on the rail BRE_B or PSE', async () => {
    const { post } = startSandbox();
    assert.equal((await post('/payins', brebPayin)).body.rail, 'BRE_B');
    assert.equal((await post('/payins', { ...psePayin, reference: 'ORDER-2' })).body.rail, 'PSE');
  });
  test('W2 a payout goes to a BREB key', async () => {
    const service = await withKeyLookedUp();
    assert.equal((await service.post('/payouts', payout)).body.sourceData.keyString, '@PROVEEDOR1');
  });
  test('W3 a key is looked up before a payout', async () => {
    const answer = await startSandbox().get('/breb/keys/@PROVEEDOR1');
    assert.equal(answer.status, 200);
    assert.equal(answer.body.details.keyString, '@PROVEEDOR1');
  });
  test('W4 a payment link leaves the method to the payer, or fixes it', async () => {
    const { post, engine } = startSandbox();
    const open = (await post('/payment-links', link)).body.paymentLinkId;
    assert.equal(engine.payLink(open, { rail: 'BRE_B', keyType: 'QR_CODE' }).source.rail, 'BRE_B');
    const fixed = (await post('/payment-links', { ...link, rail: 'PSE' })).body.paymentLinkId;
    assert.throws(() => engine.payLink(fixed, { rail: 'BRE_B', keyType: 'QR_CODE' }), /rail_not_allowed/);
  });
  test('W5 a creation answer is never the outcome: it comes later, by event', async () => {
    const { post, pass, events } = startSandbox();
    const { status } = (await post('/payins', { ...brebPayin, inlineCustomer: customer })).body;
    assert.equal(status, 'PROCESSING');
    await pass(10_000);
    assert.deepEqual(events(), ['payin.processing', 'payin.confirmed']);
  });
  test('W6 payins are listed by cursor', async () => {
    const { post, get } = startSandbox();
    await post('/payins', brebPayin);
    assert.equal((await get('/payins')).body.data.length, 1);
  });
});

describe('common conventions', () => {
  test('C1 bodies are JSON, both ways', async () => {
    const { post, send } = startSandbox();
    assert.match((await post('/payins', brebPayin)).headers.get('content-type') ?? '', /^application\/json/);
    const form = await send('/payins', {
      method: 'POST',
      headers: { 'x-api-key': 'sandbox-api-key', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'rail=BRE_B',
    });
    assert.deepEqual([form.status, form.body.code], [415, 'unsupported_media_type']);
  });
  test('C2 amounts in requests are whole cents', async () => {
    for (const amountInCents of [0.5, 1e21, '100', null]) {
      const answer = await startSandbox().post('/payins', { ...brebPayin, amountInCents });
      assert.equal(answer.status, 400, String(amountInCents));
    }
  });
  test('C3 the only currency is COP', async () => {
    await refused('/payins', { ...brebPayin, currency: 'USD' }, 'currency', 'not_allowed');
  });
  test('C4 timestamps are ISO 8601 in UTC with milliseconds', async () => {
    const { createdAt } = (await startSandbox().post('/payins', brebPayin)).body;
    assert.equal(new Date(createdAt).toISOString(), createdAt);
  });
  test('C5 identifiers are UUIDs', async () => {
    const { post } = startSandbox();
    const { id, organizationId } = (await post('/payins', brebPayin)).body;
    const { paymentLinkId } = (await post('/payment-links', link)).body;
    for (const value of [id, organizationId, paymentLinkId]) assert.match(value, /^[0-9a-f-]{36}$/);
  });
});

describe('POST /payins', () => {
  test('EP1 amountInCents is required and at least 1', async () => {
    await refused('/payins', without(brebPayin, 'amountInCents'), 'amountInCents', 'required');
    await refused('/payins', { ...brebPayin, amountInCents: 0 }, 'amountInCents', 'too_small');
    assert.equal((await startSandbox().post('/payins', { ...brebPayin, amountInCents: 1 })).status, 201);
  });
  test('EP2 currency is required and COP', async () => {
    await refused('/payins', without(brebPayin, 'currency'), 'currency', 'required');
    await refused('/payins', { ...brebPayin, currency: 'cop' }, 'currency', 'not_allowed');
  });
  test('EP3 rail is required and BRE_B or PSE', async () => {
    await refused('/payins', without(brebPayin, 'rail'), 'rail', 'required');
    await refused('/payins', { ...brebPayin, rail: 'CARD' }, 'rail', 'not_allowed');
  });
  test('EP4 reference is required and unique', async () => {
    await refused('/payins', without(brebPayin, 'reference'), 'reference', 'required');
    const { post } = startSandbox();
    assert.equal((await post('/payins', brebPayin)).status, 201);
    const again = await post('/payins', psePayin);
    assert.deepEqual([again.status, again.body.code], [409, 'reference_taken']);
    assert.deepEqual(again.body.errors, [{ field: 'reference', code: 'not_allowed' }]);
  });
  test('EP5 inlineCustomer is optional', async () => {
    const { post } = startSandbox();
    assert.equal((await post('/payins', brebPayin)).status, 201);
    const withCustomer = { ...brebPayin, reference: 'ORDER-2', inlineCustomer: customer };
    assert.equal((await post('/payins', withCustomer)).status, 201);
    await refused('/payins', { ...brebPayin, inlineCustomer: 'someone' }, 'inlineCustomer', 'wrong_type');
  });
  test('EP6 pse is required when the rail is PSE', async () => {
    await refused('/payins', without(psePayin, 'pse'), 'pse', 'required');
  });
  test('EP7 breb is required when the rail is BRE_B', async () => {
    await refused('/payins', without(brebPayin, 'breb'), 'breb', 'required');
  });
  test('EP8 callbackUrl is optional, and an http or https address', async () => {
    await refused('/payins', { ...psePayin, callbackUrl: 'shop/return' }, 'callbackUrl', 'format');
    await refused('/payins', { ...psePayin, callbackUrl: 'javascript:alert(1)' }, 'callbackUrl', 'format');
    const { post } = startSandbox();
    assert.equal((await post('/payins', without(psePayin, 'callbackUrl'))).status, 201);
  });
  test('EP9 a good request gets 201 with the payin', async () => {
    const answer = await startSandbox().post('/payins', brebPayin);
    assert.equal(answer.status, 201);
    assert.ok(read(PayinSchema, answer.body).ok);
  });
  test('EP10 invalid input gets 400, with an error for each field', async () => {
    const answer = await startSandbox().post('/payins', { rail: 'PSE', amountInCents: -1, callbackUrl: 'x' });
    assert.equal(answer.status, 400);
    assert.deepEqual(answer.body.errors.map(({ field }: { field: string }) => field).sort(), [
      'amountInCents',
      'callbackUrl',
      'currency',
      'pse',
      'reference',
    ]);
  });
  test('EP11 a request without the key gets 401, before its body is looked at', async () => {
    const answer = await startSandbox().send('/payins', { method: 'POST', body: 'nonsense' });
    assert.deepEqual([answer.status, answer.body.code], [401, 'unauthorized']);
  });
  test('EP12 SINGLE_USE brings a key, QR_CODE a key and a picture', async () => {
    const { post } = startSandbox();
    const single = (await post('/payins', brebPayin)).body.sourceData;
    assert.deepEqual(Object.keys(single).sort(), ['checkoutUrl', 'keyString', 'keyType']);
    const qrRequest = { ...brebPayin, reference: 'ORDER-2', breb: { keyType: 'QR_CODE' } };
    const qr = (await post('/payins', qrRequest)).body.sourceData;
    assert.deepEqual(Object.keys(qr).sort(), ['checkoutUrl', 'keyString', 'keyType', 'qrString']);
  });
});

describe('GET /payins', () => {
  async function listOf(count: number) {
    const service = startSandbox();
    for (let index = 1; index <= count; index++) {
      await service.post('/payins', { ...brebPayin, reference: `ref-${index}` });
    }
    const page = async (query: string) => {
      const { body } = await service.get(`/payins${query}`);
      assert.ok(read(PayinPageSchema, body).ok);
      return {
        references: body.data.map((payin: { reference: string }) => payin.reference),
        ...body.pageInfo,
      };
    };
    return { ...service, page };
  }

  test('EL1 a cursor leads on and back through every payin, even while new ones arrive', async () => {
    const { page, post } = await listOf(7);
    const first = await page('?limit=3');
    const second = await page(`?limit=3&cursor=${first.nextCursor}`);
    await post('/payins', { ...brebPayin, reference: 'ref-8' });
    const third = await page(`?limit=3&cursor=${second.nextCursor}`);
    assert.deepEqual([first, second, third].map(({ references }) => references).flat(), [
      'ref-7',
      'ref-6',
      'ref-5',
      'ref-4',
      'ref-3',
      'ref-2',
      'ref-1',
    ]);
    const back = await page(`?limit=3&cursor=${third.previousCursor}`);
    assert.deepEqual(back.references, second.references);
    const front = await page(`?limit=3&cursor=${back.previousCursor}`);
    assert.deepEqual(front.references, ['ref-7', 'ref-6', 'ref-5']);
    const newest = await page(`?limit=3&cursor=${front.previousCursor}`);
    assert.deepEqual([newest.references, newest.hasPrevious, newest.hasNext], [['ref-8'], false, true]);
  });
  test('EL1 a cursor that is not one of ours gets 400', async () => {
    const { get } = await listOf(1);
    for (const cursor of ['', '0', 'x', '__proto__', btoa('payins older 99'), 'A'.repeat(5_000)]) {
      const answer = await get(`/payins?cursor=${encodeURIComponent(cursor)}`);
      assert.equal(answer.status, 400, cursor.slice(0, 20));
      assert.deepEqual(answer.body.errors, [{ field: 'cursor', code: 'format' }]);
    }
  });
  test('EL2 a page has 1 to 100 items', async () => {
    const { get, page } = await listOf(3);
    assert.equal((await page('?limit=1')).references.length, 1);
    assert.equal((await page('?limit=100')).references.length, 3);
    for (const [limit, code] of [
      ['0', 'too_small'],
      ['101', 'too_large'],
      ['-1', 'format'],
      ['1.5', 'format'],
      ['ten', 'format'],
      ['', 'format'],
    ]) {
      const answer = await get(`/payins?limit=${limit}`);
      assert.equal(answer.status, 400);
      assert.deepEqual(answer.body.errors, [{ field: 'limit', code }]);
    }
  });
  test('EL3 the parameters are called cursor and limit, and a page has 20 items by default', async () => {
    const { page } = await listOf(21);
    const first = await page('');
    assert.equal(first.references.length, 20);
    assert.deepEqual((await page(`?cursor=${first.nextCursor}`)).references, ['ref-1']);
  });
  test('EL4 the body is data and pageInfo', async () => {
    const { get } = await listOf(1);
    assert.deepEqual(Object.keys((await get('/payins')).body), ['data', 'pageInfo']);
  });
});

describe('retrieval of a single payin', () => {
  test('ER1 GET /payins/{id} gives the payin, or 404', async () => {
    const { post, get } = startSandbox();
    const { body } = await post('/payins', brebPayin);
    assert.deepEqual((await get(`/payins/${body.id}`)).body, body);
    const unknown = await get('/payins/00000000-0000-4000-8000-000000000000');
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'not_found']);
  });
});

describe('POST /payouts', () => {
  const required = [
    ['EO1', 'amountInCents', 0, 'too_small'],
    ['EO2', 'currency', 'USD', 'not_allowed'],
    ['EO3', 'rail', 'PSE', 'not_allowed'],
    ['EO4', 'reference', '', 'too_short'],
    ['EO5', 'inlineCustomer', 'x', 'wrong_type'],
  ] as const;
  for (const [id, field, bad, code] of required) {
    test(`${id} ${field} is required, and ${JSON.stringify(bad)} is refused`, async () => {
      await refused('/payouts', without(payout, field), field, 'required', await withKeyLookedUp());
      await refused('/payouts', withValue(payout, field, bad), field, code, await withKeyLookedUp());
    });
  }
  test('EO6 breb.keyString is required and must be a key that was looked up', async () => {
    const service = await withKeyLookedUp();
    await refused('/payouts', without(payout, 'breb'), 'breb', 'required', service);
    await refused('/payouts', { ...payout, breb: {} }, 'breb.keyString', 'required', service);
    const other = { ...payout, breb: { keyString: '@OTRA' } };
    await refused('/payouts', other, 'breb.keyString', 'not_allowed', service);
    await refused(
      '/payouts',
      { ...payout, breb: { keyString: 'no key' } },
      'breb.keyString',
      'format',
      service,
    );
    assert.equal((await service.post('/payouts', payout)).status, 201);
  });
  test('EO7 the answer is 201 with the payout, PROCESSING; it cannot be read back', async () => {
    const service = await withKeyLookedUp();
    const answer = await service.post('/payouts', payout);
    assert.equal(answer.status, 201);
    assert.ok(read(PayoutSchema, answer.body).ok);
    assert.equal(answer.body.status, 'PROCESSING');
    assert.equal((await service.get('/payouts')).status, 405);
    assert.equal((await service.get(`/payouts/${answer.body.id}`)).status, 404);
  });
  test('EO8 look up, create, wait for the event', async () => {
    const { get, post, pass, events } = startSandbox();
    const { details } = (await get('/breb/keys/3001234567')).body;
    await post('/payouts', { ...payout, breb: { keyString: details.keyString } });
    await pass(10_000);
    assert.deepEqual(events(), ['payout.processing', 'payout.confirmed']);
  });
});

describe('GET /breb/keys/{keyString}', () => {
  test('EK1 every kind of key is found, and the same key always has the same receiver', async () => {
    const { get } = startSandbox();
    const kinds: [string, string][] = [
      ['3001234567', 'MOBILE'],
      ['persona@example.com', 'EMAIL'],
      ['1020304050', 'DOCUMENT'],
      ['@TIENDA1', 'ALPHANUMERIC'],
      ['0012345678', 'MERCHANT_CODE'],
    ];
    for (const [key, keyType] of kinds) {
      const answer = await get(`/breb/keys/${encodeURIComponent(key)}`);
      assert.equal(answer.status, 200);
      assert.equal(answer.body.details.keyString, key);
      assert.equal(answer.body.details.keyType, keyType);
      assert.deepEqual((await startSandbox().get(`/breb/keys/${encodeURIComponent(key)}`)).body, answer.body);
    }
  });
  test('EK2 200 with details, 404 for a key without an owner, 400 for a text that is no key', async () => {
    const { get } = startSandbox();
    const answer = await get('/breb/keys/@TIENDA1');
    assert.ok(read(KeyLookupSchema, answer.body).ok);
    assert.deepEqual(Object.keys(answer.body.details).sort(), [
      'bankAccountNumber',
      'bankName',
      'documentNumber',
      'documentType',
      'keyString',
      'keyType',
      'name',
    ]);
    for (const key of ['@noexiste', 'noexiste@example.com', '9999999999']) {
      assert.equal((await get(`/breb/keys/${key}`)).status, 404, key);
    }
    for (const key of ['a', '@', '%00', `@${'A'.repeat(20)}`, 'x'.repeat(3_000)]) {
      const malformed = await get(`/breb/keys/${key}`);
      assert.equal(malformed.status, 400, key.slice(0, 20));
      assert.deepEqual(malformed.body.errors, [{ field: 'keyString', code: 'format' }]);
    }
  });
});
