import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { PayoutState } from '../../../../src/contract/merchant/payouts.js';
import { linesOf } from '../../../../src/server/orders/views/lines.js';
import { NO_SOURCE, type OrderRecord, type Submission } from '../../../../src/server/orders/record.js';
import { reviewItems, rowFacts, withoutOldMarks } from '../../../../src/server/orders/views/review.js';
import {
  attempt,
  claim,
  DAY_MS,
  isoAt,
  MINUTE_MS,
  notice,
  order,
  payment,
  payout,
  PRICE,
  START,
  submission,
} from '../records.js';

const EVER = START + 1_000 * DAY_MS;
const found = (record: OrderRecord, now = EVER) =>
  reviewItems(record, now).map(({ kind, reference, since, detail }) => [kind, reference, since, detail]);

test('money needs a person when it is too little in the end, too much, too late or comes once more', () => {
  const at = START;
  const by = (name: string, amountInCents: number, later = 0) =>
    payment({ attempt: name, reference: name, amountInCents, at: at + later });
  const attempts = [attempt({ id: 'in time' }), attempt({ id: 'late', late: true })];
  for (const [payments, items] of [
    [[], []],
    [[by('in time', PRICE)], []],
    [[by('late', PRICE)], [['late', 'late', at, `${PRICE}`]]],
    [[by('in time', 1)], [['amount_mismatch', 'in time', at, '1']]],
    [[by('in time', 1), by('b', 2, 5)], [['amount_mismatch', 'b', at + 5, '3']]],
    [[by('in time', PRICE + 1)], [['amount_mismatch', 'in time', at, `${PRICE + 1}`]]],
    [[by('in time', 1), by('b', PRICE - 1)], []],
    [[by('in time', 1), by('b', PRICE, 5)], [['duplicate', 'b', at + 5, '1']]],
    [[by('in time', PRICE), by('late', 7, 5)], [['duplicate', 'late', at + 5, '7']]],
    [
      [by('in time', PRICE + 1), by('b', 1), by('c', 2)],
      [
        ['amount_mismatch', 'in time', at, `${PRICE + 1}`],
        ['duplicate', 'b', at, '1'],
        ['duplicate', 'c', at, '2'],
      ],
    ],
    [
      [by('late', 1)],
      [
        ['late', 'late', at, '1'],
        ['amount_mismatch', 'late', at, '1'],
      ],
    ],
  ] as const) {
    const what = payments.map(({ attempt, amountInCents }) => `${attempt} ${amountInCents}`).join();
    assert.deepEqual(found(order(attempts, { payments })), items, what);
  }
});

test('what is about money names its payin, also where a link has several under one reference', () => {
  const payments = [
    payment({ serviceId: 'first', amountInCents: PRICE }),
    payment({ serviceId: 'second', amountInCents: PRICE }),
  ];
  const items = reviewItems(order([attempt({})], { payments }), EVER);
  assert.deepEqual(
    items.map(({ kind, payment }) => [kind, payment]),
    [['duplicate', 'second']],
  );
});

test('a payment needs a person when it is contradicted, taken back, claimed in vain or left at the bank', () => {
  const source = { ...NO_SOURCE, pseUrl: 'https://bank.test/' };
  const of = (change: Partial<Submission>, disclosed = 'ref-1') =>
    found(order([attempt({ disclosed, submissions: [submission(change)] })]));
  const stuck = ['stuck', 'ref-1', START + DAY_MS, 'PROCESSING'];
  assert.deepEqual(of({}), [], 'a key that is never paid');
  assert.deepEqual(of({ quarantine: 'amount' }), [['quarantined', 'ref-1', START, 'amount']]);
  const chargebackAt = isoAt(START + 5);
  assert.deepEqual(of({ status: 'CONFIRMED', chargebackAt }), [
    ['chargeback', 'ref-1', START + 5, chargebackAt],
  ]);
  assert.deepEqual(of({ unverifiedEvents: [claim(), claim({ status: 'PROCESSING' })] }), [
    ['unverified', 'ref-1', START + 10 * MINUTE_MS, 'CONFIRMED'],
  ]);
  assert.deepEqual(of({ source }), [stuck]);
  assert.deepEqual(of({ source, status: 'DECLINED' }), []);
  assert.deepEqual(of({ source }, 'another'), [], 'an address that no payer was given');
});

