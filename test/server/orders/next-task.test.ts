import assert from 'node:assert/strict';
import { test } from 'vitest';
import {
  advance,
  type Allowance,
  dueAt,
  nextTask,
  postpone,
  watchedDueAt,
} from '../../../src/server/orders/next-task.js';
import { type AttemptRecord, NO_SOURCE, type Submission } from '../../../src/server/orders/record.js';
import {
  asking,
  attempt,
  calling,
  claim,
  DAY_MS,
  HOUR_MS,
  LINK,
  MINUTE_MS,
  notice,
  order,
  payment,
  PSE,
  SECOND_MS,
  START,
  submission,
} from './records.js';

const NOW = START + MINUTE_MS;
const ALL: Allowance = {
  watched: false,
  advance: true,
  promptedReads: true,
  otherReads: true,
  pages: true,
};

const claimed = submission({ reference: 'claimed', unverifiedEvents: [claim({ nextAt: NOW })] });
const unclear = calling({ reference: 'unclear', state: 'unclear', giveUpAt: null, nextLookupAt: NOW });
const open = submission({ reference: 'open', serviceId: 'id-3', nextReadAt: NOW });
const quiet = submission({ reference: 'quiet' });
const draft = { customer: null, callbackUrl: 'https://shop.test/', nextSubmissionAt: NOW };
const waiting = notice({ nextAt: NOW });

test('what time alone changes comes first, then what an event asks for, lookups, other reads and hooks', () => {
  const submissions = [open, unclear, claimed];
  const everything = order([attempt({ submissions, draft })], { notices: [waiting] });
  assert.equal(nextTask(everything, NOW - 1, ALL), undefined, 'nothing before its time');
  assert.deepEqual(nextTask(everything, NOW, ALL), { task: 'advance' });
  const next = (left: Submission[], allowance: Partial<Allowance> = {}) =>
    nextTask(order([attempt({ submissions: left })], { notices: [waiting] }), NOW, { ...ALL, ...allowance });
  const read = { task: 'read', reference: 'open', serviceId: 'id-3' };
  const deliver = { task: 'deliver', notice: waiting };
  assert.deepEqual(next([open, unclear, claimed]), {
    task: 'read',
    reference: 'claimed',
    serviceId: 'id-1',
  });
  assert.deepEqual(next([open, unclear, quiet]), { task: 'lookup', reference: 'unclear' });
  assert.deepEqual(next([quiet, open]), read);
  assert.deepEqual(next([quiet]), deliver);
  assert.deepEqual(next([open, unclear, claimed], { promptedReads: false, pages: false }), read);
  assert.deepEqual(next([open, unclear], { pages: false }), read, 'a page of the list waits for its turn');
  assert.deepEqual(next([open], { otherReads: false }), deliver);
  assert.equal(nextTask(order([attempt()]), NOW, ALL), undefined);
});

test('a payer who watches makes the read come sooner', () => {
  const next = (read: Submission, now: number, allowance: Partial<Allowance>) =>
    nextTask(order([attempt({ submissions: [read] })]), now, { ...ALL, ...allowance });
  const task = { task: 'read', reference: 'ref-1', serviceId: 'id-1' };
  const recent = submission({ readAt: NOW - 5 * SECOND_MS, nextReadAt: NOW + HOUR_MS });
  assert.deepEqual(next(recent, NOW, { watched: true }), { ...task });
  assert.equal(next(recent, NOW - 1, { watched: true }), undefined);
  assert.equal(next(recent, NOW, { watched: false }), undefined);
});

test('of the notices of one hook the oldest is next, and those of money come before others', () => {
  const next = (...notices: ReturnType<typeof notice>[]) => {
    const task = nextTask(order([], { notices }), NOW, ALL);
    return task?.task === 'deliver' ? task.notice.key : task;
  };
  const declined = notice({ key: 'declined', hook: 'onDeclined' });
  const confirmed = notice({ key: 'confirmed' });
  assert.equal(next(declined, confirmed), 'confirmed');
  assert.equal(next(declined, { ...declined, key: 'later' }), 'declined');
  const failing = notice({ key: 'failing', nextAt: NOW + 1 });
  assert.equal(next(failing, confirmed), undefined, 'order is kept, also behind one that fails');
  assert.equal(next(failing, declined), 'declined');
  for (const hook of [
    'onAmountMismatch',
    'onDuplicatePayment',
    'onChargeback',
    'onRefunded',
    'onPayoutFailed',
  ] as const)
    assert.equal(next(declined, notice({ key: hook, hook })), hook);
});

