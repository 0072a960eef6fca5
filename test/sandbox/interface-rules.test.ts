import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseEvent } from '../../src/contract/service-events.js';
import {
  brebPayin,
  customer,
  first,
  HOUR_MS,
  link,
  payout,
  psePayin,
  startSandbox,
  WEBHOOK_URL,
  withDocument,
  without,
} from './harness.js';

/** States, authentication, events, errors, limits and versioning. The ids are those of docs/service-interface.md. */

async function withLink() {
  const service = startSandbox();
  const { paymentLinkId } = (await service.post('/payment-links', link)).body;
  const read = async () => (await service.get(`/payment-links/${paymentLinkId}`)).body;
  const pay = () => service.engine.payLink(paymentLinkId, { rail: 'BRE_B', keyType: 'SINGLE_USE' });
  return { ...service, paymentLinkId, read, pay };
}

/** The one event of that name, as the merchant got it. */
function eventOf(service: ReturnType<typeof startSandbox>, name: string) {
  const found = service.received.filter(({ event }) => event === name);
  assert.equal(found.length, 1, name);
  return first(found).body;
}

async function outcomeOf(path: '/payins' | '/payouts', idNumber: string) {
  const service = startSandbox();
  await service.get('/breb/keys/@PROVEEDOR1');
  const body = path === '/payins' ? brebPayin : payout;
  const made = await service.post(path, { ...body, inlineCustomer: withDocument(idNumber) });
  await service.pass(5_000);
  return { ...service, id: made.body.id, created: made.body };
}

