import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { Observation } from '../../../src/server/orders/observation.js';
import type { AttemptRecord, PaymentRecord } from '../../../src/server/orders/record.js';
import {
  addReport,
  amountDue,
  applyPrice,
  endAttempt,
  offerVersion,
  payingAttempt,
  recordPayment,
  type Verdict,
  verdictOn,
} from '../../../src/server/orders/settlement.js';
import {
  asking,
  attempt,
  HOUR_MS,
  isoAt,
  LINK,
  MINUTE_MS,
  observation,
  order,
  payment,
  PRICE,
  START,
  submission,
} from './records.js';

const NOW = START + MINUTE_MS;

const by = (name: string, amountInCents: number, orderAmountInCents = PRICE): PaymentRecord =>
  payment({
    attempt: name,
    reference: `ref-${name}`,
    serviceId: `id-${name}`,
    amountInCents,
    orderAmountInCents,
  });

test('payments are added up until they reach the price; what exceeds it is said, and who completed it', () => {
  const complete = { isComplete: true, orderAmountInCents: PRICE };
  const differs = { state: 'AMOUNT_DIFFERS', duplicate: false } as const;
  const paid = { state: 'PAID', duplicate: false, ...complete } as const;
  const cases: [string, PaymentRecord[], Verdict][] = [
    [
      'nothing',
      [],
      {
        state: 'OPEN',
        by: null,
        duplicate: false,
        isComplete: false,
        paidInCents: 0,
        orderAmountInCents: null,
      },
    ],
    ['all of it', [by('a', PRICE)], { ...paid, by: 'a', paidInCents: PRICE }],
    [
      'too little',
      [by('a', PRICE - 1)],
      { ...differs, by: 'a', isComplete: false, paidInCents: PRICE - 1, orderAmountInCents: PRICE },
    ],
    [
      'too little twice',
      [by('a', 1), by('b', 2)],
      { ...differs, by: 'a', isComplete: false, paidInCents: 3, orderAmountInCents: PRICE },
    ],
    ['too much', [by('a', PRICE + 1)], { ...differs, ...complete, by: 'a', paidInCents: PRICE + 1 }],
    [
      'too much, and again',
      [by('a', PRICE + 1), by('b', 1)],
      { ...differs, ...complete, by: 'a', duplicate: true, paidInCents: PRICE + 1 },
    ],
    ['in two parts', [by('a', 1), by('b', PRICE - 1)], { ...paid, by: 'b', paidInCents: PRICE }],
    [
      'in two parts with too much',
      [by('a', 1), by('b', PRICE)],
      { ...paid, by: 'b', duplicate: true, paidInCents: PRICE + 1 },
    ],
    ['twice', [by('a', PRICE), by('b', PRICE)], { ...paid, by: 'a', duplicate: true, paidInCents: PRICE }],
    [
      'in two parts of a price that was lowered meanwhile',
      [by('a', 1), by('b', 2, 3)],
      { ...paid, by: 'b', paidInCents: 3, orderAmountInCents: 3 },
    ],
  ];
  for (const [name, payments, verdict] of cases) assert.deepEqual(verdictOn({ payments }), verdict, name);
});

test('what can still be paid is the rest, and an offer that was seen before a part was paid is an old one', () => {
  const paidOf = (...payments: PaymentRecord[]) => order([attempt()], { payments });
  const open = paidOf();
  const part = paidOf(payment({ amountInCents: 1 }));
  const whole = paidOf(payment());
  assert.deepEqual([amountDue(open, 100), amountDue(part, 100), amountDue(whole, 100)], [100, 99, 100]);
  assert.equal(amountDue(paidOf(payment({ amountInCents: 200 })), 100), 0, 'never less than nothing');
  assert.deepEqual(
    [undefined, open, part, whole].map((record) => offerVersion(record, '7')),
    ['7', '7', '7.1', '7'],
  );
  assert.deepEqual([open, part].map(payingAttempt), [undefined, undefined]);
  assert.deepEqual(payingAttempt(whole), attempt());
});

