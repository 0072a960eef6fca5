import assert from 'node:assert/strict';
import { test } from 'vitest';
import { type PayoutEvent, parseEvent } from '../../../../src/contract/service/events.js';
import type { PayoutRecord } from '../../../../src/server/orders/payouts/payout-record.js';
import {
  addDraft,
  advancePayouts,
  beginCall,
  onPayoutEvent,
  payoutAccepted,
  payoutNotMade,
  payoutUnclear,
  postponeSending,
  queuePayout,
} from '../../../../src/server/orders/payouts/payouts.js';
import {
  paymentNamed,
  payoutById,
  returnableInCents,
} from '../../../../src/server/orders/payouts/refunds.js';
import { newOrder, type OrderRecord, type PaymentRecord } from '../../../../src/server/orders/record.js';
import { isoAt, MINUTE_MS, payment, payout, START } from '../records.js';

function payoutEvent(status: string): PayoutEvent {
  const data = { id: 'payout-1', reference: 'nomina-7', status, errorCode: 'NO_FUNDS' };
  const event = parseEvent({ event: `payout.${status.toLowerCase()}`, resource: 'payout', data });
  assert.ok(event?.resource === 'payout');
  return event;
}

test('an event of a payout is passed on as what it is: unverified', () => {
  const key = 'payout.payout-1.DECLINED';
  assert.deepEqual(onPayoutEvent(undefined, payoutEvent('DECLINED'), START), {
    ...newOrder(''),
    payout: 'DECLINED',
    notices: [
      {
        key,
        hook: 'onPayout',
        payload: {
          key,
          payout: 'payout-1',
          reference: 'nomina-7',
          status: 'DECLINED',
          errorCode: 'NO_FUNDS',
          verified: false,
          at: isoAt(START),
        },
        tries: 0,
        nextAt: START,
      },
    ],
  });
});

test('of the events of a payout those are passed on that are news: a payout may still be paid, never unpaid', () => {
  for (const [come, passedOn] of [
    [
      ['PROCESSING', 'PROCESSING', 'CONFIRMED'],
      ['PROCESSING', 'CONFIRMED'],
    ],
    [['CONFIRMED', 'PROCESSING', 'DECLINED', 'CONFIRMED'], ['CONFIRMED']],
    [
      ['DECLINED', 'PROCESSING', 'CANCELED', 'CONFIRMED'],
      ['DECLINED', 'CONFIRMED'],
    ],
    [
      ['PROCESSING', 'CANCELED', 'DECLINED'],
      ['PROCESSING', 'CANCELED'],
    ],
  ] as const) {
    let record: OrderRecord | undefined;
    for (const status of come) record = onPayoutEvent(record, payoutEvent(status), START);
    assert.deepEqual(
      record?.notices.map(({ payload }) => payload['status']),
      passedOn,
      come.join(),
    );
  }
});

const REQUEST = {
  customer: { name: 'Ana', idType: 'CO_CC', idNumber: '1', phone: '+573001234567', email: 'a@b.test' },
  keyString: '@ana',
  receiverDigest: 'd',
} as const;

/** For no order: a salary. */
const drafted = () =>
  addDraft(
    newOrder(''),
    {
      id: 'out-1',
      reference: 'nomina-7',
      amountInCents: 500_000,
      payment: null,
      receiver: payout().receiver,
      note: null,
      request: REQUEST,
    },
    START,
  );

const ORDER = { version: 1, receiverAccepted: false };

/** The draft once a person has sent it. */
function queued(at = START): OrderRecord {
  const outcome = queuePayout(drafted(), 'out-1', ORDER, at);
  assert.ok(outcome.outcome === 'queued');
  return outcome.record;
}

test('a payout that the service certainly did not make is tried for a quarter of an hour since a person sent it', () => {
  const sentAt = START + 10 * MINUTE_MS;
  const { record, request } = beginCall(queued(sentAt), 'out-1', sentAt, 10_000);
  assert.deepEqual(request, REQUEST);
  const again = payoutNotMade(record, 'out-1', { request: REQUEST, retryAfterMs: 20_000 }, sentAt + 1_000);
  const { giveUpAt, sendAt, tries } = payoutById(again, 'out-1') ?? {};
  assert.deepEqual([giveUpAt, sendAt, tries], [sentAt + 15 * MINUTE_MS, sentAt + 21_000, 1]);
});

