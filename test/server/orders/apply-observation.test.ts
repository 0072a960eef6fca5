import assert from 'node:assert/strict';
import { test } from 'vitest';
import {
  dropStaleEvents,
  onCreateAnswered,
  onEvent,
  onMismatch,
  onRead,
  onReadFailed,
} from '../../../src/server/orders/apply-observation.js';
import type { Observation } from '../../../src/server/orders/observation.js';
import {
  type AttemptRecord,
  NO_SOURCE,
  type OrderRecord,
  type SourceRecord,
  type Submission,
  type UnverifiedEvent,
} from '../../../src/server/orders/record.js';
import {
  asking,
  attempt,
  calling,
  claim,
  DAY_MS,
  HOUR_MS,
  isoAt,
  LINK,
  MINUTE_MS,
  observation,
  order,
  payment,
  PSE,
  SECOND_MS,
  START,
  submission,
} from './records.js';

const NOW = START + SECOND_MS;
const NEXT_READ = NOW + 15 * SECOND_MS;
const CODES = { ...NO_SOURCE, keyString: '@key', qrString: 'data:image/png;base64,AAAA', qrText: '0002' };

const withOne = (change: Partial<Submission>, more: Partial<AttemptRecord> = {}) =>
  order([attempt({ submissions: [submission(change)], ...more })]);
const only = ({ attempts }: OrderRecord): Submission => {
  const [first] = attempts[0]?.submissions ?? [];
  assert.ok(first);
  return first;
};
const told = ({ notices }: OrderRecord) => notices.map(({ key }) => key);
const answered = (record: OrderRecord, said: Partial<Observation> = {}, reference = 'ref-1') =>
  onCreateAnswered(record, reference, observation({ reference, ...said }), NOW, 0);
const readOf = (
  record: OrderRecord,
  said: Partial<Observation>,
  asked: readonly UnverifiedEvent[] = [],
  now = NOW,
) => onRead(record, 'ref-1', observation(said), asked, now, 0);

test('the answer to a creation shows its payment and forgets the payer; an outcome in it is only a claim', () => {
  const known = submission({ nextReadAt: NEXT_READ });
  assert.deepEqual(answered(order([asking()])), order([attempt({ submissions: [known] })]));
  const claimed = {
    ...known,
    status: 'PENDING',
    unverifiedEvents: [claim({ at: NOW, nextAt: NOW })],
  } as const;
  const paid = answered(order([asking()]), { status: 'CONFIRMED' });
  assert.deepEqual(paid, order([attempt({ submissions: [claimed] })]));
});

test('a link ends when the service says, a payin when the shop does', () => {
  const endOf = (choice: AttemptRecord['choice'], expiresAt: number | null) =>
    answered(order([asking({ choice })]), { expiresAt }).attempts[0]?.expiresAt;
  assert.equal(endOf(LINK, START + HOUR_MS), START + HOUR_MS);
  assert.equal(endOf(LINK, null), null);
  assert.equal(endOf(attempt().choice, START + HOUR_MS), START + 15 * MINUTE_MS);
});

test('a payin whose answer comes too late to be shown is watched and never shown', () => {
  const ended = { reason: 'unavailable', errorCode: 'replaced', at: START } as const;
  const known = [submission({ nextReadAt: NEXT_READ })];
  for (const over of [
    { replaced: true, draft: null },
    { ended, draft: null },
  ])
    assert.deepEqual(answered(order([asking(over)])), order([asking({ ...over, submissions: known })]));
  const second = answered(
    order([attempt({ submissions: [submission(), calling({ reference: 'ref-2' })] })]),
    {
      serviceId: 'id-2',
    },
    'ref-2',
  );
  assert.equal(second.attempts[0]?.disclosed, 'ref-1');
  assert.equal(second.attempts[0]?.submissions[1]?.state, 'known');
  const payments = [payment({ attempt: 'another', reference: 'ref-0' })];
  const paid = { reason: 'unavailable', errorCode: 'already_paid', at: NOW } as const;
  assert.deepEqual(
    answered(order([asking()], { payments })),
    order([asking({ draft: null, ended: paid, submissions: known })], { payments }),
  );
});

test('an answer that is not about what was asked for ends the attempt and is reported', () => {
  const waiting = calling({ unverifiedEvents: [claim()], nextLookupAt: NOW });
  const after = answered(order([asking({ submissions: [waiting] })]), { amountInCents: 1 });
  const ended = { reason: 'unavailable', errorCode: 'answer_mismatch', at: NOW } as const;
  const stopped = calling({ state: 'abandoned', giveUpAt: null, quarantine: 'amount' });
  assert.deepEqual(after.attempts, [asking({ draft: null, ended, submissions: [stopped] })]);
  assert.deepEqual(told(after), ['report.ref-1.quarantined.amount', 'canceled.ref-1']);
});

