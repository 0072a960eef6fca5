import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import fc from 'fast-check';
import { AttemptSchema, OfferSchema, ProblemSchema } from '../../src/contract/backend.js';
import { IdempotencyKeySchema, StartLinkSchema, StartPayinSchema } from '../../src/contract/start.js';
import { PROBLEM_CODES, PROBLEMS } from '../../src/contract/problems.js';
import { read } from '../../src/contract/schema.js';

const AT = '2026-03-23T22:28:01.123Z';
const merchant = { name: 'Café Andino', taxId: '900373913-4' };
const attempt = {
  id: 'at_5f2b8c1d9e7a4f60',
  kind: 'PAYIN',
  order: 'A-1042.c2lnbmVk',
  reference: 'A-1042-1',
  status: 'PROCESSING',
  rail: 'BRE_B',
  amountInCents: 12_500_000,
  currency: 'COP',
  sourceData: { keyType: 'SINGLE_USE', keyString: '@CAFE7K2M9QX4T1' },
  createdAt: AT,
  updatedAt: AT,
  merchant,
  settlement: { state: 'OPEN', by: null, duplicate: false },
  version: '1',
  now: AT,
};
const offer = {
  version: 'v1',
  amountInCents: 12_500_000,
  currency: 'COP',
  merchant,
  methods: [
    { rail: 'BRE_B', keyType: 'QR_CODE', requires: [] },
    { rail: 'PSE', banks: [{ code: 'CO_NEQUI', name: 'Nequi' }], requires: ['idNumber'] },
    { kind: 'PAYMENT_LINK' },
  ],
  now: AT,
};

describe('an offer', () => {
  it('is taken with every kind of method, and what is left out comes out null', () => {
    const reading = read(OfferSchema, offer);
    assert.ok(reading.ok);
    assert.equal(reading.value.attempt, null);
    assert.deepEqual(
      reading.value.methods.map((method) => method.kind),
      ['PAYIN', 'PAYIN', 'PAYMENT_LINK'],
    );
  });
  it('is refused without a price in integer cents', () => {
    for (const amountInCents of [0, -1, 0.5, '12500000', undefined])
      assert.ok(!read(OfferSchema, { ...offer, amountInCents }).ok);
  });
});

describe('an attempt', () => {
  it('is taken on both rails and as a link', () => {
    const { sourceData: _, ...base } = attempt;
    const pse = { ...base, rail: 'PSE', sourceData: { bank: 'CO_NEQUI', pseUrl: null } };
    const link = {
      ...base,
      kind: 'PAYMENT_LINK',
      status: 'PENDING',
      rail: null,
      paymentLinkUrl: 'https://p.example/',
    };
    for (const value of [attempt, pse, link]) assert.ok(read(AttemptSchema, value).ok);
  });
  it('never carries the organisation or the payer', () => {
    const reading = read(AttemptSchema, {
      ...attempt,
      organizationId: 'org',
      inlineCustomer: { name: 'Ana' },
    });
    assert.ok(reading.ok);
    assert.ok(!('organizationId' in reading.value) && !('inlineCustomer' in reading.value));
  });
  it('is open with an unknown status or one of another kind, never paid', () => {
    const statusOf = (value: unknown) => {
      const reading = read(AttemptSchema, value);
      assert.ok(reading.ok);
      return reading.value.status;
    };
    assert.equal(statusOf({ ...attempt, status: 'COMPLETED' }), 'PROCESSING');
    assert.equal(statusOf({ ...attempt, status: 'APPROVED' }), 'PROCESSING');
    assert.equal(statusOf({ ...attempt, kind: 'PAYMENT_LINK', status: 'CONFIRMED' }), 'PENDING');
  });
});

describe('starting a payin', () => {
  const start = {
    order: 'A-1',
    rail: 'BRE_B',
    breb: { keyType: 'QR_CODE' },
    callbackUrl: 'https://shop.example/',
  };
  it('takes no amount from the browser', () => {
    const reading = read(StartPayinSchema, { ...start, amountInCents: 1, amount: 1, currency: 'USD' });
    assert.ok(reading.ok);
    assert.deepEqual(Object.keys(reading.value).sort(), ['breb', 'callbackUrl', 'order', 'override', 'rail']);
  });
  it('takes a link with and without a rail', () => {
    assert.ok(read(StartLinkSchema, { order: 'A-1', callbackUrl: 'https://shop.example/' }).ok);
    assert.ok(read(StartLinkSchema, { order: 'A-1', callbackUrl: 'https://shop.example/', rail: 'PSE' }).ok);
  });
  it('never throws and never touches a prototype, whatever it is given', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        read(StartPayinSchema, body);
        read(StartLinkSchema, body);
        read(IdempotencyKeySchema, body);
      }),
    );
    assert.deepEqual(Object.keys(Object.prototype), []);
  });
});

describe('problems', () => {
  it('have an error status each, and round-trip by their code', () => {
    for (const code of PROBLEM_CODES) {
      assert.ok(PROBLEMS[code].status >= 400 && PROBLEMS[code].status < 600, code);
      assert.ok(read(ProblemSchema, { code, title: PROBLEMS[code].title }).ok, code);
    }
  });
  it('with an unknown code are no problems of this contract', () => {
    assert.ok(!read(ProblemSchema, { code: 'toString' }).ok);
  });
});