const FACTS = {
  order: 'order-1',
  attempt: 'attempt-1',
  kind: 'PAYIN',
  rail: 'BRE_B',
  reference: 'ref-1',
  serviceId: 'id-1',
  amountInCents: PRICE,
  orderAmountInCents: PRICE,
  currency: 'COP',
  errorCode: null,
  late: false,
  resultAt: null,
  at: isoAt(NOW),
} as const;
const due = { tries: 0, nextAt: NOW };

test('a payment is recorded with what it brought, and the merchant is notified of all that is known of it', () => {
  const draft = { customer: null, callbackUrl: 'https://shop.test/', nextSubmissionAt: null };
  const paying = attempt({ stalled: true, draft });
  const earlier = attempt({ id: 'earlier', submissions: [submission({ reference: 'ref-earlier' })] });
  const part = by('earlier', 1_000_000, 9_000_000);
  const before = order([earlier, paying], { payments: [part] });
  const resultAt = isoAt(START + 1);
  const said = observation({
    status: 'CONFIRMED',
    confirmedAmountInCents: 4_500_000,
    errorCode: 'X',
    resultAt,
  });
  const after = recordPayment(before, paying, submission(), said, PRICE, NOW);
  const paid = submission({
    status: 'CONFIRMED',
    finalAt: NOW,
    confirmedAmountInCents: 4_500_000,
    errorCode: 'X',
    resultAt,
  });
  const facts = {
    ...FACTS,
    status: 'CONFIRMED',
    confirmedAmountInCents: 4_500_000,
    paidInCents: 5_500_000,
    errorCode: 'X',
    resultAt,
  };
  const [confirmed, duplicate] = ['confirmed.ref-1', 'duplicate.ref-1'] as const;
  assert.deepEqual(after, {
    ...before,
    attempts: [earlier, attempt({ submissions: [paid] })],
    payments: [part, payment({ amountInCents: 4_500_000, at: NOW })],
    notices: [
      { key: confirmed, hook: 'onConfirmed', payload: { ...facts, key: confirmed }, ...due },
      {
        key: duplicate,
        hook: 'onDuplicatePayment',
        payload: { ...facts, key: duplicate, settledBy: 'attempt-1', excessInCents: 500_000 },
        ...due,
      },
    ],
  });
  assert.equal(recordPayment(after, paying, submission(), said, PRICE, NOW), after, 'and only once');
});

test('a payment of a paid order is all to be given back, and one of too little or too much is a mismatch', () => {
  const told = (payments: PaymentRecord[], confirmedAmountInCents: number) => {
    const before = order([attempt()], { payments });
    const said = observation({ status: 'CONFIRMED', confirmedAmountInCents });
    return recordPayment(before, attempt(), submission(), said, PRICE, NOW).notices.map(
      ({ hook, payload }) => [hook, payload['settledBy'], payload['excessInCents'], payload['paidInCents']],
    );
  };
  assert.deepEqual(told([], PRICE), [['onConfirmed', undefined, undefined, PRICE]]);
  assert.deepEqual(told([by('a', PRICE)], 700), [['onDuplicatePayment', 'a', 700, PRICE]]);
  assert.deepEqual(told([], PRICE - 1), [['onAmountMismatch', undefined, undefined, PRICE - 1]]);
  assert.deepEqual(told([], PRICE + 1), [['onAmountMismatch', undefined, undefined, PRICE + 1]]);
  assert.deepEqual(told([by('a', 1)], PRICE - 1), [['onConfirmed', undefined, undefined, PRICE]]);
});