test('a contradiction about a payment that is shown ends nothing, and is reported once', () => {
  const once = onMismatch(withOne({ unverifiedEvents: [claim()] }), 'ref-1', 'id', NOW);
  assert.deepEqual(once.attempts, withOne({ quarantine: 'id' }).attempts);
  assert.deepEqual(told(once), ['report.ref-1.quarantined.id']);
  assert.deepEqual(onMismatch(once, 'ref-1', 'id', NOW + 1), once);
  const over = { disclosed: null, ended: { reason: 'unavailable', errorCode: 'WHY', at: START } } as const;
  assert.deepEqual(onMismatch(withOne({}, over), 'ref-1', 'id', NOW).attempts[0]?.ended, over.ended);
});

test('an event is noted once for each claim, unless its outcome is known already', () => {
  const noted = (change: Partial<Submission>, status: Submission['status']) =>
    only(onEvent(withOne(change), 'ref-1', { status, serviceId: 'id-9' }, NOW)).unverifiedEvents;
  const fresh = (status: Submission['status']) => claim({ status, serviceId: 'id-9', at: NOW, nextAt: NOW });
  assert.deepEqual(noted({}, 'CONFIRMED'), [fresh('CONFIRMED')]);
  assert.deepEqual(noted({ unverifiedEvents: [claim()] }, 'CONFIRMED'), [claim()]);
  assert.deepEqual(noted({ unverifiedEvents: [claim()] }, 'DECLINED'), [claim(), fresh('DECLINED')]);
  assert.deepEqual(noted({ status: 'DECLINED' }, 'DECLINED'), []);
  assert.deepEqual(noted({ status: 'DECLINED' }, 'CONFIRMED'), [fresh('CONFIRMED')]);
  assert.deepEqual(noted({ status: 'PROCESSING' }, 'PROCESSING'), [fresh('PROCESSING')]);
});

test('a read by the id of an event that leads elsewhere proves the event wrong, not the payment', () => {
  const late = claim({ at: START + 1 });
  const waiting = asking({ submissions: [calling({ unverifiedEvents: [claim(), late] })] });
  const other = { ...waiting, submissions: [calling({ readAt: NOW, reads: 1, unverifiedEvents: [late] })] };
  assert.deepEqual(readOf(order([waiting]), { amountInCents: 1 }, [claim()]), order([other]));
});

test('a read that contradicts what was asked for is believed in nothing and reported once, and reads go on', () => {
  const late = claim({ at: START + 1 });
  const before = withOne({ reads: 4, unverifiedEvents: [claim(), late] });
  const said = { status: 'CONFIRMED', currency: 'USD' } as const;
  const once = readOf(before, said, [claim()]);
  const read = { readAt: NOW, reads: 5, unverifiedEvents: [late], nextReadAt: NEXT_READ };
  assert.deepEqual(once.attempts, withOne({ ...read, quarantine: 'currency' }).attempts);
  assert.deepEqual(told(once), ['report.ref-1.quarantined.currency']);
  assert.deepEqual(told(readOf(once, said)), told(once));
});

test('a read without an outcome settles claims of none, tries the others again and keeps what it cannot know', () => {
  const asked = claim({ tries: 2 });
  const open = claim({ status: 'PROCESSING' });
  const late = claim({ status: 'DECLINED', at: START + 1 });
  const before = withOne({ quarantine: 'amount', unverifiedEvents: [asked, open, late] });
  const unverifiedEvents = [{ ...asked, tries: 3, nextAt: NOW + 4 * SECOND_MS }, late];
  assert.deepEqual(
    readOf(before, { status: 'PENDING' }, [asked, open]),
    withOne({ readAt: NOW, reads: 1, nextReadAt: NEXT_READ, unverifiedEvents }),
  );
});

test('a claim of money outlives a final read that says otherwise, and is tried again until it is a day old', () => {
  for (const [status, claimed, choice] of [
    ['DECLINED', 'CONFIRMED', attempt().choice],
    ['EXPIRED', 'COMPLETED', LINK],
  ] as const) {
    const asked = claim({ status: claimed, tries: 2 });
    const other = claim({ status: 'CANCELED' });
    const before = withOne({ status, finalAt: START, unverifiedEvents: [asked, other] }, { choice });
    const after = readOf(before, { status }, [asked, other]);
    assert.deepEqual(
      only(after).unverifiedEvents,
      [{ ...asked, tries: 3, nextAt: NOW + 4 * SECOND_MS }],
      status,
    );
    assert.deepEqual(told(after), []);
    const late = dropStaleEvents(after, only(after), START + DAY_MS);
    assert.deepEqual(
      [only(late).unverifiedEvents, told(late)],
      [[], [`report.ref-1.event_unverified.${claimed}`]],
    );
  }
});

