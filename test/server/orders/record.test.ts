import assert from 'node:assert/strict';
import { test } from 'vitest';
import {
  allKeys,
  type AttemptRecord,
  attemptStatus,
  currentAttempt,
  newSubmission,
  NO_SOURCE,
  oncePer,
  representative,
  rowIds,
  updateAttempt,
  updateSubmission,
} from '../../../src/server/orders/record.js';
import { asking, attempt, calling, LINK, order, START, submission } from './records.js';

test('what is computed from an object is computed once, also when it is undefined', () => {
  const asked: object[] = [];
  const nothing = oncePer((source: object) => void asked.push(source));
  const [one, other] = [{}, {}];
  for (const source of [one, one, other, one]) nothing(source);
  assert.equal(asked.length, 2);
  assert.ok(asked[0] === one && asked[1] === other);
});

test('of a submission nothing is known at first, and nothing was tried', () => {
  assert.deepEqual(newSubmission('ref-1', START, START + 7), {
    reference: 'ref-1',
    link: null,
    startedAt: START,
    state: 'calling',
    giveUpAt: START + 7,
    lookups: 0,
    nextLookupAt: null,
    search: null,
    searchedAt: null,
    serviceId: null,
    status: 'PENDING',
    finalAt: null,
    source: NO_SOURCE,
    confirmedAmountInCents: null,
    errorCode: null,
    resultAt: null,
    chargebackAt: null,
    quarantine: null,
    unverifiedEvents: [],
    readAt: null,
    reads: 0,
    nextReadAt: null,
  });
});

test('an attempt is judged by the submission that paid, else by the one that is shown, else by the last', () => {
  const [first, second, third] = ['first', 'second', 'third'].map((reference) => submission({ reference }));
  assert.ok(first && second && third);
  const judged = (change: Partial<AttemptRecord>) =>
    representative(attempt({ submissions: [first, second, third], ...change })).reference;
  assert.equal(judged({ disclosed: null }), 'third');
  assert.equal(judged({ disclosed: 'second' }), 'second');
  const paid = [first, second, { ...third, status: 'CONFIRMED' as const }];
  assert.equal(judged({ disclosed: 'second', submissions: paid }), 'third');
});

test('an attempt that ended without a payment is declined, canceled or expired, until it is paid after all', () => {
  const ended = (reason: 'refused' | 'unavailable') => ({ reason, errorCode: 'WHY', at: START });
  assert.equal(attemptStatus(attempt()), 'PROCESSING');
  assert.equal(attemptStatus(asking({ ended: ended('refused') })), 'DECLINED');
  assert.equal(attemptStatus(asking({ ended: ended('unavailable') })), 'CANCELED');
  assert.equal(attemptStatus(asking({ ended: ended('refused'), choice: LINK })), 'EXPIRED');
  const submissions = [submission({ status: 'CONFIRMED' })];
  assert.equal(attemptStatus(attempt({ ended: ended('refused'), submissions })), 'CONFIRMED');
});

test('a change is made to one submission or attempt and to nothing else', () => {
  const submissions = [submission(), submission({ reference: 'ref-2' })];
  const [first, second] = [
    attempt({ submissions }),
    asking({ id: 'attempt-2', submissions: [calling({ reference: 'ref-3' })] }),
  ];
  const record = order([first, second], { version: 7 });
  assert.equal(currentAttempt(record), second);
  assert.deepEqual(updateSubmission(record, 'ref-2', { reads: 9 }), {
    ...record,
    attempts: [
      { ...first, submissions: [submission(), submission({ reference: 'ref-2', reads: 9 })] },
      second,
    ],
  });
  assert.deepEqual(updateAttempt(record, 'attempt-2', { late: true }), {
    ...record,
    attempts: [first, { ...second, late: true }],
  });
  assert.equal(updateSubmission(record, 'unknown', { reads: 9 }), record);
  assert.equal(updateAttempt(record, 'unknown', { late: true }), record);
});

test('an order is found by its attempts, their idempotency keys, references and the service’s ids in any case', () => {
  const known = submission({ serviceId: 'ID-1' });
  const record = order([
    attempt({ submissions: [known, calling({ reference: 'Ref-2' })] }),
    asking({ id: 'attempt-2' }),
  ]);
  assert.deepEqual(allKeys(record), [
    'a:attempt-1',
    'i:key-1',
    'r:ref-1',
    's:id-1',
    'r:Ref-2',
    'a:attempt-2',
    'i:key-1',
    'r:ref-1',
  ]);
  assert.deepEqual([rowIds.order('Order-1'), rowIds.payout('Payout-1')], ['o:Order-1', 'p:payout-1']);
});