test('an event that a payout is under way ends the doubt whether it was made', () => {
  const unclear = payoutUnclear(queued(), 'out-1', 'timeout', START);
  const known = onPayoutEvent(unclear, payoutEvent('PROCESSING'), START);
  const { state, serviceId } = payoutById(known, 'out-1') ?? {};
  assert.deepEqual([state, serviceId], ['PROCESSING', 'payout-1']);
});

test('an event is about no draft, whose reference the service cannot know yet', () => {
  const record = onPayoutEvent(drafted(), payoutEvent('CONFIRMED'), START);
  assert.deepEqual(record.payouts, drafted().payouts);
  assert.deepEqual(
    record.notices.map(({ hook }) => hook),
    ['onPayout'],
  );
});

test('an event is about the payout with its id, whatever reference it has', () => {
  const sent = payoutAccepted(beginCall(queued(), 'out-1', START, 10_000).record, 'out-1', 'payout-1', START);
  const event = payoutEvent('CONFIRMED');
  const renamed = { ...event, data: { ...event.data, reference: 'nomina-8' } };
  assert.equal(payoutById(onPayoutEvent(sent, renamed, START), 'out-1')?.state, 'CONFIRMED');
});

test('a draft is not sent once its time is up, even where it was not removed yet', () => {
  const lapsedAt = START + 15 * MINUTE_MS;
  assert.deepEqual(queuePayout(drafted(), 'out-1', ORDER, lapsedAt), { outcome: 'not_found' });
  assert.equal(queuePayout(drafted(), 'out-1', ORDER, lapsedAt - 1).outcome, 'queued');
});

test('a payout whose time is up is refused where the service was never called, and unclear where it was', () => {
  const called = beginCall(queued(), 'out-1', START, 10_000).record;
  const stateOf = (record: OrderRecord) =>
    payoutById(advancePayouts(record, START + 15 * MINUTE_MS), 'out-1')?.state;
  assert.deepEqual([queued(), called].map(stateOf), ['REFUSED', 'UNCLEAR']);
});

test('a payment may be given back as far as its own money goes, and what is left of the order', () => {
  const paid = (serviceId: string, amountInCents: number) => payment({ serviceId, amountInCents });
  const gone = payout({ state: 'CONFIRMED', payment: 'payin-1' });
  const record = {
    ...newOrder('A-1'),
    payments: [paid('payin-1', 500_000), paid('payin-2', 300_000)],
    payouts: [gone],
  };
  const left = (of: OrderRecord) => ['payin-1', 'payin-2', null].map((each) => returnableInCents(of, each));
  assert.deepEqual(left(record), [0, 300_000, 300_000]);
  assert.deepEqual(left({ ...record, payouts: [{ ...gone, payment: null }] }), [300_000, 300_000, 300_000]);
});

test('a payment goes by its reference only while no other has the same', () => {
  const [one, other] = [payment({ serviceId: 'payin-1' }), payment({ serviceId: 'payin-2' })];
  const named = (name: string, payments: readonly PaymentRecord[]) =>
    paymentNamed({ ...newOrder('A-1'), payments }, name)?.serviceId;
  assert.equal(named('ref-1', [one]), 'payin-1');
  assert.equal(named('ref-1', [one, other]), undefined);
  assert.equal(named('PAYIN-2', [one, other]), 'payin-2', 'ids are in no case');
});

test('while the service may not be called, a payout whose turn has come waits, and no other moves', () => {
  const waiting = (id: string, sendAt: number) => payout({ id, state: 'SENDING', sendAt });
  const record = (...payouts: PayoutRecord[]) => ({ ...newOrder('A-1'), payouts });
  const [draft, later] = [payout(), waiting('later', START + 1)];
  assert.deepEqual(
    postponeSending(record(draft, waiting('due', START), later), START, START + 60_000),
    record(draft, waiting('due', START + 60_000), later),
  );
});