test('what is reported of a payin says how that one ended, whatever became of its attempt', () => {
  const declined = submission({ reference: 'ref-2', serviceId: 'id-2', status: 'DECLINED', finalAt: START });
  const claimed = { ...declined, unverifiedEvents: [claim({ status: 'CONFIRMED' })] };
  const both = [submission({ status: 'CONFIRMED', finalAt: START }), claimed];
  const after = dropStaleEvents(order([attempt({ submissions: both })]), claimed, START + DAY_MS);
  assert.deepEqual(
    after.notices.map(({ hook, payload }) => [hook, payload['reference'], payload['status']]),
    [['onReport', 'ref-2', 'DECLINED']],
  );
});

test('a claim about another payin that is recorded as paid meanwhile is settled by that', () => {
  const asked = claim({ serviceId: 'ID-2' });
  const other = claim({ serviceId: 'ID-2', status: 'DECLINED' });
  const paid = order([attempt({ submissions: [submission({ unverifiedEvents: [asked, other] })] })], {
    payments: [payment({ serviceId: 'id-2' })],
  });
  assert.deepEqual(only(readOf(paid, {}, [asked])).unverifiedEvents, [other]);
});

test('a decline is notified with its reason, needs no QR any more and settles the claims that the read was made for', () => {
  const late = claim({ at: START + 1 });
  const same = claim({ status: 'DECLINED', at: START + 1 });
  const before = withOne({ source: CODES, unverifiedEvents: [claim({ status: 'CANCELED' }), late, same] });
  const resultAt = isoAt(START + 1);
  const said = { status: 'DECLINED', errorCode: 'NO_FUNDS', resultAt, source: CODES } as const;
  const after = readOf(before, said, [claim({ status: 'CANCELED' })]);
  const read = submission({
    status: 'DECLINED',
    finalAt: NOW,
    errorCode: 'NO_FUNDS',
    resultAt,
    readAt: NOW,
    reads: 1,
    nextReadAt: NOW + 5 * MINUTE_MS,
    unverifiedEvents: [late],
    source: { ...CODES, qrString: null, qrText: null },
  });
  assert.deepEqual(only(after), read);
  assert.deepEqual(told(after), ['declined.ref-1']);
  assert.deepEqual(told(readOf(after, said)), ['declined.ref-1'], 'and once');
  assert.deepEqual(told(readOf(withOne({}), { status: 'CANCELED' })), ['canceled.ref-1']);
  const link = withOne({}, { choice: LINK });
  assert.deepEqual(told(readOf(link, { status: 'EXPIRED' })), ['canceled.ref-1']);
  const unseen = { disclosed: 'another', submissions: [submission(), submission({ reference: 'another' })] };
  assert.deepEqual(told(readOf(order([attempt(unseen)]), { status: 'DECLINED' })), []);
});

test('a confirmed payment is compared with the price now, else with the one that the last attempt was made at', () => {
  const claims = [claim(), claim({ status: 'DECLINED' })];
  const first = attempt({ submissions: [submission({ source: CODES, unverifiedEvents: claims })] });
  const last = attempt({
    id: 'last',
    orderAmountInCents: 4_000_000,
    submissions: [calling({ reference: 'ref-2' })],
  });
  const record = order([first, last]);
  const said = observation({ status: 'CONFIRMED', source: CODES });
  const priceOf = (price?: number) => {
    const after = onRead(record, 'ref-1', said, [], NOW, 0, price);
    const { unverifiedEvents, source } = only(after);
    assert.deepEqual([unverifiedEvents, source], [[], { ...CODES, qrString: null, qrText: null }]);
    return after.payments[0]?.orderAmountInCents;
  };
  assert.equal(priceOf(3_000_000), 3_000_000);
  assert.equal(priceOf(), 4_000_000);
});

test('a paid payment stays paid: each other outcome that is read is reported once, an open one is no news', () => {
  let record = withOne({ status: 'CONFIRMED', finalAt: START });
  const reported: number[] = [];
  for (const status of ['PROCESSING', 'DECLINED', 'DECLINED', 'CONFIRMED', 'DECLINED', 'CANCELED'] as const) {
    record = readOf(record, { status });
    reported.push(record.notices.length);
    assert.equal(only(record).status, 'CONFIRMED');
  }
  assert.deepEqual(reported, [0, 1, 1, 1, 1, 2]);
  assert.deepEqual(told(record), [
    'report.ref-1.status_contradicted.DECLINED',
    'report.ref-1.status_contradicted.CANCELED',
  ]);
  assert.equal(only(record).quarantine, 'status CANCELED');
});

