import assert from 'node:assert/strict';
import { test } from 'vitest';
import { NO_SOURCE } from '../../../src/server/orders/record.js';
import {
  backOffMs,
  lacksSource,
  nextEventReadAt,
  nextLookupAt,
  nextReadAt,
  watchedReadAt,
} from '../../../src/server/orders/schedule.js';
import { attempt, DAY_MS, HOUR_MS, LINK, MINUTE_MS, PSE, SECOND_MS, START, submission } from './records.js';

const JUST_BEFORE = -1;
const WITHOUT_END = attempt({ expiresAt: null });

test('a payment is read daily for chargebacks, up to the very end of the watch', () => {
  const paid = submission({ status: 'CONFIRMED', finalAt: 0 });
  const next = (now: number, read = paid) => nextReadAt(attempt(), read, now, 2 * DAY_MS);
  assert.equal(next(0), DAY_MS);
  assert.equal(next(DAY_MS), 2 * DAY_MS);
  assert.equal(next(DAY_MS + 1), null);
  assert.equal(next(0, { ...paid, chargebackAt: '2026-01-16T00:00:00.000Z' }), null);
  const ofLink = { ...paid, link: 'ref-0' };
  assert.equal(nextReadAt(attempt({ choice: LINK }), ofLink, 0, 2 * DAY_MS), DAY_MS);
  const afterEnd = (now: number) => nextReadAt(attempt({ choice: LINK }), paid, now, 2 * DAY_MS);
  assert.deepEqual(
    [afterEnd(0), afterEnd(DAY_MS)],
    [5 * MINUTE_MS, null],
    'the link itself, for further payins',
  );
});

test('an open payment without a watching payer is read less and less often, for thirty days', () => {
  for (const [ageMs, delayMs] of [
    [0, 15 * SECOND_MS],
    [MINUTE_MS + JUST_BEFORE, 15 * SECOND_MS],
    [MINUTE_MS, 30 * SECOND_MS],
    [5 * MINUTE_MS + JUST_BEFORE, 30 * SECOND_MS],
    [5 * MINUTE_MS, MINUTE_MS],
    [15 * MINUTE_MS + JUST_BEFORE, MINUTE_MS],
    [15 * MINUTE_MS, 5 * MINUTE_MS],
    [HOUR_MS + JUST_BEFORE, 5 * MINUTE_MS],
    [HOUR_MS, 20 * MINUTE_MS],
    [6 * HOUR_MS + JUST_BEFORE, 20 * MINUTE_MS],
    [6 * HOUR_MS, HOUR_MS],
    [30 * DAY_MS + JUST_BEFORE, HOUR_MS],
    [30 * DAY_MS, null],
  ] as const) {
    const now = START + ageMs;
    const next = nextReadAt(WITHOUT_END, submission(), now, 0);
    assert.equal(next && next - now, delayMs, `at an age of ${ageMs} ms`);
  }
});

test('while a payer watches it is read every 5 seconds, later every 10 and 30, as long as it is read at all', () => {
  for (const [ageMs, delayMs] of [
    [0, 5 * SECOND_MS],
    [3 * MINUTE_MS + JUST_BEFORE, 5 * SECOND_MS],
    [3 * MINUTE_MS, 10 * SECOND_MS],
    [15 * MINUTE_MS + JUST_BEFORE, 10 * SECOND_MS],
    [15 * MINUTE_MS, 30 * SECOND_MS],
    [30 * DAY_MS + JUST_BEFORE, 30 * SECOND_MS],
    [30 * DAY_MS, null],
  ] as const) {
    const readAt = START + ageMs;
    const next = watchedReadAt(attempt(), submission({ readAt }));
    assert.equal(next && next - readAt, delayMs, `at an age of ${ageMs} ms`);
  }
});

test('a watched payment that was never read is counted from when it was asked for', () => {
  assert.equal(watchedReadAt(attempt(), submission()), START + 5 * SECOND_MS);
});

test('watching makes fewer reads of a key that was replaced, and none of what has an outcome or is not known', () => {
  const replaced = watchedReadAt(attempt({ replaced: true }), submission());
  assert.equal(replaced, START + 30 * SECOND_MS);
  assert.equal(watchedReadAt(attempt(), submission({ status: 'DECLINED' })), null);
  assert.equal(watchedReadAt(attempt(), submission({ state: 'abandoned' })), null);
});

