import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import {
  brebPayin,
  DOCUMENTS,
  HOUR_MS,
  link,
  outcomeOf,
  payout,
  psePayin,
  refused,
  startSandbox,
  withLink,
  without,
} from '../harness.js';

/** "Errors", "Limits" and "Versioning", row by row. The ids are those of rules.md. */

describe('errors', () => {
  test('XE1 POST /payins answers 400 to invalid input and creates nothing', async () => {
    const { post, engine } = startSandbox();
    assert.equal((await post('/payins', { ...brebPayin, amountInCents: 0 })).status, 400);
    assert.equal(engine.payins.length, 0);
  });
  test('XE2 POST /payins answers 401 to the unauthorized', async () => {
    assert.equal((await startSandbox().send('/payins', { method: 'POST' })).status, 401);
  });
  test('XE3 payins and payouts carry errorCode, null when there is no error', async () => {
    for (const path of ['/payins', '/payouts'] as const) {
      const good = await outcomeOf(path, DOCUMENTS.confirmed);
      assert.equal(good.lastEvent().data.errorCode, null);
      const bad = await outcomeOf(path, DOCUMENTS.declined);
      assert.match(bad.lastEvent().data.errorCode, /^DECLINED_/);
    }
  });
  test('XE4 each rule listed as invalid input gives 400 with its field', async () => {
    const rules: [object, string, string][] = [
      [{ ...brebPayin, amountInCents: 0 }, 'amountInCents', 'too_small'],
      [without(brebPayin, 'reference'), 'reference', 'required'],
      [without(psePayin, 'pse.bank'), 'pse.bank', 'required'],
      [without(psePayin, 'pse'), 'pse', 'required'],
      [without(brebPayin, 'breb'), 'breb', 'required'],
    ];
    for (const [body, field, code] of rules) {
      const answer = await startSandbox().post('/payins', body);
      assert.equal(answer.status, 400);
      assert.deepEqual(answer.body.errors, [{ field, code }]);
    }
  });
  test('XE5 an error is code, message, requestId and, for invalid input, errors', async () => {
    const { post, get } = startSandbox();
    const invalid = await post('/payins', {});
    assert.deepEqual(Object.keys(invalid.body), ['code', 'message', 'errors', 'requestId']);
    assert.equal(invalid.body.requestId, invalid.headers.get('x-request-id'));
    assert.deepEqual(Object.keys((await get('/payins/x')).body), ['code', 'message', 'requestId']);
  });
  test('XE6 errorCode says who ended it', async () => {
    const codes = [];
    for (const path of ['/payins', '/payouts'] as const) {
      for (const document of [DOCUMENTS.declined, DOCUMENTS.canceled]) {
        codes.push((await outcomeOf(path, document)).lastEvent().data.errorCode);
      }
    }
    assert.deepEqual(codes, [
      'DECLINED_BY_BANK',
      'CANCELED_BY_PAYER',
      'DECLINED_BY_RECEIVING_BANK',
      'CANCELED_BY_SERVICE',
    ]);
  });
  test('XE7 other operations answer 404 to the unknown, 405 to a wrong method and 409 to a conflict', async () => {
    const { get, post, send } = startSandbox();
    assert.equal((await get('/nothing')).status, 404);
    const wrongMethod = await send('/payins', { method: 'DELETE' });
    assert.deepEqual([wrongMethod.status, wrongMethod.headers.get('allow')], [405, 'GET, POST']);
    await post('/payins', brebPayin);
    assert.equal((await post('/payins', brebPayin)).status, 409);
  });
});

describe('limits', () => {
  test('LI1 the smallest payin is 1 cent', async () => {
    const { post } = startSandbox();
    assert.equal((await post('/payins', { ...brebPayin, amountInCents: 1 })).status, 201);
    assert.equal((await post('/payins', { ...brebPayin, reference: 'B', amountInCents: 0 })).status, 400);
  });
  test('LI2 a page has 1 to 100 payins', async () => {
    const { get } = startSandbox();
    assert.deepEqual(
      [
        (await get('/payins?limit=0')).status,
        (await get('/payins?limit=1')).status,
        (await get('/payins?limit=100')).status,
        (await get('/payins?limit=101')).status,
      ],
      [400, 200, 200, 400],
    );
  });
  test('LI3 a link lives one hour and expiresAt says until when', async () => {
    const service = await withLink();
    const { createdAt, expiresAt } = await service.read();
    assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), HOUR_MS);
    await service.pass(HOUR_MS - 1);
    assert.equal((await service.read()).status, 'PENDING');
    await service.pass(1);
    assert.equal((await service.read()).status, 'EXPIRED');
  });
  test('LI4 a link is FIXED and nothing else', async () => {
    assert.equal((await startSandbox().post('/payment-links', { ...link, amountType: 'RANGE' })).status, 400);
  });
  test('LI5 payins and payouts are in COP', async () => {
    await refused('/payins', { ...brebPayin, currency: 'MXN' }, 'currency', 'not_allowed');
    await refused('/payouts', { ...payout, currency: 'MXN' }, 'currency', 'not_allowed');
  });
  test('LI6 payouts go by BRE_B only', async () => {
    await refused('/payouts', { ...payout, rail: 'PSE' }, 'rail', 'not_allowed');
  });
  test('LI7 there is no rate limit', async () => {
    const { get } = startSandbox();
    const answers = await Promise.all(Array.from({ length: 200 }, () => get('/payins')));
    assert.ok(answers.every(({ status }) => status === 200));
  });
  test('LI8 the largest amount is the largest exact whole number', async () => {
    const { post } = startSandbox();
    const largest = { ...brebPayin, amountInCents: Number.MAX_SAFE_INTEGER };
    assert.equal((await post('/payins', largest)).status, 201);
    const larger = { ...brebPayin, reference: 'B', amountInCents: Number.MAX_SAFE_INTEGER + 1 };
    assert.equal((await post('/payins', larger)).status, 400);
  });
});

describe('versioning', () => {
  test('VE1 the sandbox plays version 1.0 and ignores fields it does not know', async () => {
    const { post } = startSandbox();
    const answer = await post('/payins', { ...brebPayin, fromTheFuture: true });
    assert.equal(answer.status, 201);
    assert.equal('fromTheFuture' in answer.body, false);
  });
  test('VE2 paths carry no version', async () => {
    const { get } = startSandbox();
    assert.equal((await get('/payins')).status, 200);
    assert.equal((await get('/v1/payins')).status, 404);
  });
  test('VE3 amount modes of the future are refused today', async () => {
    const answer = await startSandbox().post('/payment-links', { ...link, amountType: 'VARIABLE' });
    assert.deepEqual(answer.body.errors, [{ field: 'amountType', code: 'not_allowed' }]);
  });
  test('VE4 a version that a caller asks for changes nothing', async () => {
    const { send } = startSandbox();
    const headers = { 'x-api-key': 'sandbox-api-key', 'x-api-version': '2.0' };
    assert.equal((await send('/payins', { headers })).status, 200);
  });
});
