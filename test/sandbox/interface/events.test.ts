import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { parseEvent } from '../../../src/contract/service/events.js';
import {
  brebPayin,
  customer,
  DOCUMENTS,
  eventOf,
  HOUR_MS,
  link,
  outcomeOf,
  startSandbox,
  WEBHOOK_URL,
  withLink,
} from '../harness.js';

/** "Events", row by row. The ids are those of rules.md. */

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
    const { status, resultAt } = eventOf(service, 'payin.confirmed').data;
    assert.deepEqual([status, Date.parse(resultAt)], ['CONFIRMED', service.clock.now()]);
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
    const [posted] = service.received;
    assert.deepEqual([posted?.method, posted?.headers.get('content-type')], ['POST', 'application/json']);
  });
  test('EV12 each carries the static header, its only mark of authenticity', async () => {
    const service = await outcomeOf('/payins', DOCUMENTS.confirmed);
    const secret = 'sandbox-webhook-secret';
    assert.deepEqual(
      service.received.map(({ headers }) => headers.get('x-webhook-secret')),
      [secret, secret],
    );
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