test('a chargeback of a paid payment is notified once, with its time; one of an unpaid payment is none', () => {
  const chargebackAt = isoAt(START + 5);
  const paid = withOne({ status: 'CONFIRMED', finalAt: START });
  const once = readOf(paid, { status: 'CONFIRMED', chargebackAt });
  assert.equal(only(once).chargebackAt, chargebackAt);
  assert.deepEqual(told(once), ['chargeback.ref-1']);
  assert.equal(once.notices[0]?.payload['chargebackAt'], chargebackAt);
  assert.deepEqual(told(readOf(once, { status: 'CONFIRMED', chargebackAt })), told(once));
  const open = readOf(withOne({}), { chargebackAt });
  assert.deepEqual([only(open).chargebackAt, told(open)], [null, []]);
});

test('an open status goes from pending to processing and not back, and an outcome never becomes open', () => {
  const after = (known: Submission['status'], status: Submission['status']) =>
    only(readOf(withOne({ status: known, finalAt: START }), { status })).status;
  assert.equal(after('PENDING', 'PROCESSING'), 'PROCESSING');
  assert.equal(after('PROCESSING', 'PENDING'), 'PROCESSING');
  assert.equal(after('DECLINED', 'PROCESSING'), 'DECLINED');
  assert.equal(after('DECLINED', 'CANCELED'), 'DECLINED');
});

test('what a payer may have seen stays; what was missing is filled in, and no QR comes back', () => {
  const address = (name: string) => `https://${name}.test/`;
  const all = (name: string): SourceRecord => ({
    keyString: `@${name}`,
    qrString: `image ${name}`,
    qrText: `text ${name}`,
    checkoutUrl: address(name),
    pseUrl: address(name),
    cus: name,
    paymentLinkUrl: address(name),
  });
  const after = (known: SourceRecord, status: Submission['status'] = 'PROCESSING') =>
    only(readOf(withOne({ source: known, status, finalAt: START }), { status, source: all('b') })).source;
  assert.deepEqual(after(all('a')), all('a'));
  assert.deepEqual(after(NO_SOURCE), all('b'));
  assert.deepEqual(after(NO_SOURCE, 'DECLINED'), { ...all('b'), qrString: null, qrText: null });
  assert.deepEqual(after({ ...all('a'), pseUrl: '/a' }), { ...all('a'), pseUrl: address('b') });
});

test('a payment is stalled until its bank’s address comes', () => {
  const stalled = withOne({ source: NO_SOURCE }, { choice: PSE, stalled: true });
  const after = (pseUrl: string | null) =>
    readOf(stalled, { source: { ...NO_SOURCE, pseUrl } }).attempts[0]?.stalled;
  assert.deepEqual([after(null), after('https://bank.test/')], [true, false]);
  const fine = readOf(withOne({}, { choice: PSE }), {
    source: { ...NO_SOURCE, pseUrl: 'https://bank.test/' },
  });
  assert.equal(fine.attempts[0]?.stalled, false);
});

test('a payment that could not be read is tried again with its claims', () => {
  const asked = claim({ tries: 1 });
  const late = claim({ status: 'DECLINED' });
  const failed = onReadFailed(
    withOne({ reads: 4, unverifiedEvents: [asked, late] }),
    'ref-1',
    [asked],
    NOW,
    0,
  );
  const unverifiedEvents = [{ ...asked, tries: 2, nextAt: NOW + 2 * SECOND_MS }, late];
  assert.deepEqual(failed, withOne({ readAt: NOW, reads: 5, nextReadAt: NEXT_READ, unverifiedEvents }));
  const unknown = order([asking({ submissions: [calling({ unverifiedEvents: [asked] })] })]);
  assert.equal(only(onReadFailed(unknown, 'ref-1', [asked], NOW, 0)).nextReadAt, null);
});

test('the end of the watch over an open payment is reported once', () => {
  const end = START + 30 * DAY_MS;
  const at = (now: number, change: Partial<Submission>) =>
    told(readOf(withOne(change), { status: change.status ?? 'PROCESSING' }, [], now));
  assert.deepEqual(at(end - 1, { nextReadAt: end - 1 }), []);
  assert.deepEqual(at(end, { nextReadAt: end }), ['report.ref-1.watch_ended.PROCESSING']);
  assert.deepEqual(at(end, { nextReadAt: null }), []);
  assert.deepEqual(at(end, { nextReadAt: end, status: 'DECLINED', finalAt: START }), []);
});

test('news of a reference that the order does not have change nothing', () => {
  const record = order([attempt()]);
  assert.equal(answered(record, {}, 'unknown'), record);
  assert.equal(onMismatch(record, 'unknown', 'id', NOW), record);
  assert.equal(onEvent(record, 'unknown', { status: 'CONFIRMED', serviceId: null }, NOW), record);
  assert.equal(onRead(record, 'unknown', observation(), [], NOW, 0), record);
  assert.equal(onReadFailed(record, 'unknown', [], NOW, 0), record);
});
