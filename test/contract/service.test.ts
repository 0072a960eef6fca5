import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import fc from 'fast-check';
import * as v from 'valibot';
import { read } from '../../src/contract/schema.js';
import { parseEvent } from '../../src/contract/service/events.js';
import {
  CreatePaymentLinkSchema,
  CreatePayinSchema,
  CreatePayoutSchema,
} from '../../src/contract/service/requests.js';
import {
  KeyLookupSchema,
  PaymentLinkSchema,
  PayinPageSchema,
  PayinSchema,
  PayoutSchema,
} from '../../src/contract/service/resources.js';

const ID = '6f1c2f4e-7f1e-4b53-9a51-0d3d2c1b0a99';
const AT = '2026-03-23T22:28:01.123Z';
const customer = {
  name: 'Ana Gómez',
  idType: 'CO_CC',
  idNumber: '1000000001',
  phone: '+573001234567',
  email: 'ana@correo.co',
};
const payin = {
  id: ID,
  amount: 125_000,
  amountInCents: 12_500_000,
  confirmedAmount: null,
  confirmedAmountInCents: null,
  currency: 'COP',
  status: 'PROCESSING',
  settlementStatus: 'PENDING_SETTLEMENT',
  rail: 'BRE_B',
  reference: 'A-1042-1',
  paymentLinkId: null,
  inlineCustomer: customer,
  errorCode: null,
  createdAt: AT,
  updatedAt: AT,
  resultAt: null,
  chargebackAt: null,
  organizationId: ID,
  sourceData: { keyType: 'SINGLE_USE', keyString: '@CAFE7K2M9QX4T1', checkoutUrl: 'https://pay.example/c' },
  callbackUrl: null,
};
const without = (value: object, ...keys: string[]) =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));

function taken<Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> {
  const reading = read(schema, input);
  assert.ok(reading.ok, JSON.stringify(reading));
  return reading.value;
}
function refused(schema: v.GenericSchema, input: unknown) {
  const reading = read(schema, input);
  assert.ok(!reading.ok, 'expected a refusal');
  return reading.errors;
}

describe('a payin from the service', () => {
  it('is taken as the interface shows it', () => {
    assert.equal(taken(PayinSchema, payin).sourceData?.keyString, '@CAFE7K2M9QX4T1');
  });
  it('may lack amountInCents, as in the BREB guides', () => {
    assert.equal(taken(PayinSchema, without(payin, 'amountInCents')).amountInCents, null);
  });
  it('may carry its customer as a string, as lists do', () => {
    assert.equal(taken(PayinSchema, { ...payin, inlineCustomer: 'Ana' }).inlineCustomer, 'Ana');
  });
  it('may have no pseUrl yet', () => {
    const pse = { ...payin, rail: 'PSE', sourceData: { pseUrl: null, bank: 'CO_BANCOLOMBIA' } };
    assert.equal(taken(PayinSchema, pse).sourceData?.pseUrl, null);
  });
  it('may have an unknown status', () => {
    assert.equal(taken(PayinSchema, { ...payin, status: 'ON_HOLD' }).status, 'ON_HOLD');
    for (const status of ['X', 'X'.repeat(64)]) {
      assert.equal(taken(PayinSchema, { ...payin, status }).status, status);
    }
    for (const status of ['', 'X'.repeat(65)]) refused(PayinSchema, { ...payin, status });
  });
  it('is refused when money is not integer cents', () => {
    for (const amountInCents of [12.5, -1, Number.MAX_SAFE_INTEGER + 1, '12500000', Number.NaN])
      assert.equal(refused(PayinSchema, { ...payin, amountInCents })[0]?.field, 'amountInCents');
  });
  it('is refused when an amount of unknown unit is negative or beyond what can be counted', () => {
    const hostile = [-1, -0.01, Number.MAX_SAFE_INTEGER + 1, 1e300, Infinity, Number.NaN];
    for (const field of ['amount', 'confirmedAmount']) {
      for (const value of hostile)
        assert.equal(refused(PayinSchema, { ...payin, [field]: value })[0]?.field, field, String(value));
      for (const value of [0, 0.5, Number.MAX_SAFE_INTEGER]) taken(PayinSchema, { ...payin, [field]: value });
    }
  });
  it('is refused in another currency', () => {
    assert.deepEqual(refused(PayinSchema, { ...payin, currency: 'USD' }), [
      { field: 'currency', code: 'not_allowed' },
    ]);
  });
  it('is refused with an id that could change a path', () => {
    for (const id of ['../payouts', 'a/b', 'a?b', '', 'a b'])
      assert.equal(refused(PayinSchema, { ...payin, id })[0]?.field, 'id');
  });
  it('loses unknown keys, and prototype keys do nothing', () => {
    const hostile: unknown = JSON.parse(
      JSON.stringify(payin).replace(
        '{',
        '{"__proto__":{"status":"CONFIRMED"},"extra":1,"constructor":{"prototype":{}},',
      ),
    );
    const value = taken(PayinSchema, hostile);
    assert.deepEqual(Object.keys(value).sort(), Object.keys(payin).sort());
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.equal(value.status, 'PROCESSING');
  });
});

