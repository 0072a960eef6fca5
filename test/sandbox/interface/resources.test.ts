import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { parseEmvQr } from '../../../src/contract/qr/emv-qr.js';
import { isPngDataUrl } from '../../../src/contract/qr/png.js';
import {
  type Answer,
  first,
  brebPayin,
  customer,
  link,
  payout,
  psePayin,
  startSandbox,
  without,
} from '../harness.js';
import { UUID, DATE_TIME, madePayout, madeLink } from './made.js';

/** "Resources and their fields" of the interface document, row by row. The ids are those of rules.md. */

async function madePayin(body: object = brebPayin) {
  const service = startSandbox();
  const answer = await service.post('/payins', body);
  assert.equal(answer.status, 201);
  const read = async () => (await service.get(`/payins/${answer.body.id}`)).body;
  return { ...service, answer, payin: answer.body, read };
}

function refuses(answer: Answer, field: string, code: string) {
  assert.equal(answer.status, 400);
  assert.equal(answer.body.code, 'invalid_request');
  assert.deepEqual(
    answer.body.errors.filter((error: { field: string }) => error.field === field),
    [{ field, code }],
  );
}

describe('customer data (inlineCustomer)', () => {
  const rows = [
    ['CU1', 'name', '', 'too_short'],
    ['CU2', 'idType', 'CO_TI', 'not_allowed'],
    ['CU3', 'idNumber', '', 'too_short'],
    ['CU4', 'phone', '3001234567', 'format'],
    ['CU5', 'email', 'persona.example.com', 'format'],
  ] as const;
  for (const [id, field, bad, code] of rows) {
    test(`${id} ${field} is required text in its own format`, async () => {
      const { post } = startSandbox();
      const missing = await post('/payins', { ...brebPayin, inlineCustomer: without(customer, field) });
      refuses(missing, `inlineCustomer.${field}`, 'required');
      const wrongType = await post('/payins', { ...brebPayin, inlineCustomer: { ...customer, [field]: 7 } });
      assert.equal(wrongType.status, 400);
      const wrong = await post('/payins', { ...brebPayin, inlineCustomer: { ...customer, [field]: bad } });
      refuses(wrong, `inlineCustomer.${field}`, code);
    });
  }

  test('CU2 idType takes each of the five document types', async () => {
    const { post } = startSandbox();
    for (const idType of ['CO_CC', 'CO_CE', 'CO_NIT', 'MXN_RFC', 'PASSPORT']) {
      const body = { ...brebPayin, reference: idType, inlineCustomer: { ...customer, idType } };
      assert.equal((await post('/payins', body)).status, 201, idType);
    }
  });

  test('CU6 payin and payout answers echo the customer as sent', async () => {
    const { payin, read } = await madePayin({ ...brebPayin, inlineCustomer: customer });
    assert.deepEqual(payin.inlineCustomer, customer);
    assert.deepEqual((await read()).inlineCustomer, customer);
    assert.deepEqual((await madePayout()).payout.inlineCustomer, customer);
  });

  test('CU7 in the payin list the customer is a string', async () => {
    const { get } = await madePayin({ ...brebPayin, inlineCustomer: customer });
    const listed = first((await get('/payins')).body.data);
    assert.equal(typeof listed.inlineCustomer, 'string');
    assert.deepEqual(JSON.parse(String(listed.inlineCustomer)), customer);
  });
});

describe('PSE details (pse)', () => {
  test('PS1 bank is required and written as country, underscore and name', async () => {
    const { post } = startSandbox();
    refuses(await post('/payins', without(psePayin, 'pse.bank')), 'pse.bank', 'required');
    for (const bank of ['BANKA', 'co_banka', 'CO-BANKA', '']) {
      refuses(await post('/payins', { ...psePayin, pse: { ...psePayin.pse, bank } }), 'pse.bank', 'format');
    }
  });

  test('PS2 personType is required in the payin request and is INDIVIDUAL or BUSINESS', async () => {
    const { post } = startSandbox();
    refuses(await post('/payins', without(psePayin, 'pse.personType')), 'pse.personType', 'required');
    const pse = { ...psePayin.pse, personType: 'NATURAL' };
    refuses(await post('/payins', { ...psePayin, pse }), 'pse.personType', 'not_allowed');
    for (const personType of ['INDIVIDUAL', 'BUSINESS']) {
      const body = { ...psePayin, reference: personType, pse: { ...psePayin.pse, personType } };
      assert.equal((await post('/payins', body)).status, 201);
    }
  });

  test('PS3 a payment link uses only pse.bank, and needs it whenever pse is sent', async () => {
    const { post } = startSandbox();
    refuses(await post('/payment-links', { ...link, rail: 'PSE', pse: {} }), 'pse.bank', 'required');
    const made = await post('/payment-links', { ...link, rail: 'PSE', pse: { bank: 'CO_NEQUI' } });
    assert.equal(made.status, 201);
  });

  test('PS4 bank codes are those of the known list; any other is refused', async () => {
    const { post } = startSandbox();
    const unknown = { bank: 'CO_NO_SUCH_BANK', personType: 'INDIVIDUAL' };
    refuses(await post('/payins', { ...psePayin, pse: unknown }), 'pse.bank', 'not_allowed');
    refuses(await post('/payment-links', { ...link, rail: 'PSE', pse: unknown }), 'pse.bank', 'not_allowed');
  });
});

