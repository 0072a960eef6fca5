import assert from 'node:assert/strict';
import { test } from 'vitest';
import { AttemptSchema } from '../../../../src/contract/backend.js';
import { read } from '../../../../src/contract/schema.js';
import { attemptJson, attemptView } from '../../../../src/server/orders/views/attempt-view.js';
import {
  type AttemptRecord,
  NO_SOURCE,
  type PaymentRecord,
  type SourceRecord,
  type Submission,
} from '../../../../src/server/orders/record.js';
import {
  asking,
  attempt,
  isoAt,
  LINK,
  MINUTE_MS,
  order,
  payment,
  PRICE,
  PSE,
  START,
  submission,
} from '../records.js';

const NOW = START + MINUTE_MS;

function viewOf(seen: AttemptRecord, payments: readonly PaymentRecord[] = []) {
  const record = order([seen], { version: 3, payments });
  const view = attemptView(record, seen, NOW);
  assert.ok(read(AttemptSchema, view).ok);
  assert.deepEqual(JSON.parse(attemptJson(record, seen, NOW, true)), { ...view, waited: true });
  assert.deepEqual(JSON.parse(attemptJson(record, seen, NOW + 1, false)), { ...view, now: isoAt(NOW + 1) });
  return view;
}
const shown = (change: Partial<Submission>, more: Partial<AttemptRecord> = {}) =>
  viewOf(attempt({ submissions: [submission(change)], ...more }));

const SEEN = {
  id: 'attempt-1',
  order: 'token-1',
  reference: 'ref-1',
  amountInCents: PRICE,
  confirmedAmountInCents: null,
  currency: 'COP',
  errorCode: null,
  createdAt: isoAt(START),
  updatedAt: isoAt(START),
  resultAt: null,
  expiresAt: isoAt(START + 15 * MINUTE_MS),
  late: false,
  stalled: false,
  merchant: attempt().merchant,
  description: null,
  settlement: { state: 'OPEN', by: null, duplicate: false },
  version: '3',
  now: isoAt(NOW),
  waited: false,
};

test('a payer sees the key and the codes of a Bre-B payment', () => {
  const codes = { keyString: '@key', qrString: 'data:image/png;base64,AAAA', qrText: '0002' };
  const checkoutUrl = 'https://service.test/qr';
  const source = { ...NO_SOURCE, ...codes, checkoutUrl };
  const breb = { ...SEEN, kind: 'PAYIN', rail: 'BRE_B', status: 'PROCESSING' };
  const sourceData = { keyType: 'QR_CODE', ...codes, checkoutUrl };
  assert.deepEqual(shown({ source }), { ...breb, sourceData });
  const odd = { ...source, checkoutUrl: 'javascript:alert(1)' };
  assert.deepEqual(shown({ source: odd }), { ...breb, sourceData: { ...sourceData, checkoutUrl: null } });
  assert.deepEqual(shown({ source: { ...source, keyString: null } }), { ...breb, sourceData: null });
  assert.deepEqual(shown({ source }, { disclosed: null }), { ...breb, sourceData: null });
  const changed = { createdAt: START - 1, changedAt: START + 1, expiresAt: null, late: true, stalled: true };
  assert.deepEqual(shown({ source }, { ...changed, replaced: true, description: 'Café' }), {
    ...breb,
    sourceData,
    createdAt: isoAt(START - 1),
    updatedAt: isoAt(START + 1),
    expiresAt: null,
    late: true,
    stalled: true,
    replaced: true,
    description: 'Café',
  });
});