describe('the other resources', () => {
  it('takes a payout, a link, a page and a key lookup as shown', () => {
    taken(PayoutSchema, { ...without(payin, 'sourceData'), sourceData: { keyString: '@ANA' } });
    taken(PaymentLinkSchema, {
      paymentLinkId: ID,
      paymentLinkUrl: 'https://pay.example/l/1',
      status: 'PENDING',
      createdAt: AT,
      expiresAt: AT,
      rail: null,
      inlineCustomer: null,
    });
    const page = { data: [payin], pageInfo: { hasNext: true, hasPrevious: false, nextCursor: 'n' } };
    assert.equal(taken(PayinPageSchema, page).pageInfo.previousCursor, null);
    taken(KeyLookupSchema, { details: { name: 'Ana', keyString: '@ANA' } });
  });
});

describe('creating a payin', () => {
  const breb = {
    amountInCents: 1,
    currency: 'COP',
    rail: 'BRE_B',
    reference: 'A-1',
    breb: { keyType: 'QR_CODE' },
  };
  const pse = { ...without(breb, 'breb'), rail: 'PSE', pse: { bank: 'CO_NEQUI', personType: 'INDIVIDUAL' } };

  it('takes the smallest amount and both rails', () => {
    taken(CreatePayinSchema, breb);
    taken(CreatePayinSchema, pse);
  });
  it('takes breb without keyString, which the schema lists and the guides never send', () => {
    taken(CreatePayinSchema, breb);
    taken(CreatePayinSchema, { ...breb, breb: { keyType: 'SINGLE_USE', keyString: '@A' } });
  });
  it('names the field that is wrong and why', () => {
    assert.deepEqual(refused(CreatePayinSchema, { ...breb, amountInCents: 0 }), [
      { field: 'amountInCents', code: 'too_small' },
    ]);
    assert.deepEqual(refused(CreatePayinSchema, without(breb, 'reference')), [
      { field: 'reference', code: 'required' },
    ]);
    assert.deepEqual(refused(CreatePayinSchema, { ...breb, reference: null }), [
      { field: 'reference', code: 'required' },
    ]);
    assert.deepEqual(refused(CreatePayinSchema, without(breb, 'breb')), [
      { field: 'breb', code: 'required' },
    ]);
    assert.deepEqual(refused(CreatePayinSchema, without(pse, 'pse')), [{ field: 'pse', code: 'required' }]);
    assert.deepEqual(refused(CreatePayinSchema, { ...pse, pse: { personType: 'BUSINESS' } }), [
      { field: 'pse.bank', code: 'required' },
    ]);
    assert.deepEqual(refused(CreatePayinSchema, { ...breb, rail: 'CARD' }), [
      { field: 'rail', code: 'not_allowed' },
    ]);
    assert.deepEqual(
      refused(CreatePayinSchema, { ...breb, inlineCustomer: { ...customer, phone: '3001' } }),
      [{ field: 'inlineCustomer.phone', code: 'format' }],
    );
    assert.deepEqual(refused(CreatePayinSchema, { ...breb, callbackUrl: 'javascript:alert(1)' }), [
      { field: 'callbackUrl', code: 'format' },
    ]);
  });
  it('never repeats a refused value', () => {
    const errors = JSON.stringify(
      refused(CreatePayinSchema, { ...breb, inlineCustomer: { ...customer, phone: 'SECRET' } }),
    );
    assert.ok(!errors.includes('SECRET'));
  });
});