const DOCUMENTS = { confirmed: '1000000001', declined: '1000000003', canceled: '1000000005' } as const;

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
  test('ST5 settlementStatus goes from PENDING_SETTLEMENT to SETTLED or REVERSED when told', async () => {
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

describe('events', () => {
  const rows = [
    ['EV1', '/payins', 'payin', 'confirmed'],
    ['EV2', '/payins', 'payin', 'canceled'],
    ['EV3', '/payins', 'payin', 'declined'],
    ['EV4', '/payouts', 'payout', 'confirmed'],
    ['EV5', '/payouts', 'payout', 'canceled'],
    ['EV6', '/payouts', 'payout', 'declined'],
  ] as const;
  for (const [id, path, resource, name] of rows) {
    test(`${id} ${resource}.${name} comes with the final outcome`, async () => {
      const service = await outcomeOf(path, DOCUMENTS[name]);
      const body = eventOf(service, `${resource}.${name}`);
      assert.equal(body.resource, resource);
      assert.equal(body.data.id, service.id);
      assert.equal(body.data.status, name.toUpperCase());
      assert.equal(parseEvent(body)?.resource, resource);
    });
  }
  test('EV7 paymentlink.completed comes when the payer completed the payment', async () => {
    const service = await withLink();
    service.engine.settle(service.pay().id, 'CONFIRMED');
    await service.pass(0);
    assert.equal(eventOf(service, 'paymentlink.completed').data.status, 'COMPLETED');
  });
  test('EV8 paymentlink.expired comes when the link ended before completion', async () => {
    const service = await withLink();
    await service.pass(HOUR_MS);
    assert.equal(eventOf(service, 'paymentlink.expired').data.status, 'EXPIRED');
  });
  test('EV9 the payin of a link emits no payin event, whatever becomes of it', async () => {
    for (const outcome of ['CONFIRMED', 'DECLINED', 'CANCELED'] as const) {
      const service = await withLink();
      const bank = { rail: 'PSE', bank: 'CO_BANKA', personType: 'INDIVIDUAL' } as const;
      const payin = service.engine.payLink(service.paymentLinkId, bank);
      assert.ok(payin.source.rail === 'PSE');
      service.engine.visitBank(payin.source.bankToken);
      service.engine.decide(payin.id, outcome);
      await service.pass(HOUR_MS);
      assert.deepEqual(service.events(), [
        outcome === 'CONFIRMED' ? 'paymentlink.completed' : 'paymentlink.expired',
      ]);
    }
  });
  test('EV10 the creation answer is no outcome; the event is', async () => {
    const service = await outcomeOf('/payins', DOCUMENTS.confirmed);
    assert.equal(service.created.resultAt, null);
    assert.notEqual(eventOf(service, 'payin.confirmed').data.resultAt, null);
  });
  test('EV11 events are POSTed as JSON to the configured address and acknowledged with 200', async () => {
    const service = await outcomeOf('/payins', DOCUMENTS.confirmed);
    const [delivery] = service.engine.deliveries;
    assert.equal(delivery?.url, WEBHOOK_URL);
    assert.equal(delivery?.state, 'DELIVERED');
    assert.deepEqual(
      delivery?.attempts.map(({ status }) => status),
      [200],
    );
    assert.equal(service.received[0]?.headers.get('content-type'), 'application/json');
  });
  test('EV12 each carries the static header, its only mark of authenticity', async () => {
    const service = await outcomeOf('/payins', DOCUMENTS.confirmed);
    for (const { headers } of service.received) {
      assert.equal(headers.get('x-webhook-secret'), 'sandbox-webhook-secret');
    }
  });
  test('EV13 an event is sent again until a 2xx answers, and no more', async () => {
    const answers = [500, 301, 404, 204];
    const service = startSandbox({ receive: () => new Response(null, { status: answers.shift() ?? 200 }) });
    const { id } = (await service.post('/payins', brebPayin)).body;
    await service.pass(HOUR_MS);
    const delivery = service.engine.deliveries.find(({ resourceId }) => resourceId === id);
    assert.deepEqual(
      delivery?.attempts.map(({ status }) => status),
      [500, 301, 404, 204],
    );
    assert.equal(delivery?.state, 'DELIVERED');
  });
});

describe('payload of payment-link events', () => {
  async function both() {
    const paid = await withLink();
    await paid.pass(1_000);
    paid.engine.settle(paid.pay().id, 'CONFIRMED');
    await paid.pass(0);
    const lapsed = await withLink();
    await lapsed.pass(HOUR_MS);
    return {
      completed: eventOf(paid, 'paymentlink.completed'),
      expired: eventOf(lapsed, 'paymentlink.expired'),
      paymentLinkId: paid.paymentLinkId,
      created: await lapsed.read(),
    };
  }
  test('EY1 event is the name', async () => {
    const { completed, expired } = await both();
    assert.deepEqual([completed.event, expired.event], ['paymentlink.completed', 'paymentlink.expired']);
  });
  test('EY2 resource is paymentlink', async () => {
    const { completed, expired } = await both();
    assert.deepEqual([completed.resource, expired.resource], ['paymentlink', 'paymentlink']);
  });
  test('EY3 data.paymentLinkId is that of the creation', async () => {
    const { completed, paymentLinkId } = await both();
    assert.equal(completed.data.paymentLinkId, paymentLinkId);
  });
  test('EY4 data.reference is the one sent', async () =>
    assert.equal((await both()).completed.data.reference, link.reference));
  test('EY5 data.amount is a number, in pesos', async () =>
    assert.equal((await both()).completed.data.amount, 50_000));
  test('EY6 data.currency is COP', async () => assert.equal((await both()).completed.data.currency, 'COP'));
  test('EY7 data.status is COMPLETED or EXPIRED', async () => {
    const { completed, expired } = await both();
    assert.deepEqual([completed.data.status, expired.data.status], ['COMPLETED', 'EXPIRED']);
  });
  test('EY8 data.createdAt is when the link was made', async () => {
    const { expired, created } = await both();
    assert.equal(expired.data.createdAt, created.createdAt);
  });
  test('EY9 data.updatedAt is when it changed', async () => {
    const { completed, expired } = await both();
    assert.equal(completed.data.updatedAt, completed.data.completedAt);
    assert.equal(expired.data.updatedAt, expired.data.expiresAt);
  });
  test('EY10 data.expiresAt is null when completed and set when expired', async () => {
    const { completed, expired, created } = await both();
    assert.equal(completed.data.expiresAt, null);
    assert.equal(expired.data.expiresAt, created.expiresAt);
  });
  test('EY11 data.completedAt is set when completed and null when expired', async () => {
    const { completed, expired } = await both();
    assert.equal(Date.parse(completed.data.completedAt) - Date.parse(completed.data.createdAt), 1_000);
    assert.equal(expired.data.completedAt, null);
  });
  test('EY12 the id alone or the reference alone leads to the link', async () => {
    const service = await withLink();
    await service.pass(HOUR_MS);
    const { data } = eventOf(service, 'paymentlink.expired');
    const [made] = service.engine.links;
    assert.deepEqual([data.paymentLinkId, data.reference], [made?.id, made?.reference]);
  });
  test('EY13 payin and payout events carry the known fields, and no personal data', async () => {
    const fields =
      'amount createdAt currency errorCode id organizationId rail reference resultAt sourceData status updatedAt';
    for (const path of ['/payins', '/payouts'] as const) {
      const service = await outcomeOf(path, DOCUMENTS.confirmed);
      const body = service.lastEvent();
      assert.deepEqual(Object.keys(body.data).sort(), fields.split(' '));
      assert.equal(JSON.stringify(body).includes(customer.email), false);
    }
  });
});

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
    const { expiresAt } = await service.read();
    await service.pass(Date.parse(expiresAt) - service.clock.now());
    assert.equal((await service.read()).status, 'EXPIRED');
  });
  test('LI4 a link is FIXED and nothing else', async () => {
    assert.equal((await startSandbox().post('/payment-links', { ...link, amountType: 'RANGE' })).status, 400);
  });
  test('LI5 payins and payouts are in COP', async () => {
    const { post } = startSandbox();
    assert.equal((await post('/payins', { ...brebPayin, currency: 'MXN' })).status, 400);
    assert.equal((await post('/payouts', { ...payout, currency: 'MXN' })).status, 400);
  });
  test('LI6 payouts go by BRE_B only', async () => {
    assert.equal((await startSandbox().post('/payouts', { ...payout, rail: 'PSE' })).status, 400);
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