test('late is what was paid after its time, by the service’s own clock where it shows one, or after another outcome', () => {
  const expiresAt = START + 15 * MINUTE_MS;
  const isLate = (change: Partial<AttemptRecord>, said: Partial<Observation>, now = NOW) => {
    const paying = attempt({ expiresAt, ...change });
    const [read] = paying.submissions;
    assert.ok(read);
    const observed = observation({ status: 'CONFIRMED', ...said });
    return recordPayment(order([paying]), paying, read, observed, PRICE, now).attempts[0]?.late;
  };
  assert.equal(isLate({}, {}), false);
  assert.equal(isLate({ late: true }, {}), true);
  assert.equal(isLate({ submissions: [submission({ status: 'DECLINED' })] }, {}), true);
  assert.equal(isLate({ expiresAt: null }, { resultAt: isoAt(START + HOUR_MS) }, START + HOUR_MS), false);
  assert.equal(isLate({}, {}, expiresAt), false);
  assert.equal(isLate({}, {}, expiresAt + 1), true);
  assert.equal(isLate({}, { resultAt: isoAt(expiresAt) }, START + HOUR_MS), false);
  assert.equal(isLate({}, { resultAt: isoAt(expiresAt + 1) }), true);
  for (const aheadMs of [-HOUR_MS, HOUR_MS]) {
    const createdAt = isoAt(START + aheadMs);
    assert.equal(isLate({}, { createdAt, resultAt: isoAt(expiresAt + aheadMs) }), false);
    assert.equal(isLate({}, { createdAt, resultAt: isoAt(expiresAt + aheadMs + 1) }), true);
  }
});

test('a price that is lowered to what is there completes the order, and what exceeds it is to be given back', () => {
  const first = by('a', 1);
  const last = payment({ amountInCents: 99 });
  const record = order([attempt()], { payments: [first, last] });
  assert.equal(applyPrice(record, 101, NOW), record);
  assert.equal(applyPrice(order([attempt()]), 0, NOW).notices.length, 0);
  const paid = order([attempt()], { payments: [payment()] });
  assert.equal(applyPrice(paid, 1, NOW), paid);
  for (const [price, told] of [
    [100, [['confirmed.ref-1', undefined, undefined, 100]]],
    [
      99,
      [
        ['confirmed.ref-1', undefined, undefined, 99],
        ['duplicate.ref-1', 'attempt-1', 1, 99],
      ],
    ],
  ] as const) {
    const { notices, ...after } = applyPrice(record, price, NOW);
    const { notices: _none, ...before } = record;
    assert.deepEqual(after, { ...before, payments: [first, { ...last, orderAmountInCents: price }] });
    assert.deepEqual(
      notices.map(({ key, payload }) => [
        key,
        payload['settledBy'],
        payload['excessInCents'],
        payload['orderAmountInCents'],
      ]),
      told,
    );
  }
});

test('an attempt of which nothing came ends with its reason, and the merchant is notified unless another took its place', () => {
  const ending = asking({ stalled: true });
  const { serviceId: _unknown, ...facts } = FACTS;
  for (const [reason, key, hook, status] of [
    ['refused', 'declined.ref-1', 'onDeclined', 'DECLINED'],
    ['unavailable', 'canceled.ref-1', 'onCanceled', 'CANCELED'],
  ] as const) {
    const payload = {
      ...facts,
      key,
      serviceId: null,
      status,
      confirmedAmountInCents: null,
      paidInCents: 0,
      errorCode: 'WHY',
    };
    assert.deepEqual(
      endAttempt(order([ending]), ending, reason, 'WHY', NOW),
      order([asking({ draft: null, ended: { reason, errorCode: 'WHY', at: NOW } })], {
        notices: [{ key, hook, payload, ...due }],
      }),
    );
  }
  const replaced = asking({ replaced: true });
  assert.deepEqual(endAttempt(order([replaced]), replaced, 'refused', 'WHY', NOW).notices, []);
  const link = asking({ choice: LINK });
  const [told] = endAttempt(order([link]), link, 'refused', 'WHY', NOW).notices;
  assert.deepEqual([told?.payload['status'], told?.payload['rail']], ['EXPIRED', null]);
});

test('a report names its kind and what differs, also in its key', () => {
  const [report] = addReport(order([attempt()]), 'quarantined', 'ref-1', 'amount', NOW).notices;
  const key = 'report.ref-1.quarantined.amount';
  const payload = {
    ...FACTS,
    key,
    status: 'PROCESSING',
    confirmedAmountInCents: null,
    paidInCents: 0,
    report: 'quarantined',
    detail: 'amount',
  };
  assert.deepEqual(report, { key, hook: 'onReport', payload, ...due });
});
