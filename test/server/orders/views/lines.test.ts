import assert from 'node:assert/strict';
import { test } from 'vitest';
import { linesOf } from '../../../../src/server/orders/views/lines.js';
import { type AttemptRecord, NO_SOURCE, type Submission } from '../../../../src/server/orders/record.js';
import {
  asking,
  attempt,
  calling,
  isoAt,
  LINK,
  MINUTE_MS,
  order,
  payment,
  PRICE,
  PSE,
  SECOND_MS,
  START,
  submission,
} from '../records.js';

test('a line says of an attempt what was asked, when it was shown, and what arrived when', () => {
  const resultAt = isoAt(START + 30 * SECOND_MS);
  const paid = attempt({ submissions: [submission({ status: 'CONFIRMED', resultAt })] });
  const other = asking({
    id: 'attempt-2',
    choice: LINK,
    createdAt: START + 1,
    submissions: [calling({ reference: 'ref-2' })],
  });
  const known = { event: 'payment_known', reference: 'ref-1', rail: 'BRE_B' } as const;
  const record = order([paid, other], {
    payments: [
      payment({ amountInCents: 2_000_000 }),
      payment({ amountInCents: 3_000_000, at: START + 2 * MINUTE_MS }),
    ],
    journal: [
      { ...known, at: START + 1, event: 'attempt_created' },
      { ...known, at: START + 2, reference: 'ref-2' },
      { ...known, at: START + 3 },
    ],
  });
  assert.deepEqual(linesOf(record), [
    {
      id: 'attempt-1',
      reference: 'ref-1',
      rail: 'BRE_B',
      status: 'CONFIRMED',
      amountInCents: PRICE,
      startedAt: START,
      shownAt: START + 3,
      paidAt: START + 30 * SECOND_MS,
      paidInCents: PRICE,
      reason: null,
      key: '@key',
    },
    {
      id: 'attempt-2',
      reference: 'ref-2',
      rail: 'PAYMENT_LINK',
      status: 'PENDING',
      amountInCents: PRICE,
      startedAt: START + 1,
      shownAt: null,
      paidAt: null,
      paidInCents: 0,
      reason: null,
    },
  ]);
});

const lineOf = (change: Partial<AttemptRecord>, payments = [] as ReturnType<typeof payment>[]) =>
  linesOf(order([attempt(change)], { payments }))[0];

test('what was shown before there was a history was shown when it was asked for', () => {
  assert.equal(
    lineOf({ choice: PSE, submissions: [submission({ startedAt: START + 5 })] })?.shownAt,
    START + 5,
  );
});

test('money arrived when the service says, if that lies between the asking and the reading', () => {
  const readAt = START + MINUTE_MS;
  for (const [resultAt, paidAt] of [
    [isoAt(START), START],
    [isoAt(START - 1), readAt],
    [isoAt(START + 1), START + 1],
    [isoAt(readAt), readAt],
    [isoAt(readAt + 1), readAt],
    [null, readAt],
  ] as const) {
    const submissions = [submission({ status: 'CONFIRMED', resultAt })];
    assert.equal(lineOf({ submissions }, [payment({ at: readAt })])?.paidAt, paidAt, `${resultAt}`);
  }
});

test('the reason is a code of the service or of the kit, a bare outcome, or another one', () => {
  const reasonOf = (change: Partial<Submission>, ended: AttemptRecord['ended'] = null) =>
    lineOf({ submissions: [submission(change)], ended })?.reason;
  const ended = { reason: 'unavailable', errorCode: 'service_unavailable', at: START } as const;
  assert.equal(reasonOf({ status: 'DECLINED', errorCode: 'NO_FUNDS.51-a' }), 'NO_FUNDS.51-a');
  assert.equal(reasonOf({ status: 'DECLINED', errorCode: 'NO_FUNDS' }, ended), 'NO_FUNDS');
  assert.equal(reasonOf({}, ended), 'service_unavailable');
  assert.equal(reasonOf({ status: 'DECLINED' }), 'DECLINED');
  assert.equal(reasonOf({ status: 'CANCELED' }), 'CANCELED');
  assert.equal(reasonOf({ status: 'EXPIRED' }), null);
  assert.equal(reasonOf({ status: 'DECLINED', errorCode: 'Ana has no funds' }), 'other');
  assert.equal(reasonOf({ errorCode: 'x'.repeat(65) }), 'x'.repeat(64));
});

test('what the service says of a payment is without control characters, which a text column may refuse', () => {
  const source = { ...NO_SOURCE, cus: '10\u0000042\n', keyString: '@\u0000key\u007f' };
  const bank = (bankName: string | null) =>
    lineOf({
      choice: { kind: 'PAYIN', rail: 'PSE', bank: 'CO_\u0000BBVA', bankName, personType: 'INDIVIDUAL' },
      submissions: [submission({ source })],
    });
  assert.deepEqual([bank(null)?.cus, bank(null)?.key, bank(null)?.bank], ['10042', '@key', 'CO_BBVA']);
  assert.equal(bank('BB\u0000VA')?.bank, 'BBVA');
});