test('a payer sees the bank of a PSE payment and its address, and of a link where it leads', () => {
  const pseView = (source: Partial<SourceRecord>) =>
    shown({ source: { ...NO_SOURCE, ...source } }, { choice: PSE });
  const pse = { ...SEEN, kind: 'PAYIN', rail: 'PSE', status: 'PROCESSING' };
  const bank = { bank: 'CO_BBVA', bankName: 'BBVA', pseUrl: 'https://bank.test/', cus: 'x'.repeat(64) };
  assert.deepEqual(pseView(bank), { ...pse, sourceData: bank });
  assert.deepEqual(pseView({ pseUrl: '/relative', cus: 'x'.repeat(65) }), {
    ...pse,
    sourceData: { ...bank, pseUrl: null, cus: null },
  });
  assert.deepEqual(viewOf(asking({ choice: PSE })), { ...pse, status: 'PENDING', sourceData: null });

  const link = { ...SEEN, kind: 'PAYMENT_LINK', rail: null, status: 'PENDING' };
  const paymentLinkUrl = 'https://service.test/pay';
  const source = { ...NO_SOURCE, paymentLinkUrl };
  assert.deepEqual(shown({ status: 'PENDING', source }, { choice: LINK }), { ...link, paymentLinkUrl });
  assert.deepEqual(viewOf(asking({ choice: LINK })), { ...link, paymentLinkUrl: null });
});

test('an attempt of which nothing came says why, when, and that nothing was started, unless it is paid after all', () => {
  const ended = { reason: 'refused', errorCode: 'replaced', at: START + 5 } as const;
  const over = viewOf(asking({ ended }));
  assert.deepEqual(
    [over.status, over.errorCode, over.resultAt, over.started],
    ['DECLINED', 'replaced', isoAt(START + 5), false],
  );
  const resultAt = isoAt(START + 9);
  const paid = shown(
    { status: 'CONFIRMED', resultAt, errorCode: 'ODD', confirmedAmountInCents: 7 },
    { ended, disclosed: null },
  );
  assert.deepEqual(
    [paid.status, paid.errorCode, paid.resultAt, paid.started, paid.confirmedAmountInCents],
    ['CONFIRMED', 'ODD', resultAt, undefined, 7],
  );
  assert.equal('started' in shown({}), false);
});

test('the service’s code is shown as it is when it fits, otherwise the kit’s own or none', () => {
  const ended = { reason: 'refused', errorCode: 'mine', at: START } as const;
  const code = (errorCode: string | null, more = {}) =>
    shown({ status: 'DECLINED', errorCode }, more).errorCode;
  assert.equal(code('x'.repeat(128)), 'x'.repeat(128));
  assert.equal(code('x'.repeat(129)), null);
  assert.equal(code('x'.repeat(129), { ended }), 'mine');
  assert.equal(code(null), null);
});

test('the verdict is the payer’s own: too little is theirs to complete, and other attempts of the order are open', () => {
  const by = (name: string, amountInCents: number) =>
    payment({ attempt: name, reference: name, amountInCents });
  const listed = (...payments: PaymentRecord[]) =>
    payments.map(({ reference, amountInCents, at }) => ({ reference, amountInCents, at: isoAt(at) }));
  const verdictFor = (id: string, ...payments: PaymentRecord[]) =>
    viewOf(attempt({ id }), payments).settlement;
  const orderAmountInCents = PRICE;
  assert.deepEqual(verdictFor('a', by('a', PRICE)), { state: 'PAID', by: 'a', duplicate: false });

  const [one, two] = [by('a', 1), by('b', 2)];
  const short = { duplicate: false, paidInCents: 3, orderAmountInCents, payments: listed(one, two) };
  assert.deepEqual(verdictFor('a', one, two), { state: 'AMOUNT_DIFFERS', by: 'a', ...short });
  assert.deepEqual(verdictFor('b', one, two), { state: 'AMOUNT_DIFFERS', by: 'b', ...short });
  assert.deepEqual(verdictFor('c', one, two), { state: 'OPEN', by: null, ...short });

  const much = by('a', PRICE + 1);
  assert.deepEqual(verdictFor('c', much), {
    state: 'AMOUNT_DIFFERS',
    by: 'a',
    duplicate: false,
    paidInCents: PRICE + 1,
    orderAmountInCents,
    payments: listed(much),
  });
  const all = [by('a', PRICE), by('b', PRICE)];
  assert.deepEqual(verdictFor('c', ...all), {
    state: 'PAID',
    by: 'a',
    duplicate: true,
    orderAmountInCents,
    payments: listed(...all),
  });
  const many = Array.from({ length: 65 }, (_, index) => by(`p${index}`, PRICE));
  assert.deepEqual(verdictFor('c', ...many).payments, listed(...many.slice(1)), 'the last 64');
});
