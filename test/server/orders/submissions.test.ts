import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { AttemptRecord, OrderRecord } from '../../../src/server/orders/record.js';
import {
  abandon,
  beginSubmission,
  lookupMissed,
  submissionNotMade,
  submissionRefused,
  submissionUnclear,
} from '../../../src/server/orders/submissions.js';
import {
  asking,
  attempt,
  calling,
  DAY_MS,
  LINK,
  MINUTE_MS,
  order,
  SECOND_MS,
  START,
  submission,
} from './records.js';

const NOW = START + 5 * SECOND_MS;
const draft = { customer: null, callbackUrl: 'https://shop.test/', nextSubmissionAt: null };
const failed = (reference: string) => calling({ reference, state: 'failed', giveUpAt: null });
const statesOf = ({ attempts }: OrderRecord) =>
  attempts.flatMap(({ submissions }) => submissions.map(({ state }) => state));

test('a refusal ends the attempt for good', () => {
  const record = order([asking({ submissions: [calling({ nextLookupAt: NOW })] })]);
  const { attempts, notices } = submissionRefused(record, 'ref-1', 'AMOUNT_NOT_ALLOWED', NOW);
  const ended = { reason: 'refused', errorCode: 'AMOUNT_NOT_ALLOWED', at: NOW } as const;
  assert.deepEqual(attempts, [asking({ submissions: [failed('ref-1')], draft: null, ended })]);
  assert.deepEqual(
    notices.map(({ key }) => key),
    ['declined.ref-1'],
  );
});

test('a refusal that comes when a key is shown, or when all is over, ends nothing', () => {
  const ended = { reason: 'unavailable', errorCode: 'replaced', at: START } as const;
  const second = calling({ reference: 'ref-2' });
  for (const change of [
    { submissions: [submission(), second], disclosed: 'ref-1' },
    { ended, submissions: [second] },
  ]) {
    const record = order([asking(change)]);
    const after = submissionRefused(record, 'ref-2', 'WHY', NOW);
    assert.deepEqual([statesOf(after).at(-1), after.notices], ['failed', []]);
    assert.deepEqual(after.attempts[0]?.ended, record.attempts[0]?.ended);
  }
});

test('news about a payment that is known, or of no order, change nothing', () => {
  const record = order([attempt()]);
  for (const reference of ['ref-1', 'unknown']) {
    assert.equal(submissionRefused(record, reference, 'WHY', NOW), record);
    assert.equal(submissionNotMade(record, reference, 0, NOW), record);
    assert.equal(submissionUnclear(record, reference, NOW), record);
    assert.equal(lookupMissed(record, reference, NOW), record);
  }
});

test('what was certainly not made is asked for again: after 1 and 2 seconds, or when the service says, within 30', () => {
  const pauseAfter = (earlier: string[], retryAfterMs: number) => {
    const submissions = [...earlier.map(failed), calling({ reference: 'last', nextLookupAt: NOW })];
    const after = submissionNotMade(order([asking({ submissions })]), 'last', retryAfterMs, NOW);
    const expected = [...earlier.map(failed), failed('last')];
    const [{ draft: next = null, ...rest } = asking()] = after.attempts;
    const { draft: _draft, ...wanted } = asking({ submissions: expected });
    assert.deepEqual(rest, wanted);
    assert.deepEqual(next, { ...draft, nextSubmissionAt: next?.nextSubmissionAt ?? null });
    return (next?.nextSubmissionAt ?? NaN) - NOW;
  };
  assert.equal(pauseAfter([], 0), SECOND_MS);
  assert.equal(pauseAfter(['first'], 0), 2 * SECOND_MS);
  assert.equal(pauseAfter([], 7 * SECOND_MS), 7 * SECOND_MS);
  assert.equal(pauseAfter([], 30 * SECOND_MS), 30 * SECOND_MS);
  assert.equal(pauseAfter([], 30 * SECOND_MS + 1), 30 * SECOND_MS);
});

