import assert from 'node:assert/strict';
import { test } from 'vitest';
import { journalEntries, withEntries } from '../../../../src/server/orders/views/journal.js';
import type { JournalEntry, NoticeRecord } from '../../../../src/server/orders/record.js';
import {
  asking,
  attempt,
  calling,
  claim,
  LINK,
  MINUTE_MS,
  notice,
  order,
  PRICE,
  START,
  submission,
} from '../records.js';

const NOW = START + MINUTE_MS;
const about = { at: NOW, reference: 'ref-1', rail: 'BRE_B' };

test('an attempt is in the history from its creation to its key, its replacement or its failure', () => {
  const asked = order([asking()]);
  const created = { ...about, event: 'attempt_created', amountInCents: PRICE };
  const known = { ...about, event: 'payment_known', amountInCents: PRICE, detail: 'id-1' };
  assert.deepEqual(journalEntries(undefined, asked, NOW), [created]);
  assert.deepEqual(journalEntries(asked, order([attempt()]), NOW), [known]);
  assert.deepEqual(journalEntries(undefined, order([attempt()]), NOW), [created, known]);
  assert.deepEqual(journalEntries(asked, asked, NOW), []);
  const read = order([attempt({ submissions: [submission({ readAt: NOW })] })]);
  assert.deepEqual(journalEntries(order([attempt()]), read, NOW), [], 'a read is no news');

  const link = asking({ id: 'link', choice: LINK, submissions: [calling({ reference: 'ref-2' })] });
  const replaced = order([attempt({ replaced: true }), link]);
  assert.deepEqual(journalEntries(order([attempt()]), replaced, NOW), [
    { ...about, event: 'attempt_replaced' },
    { ...created, reference: 'ref-2', rail: 'PAYMENT_LINK' },
  ]);
  const later = order([attempt({ replaced: true, late: true }), link]);
  assert.deepEqual(journalEntries(replaced, later, NOW), []);

  const ended = { reason: 'refused', errorCode: 'WHY', at: NOW } as const;
  const submissions = [calling(), calling({ reference: 'ref-2' })];
  const failed = order([asking({ ended, submissions })]);
  const entry = {
    ...about,
    event: 'attempt_failed',
    reference: 'ref-2',
    amountInCents: PRICE,
    detail: 'WHY',
  };
  assert.deepEqual(journalEntries(asked, failed, NOW), [entry]);
  assert.deepEqual(journalEntries(undefined, failed, NOW), [created, entry], 'also one that failed at once');
  const again = order([asking({ ended: { ...ended, at: START }, submissions })]);
  assert.deepEqual(journalEntries(failed, again, NOW), [], 'once');
});

test('of the events of a payment, each claim of an outcome is in the history once', () => {
  const holding = (...unverifiedEvents: ReturnType<typeof claim>[]) =>
    order([attempt({ submissions: [submission({ unverifiedEvents })] })]);
  const entry = { ...about, event: 'event_received', detail: 'CONFIRMED' };
  const open = claim({ status: 'PROCESSING' });
  assert.deepEqual(journalEntries(holding(), holding(claim(), open), NOW), [entry]);
  assert.deepEqual(journalEntries(holding(claim()), holding(claim({ tries: 1 })), NOW), []);
  assert.deepEqual(journalEntries(holding(claim()), holding(claim({ at: START + 1 })), NOW), [entry]);
  const declined = claim({ status: 'DECLINED' });
  assert.deepEqual(journalEntries(holding(claim()), holding(claim(), declined), NOW), [
    { ...entry, detail: 'DECLINED' },
  ]);
});

const told = (hook: NoticeRecord['hook'], payload: NoticeRecord['payload']) =>
  journalEntries(order([]), order([], { notices: [notice({ hook, payload })] }), NOW);

test('each notice is in the history as what it tells, with its money and its reason', () => {
  const payload = {
    reference: 'ref-1',
    kind: 'PAYIN',
    rail: 'PSE',
    amountInCents: 7,
    confirmedAmountInCents: 5,
    status: 'CONFIRMED',
    errorCode: null,
  };
  const entry = {
    at: NOW,
    reference: 'ref-1',
    rail: 'PSE',
    amountInCents: 7,
    confirmedAmountInCents: 5,
    detail: 'CONFIRMED',
  };
  for (const [hook, event] of [
    ['onConfirmed', 'payment_confirmed'],
    ['onDuplicatePayment', 'payment_duplicate'],
    ['onAmountMismatch', 'amount_mismatch'],
    ['onDeclined', 'payment_declined'],
    ['onCanceled', 'payment_canceled'],
    ['onChargeback', 'chargeback'],
    ['onRefunded', 'refunded'],
    ['onPayoutFailed', 'payout_failed'],
  ] as const)
    assert.deepEqual(told(hook, payload), [{ ...entry, event }]);
  const { confirmedAmountInCents: _none, ...unpaid } = entry;
  assert.deepEqual(told('onDeclined', { ...payload, confirmedAmountInCents: null, errorCode: 'NO_FUNDS' }), [
    { ...unpaid, event: 'payment_declined', detail: 'NO_FUNDS' },
  ]);
  assert.deepEqual(told('onConfirmed', { ...payload, kind: 'PAYMENT_LINK' }), [
    { ...entry, event: 'payment_confirmed', rail: 'PAYMENT_LINK' },
  ]);
  const report = { ...payload, report: 'watch_ended', detail: 'PROCESSING', errorCode: 'WHY' };
  assert.deepEqual(told('onReport', report), [{ ...entry, event: 'watch_ended', detail: 'PROCESSING' }]);
  assert.deepEqual(told('onReport', { ...report, report: 'of a later release' })[0]?.event, 'quarantined');
  assert.deepEqual(told('onPayout', { reference: null, status: 'CONFIRMED', errorCode: null }), [
    { at: NOW, event: 'payout_reported', detail: 'CONFIRMED' },
  ]);
});

test('that a notice was delivered is in the history, and that it was put in line again', () => {
  const { key, hook, payload } = notice();
  const delivered = { key, hook, payload: { ...payload, status: 'CONFIRMED' }, deliveredAt: NOW };
  const [waiting, taken] = [order([], { notices: [notice()] }), order([], { delivered: [delivered] })];
  const entry = { at: NOW, event: 'notice_delivered', reference: 'ref-1', detail: key };
  assert.deepEqual(journalEntries(waiting, taken, NOW), [entry]);
  const dropped = order([], { delivered: [{ ...delivered, deliveredAt: START }] });
  assert.deepEqual(journalEntries(waiting, dropped, NOW), [], 'one without a hook was not delivered');
  assert.deepEqual(journalEntries(order([]), taken, NOW), []);
  const repeated = { ...taken, notices: [notice({ payload: delivered.payload })] };
  assert.deepEqual(journalEntries(taken, repeated, NOW), [
    { ...entry, event: 'notice_repeated', detail: 'CONFIRMED' },
  ]);
  const both = { ...repeated, delivered: [delivered, { ...delivered, key: 'another' }] };
  assert.deepEqual(journalEntries(repeated, both, NOW), [], 'what waits again is not called delivered');
});

test('a history keeps its sixty newest steps', () => {
  const step = (at: number): JournalEntry => ({ at, event: 'attempt_created' });
  const record = order([attempt()]);
  assert.equal(withEntries(record, []), record);
  assert.deepEqual(withEntries(record, [step(1)]), { ...record, journal: [step(1)] });
  const steps = Array.from({ length: 100 }, (_, index) => step(index));
  let long = record;
  for (const each of steps) long = withEntries(long, [each]);
  assert.deepEqual(long.journal, steps.slice(-60));
});