test('a payout needs a person at once when it is unclear, and a day after it was sent when no event came', () => {
  const of = (state: PayoutState) => {
    const steps = [
      { state: 'DRAFT', at: START - 5 },
      { state, at: START },
    ] as const;
    return found(order([], { payouts: [payout({ state, steps })] }));
  };
  assert.deepEqual(of('UNCLEAR'), [['payout_unclear', 'nomina-7', START, 'UNCLEAR']]);
  assert.deepEqual(of('PROCESSING'), [['payout_unclear', 'nomina-7', START + DAY_MS, 'PROCESSING']]);
  for (const state of ['DRAFT', 'SENDING', 'CONFIRMED', 'REFUSED'] as const) assert.deepEqual(of(state), []);
});

test('a hook needs a person five minutes after its notice was due, once it has failed', () => {
  const failing = notice({ tries: 1 });
  const item = {
    key: 'hook_failing.confirmed.ref-1.1',
    kind: 'hook_failing',
    reference: 'ref-1',
    since: START + 5 * MINUTE_MS,
    detail: 'onConfirmed',
  };
  assert.deepEqual(reviewItems(order([], { notices: [failing, notice()] }), EVER), [item]);
  const ofPayout = notice({ tries: 1, payload: { at: isoAt(START) } });
  assert.deepEqual(reviewItems(order([], { notices: [ofPayout] }), EVER), [{ ...item, reference: '' }]);
});

test('an item is shown from its time on, until a person has handled it', () => {
  const record = order([attempt()], { notices: [notice({ tries: 1 })] });
  const since = START + 5 * MINUTE_MS;
  assert.equal(found(record, since - 1).length, 0);
  assert.equal(found(record, since).length, 1);
  const [item] = reviewItems(record, since);
  assert.deepEqual(found({ ...record, handled: [item?.key ?? ''] }), []);
  assert.equal(found({ ...record, handled: ['something else'] }).length, 1);
});

test('the store finds an order by when it first needs a person and by its oldest waiting notice', () => {
  const record = order([attempt()]);
  const lines = linesOf(record);
  assert.deepEqual(rowFacts(record), { reviewAt: null, noticeAt: null, lines });
  const later = notice({ key: 'later', tries: 1, payload: { at: isoAt(START + 9) } });
  const earlier = notice({ key: 'earlier', tries: 1, payload: { at: isoAt(START + 3) } });
  assert.deepEqual(rowFacts({ ...record, notices: [later, earlier] }), {
    reviewAt: START + 3 + 5 * MINUTE_MS,
    noticeAt: START + 3,
    lines,
  });
});

test('what was handled is the item as it was: news of the same payment is another item', () => {
  const handle = (record: OrderRecord) => ({
    ...record,
    handled: [...(record.handled ?? []), ...reviewItems(record, EVER).map(({ key }) => key)],
  });
  const of = (change: Partial<Submission>) => order([attempt({ submissions: [submission(change)] })]);
  const later = (from: OrderRecord, to: OrderRecord) => found({ ...to, handled: handle(from).handled });
  const declined = of({ unverifiedEvents: [claim({ status: 'DECLINED' })] });
  const confirmed = of({ unverifiedEvents: [claim({ status: 'CONFIRMED' })] });
  assert.equal(later(declined, declined).length, 0);
  assert.equal(later(declined, confirmed).length, 1, 'claimed to be paid after all');
  const amount = of({ quarantine: 'amount' });
  assert.equal(later(amount, of({ quarantine: 'status DECLINED' })).length, 1, 'contradicted');
  const failing = (tries: number) => order([attempt()], { notices: [notice({ tries })] });
  assert.equal(later(failing(3), failing(3)).length, 0);
  assert.equal(later(failing(3), failing(34)).length, 1, 'it fails again');
});

test('a mark goes with its item, so that the item is news when it comes back', () => {
  const record = order([attempt()], { notices: [notice({ tries: 1 })] });
  const handled = reviewItems(record, EVER).map(({ key }) => key);
  const marked = { ...record, handled };
  assert.equal(withoutOldMarks(record), record);
  assert.equal(withoutOldMarks(marked), marked);
  assert.deepEqual(withoutOldMarks({ ...marked, notices: [] }).handled, []);
});