test('the third submission that comes to nothing is the last', () => {
  const submissions = [failed('first'), failed('second'), calling({ reference: 'third' })];
  const { attempts, notices } = submissionNotMade(order([asking({ submissions })]), 'third', 0, NOW);
  const [ending] = attempts;
  assert.deepEqual(ending?.ended, { reason: 'unavailable', errorCode: 'service_unavailable', at: NOW });
  assert.equal(ending?.draft, null);
  assert.deepEqual(
    notices.map(({ key }) => key),
    ['canceled.third'],
  );
});

test('an attempt that another one has replaced asks for nothing more', () => {
  const replaced = asking({ draft: null, replaced: true });
  assert.deepEqual(
    submissionNotMade(order([replaced]), 'ref-1', 0, NOW),
    order([{ ...replaced, submissions: [failed('ref-1')] }]),
  );
});

test('an unclear payin is looked up at once, for 15 seconds; an unclear link is in no list and asked for anew', () => {
  const until = NOW + 15 * SECOND_MS;
  assert.deepEqual(
    submissionUnclear(order([asking()]), 'ref-1', NOW),
    order([asking({ submissions: [calling({ state: 'unclear', giveUpAt: until, nextLookupAt: NOW })] })]),
  );
  const again = { draft: { ...draft, nextSubmissionAt: NOW } };
  const abandoned = calling({ state: 'abandoned', giveUpAt: null, nextLookupAt: START + MINUTE_MS });
  assert.deepEqual(
    submissionUnclear(order([asking({ choice: LINK })]), 'ref-1', NOW),
    order([asking({ choice: LINK, ...again, submissions: [abandoned] })]),
  );
  const unclear = calling({ state: 'unclear', giveUpAt: NOW, lookups: 4 });
  const record: OrderRecord = order([asking({ submissions: [unclear] })]);
  assert.deepEqual(
    abandon(record, record.attempts[0] as AttemptRecord, unclear, NOW),
    order([asking({ ...again, submissions: [{ ...abandoned, lookups: 4 }] })]),
  );
});

test('a lookup that found nothing is counted, and the next one comes later', () => {
  const unclear = calling({ state: 'unclear', giveUpAt: START + MINUTE_MS, lookups: 1, nextLookupAt: NOW });
  assert.deepEqual(
    lookupMissed(order([asking({ submissions: [unclear] })]), 'ref-1', NOW),
    order([asking({ submissions: [{ ...unclear, lookups: 2, nextLookupAt: NOW + 2 * SECOND_MS }] })]),
  );
});

test('what a day of lookups did not find was not made, but only where the last one saw the whole list', () => {
  const nextLookupAt = START + DAY_MS;
  const last = calling({ state: 'abandoned', giveUpAt: null, lookups: 40, nextLookupAt });
  const record = order([asking({ submissions: [last] })]);
  const stateAfter = (searchedAt: number | null) =>
    lookupMissed(record, 'ref-1', nextLookupAt, searchedAt).attempts[0]?.submissions[0]?.state;
  assert.deepEqual([stateAfter(null), stateAfter(nextLookupAt)], ['abandoned', 'failed']);
});

test('a further submission has the time of its call and two seconds more; without a draft there is none', () => {
  const waiting = asking({ submissions: [failed('ref-1')], draft: { ...draft, nextSubmissionAt: NOW } });
  const begun = calling({ reference: 'ref-2', startedAt: NOW, giveUpAt: NOW + 12 * SECOND_MS });
  assert.deepEqual(
    beginSubmission(order([waiting]), waiting, 'ref-2', NOW, 10 * SECOND_MS),
    order([asking({ submissions: [failed('ref-1'), begun] })]),
  );
  const done = order([attempt()]);
  assert.equal(beginSubmission(done, attempt(), 'ref-2', NOW, 10 * SECOND_MS), done);
});
