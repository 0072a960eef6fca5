import assert from 'node:assert/strict';
import { test } from 'vitest';
import {
  noticeDelivered,
  passNoticeOn,
  postponeNotice,
  repeatNotice,
} from '../../../src/server/orders/notices.js';
import type { DeliveredNotice } from '../../../src/server/orders/record.js';
import { attempt, DAY_MS, HOUR_MS, MINUTE_MS, notice, order, SECOND_MS, START } from './records.js';

const NOW = START + HOUR_MS;
const first = notice({ key: 'first', payload: { of: 'the first' } });
const second = notice({ key: 'second', hook: 'onDeclined', tries: 3 });
const waiting = order([attempt()], { notices: [first, second] });
const delivered = (key: string, deliveredAt: number): DeliveredNotice => ({
  key,
  hook: 'onConfirmed',
  payload: { of: `the ${key}` },
  deliveredAt,
});

test('a notice that its hook took is kept among the delivered, and the others wait on', () => {
  assert.deepEqual(noticeDelivered(waiting, 'first', NOW), {
    ...waiting,
    notices: [second],
    delivered: [delivered('first', NOW)],
  });
  assert.equal(noticeDelivered(waiting, 'unknown', NOW), waiting);
});

test('a notice that is delivered once more is kept once, as the latest', () => {
  const again = { ...waiting, delivered: [delivered('first', START), delivered('other', START)] };
  assert.deepEqual(noticeDelivered(again, 'first', NOW).delivered, [
    delivered('other', START),
    delivered('first', NOW),
  ]);
});

test('the last twelve delivered notices are kept', () => {
  const before = Array.from({ length: 12 }, (_, index) => delivered(`${index}`, START));
  const kept = noticeDelivered({ ...waiting, delivered: before }, 'first', NOW).delivered;
  assert.deepEqual(kept, [...before.slice(1), delivered('first', NOW)]);
});

test('a notice that this process has no hook for waits for one that has it, and is dropped after thirty days', () => {
  const made = notice({ key: 'made' });
  const passedOn = (times: number, now: number) =>
    passNoticeOn(order([], { notices: [{ ...made, passedOn: times }, second] }), 'made', now).notices;
  for (const [times, pauseMs] of [
    [0, MINUTE_MS],
    [1, 10 * MINUTE_MS],
    [2, HOUR_MS],
    [3, DAY_MS],
    [30, DAY_MS],
  ] as const)
    assert.deepEqual(passedOn(times, NOW), [{ ...made, nextAt: NOW + pauseMs, passedOn: times + 1 }, second]);
  const endsAt = START + 30 * DAY_MS;
  assert.equal(passedOn(32, endsAt - 1).length, 2);
  assert.deepEqual(passedOn(32, endsAt), [second]);
});

test('a notice that a person asks for is due now: a waiting one in its place, a delivered one as a new one', () => {
  assert.deepEqual(repeatNotice(waiting, 'second', NOW), {
    ...waiting,
    notices: [first, { ...second, nextAt: NOW }],
  });
  const record = { ...waiting, notices: [second], delivered: [delivered('first', START)] };
  assert.deepEqual(repeatNotice(record, 'first', NOW), {
    ...record,
    notices: [second, { ...first, nextAt: NOW }],
  });
  assert.equal(repeatNotice(record, 'unknown', NOW), record);
  assert.equal(repeatNotice(waiting, 'unknown', NOW), waiting);
});

test('a hook that failed is tried again after its back-off, and no other notice waits for it', () => {
  assert.deepEqual(postponeNotice(waiting, 'second', NOW), {
    ...waiting,
    notices: [first, { ...second, tries: 4, nextAt: NOW + 8 * SECOND_MS }],
  });
});