test('an order is due when the first of its matters is, and never when it has none', () => {
  const dueOf = (change: Partial<AttemptRecord>, notices = [] as ReturnType<typeof notice>[]) =>
    dueAt(order([attempt(change)], { notices }));
  assert.equal(dueOf({}), null);
  assert.equal(dueOf({ submissions: [open, { ...open, reference: 'other', nextReadAt: NOW + 1 }] }), NOW);
  assert.equal(dueOf({ submissions: [unclear] }), NOW);
  assert.equal(dueOf({ submissions: [claimed] }), NOW);
  assert.equal(dueOf({ submissions: [calling({ giveUpAt: NOW })] }), NOW);
  assert.equal(dueOf({ draft }), NOW);
  assert.equal(dueOf({}, [waiting]), NOW);
  assert.equal(dueOf({}, [notice({ nextAt: NOW + 1 }), waiting]), NOW + 1, 'one that fails holds up its own');
});

test('an event about a payment whose id is not known is read by the id that it names, if it names one', () => {
  const unverifiedEvents = [claim({ serviceId: null, nextAt: NOW })];
  const nameless = order([
    attempt({ submissions: [calling({ giveUpAt: null, unverifiedEvents, nextReadAt: NOW })] }),
  ]);
  assert.equal(nextTask(nameless, NOW, ALL), undefined);
  assert.equal(dueAt(nameless), START + DAY_MS, 'it is dropped after a day');
  const named = order([
    attempt({
      submissions: [
        calling({
          giveUpAt: null,
          unverifiedEvents: [...unverifiedEvents, claim({ status: 'DECLINED', serviceId: 'id-9' })],
        }),
      ],
    }),
  ]);
  const read = { task: 'read', reference: 'ref-1', serviceId: 'id-9' };
  assert.deepEqual(nextTask(named, NOW, ALL), read);
  assert.equal(dueAt(named), START);
});

test('while a payer watches, an open payment is due every few seconds; otherwise as ever', () => {
  const watched = (read: Submission) => watchedDueAt(order([attempt({ submissions: [read] })]));
  assert.equal(watched(submission({ nextReadAt: NOW })), START + 5 * SECOND_MS);
  assert.equal(watched(submission({ nextReadAt: START + 1 })), START + 1);
  assert.equal(watched(submission({ status: 'DECLINED', nextReadAt: NOW })), NOW);
  assert.equal(watched(submission({ status: 'DECLINED' })), null);
});

test('what may not be asked now is postponed: reads until they may be made, what events ask for by a second', () => {
  const until = NOW + HOUR_MS;
  const later = claim({ status: 'DECLINED', nextAt: NOW + 5 * SECOND_MS });
  const both = { ...claimed, unverifiedEvents: [...claimed.unverifiedEvents, later] };
  const submissions = [open, unclear, both, quiet];
  const record = order([attempt({ submissions })]);
  const expected = [
    { ...open, nextReadAt: until },
    { ...unclear, nextLookupAt: NOW + SECOND_MS },
    { ...both, unverifiedEvents: [claim({ nextAt: NOW + SECOND_MS }), later] },
    quiet,
  ];
  assert.deepEqual(postpone(record, NOW, until), order([attempt({ submissions: expected })]));
  assert.equal(postpone(record, NOW - 1, until), record, 'what is not due stays as it is');
});

test('a creation without an answer is looked up for 15 seconds, and then asked for under another reference', () => {
  const gaveUp = START + 12 * SECOND_MS;
  const record = order([asking()]);
  assert.equal(advance(record, gaveUp - 1, 'ref-2', 10 * SECOND_MS).record, record);
  const lookedUp = advance(record, gaveUp, 'ref-2', 10 * SECOND_MS);
  const until = gaveUp + 15 * SECOND_MS;
  assert.deepEqual(lookedUp, {
    begun: undefined,
    record: order([
      asking({ submissions: [calling({ state: 'unclear', giveUpAt: until, nextLookupAt: gaveUp })] }),
    ]),
  });
  assert.equal(advance(lookedUp.record, until - 1, 'ref-2', 10 * SECOND_MS).begun, undefined);
  assert.deepEqual(advance(lookedUp.record, until, 'ref-2', 10 * SECOND_MS), {
    begun: 'ref-2',
    record: order([
      asking({
        submissions: [
          calling({ state: 'abandoned', giveUpAt: null, nextLookupAt: START + MINUTE_MS }),
          calling({ reference: 'ref-2', startedAt: until, giveUpAt: until + 12 * SECOND_MS }),
        ],
      }),
    ]),
  });
});

