import assert from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { type PayoutEvent, parseEvent } from '../../../src/contract/service/events.js';
import {
  addDraft,
  advancePayouts,
  beginCall,
  nextToSend,
  onPayoutEvent,
  payoutAccepted,
  payoutNotMade,
  payoutRefused,
  payoutUnclear,
  queuePayout,
  resolvePayout,
} from '../../../src/server/orders/payouts/payouts.js';
import { newOrder, type OrderRecord, type PaymentRecord } from '../../../src/server/orders/record.js';
import { payoutById, payoutsOf } from '../../../src/server/orders/payouts/refunds.js';
import { sizeOr } from '../../support/torture.js';

/**
 * Whatever happens to refunds, in whatever order, played against a small model of the service: it makes payouts, or
 * not, its answers come or are lost, its events come late, twice and in any order, banks take payments back.
 */

interface TruePayout {
  readonly id: string;
  readonly reference: string;
  readonly amountInCents: number;
  readonly outcome: 'CONFIRMED' | 'DECLINED';
}

const PAYMENTS = [3_000, 2_000];
const REQUEST = {
  customer: { name: 'Ana', idType: 'CO_CC', idNumber: '1', phone: '+573001234567', email: 'a@b.test' },
  keyString: '@ana',
  receiverDigest: 'd',
} as const;
const RECEIVER = { name: 'Ana', document: null, account: null, bank: null, key: '@a', keyType: null };

const payment = (amountInCents: number, index: number): PaymentRecord => ({
  attempt: `a${index}`,
  reference: `r${index}`,
  serviceId: `payin-${index}`,
  amountInCents,
  orderAmountInCents: amountInCents,
  at: 0,
  chargebackAt: null,
});

function eventOf({ id, reference }: TruePayout, status: string): PayoutEvent {
  const event = parseEvent({
    event: `payout.${status.toLowerCase()}`,
    resource: 'payout',
    data: { id, reference, status },
  });
  assert.ok(event?.resource === 'payout');
  return event;
}

const step = fc.oneof(
  fc.record({ do: fc.constant('draft' as const), amount: fc.integer({ min: 1, max: 6_000 }), of: fc.nat(2) }),
  fc.record({ do: fc.constant('send' as const), which: fc.nat(7), stale: fc.boolean() }),
  fc.record({
    do: fc.constant('call' as const),
    answer: fc.constantFrom('accepted', 'lost', 'never arrived', 'refused', 'not made', 'died'),
    outcome: fc.constantFrom('CONFIRMED' as const, 'DECLINED' as const),
    isLate: fc.boolean(),
  }),
  fc.record({ do: fc.constant('event' as const), which: fc.nat(7), isOutcome: fc.boolean() }),
  fc.record({ do: fc.constant('resolve' as const), which: fc.nat(7) }),
  fc.record({ do: fc.constant('chargeback' as const), which: fc.nat(1) }),
  fc.record({ do: fc.constant('time' as const), ms: fc.constantFrom(1_000, 13_000, 60_000, 1_000_000) }),
);