describe('BREB details (breb)', () => {
  test('BR1 keyType is SINGLE_USE, with only a key, or QR_CODE, with a picture too', async () => {
    const single = await madePayin();
    assert.equal('qrString' in single.payin.sourceData, false);
    const qr = await madePayin({ ...brebPayin, breb: { keyType: 'QR_CODE' } });
    assert.ok(isPngDataUrl(qr.payin.sourceData.qrString));
    const { post } = startSandbox();
    refuses(
      await post('/payins', { ...brebPayin, breb: { keyType: 'STATIC' } }),
      'breb.keyType',
      'not_allowed',
    );
    refuses(await post('/payins', { ...brebPayin, breb: {} }), 'breb.keyType', 'required');
  });

  test('BR2 keyString is the destination of a payout', async () => {
    const { payout: made } = await madePayout();
    assert.equal(made.sourceData.keyString, '@PROVEEDOR1');
  });

  test('BR3 a payin needs no keyString and takes no notice of one; a payout needs no keyType', async () => {
    const { payin } = await madePayin({ ...brebPayin, breb: { keyType: 'SINGLE_USE', keyString: '@MINE' } });
    assert.notEqual(payin.sourceData.keyString, '@MINE');
    await madePayout({ ...payout, breb: { keyString: '@PROVEEDOR1', keyType: 'SINGLE_USE' } });
  });
});

describe('payin fields', () => {
  const always = [
    ['PI1', 'id', UUID],
    ['PI14', 'createdAt', DATE_TIME],
    ['PI15', 'updatedAt', DATE_TIME],
    ['PI18', 'organizationId', UUID],
  ] as const;
  for (const [id, field, format] of always) {
    test(`${id} ${field} is always there`, async () => {
      assert.match((await madePayin()).payin[field], format);
    });
  }

  test('PI2 amount is the amount, in pesos', async () => {
    assert.equal((await madePayin()).payin.amount, 50_000);
    assert.equal((await madePayin({ ...brebPayin, amountInCents: 1 })).payin.amount, 0.01);
  });
  test('PI3 amountInCents is the amount in cents', async () => {
    assert.equal((await madePayin()).payin.amountInCents, 5_000_000);
  });
  test('PI4 confirmedAmount is null until there is one', async () => {
    const { payin, engine, read } = await madePayin();
    assert.equal(payin.confirmedAmount, null);
    engine.settle(payin.id, 'CONFIRMED');
    assert.equal((await read()).confirmedAmount, 50_000);
  });
  test('PI5 confirmedAmountInCents is what arrived, in cents', async () => {
    const { payin, engine, read } = await madePayin();
    assert.equal(payin.confirmedAmountInCents, null);
    engine.settle(payin.id, 'CONFIRMED', { confirmedAmountInCents: 4_999_999 });
    assert.equal((await read()).confirmedAmountInCents, 4_999_999);
  });
  test('PI6 currency is COP', async () => {
    assert.equal((await madePayin()).payin.currency, 'COP');
  });
  test('PI7 status is a name of the states', async () => {
    assert.equal((await madePayin()).payin.status, 'PROCESSING');
    assert.equal((await madePayin(psePayin)).payin.status, 'PENDING');
  });
  test('PI8 settlementStatus is null, then PENDING_SETTLEMENT', async () => {
    const { payin, engine, read } = await madePayin();
    assert.equal(payin.settlementStatus, null);
    engine.settle(payin.id, 'CONFIRMED');
    assert.equal((await read()).settlementStatus, 'PENDING_SETTLEMENT');
  });
  test('PI9 rail is BRE_B or PSE', async () => {
    assert.equal((await madePayin()).payin.rail, 'BRE_B');
    assert.equal((await madePayin(psePayin)).payin.rail, 'PSE');
  });
  test('PI10 reference is the one sent', async () => {
    assert.equal((await madePayin()).payin.reference, 'ORDER-1');
  });
  test('PI11 paymentLinkId is set when the payin comes from a link, else null', async () => {
    assert.equal((await madePayin()).payin.paymentLinkId, null);
    const service = await madeLink();
    service.engine.payLink(service.link.paymentLinkId, { rail: 'BRE_B', keyType: 'SINGLE_USE' });
    const payin = first((await service.get('/payins')).body.data);
    assert.equal(payin.paymentLinkId, service.link.paymentLinkId);
  });
  test('PI12 inlineCustomer is null when none was sent', async () => {
    assert.equal((await madePayin()).payin.inlineCustomer, null);
  });
  test('PI13 errorCode is null while there is no error', async () => {
    const { payin, engine, read } = await madePayin();
    assert.equal(payin.errorCode, null);
    engine.settle(payin.id, 'DECLINED');
    assert.equal((await read()).errorCode, 'DECLINED_BY_BANK');
  });
  test('PI15 updatedAt moves with every change', async () => {
    const { payin, engine, clock, pass, read } = await madePayin(psePayin);
    const source = engine.payins[0]?.source;
    assert.ok(source?.rail === 'PSE');
    await pass(1_500);
    assert.equal(Date.parse((await read()).updatedAt), clock.now(), 'its address at the bank');
    for (const change of [
      () => engine.visitBank(source.bankToken),
      () => engine.settle(payin.id, 'CONFIRMED'),
      () => engine.moveSettlement(payin.id, 'SETTLED'),
      () => engine.chargeBack(payin.id),
    ]) {
      await pass(1_000);
      change();
      assert.equal(Date.parse((await read()).updatedAt), clock.now(), String(change));
    }
  });
  test('PI16 resultAt is null until there is a result', async () => {
    const { payin, engine, read } = await madePayin();
    assert.equal(payin.resultAt, null);
    engine.settle(payin.id, 'CANCELED');
    assert.match((await read()).resultAt, DATE_TIME);
  });
  test('PI17 chargebackAt is null unless there was a chargeback', async () => {
    const { payin, engine, read } = await madePayin();
    engine.settle(payin.id, 'CONFIRMED');
    assert.equal((await read()).chargebackAt, null);
    engine.chargeBack(payin.id);
    assert.match((await read()).chargebackAt, DATE_TIME);
  });
  test('PI19 sourceData holds what the rail needs', async () => {
    assert.equal((await madePayin()).payin.sourceData.keyType, 'SINGLE_USE');
    assert.equal((await madePayin(psePayin)).payin.sourceData.bank, 'CO_BANKA');
  });
  test('PI20 callbackUrl is the one sent, or null', async () => {
    assert.equal((await madePayin(psePayin)).payin.callbackUrl, psePayin.callbackUrl);
    assert.equal((await madePayin()).payin.callbackUrl, null);
  });
  test('PI21 every field listed as required is in every answer', async () => {
    const { payin, read, get } = await madePayin();
    const listed = first((await get('/payins')).body.data);
    const required =
      'id amount amountInCents confirmedAmount confirmedAmountInCents currency status settlementStatus rail reference createdAt updatedAt organizationId';
    for (const field of required.split(' ')) {
      for (const answer of [payin, await read(), listed]) assert.ok(field in answer, field);
    }
  });
  test('PI22 amount times one hundred is amountInCents, unless a scenario says otherwise', async () => {
    const service = startSandbox();
    const pesos = (await service.post('/payins', brebPayin)).body;
    assert.equal(pesos.amount * 100, pesos.amountInCents);
    service.engine.setMishap('amount-as-cents', true);
    assert.equal((await service.get(`/payins/${pesos.id}`)).body.amount, pesos.amountInCents);
  });
});

