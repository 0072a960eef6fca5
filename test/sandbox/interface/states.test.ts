import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import {
  brebPayin,
  DOCUMENTS,
  HOUR_MS,
  link,
  outcomeOf,
  psePayin,
  startSandbox,
  withLink,
} from '../harness.js';

/** "States and transitions" and "Authentication", row by row. The ids are those of rules.md. */

describe('states of a payin', () => {
  test('ST1 an open payin is PENDING or PROCESSING, and ends confirmed, declined or canceled', async () => {
    for (const [name, document] of Object.entries(DOCUMENTS)) {
      const { get, id, created } = await outcomeOf('/payins', document);
      assert.equal(created.status, 'PROCESSING');
      assert.equal((await get(`/payins/${id}`)).body.status, name.toUpperCase());
    }
  });
  test('ST2 a valid BRE_B request makes a PROCESSING payin with its key, and a picture for QR_CODE', async () => {
    const { body } = await startSandbox().post('/payins', { ...brebPayin, breb: { keyType: 'QR_CODE' } });
    assert.equal(body.status, 'PROCESSING');
    assert.ok(body.sourceData.keyString && body.sourceData.qrString);
  });
  test('ST3 the final statuses are called CONFIRMED, DECLINED and CANCELED', async () => {
    for (const outcome of ['CONFIRMED', 'DECLINED', 'CANCELED'] as const) {
      const { post, get, engine } = startSandbox();
      const { id } = (await post('/payins', brebPayin)).body;
      engine.settle(id, outcome);
      assert.equal((await get(`/payins/${id}`)).body.status, outcome);
    }
  });
  test('ST4 a PSE payin is PENDING until the payer is at the bank; a final one only moves to CONFIRMED', async () => {
    const { post, engine, pass, events } = startSandbox();
    const { id } = (await post('/payins', psePayin)).body;
    await pass(2_000);
    const payin = engine.payins[0];
    assert.ok(payin?.source.rail === 'PSE');
    assert.equal(engine.visitBank(payin.source.bankToken)?.status, 'PROCESSING');
    engine.settle(id, 'DECLINED');
    assert.throws(() => engine.settle(id, 'CANCELED'), /already_final/);
    assert.equal(engine.settle(id, 'CONFIRMED').status, 'CONFIRMED');
    assert.throws(() => engine.settle(id, 'DECLINED'), /already_final/);
    await pass(0);
    assert.deepEqual(events(), ['payin.processing', 'payin.declined', 'payin.confirmed']);
  });
  test('ST5 settlementStatus goes from PENDING_SETTLEMENT to SETTLED or REVERSED on command', async () => {
    const { post, get, engine } = startSandbox();
    const { id } = (await post('/payins', brebPayin)).body;
    assert.throws(() => engine.moveSettlement(id, 'SETTLED'), /not_confirmed/);
    engine.settle(id, 'CONFIRMED');
    const status = async () => (await get(`/payins/${id}`)).body.settlementStatus;
    assert.equal(await status(), 'PENDING_SETTLEMENT');
    engine.moveSettlement(id, 'SETTLED');
    assert.equal(await status(), 'SETTLED');
    engine.chargeBack(id);
    assert.equal(await status(), 'REVERSED');
  });
});

describe('states of a payout', () => {
  test('ST6 a valid request makes a PROCESSING payout and goes on by itself', async () => {
    const { created, events } = await outcomeOf('/payouts', '1020304050');
    assert.equal(created.status, 'PROCESSING');
    assert.equal(events().at(-1), 'payout.confirmed');
  });
  test('ST7 it ends CONFIRMED, DECLINED or CANCELED, for good', async () => {
    for (const [name, document] of Object.entries(DOCUMENTS)) {
      const { engine, id, events } = await outcomeOf('/payouts', document);
      assert.equal(events().at(-1), `payout.${name}`);
      assert.equal(engine.payouts[0]?.status, name.toUpperCase());
      if (name !== 'confirmed') assert.throws(() => engine.settle(id, 'CONFIRMED'), /already_final/);
    }
  });
});