test('what the payer needs to pay is asked for each second, until it counts as stalled after 20 seconds', () => {
  const pse = attempt({ choice: PSE, expiresAt: null });
  for (const [ageMs, delayMs, watchedDelayMs] of [
    [0, SECOND_MS, SECOND_MS],
    [20 * SECOND_MS + JUST_BEFORE, SECOND_MS, SECOND_MS],
    [20 * SECOND_MS, 15 * SECOND_MS, 5 * SECOND_MS],
  ] as const) {
    const now = START + ageMs;
    assert.equal(nextReadAt(pse, submission(), now, 0), now + delayMs);
    assert.equal(watchedReadAt(pse, submission({ readAt: now })), now + watchedDelayMs);
  }
});

test('a payer lacks the key of Bre-B, the address of the bank, or the address of the hosted page', () => {
  const address = 'https://service.test/';
  const lacks = (choice: typeof PSE, source: Partial<typeof NO_SOURCE>) =>
    lacksSource(attempt({ choice }), submission({ source: { ...NO_SOURCE, ...source } }));
  const { choice: breb } = attempt();
  const sources = [{ keyString: '@key' }, { pseUrl: address }, { paymentLinkUrl: address }];
  assert.deepEqual(
    [breb, PSE, LINK].map((choice) => sources.map((source) => lacks(choice, source))),
    [
      [false, true, true],
      [true, false, true],
      [true, true, false],
    ],
  );
});

test('a payment is read two seconds after its time is over, when nothing else comes sooner', () => {
  const endsAt = START + 10 * MINUTE_MS;
  const ending = attempt({ expiresAt: endsAt });
  const next = (now: number) => nextReadAt(ending, submission(), now, 0);
  assert.equal(next(endsAt - 58 * SECOND_MS + JUST_BEFORE), endsAt + 2 * SECOND_MS + JUST_BEFORE);
  assert.equal(next(endsAt - 30 * SECOND_MS), endsAt + 2 * SECOND_MS);
  assert.equal(next(endsAt), endsAt + 2 * SECOND_MS);
  assert.equal(next(endsAt + 1), endsAt + 1 + MINUTE_MS);
});

test('a payment that failed is read four times more, since some are paid after all', () => {
  const declined = submission({ status: 'DECLINED', finalAt: START });
  const after = (ageMs: number) => nextReadAt(attempt(), declined, START + ageMs, 0);
  for (const [ageMs, atAgeMs] of [
    [0, 5 * MINUTE_MS],
    [5 * MINUTE_MS + JUST_BEFORE, 5 * MINUTE_MS],
    [5 * MINUTE_MS, HOUR_MS],
    [HOUR_MS, 6 * HOUR_MS],
    [6 * HOUR_MS, DAY_MS],
  ] as const) {
    assert.equal(after(ageMs), START + atAgeMs);
  }
  assert.equal(after(DAY_MS), null);
});

test('an unclear creation is looked up after 1, 2 and then every 4 seconds, and once more when its time is up', () => {
  const unclear = submission({ state: 'unclear', giveUpAt: START + 15 * SECOND_MS });
  const delays = [0, 1, 2, 3].map((lookups) => nextLookupAt({ ...unclear, lookups }, START));
  assert.deepEqual(
    delays,
    [1, 2, 4, 4].map((seconds) => START + seconds * SECOND_MS),
  );
  const last = nextLookupAt({ ...unclear, lookups: 3 }, START + 12 * SECOND_MS);
  assert.equal(last, START + 15 * SECOND_MS);
});

test('one that was given up is looked up five times more within a day; what failed or is known never', () => {
  const times = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS];
  const abandoned = submission({ state: 'abandoned' });
  const found: (number | null)[] = [];
  for (let now = START; ;) {
    const next = nextLookupAt(abandoned, now);
    if (next === null) break;
    found.push(next - START);
    now = next;
  }
  assert.deepEqual(found, times);
  for (const state of ['failed', 'known', 'calling'] as const)
    assert.equal(nextLookupAt(submission({ state }), START), null);
});

test('the first claim of an outcome is read at once, any other claim 200 ms after the last read', () => {
  const open = submission({ readAt: START });
  const closed = submission({ readAt: START, status: 'DECLINED' });
  assert.equal(nextEventReadAt(open, 'CONFIRMED', START + 1), START + 1);
  assert.equal(nextEventReadAt(open, 'PROCESSING', START + 1), START + 200);
  assert.equal(nextEventReadAt(closed, 'CONFIRMED', START + 1), START + 200);
  assert.equal(nextEventReadAt(open, 'PROCESSING', START + 500), START + 500);
  assert.equal(nextEventReadAt(submission(), 'PROCESSING', START), START);
});

test('tries come after 1, 2, 4 seconds and so on, at most an hour apart however many there were', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 11, 12, 40, 5_000].map((tries) => backOffMs(tries) / SECOND_MS),
    [1, 2, 4, 8, 2_048, 3_600, 3_600, 3_600],
  );
});
