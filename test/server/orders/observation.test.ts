import assert from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import {
  confirmedInCents,
  mismatch,
  type Observation,
  observeLink,
  observePayin,
} from '../../../src/server/orders/observation.js';
import { NO_SOURCE } from '../../../src/server/orders/record.js';
import { createReaders, type ServicePayin, type ServicePaymentLink } from '../../../src/service/resources.js';
import { attempt, LINK, observation, PRICE, START, submission, isoAt, HOUR_MS } from './records.js';

const readers = createReaders(undefined, undefined);

const readPayin = (change: object) =>
  readers.payin({
    id: 'payin-1',
    reference: 'ref-1',
    rail: 'BRE_B',
    currency: 'COP',
    status: 'CONFIRMED',
    createdAt: isoAt(START),
    updatedAt: isoAt(START),
    ...change,
  });

function payin(change: object = {}): ServicePayin {
  const reading = readPayin(change);
  assert.ok(reading.ok);
  return reading.value;
}

function link(change: object = {}): ServicePaymentLink {
  const reading = readers.paymentLink({
    paymentLinkId: 'link-1',
    reference: 'ref-1',
    amountInCents: PRICE,
    currency: 'COP',
    status: 'PENDING',
    paymentLinkUrl: 'https://service.test/pay',
    createdAt: isoAt(START),
    expiresAt: isoAt(START + HOUR_MS),
    ...change,
  });
  assert.ok(reading.ok);
  return reading.value;
}

test('a payin is taken over as the service says it, without the payer', () => {
  const said = {
    amountInCents: PRICE,
    amount: 50_000,
    currency: 'COP',
    status: 'DECLINED',
    confirmedAmountInCents: 4_000_000,
    confirmedAmount: 40_000,
    errorCode: 'NO_FUNDS',
    createdAt: isoAt(START),
    resultAt: isoAt(START + 1_000),
    chargebackAt: isoAt(START + 2_000),
  };
  const source = {
    keyString: '@key',
    qrString: 'data:image/png;base64,AAAA',
    qrText: '0002',
    checkoutUrl: 'https://service.test/qr',
    pseUrl: 'https://bank.test/',
    cus: '123',
  };
  const inlineCustomer = { name: 'Ana', email: 'ana@correo.test' };
  assert.deepEqual(observePayin(payin({ ...said, sourceData: source, inlineCustomer })), {
    ...said,
    serviceId: 'payin-1',
    paymentLinkId: null,
    reference: 'ref-1',
    expiresAt: null,
    source: { ...source, paymentLinkUrl: null },
  });
  assert.deepEqual(observePayin(payin()).source, NO_SOURCE);
});

test('what a link says of itself is never that money came', () => {
  const seen = (status: ServicePaymentLink['status']) => observeLink(link({ status })).status;
  assert.deepEqual([seen('PENDING'), seen('COMPLETED'), seen('EXPIRED')], ['PENDING', 'PENDING', 'EXPIRED']);
});

test('a payin of a link is known by the link that it names, whatever its reference', () => {
  const payin = submission({ reference: 'id-2', serviceId: 'id-2', link: 'ref-1' });
  const made = attempt({ choice: LINK, payins: [payin] });
  const differs = (change: Partial<Observation>) =>
    mismatch(made, payin, observation({ serviceId: 'id-2', paymentLinkId: 'ID-1', ...change }));
  assert.equal(differs({}), null);
  assert.equal(differs({ reference: 'of-its-own' }), null);
  assert.equal(differs({ paymentLinkId: null }), 'id');
  assert.equal(differs({ paymentLinkId: 'id-9' }), 'id');
  assert.equal(differs({ amountInCents: PRICE + 1 }), 'amount');
});

test('a link says when it ends and where to pay, unless that address cannot be visited', () => {
  const { expiresAt, source, ...rest } = observeLink(link());
  assert.equal(expiresAt, START + HOUR_MS);
  assert.deepEqual(source, { ...NO_SOURCE, paymentLinkUrl: 'https://service.test/pay' });
  assert.deepEqual(rest, {
    serviceId: 'link-1',
    paymentLinkId: null,
    reference: 'ref-1',
    amountInCents: PRICE,
    amount: null,
    currency: 'COP',
    status: 'PENDING',
    confirmedAmountInCents: null,
    confirmedAmount: null,
    errorCode: null,
    createdAt: null,
    resultAt: null,
    chargebackAt: null,
  });
  const bare = observeLink(link({ expiresAt: null, paymentLinkUrl: '/pay' }));
  assert.deepEqual([bare.expiresAt, bare.source], [null, NO_SOURCE]);
});