describe('states of a payment link', () => {
  test('ST8 a valid request makes a PENDING link with its address and its end', async () => {
    const { body } = await startSandbox().post('/payment-links', link);
    assert.equal(body.status, 'PENDING');
    assert.ok(body.paymentLinkUrl && body.expiresAt);
  });
  test('ST9 a payment before the end completes it, with an event and completedAt', async () => {
    const service = await withLink();
    await service.pass(HOUR_MS - 1);
    service.engine.settle(service.pay().id, 'CONFIRMED');
    await service.pass(0);
    const { status, completedAt } = await service.read();
    assert.equal(status, 'COMPLETED');
    assert.equal(Date.parse(completedAt), service.clock.now());
    assert.deepEqual(service.events(), ['paymentlink.completed']);
    await service.pass(HOUR_MS);
    assert.deepEqual(service.events(), ['paymentlink.completed']);
  });
  test('ST10 at expiresAt, to the millisecond, it expires with an event', async () => {
    const service = await withLink();
    await service.pass(HOUR_MS - 1);
    assert.equal((await service.read()).status, 'PENDING');
    assert.deepEqual(service.events(), []);
    await service.pass(1);
    assert.equal((await service.read()).status, 'EXPIRED');
    assert.deepEqual(service.events(), ['paymentlink.expired']);
  });
  test('ST11 an expired or completed link takes no payment; one that was under way does not revive it', async () => {
    const expired = await withLink();
    const underWay = expired.pay();
    await expired.pass(HOUR_MS);
    assert.throws(expired.pay, /link_not_payable/);
    expired.engine.settle(underWay.id, 'CONFIRMED');
    assert.equal((await expired.read()).status, 'EXPIRED');
    await expired.pass(0);
    assert.deepEqual(expired.events(), ['paymentlink.expired']);
    const completed = await withLink();
    completed.engine.settle(completed.pay().id, 'CONFIRMED');
    assert.throws(completed.pay, /link_not_payable/);
  });
});

describe('authentication', () => {
  const apiKey = { 'x-api-key': 'sandbox-api-key' };
  const bearer = { authorization: 'Bearer sandbox-access-token' };
  const refused = [
    {},
    { 'x-api-key': 'wrong' },
    { 'x-api-key': '' },
    { authorization: 'sandbox-access-token' },
  ];

  test('AU1 payins, payouts and key lookups need x-api-key', async () => {
    const { send } = startSandbox();
    for (const [method, path] of [
      ['POST', '/payins'],
      ['GET', '/payins'],
      ['GET', '/payins/x'],
      ['POST', '/payouts'],
      ['GET', '/breb/keys/@TIENDA1'],
    ] as const) {
      for (const headers of [...refused, bearer]) {
        const answer = await send(path, { method, headers: headers as Record<string, string> });
        assert.deepEqual([answer.status, answer.body.code], [401, 'unauthorized'], path);
      }
      assert.notEqual((await send(path, { method, headers: apiKey })).status, 401);
    }
  });
  test('AU2 creating a payment link needs the bearer token', async () => {
    const { send } = startSandbox();
    for (const headers of [...refused, apiKey, { authorization: 'Basic sandbox-access-token' }]) {
      const init = { method: 'POST', headers: headers as Record<string, string> };
      assert.equal((await send('/payment-links', init)).status, 401);
    }
    assert.equal((await send('/payment-links', { method: 'POST', headers: bearer })).status, 415);
  });
  test('AU3 POST /payins answers 401 when unauthorized, and creates nothing', async () => {
    const { send, engine } = startSandbox();
    const headers = { 'content-type': 'application/json' };
    const answer = await send('/payins', { method: 'POST', headers, body: JSON.stringify(brebPayin) });
    assert.equal(answer.status, 401);
    assert.equal(engine.payins.length, 0);
  });
  test('AU4 reading a payment link also needs the bearer token', async () => {
    const { send } = startSandbox();
    assert.equal((await send('/payment-links/x', { headers: apiKey })).status, 401);
    assert.equal((await send('/payment-links/x', { headers: bearer })).status, 404);
  });
});
