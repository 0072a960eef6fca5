import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { brebPayin, customer, link, startSandbox } from '../harness.js';
import { UUID, DATE_TIME, madePayout, madeLink } from './made.js';

describe('payout fields', () => {
  test('PO1 id is a UUID', async () => assert.match((await madePayout()).payout.id, UUID));
  test('PO2 amount is the amount, in pesos', async () =>
    assert.equal((await madePayout()).payout.amount, 25_000));
  test('PO3 currency is COP', async () => assert.equal((await madePayout()).payout.currency, 'COP'));
  test('PO4 status is PROCESSING right after creation', async () =>
    assert.equal((await madePayout()).payout.status, 'PROCESSING'));
  test('PO5 rail is BRE_B', async () => assert.equal((await madePayout()).payout.rail, 'BRE_B'));
  test('PO6 reference is the one sent', async () =>
    assert.equal((await madePayout()).payout.reference, 'PAYOUT-1'));
  test('PO7 inlineCustomer is the one sent', async () =>
    assert.deepEqual((await madePayout()).payout.inlineCustomer, customer));
  test('PO8 errorCode is null while there is no error', async () => {
    const { payout: made, engine, lastEvent, pass } = await madePayout();
    assert.equal(made.errorCode, null);
    engine.settle(made.id, 'DECLINED');
    await pass(0);
    assert.equal(lastEvent().data.errorCode, 'DECLINED_BY_RECEIVING_BANK');
  });
  test('PO9 createdAt is a date-time', async () =>
    assert.match((await madePayout()).payout.createdAt, DATE_TIME));
  test('PO10 updatedAt is a date-time', async () =>
    assert.match((await madePayout()).payout.updatedAt, DATE_TIME));
  test('PO11 resultAt is null until there is a result', async () => {
    const { payout: made, engine, lastEvent, pass } = await madePayout();
    assert.equal(made.resultAt, null);
    engine.settle(made.id, 'CONFIRMED');
    await pass(0);
    assert.match(lastEvent().data.resultAt, DATE_TIME);
  });
  test('PO12 organizationId is a UUID', async () =>
    assert.match((await madePayout()).payout.organizationId, UUID));
  test('PO13 sourceData has the destination key', async () =>
    assert.deepEqual((await madePayout()).payout.sourceData, { keyString: '@PROVEEDOR1' }));
});

describe('payment link fields', () => {
  test('PL1 paymentLinkId is a UUID', async () => assert.match((await madeLink()).link.paymentLinkId, UUID));
  test('PL2 paymentLinkUrl is the full address of the hosted page', async () => {
    const { link: made } = await madeLink();
    assert.equal(new URL(made.paymentLinkUrl).pathname, `/link/${made.paymentLinkId}`);
  });
  test('PL3 status is PENDING, COMPLETED or EXPIRED', async () => {
    const paid = await madeLink();
    assert.equal(paid.link.status, 'PENDING');
    const payin = paid.engine.payLink(paid.link.paymentLinkId, { rail: 'BRE_B', keyType: 'SINGLE_USE' });
    paid.engine.settle(payin.id, 'CONFIRMED');
    assert.equal((await paid.read()).status, 'COMPLETED');
    const lapsed = await madeLink();
    lapsed.engine.expireLink(lapsed.link.paymentLinkId);
    assert.equal((await lapsed.read()).status, 'EXPIRED');
  });
  test('PL4 createdAt is a date-time', async () =>
    assert.match((await madeLink()).link.createdAt, DATE_TIME));
  test('PL5 expiresAt is one hour after creation', async () => {
    const { link: made } = await madeLink();
    assert.equal(Date.parse(made.expiresAt) - Date.parse(made.createdAt), 3_600_000);
  });
  test('PL6 rail is null when the link is open', async () => {
    assert.equal((await madeLink()).link.rail, null);
    assert.equal((await madeLink({ ...link, rail: 'PSE' })).link.rail, 'PSE');
  });
  test('PL7 inlineCustomer is null when not sent', async () => {
    assert.equal((await madeLink()).link.inlineCustomer, null);
    assert.deepEqual((await madeLink({ ...link, inlineCustomer: customer })).link.inlineCustomer, customer);
  });
});

describe('page information (pageInfo)', () => {
  async function pages() {
    const service = startSandbox();
    for (const reference of ['A', 'B', 'C']) await service.post('/payins', { ...brebPayin, reference });
    const first = (await service.get('/payins?limit=2')).body.pageInfo;
    const second = (await service.get(`/payins?limit=2&cursor=${first.nextCursor}`)).body.pageInfo;
    return { ...service, first, second };
  }
  test('PG1 hasNext says whether another page follows', async () => {
    const { first, second } = await pages();
    assert.deepEqual([first.hasNext, second.hasNext], [true, false]);
  });
  test('PG2 hasPrevious says whether a page came before', async () => {
    const { first, second } = await pages();
    assert.deepEqual([first.hasPrevious, second.hasPrevious], [false, true]);
  });
  test('PG3 nextCursor leads to the next page, and is null on the last', async () => {
    const { first, second } = await pages();
    assert.match(first.nextCursor, /^\w+$/);
    assert.equal(second.nextCursor, null);
  });
  test('PG4 previousCursor leads back, and is null on the first', async () => {
    const { first, second, get } = await pages();
    assert.equal(first.previousCursor, null);
    const back = await get(`/payins?limit=2&cursor=${second.previousCursor}`);
    assert.deepEqual(
      back.body.data.map(({ reference }: { reference: string }) => reference),
      ['C', 'B'],
    );
  });
});