describe('creating payouts and links', () => {
  it('asks a payout for its customer and destination key', () => {
    const payout = { amountInCents: 100, currency: 'COP', rail: 'BRE_B', reference: 'P-1' };
    assert.deepEqual(
      refused(CreatePayoutSchema, payout).map((error) => error.field),
      ['inlineCustomer', 'breb'],
    );
    taken(CreatePayoutSchema, { ...payout, inlineCustomer: customer, breb: { keyString: '@ANA' } });
    assert.equal(refused(CreatePayoutSchema, { ...payout, rail: 'PSE' })[0]?.field, 'rail');
  });
  it('takes the five flows of a link', () => {
    const open = {
      amountType: 'FIXED',
      amountInCents: 100,
      reference: 'L-1',
      callbackUrl: 'https://shop.example/',
    };
    taken(CreatePaymentLinkSchema, open);
    taken(CreatePaymentLinkSchema, { ...open, rail: 'BRE_B' });
    taken(CreatePaymentLinkSchema, { ...open, rail: 'PSE', pse: { bank: 'CO_NU' } });
    taken(CreatePaymentLinkSchema, { ...open, inlineCustomer: customer });
    taken(CreatePaymentLinkSchema, { ...open, rail: 'PSE', inlineCustomer: customer });
  });
  it('takes pse only with rail PSE, and then only with a bank', () => {
    const link = {
      amountType: 'FIXED',
      amountInCents: 100,
      reference: 'L-1',
      callbackUrl: 'https://shop.example/',
    };
    assert.equal(refused(CreatePaymentLinkSchema, { ...link, pse: { bank: 'CO_NU' } })[0]?.field, 'pse');
    assert.deepEqual(refused(CreatePaymentLinkSchema, { ...link, rail: 'PSE', pse: {} }), [
      { field: 'pse.bank', code: 'required' },
    ]);
    assert.equal(refused(CreatePaymentLinkSchema, { ...link, amountType: 'OPEN' })[0]?.field, 'amountType');
  });
});

describe('an event', () => {
  it('is typed by its resource', () => {
    const event = parseEvent({
      event: 'payin.confirmed',
      resource: 'payin',
      data: {
        id: ID,
        reference: 'A-1',
        amount: 10,
        currency: 'COP',
        status: 'CONFIRMED',
        inlineCustomer: customer,
      },
    });
    assert.ok(event?.resource === 'payin');
    assert.equal(event.data.reference, 'A-1');
    assert.ok(!JSON.stringify(event).includes(customer.email), 'personal data is dropped');
  });
  it('with an unknown name comes out as unknown, not as an error', () => {
    assert.deepEqual(parseEvent({ event: 'payin.refunded', resource: 'payin', data: {} }), {
      resource: 'unknown',
      event: 'payin.refunded',
    });
  });
  it('with a known name but a broken body is no event', () => {
    assert.equal(parseEvent({ event: 'payin.confirmed', resource: 'payin', data: { id: 5 } }), undefined);
  });
  it('is never made of arbitrary JSON, and parsing never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        const event = parseEvent(body);
        assert.ok(event === undefined || event.resource === 'unknown');
      }),
    );
  });
});

it('says of a field that is wrong what a program can act on', () => {
  const text = v.pipe(v.string(), v.minLength(2), v.maxLength(4), v.regex(/^a/));
  const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(9));
  const either = v.variant('kind', [v.object({ kind: v.literal('A') }), v.object({ kind: v.literal('B') })]);
  const together = v.pipe(
    v.object({ one: v.string(), other: v.string() }),
    v.partialCheck([['one'], ['other']], ({ one, other }) => one !== other),
  );
  const cases: readonly (readonly [v.GenericSchema, unknown, string, string?])[] = [
    [text, undefined, 'required'],
    [text, null, 'required'],
    [text, 7, 'wrong_type'],
    [text, 'a', 'too_short'],
    [text, 'aaaaa', 'too_long'],
    [text, 'bb', 'format'],
    [whole, 0, 'too_small'],
    [whole, 10, 'too_large'],
    [whole, 1.5, 'wrong_type'],
    [v.pipe(v.number(), v.integer()), 1.5, 'wrong_type'],
    [v.picklist(['A']), 'B', 'not_allowed'],
    [v.literal('A'), 'B', 'not_allowed'],
    [either, { kind: 'C' }, 'not_allowed', 'field.kind'],
    [together, { one: 'A', other: 'A' }, 'not_allowed'],
  ];
  for (const [schema, value, code, field = 'field'] of cases) {
    const reading = read(v.object({ field: schema }), { field: value });
    assert.deepEqual(reading, { ok: false, errors: [{ field, code }] }, `${JSON.stringify(value)} ${code}`);
  }
});