describe('sourceData', () => {
  test('SB1 keyType is in both variants', async () => {
    for (const keyType of ['SINGLE_USE', 'QR_CODE']) {
      assert.equal((await madePayin({ ...brebPayin, breb: { keyType } })).payin.sourceData.keyType, keyType);
    }
  });
  test('SB2 keyString is a generated key: @ and up to nineteen letters and digits', async () => {
    for (const keyType of ['SINGLE_USE', 'QR_CODE']) {
      const { payin } = await madePayin({ ...brebPayin, breb: { keyType } });
      assert.match(payin.sourceData.keyString, /^@[A-Z0-9]{1,19}$/);
    }
  });
  test('SB3 qrString is a PNG data URL, only for QR_CODE', async () => {
    const { payin, engine } = await madePayin({ ...brebPayin, breb: { keyType: 'QR_CODE' } });
    assert.match(payin.sourceData.qrString, /^data:image\/png;base64,/);
    const record = engine.payins[0];
    assert.ok(record?.source.rail === 'BRE_B');
    const parsed = parseEmvQr(record.source.qrText ?? '');
    assert.ok(parsed.ok);
    assert.ok(parsed.qr.fields.get('26')?.endsWith(payin.sourceData.keyString));
    assert.equal(parsed.qr.amountInCents, payin.amountInCents);
    assert.equal('qrString' in (await madePayin()).payin.sourceData, false);
  });
  test('SB4 checkoutUrl is a page for this payin, with its id and a token', async () => {
    const { payin } = await madePayin();
    const url = new URL(payin.sourceData.checkoutUrl);
    assert.equal(url.pathname, `/checkout/${payin.id}`);
    assert.match(url.searchParams.get('token') ?? '', /^\w{20,}$/);
  });
  test('SP1 a PSE payin has bank at once and pseUrl a moment later, with a CUS', async () => {
    const { payin, read, pass } = await madePayin(psePayin);
    assert.deepEqual(payin.sourceData, { pseUrl: null, bank: 'CO_BANKA' });
    await pass(1_499);
    assert.equal((await read()).sourceData.pseUrl, null);
    await pass(1);
    const { pseUrl, cus } = (await read()).sourceData;
    assert.match(new URL(pseUrl).pathname, /^\/bank\/\w{20,}$/);
    assert.match(cus, /^\d{10}$/);
  });
});
