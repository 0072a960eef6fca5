import assert from 'node:assert/strict';
import { test } from 'vitest';
import { type PayoutEvent, parseEvent } from '../../../../src/contract/service/events.js';
import type { PayoutRecord } from '../../../../src/server/orders/payouts/payout-record.js';
import { onPayoutEvent, postponeSending } from '../../../../src/server/orders/payouts/payouts.js';
import { newOrder, type OrderRecord } from '../../../../src/server/orders/record.js';
import { isoAt, START } from '../records.js';

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

test('while the service may not be called, a payout whose turn has come waits, and no other moves', () => {
  const payout = (id: string, sendAt: number | null): PayoutRecord => ({
    id,
    reference: `refund-${id}`,
    amountInCents: 500_000,
    payment: null,
    state: sendAt === null ? 'DRAFT' : 'SENDING',
    version: 1,
    steps: [],
    receiver: { name: 'A** G****', document: null, account: null, bank: null, key: '@a**', keyType: null },
    request: null,
    sendAt,
    tries: 0,
    giveUpAt: null,
    serviceId: null,
    reason: null,
    errorCode: null,
    note: null,
    reported: null,
    contradiction: null,
  });
  const record = (...payouts: PayoutRecord[]) => ({ ...newOrder('A-1'), payouts });
  const [draft, later] = [payout('draft', null), payout('later', START + 1)];
  assert.deepEqual(
    postponeSending(record(draft, payout('due', START), later), START, START + 60_000),
    record(draft, payout('due', START + 60_000), later),
  );
});