test('whatever happens to refunds, none is sent twice, no more goes back than is there, and each outcome is notified once', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let now = 1_000;
      let record: OrderRecord = { ...newOrder('order-1'), payments: PAYMENTS.map(payment) };
      const made: TruePayout[] = [];
      const pick = (which: number) => payoutsOf(record)[which % Math.max(1, payoutsOf(record).length)];
      let drafts = 0;

      const callNext = (answer: string, outcome: TruePayout['outcome'], isLate: boolean) => {
        const next = nextToSend(record);
        if (next === undefined) return;
        const begun = beginCall(record, next.id, now, 10_000);
        record = begun.record;
        const payout = payoutById(record, next.id);
        if (begun.request === null || payout === undefined) return;
        assert.equal(beginCall(record, next.id, now, 10_000).request, null, 'no other instance may call');
        const { id, reference, amountInCents } = payout;
        const isMade = answer === 'accepted' || answer === 'lost' || answer === 'died';
        if (isMade) made.push({ id: `s-${made.length}`, reference, amountInCents, outcome });
        // The call was given up before its answer came.
        if (isLate) record = advancePayouts(record, (now += 60_000));
        if (answer === 'accepted') record = payoutAccepted(record, id, made.at(-1)?.id ?? '', now);
        else if (answer === 'lost' || answer === 'never arrived')
          record = payoutUnclear(record, id, 'timeout', now);
        else if (answer === 'refused') record = payoutRefused(record, id, 'refused', now);
        else if (answer === 'not made') record = payoutNotMade(record, id, { request: begun.request }, now);
      };

      for (const each of steps) {
        switch (each.do) {
          case 'draft': {
            drafts += 1;
            const of = each.of === 2 ? null : `payin-${each.of}`;
            const draft = {
              id: `d${drafts}`,
              reference: `R${drafts}`,
              amountInCents: each.amount,
              payment: of,
            };
            record = addDraft(record, { ...draft, receiver: RECEIVER, note: null, request: REQUEST }, now);
            break;
          }
          case 'send': {
            const payout = pick(each.which);
            if (payout === undefined) break;
            const version = payout.version + (each.stale ? 1 : 0);
            const queued = queuePayout(record, payout.id, { version, receiverAccepted: false }, now);
            if (queued.outcome !== 'queued') break;
            assert.ok(!each.stale && payout.state === 'DRAFT');
            record = queued.record;
            const out = [...payoutsOf(record)].filter(({ state, reference }) => {
              const truth = made.find((other) => other.reference === reference);
              const isOpen = state === 'SENDING' || state === 'UNCLEAR' || state === 'PROCESSING';
              return isOpen || truth?.outcome === 'CONFIRMED';
            });
            const sum = (of: readonly { amountInCents: number }[]) =>
              of.reduce((total, { amountInCents }) => total + amountInCents, 0);
            const here = sum(record.payments.filter(({ chargebackAt }) => chargebackAt === null));
            assert.ok(sum(out) <= here, `${sum(out)} of ${here}`);
            break;
          }
          case 'call':
            callNext(each.answer, each.outcome, each.isLate);
            break;
          case 'event': {
            const truth = made[each.which % Math.max(1, made.length)];
            if (truth)
              record = onPayoutEvent(
                record,
                eventOf(truth, each.isOutcome ? truth.outcome : 'PROCESSING'),
                now,
              );
            break;
          }
          case 'resolve': {
            const payout = pick(each.which);
            if (payout === undefined) break;
            const truth = made.find(({ reference }) => reference === payout.reference);
            // A person who asks the service learns what became of it.
            const wasSent = truth?.outcome === 'CONFIRMED';
            record = resolvePayout(record, payout.id, payout.version, wasSent, now) ?? record;
            break;
          }
          case 'chargeback':
            record = {
              ...record,
              payments: record.payments.map((paid, index) =>
                index === each.which ? { ...paid, chargebackAt: '2026-01-20T00:00:00.000Z' } : paid,
              ),
            };
            break;
          case 'time':
            now += each.ms;
            record = advancePayouts(record, now);
            break;
          default:
            throw new TypeError(`Unknown step: ${String(each satisfies never)}`);
        }
        assert.equal(new Set(made.map(({ reference }) => reference)).size, made.length, 'sent once each');
        for (const { reference, outcome } of made) {
          const known = payoutsOf(record).find((each) => each.reference === reference);
          if (outcome === 'CONFIRMED')
            assert.notEqual(known?.state, 'REFUSED', 'what was sent counts as gone');
        }
        for (const { state, request } of payoutsOf(record))
          if (state !== 'DRAFT' && state !== 'SENDING') assert.equal(request, null, 'its data is gone');
      }

      now += 10_000_000;
      record = advancePayouts(record, now);
      for (const truth of [...made, ...made.toReversed()])
        record = onPayoutEvent(record, eventOf(truth, truth.outcome), now);
      const told = (hook: string, reference: string) =>
        record.notices.filter((notice) => notice.hook === hook && notice.payload['reference'] === reference)
          .length;
      for (const { reference, outcome } of made) {
        const payout = payoutsOf(record).find((each) => each.reference === reference);
        const isConfirmed = outcome === 'CONFIRMED';
        assert.equal(
          payout?.state === 'CONFIRMED',
          isConfirmed,
          `${reference} is ${payout?.state ?? 'gone'}`,
        );
      }
      for (const { state, reference } of payoutsOf(record)) {
        assert.ok(state !== 'DRAFT' && state !== 'SENDING', 'time ends what waits');
        const isFailed = state === 'REFUSED' || state === 'DECLINED';
        assert.deepEqual(
          [told('onRefunded', reference), told('onPayoutFailed', reference)],
          [state === 'CONFIRMED' ? 1 : 0, isFailed ? 1 : 0],
          `${reference} is ${state}`,
        );
      }
    }),
    { numRuns: sizeOr(700, 10_000) },
  );
});