test('a payin is ours when id, reference, currency and amount are; what is not said is not ours', () => {
  const differs = (change: Partial<Observation>) => mismatch(attempt(), submission(), observation(change));
  for (const [change, expected] of [
    [{}, null],
    [{ serviceId: 'ID-1' }, null],
    [{ serviceId: 'id-2' }, 'id'],
    [{ reference: 'ref-2' }, 'reference'],
    [{ reference: null }, 'reference'],
    [{ currency: 'USD' }, 'currency'],
    [{ currency: null }, 'currency'],
    [{ amountInCents: PRICE + 1 }, 'amount'],
    [{ amountInCents: PRICE + 1, amount: 50_000 }, 'amount'],
    [{ amountInCents: null, amount: 50_000 }, null],
    [{ amountInCents: null, amount: PRICE }, null],
    [{ amountInCents: null, amount: 50_000.01 }, 'amount'],
    [{ amountInCents: null, amount: null }, 'amount'],
  ] as const) {
    assert.equal(differs(change), expected, JSON.stringify(change));
  }
  const unknown = submission({ serviceId: null });
  assert.equal(mismatch(attempt(), unknown, observation({ serviceId: 'id-2' })), null);
});

test('a link is ours unless something that it says differs', () => {
  const differs = (change: Partial<Observation>) =>
    mismatch(attempt({ choice: LINK }), submission(), observation(change));
  for (const [change, expected] of [
    [{}, null],
    [{ serviceId: 'id-2' }, 'id'],
    [{ reference: 'ref-2' }, 'reference'],
    [{ reference: null }, null],
    [{ currency: 'USD' }, 'currency'],
    [{ currency: null }, null],
    [{ amountInCents: PRICE + 1 }, 'amount'],
    [{ amountInCents: null }, null],
  ] as const) {
    assert.equal(differs(change), expected, JSON.stringify(change));
  }
});

test('what arrived is read in the unit of what was asked for; where nothing is said it is all of it', () => {
  for (const [change, expected] of [
    [{}, PRICE],
    [{ confirmedAmountInCents: 4_000_000, confirmedAmount: 1 }, 4_000_000],
    [{ amount: 50_000, confirmedAmount: 40_000 }, 4_000_000],
    [{ amount: 50_000, confirmedAmount: 40_000.5 }, 4_000_050],
    [{ amount: PRICE, confirmedAmount: 4_000_000 }, 4_000_000],
    [{ amount: null, confirmedAmount: 50_000 }, PRICE],
    [{ amount: null, confirmedAmount: 4_000_000 }, 4_000_000],
    [{ amount: null, confirmedAmount: 40_000 }, 40_000],
  ] as const) {
    assert.equal(confirmedInCents(observation(change), PRICE), expected, JSON.stringify(change));
  }
});

test('whatever amount of a payin can be read, what arrived is a number of cents that can be counted', () => {
  const amount = fc.oneof(
    fc.double(),
    fc.double({ min: 0, max: Number.MAX_SAFE_INTEGER }),
    fc.maxSafeNat(),
    fc.constantFrom(-1, 1e300, 1e-7, PRICE, 50_000, 50_000.005, Number.MAX_SAFE_INTEGER),
  );
  const maybe = fc.option(amount);
  fc.assert(
    fc.property(maybe, maybe, maybe, (amount, confirmedAmount, confirmedAmountInCents) => {
      const reading = readPayin({ amount, confirmedAmount, confirmedAmountInCents });
      if (!reading.ok) return;
      const cents = confirmedInCents(observePayin(reading.value), PRICE);
      assert.ok(Number.isSafeInteger(cents) && cents >= 0, String(cents));
    }),
    {
      examples: [
        [null, -1, null],
        [null, 1e300, null],
      ],
    },
  );
});

test('a bank’s address with credentials, or unencrypted from an encrypted page, counts as absent', () => {
  const seen = (pseUrl: string, callbackUrl: string) => {
    return observePayin(payin({ sourceData: { pseUrl }, callbackUrl })).source.pseUrl;
  };
  const [encrypted, plain] = ['https://shop.test/', 'http://localhost/'];
  assert.equal(seen('https://bank.test/', encrypted), 'https://bank.test/');
  assert.equal(seen('http://bank.test/', encrypted), null);
  assert.equal(seen('http://bank.test/', plain), 'http://bank.test/');
  assert.equal(seen('https://ana:secret@bank.test/', plain), null);
});