test('one submission is begun at a time, and none once the order is paid', () => {
  const failed = [calling({ state: 'failed', giveUpAt: null })];
  const first = asking({ submissions: failed, draft });
  const second = asking({ id: 'attempt-2', submissions: failed, draft });
  const early = { ...second, draft: { ...draft, nextSubmissionAt: NOW + 1 } };
  const begunFor = (...attempts: AttemptRecord[]) => {
    const { record, begun } = advance(order(attempts), NOW, 'again', 10 * SECOND_MS);
    return [begun, ...record.attempts.map(({ submissions }) => submissions.length)];
  };
  assert.deepEqual(begunFor(first, second), ['again', 2, 1]);
  assert.deepEqual(begunFor(early, first), ['again', 1, 2]);
  const paid = order([attempt(), second], { payments: [payment()] });
  assert.deepEqual(advance(paid, NOW, 'again', 10 * SECOND_MS), {
    begun: undefined,
    record: {
      ...paid,
      attempts: [
        attempt(),
        { ...second, draft: null, ended: { reason: 'unavailable', errorCode: 'already_paid', at: NOW } },
      ],
    },
  });
});

test('only an open PSE payment stalls, when its bank’s address has not come within 20 seconds', () => {
  const at = START + 20 * SECOND_MS;
  const source = { ...NO_SOURCE, pseUrl: 'https://bank.test/' };
  const unanswered = { submissions: [calling({ giveUpAt: null })], disclosed: null };
  const ended = { reason: 'unavailable', errorCode: 'replaced', at: START } as const;
  for (const [name, change, stalls] of [
    ['known, without its address', {}, true],
    ['without an answer', unanswered, true],
    ['with its address', { submissions: [submission({ source })] }, false],
    ['stalled already', { stalled: true }, false],
    ['replaced', { replaced: true }, false],
    ['declined', { submissions: [submission({ status: 'DECLINED' })] }, false],
    ['ended', { ...unanswered, ended }, false],
    ['Bre-B', { ...unanswered, choice: attempt().choice }, false],
    ['a link', { ...unanswered, choice: LINK }, false],
  ] as const) {
    const record = order([attempt({ choice: PSE, ...change })]);
    assert.equal(dueAt(record), stalls ? at : null, name);
    const [stalled] = advance(record, at, 'ref-2', 10 * SECOND_MS).record.attempts;
    assert.deepEqual(stalled, { ...record.attempts[0], ...(stalls && { stalled: true }) }, name);
    assert.equal(advance(record, at - 1, 'ref-2', 10 * SECOND_MS).record, record, name);
  }
});

test('an event that no read agreed with for a day is dropped and reported, the others are kept', () => {
  const young = claim({ status: 'DECLINED', at: START + 1 });
  const record = order([attempt({ submissions: [submission({ unverifiedEvents: [claim(), young] })] })]);
  const kept = (now: number) => {
    const { attempts, notices } = advance(record, now, 'ref-2', 10 * SECOND_MS).record;
    return [attempts[0]?.submissions[0]?.unverifiedEvents, notices.map(({ key }) => key)];
  };
  assert.deepEqual(kept(START + DAY_MS - 1), [[claim(), young], []]);
  assert.deepEqual(kept(START + DAY_MS), [[young], ['report.ref-1.event_unverified.CONFIRMED']]);
});

test('an event about a payin that was found at the service is dropped and reported after a day too', () => {
  const payin = submission({ reference: 'id-2', link: 'ref-1', serviceId: 'id-2' });
  const record = order([
    attempt({
      payins: [{ ...payin, unverifiedEvents: [claim({ serviceId: 'id-2', nextAt: START + 2 * DAY_MS })] }],
    }),
  ]);
  assert.equal(dueAt(record), START + DAY_MS);
  assert.equal(nextTask(record, START + DAY_MS - 1, ALL), undefined);
  assert.deepEqual(nextTask(record, START + DAY_MS, ALL), { task: 'advance' });
  const { attempts, notices } = advance(record, START + DAY_MS, 'ref-2', 10 * SECOND_MS).record;
  assert.deepEqual(attempts[0]?.payins, [payin]);
  assert.deepEqual(
    notices.map(({ key }) => key),
    ['report.id-2.event_unverified.CONFIRMED'],
  );
});
