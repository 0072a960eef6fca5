import assert from 'node:assert/strict';
import { test } from 'vitest';
import {
  type AttemptRecord,
  type Choice,
  newOrder,
  newSubmission,
  type OrderRecord,
  submissionsOf,
} from '../../../src/server/orders/record.js';
import { applyEvent, type ReceivedEvent } from '../../../src/server/orders/received-event.js';

const NOW = Date.parse('2026-01-15T15:00:00Z');

function attempt(choice: Choice, reference: string, serviceId: string | null): AttemptRecord {
  return {
    id: `attempt of ${reference}`,
    token: 'order-1',
    choice,
    amountInCents: 500_000,
    orderAmountInCents: 500_000,
    currency: 'COP',
    description: null,
    merchant: { name: 'Tienda' } as AttemptRecord['merchant'],
    idempotencyKey: reference,
    fingerprint: '',
    createdAt: NOW,
    changedAt: NOW,
    expiresAt: null,
    draft: null,
    submissions: [{ ...newSubmission(reference, NOW, NOW), serviceId }],
    payins: [],
    disclosed: null,
    replaced: false,
    stalled: false,
    late: false,
    ended: null,
  };
}

const BREB: Choice = { kind: 'PAYIN', rail: 'BRE_B', keyType: 'QR_CODE' };
const ORDER: OrderRecord = {
  ...newOrder('order-1'),
  attempts: [
    attempt(BREB, 'unknown-yet', null),
    attempt(BREB, 'known', 'ID-OF-KNOWN'),
    attempt({ kind: 'PAYMENT_LINK', rail: null, bank: null }, 'link', 'ID-OF-LINK'),
  ],
};

/** What was noted of which payment, to be proved by a read. */
const noted = (event: ReceivedEvent) =>
  submissionsOf(applyEvent(ORDER, event, NOW)).flatMap(({ submission }) =>
    submission.unverifiedEvents.map(({ status, serviceId }) => [submission.reference, status, serviceId]),
  );

test('an event is about the payment with its id, and only without one about that with its reference', () => {
  const cases: readonly (readonly [ReceivedEvent, readonly (readonly (string | null)[])[]])[] = [
    [
      { status: 'CONFIRMED', serviceId: 'id-of-known', reference: 'unknown-yet' },
      [['known', 'CONFIRMED', 'id-of-known']],
    ],
    [
      { status: 'DECLINED', serviceId: 'another', reference: 'unknown-yet' },
      [['unknown-yet', 'DECLINED', 'another']],
    ],
    [{ status: 'PROCESSING', serviceId: null, reference: 'known' }, [['known', 'PROCESSING', null]]],
    [{ status: 'CONFIRMED', serviceId: null, reference: null }, []],
    [{ status: 'CONFIRMED', serviceId: 'another', reference: null }, []],
    [{ status: 'CONFIRMED', serviceId: 'another', reference: 'nobody' }, []],
  ];
  for (const [event, expected] of cases) assert.deepEqual(noted(event), expected, JSON.stringify(event));
});

test('an event without an id and a reference changes nothing', () => {
  assert.equal(
    applyEvent(ORDER, { status: 'CONFIRMED', serviceId: 'another', reference: 'nobody' }, NOW),
    ORDER,
  );
});

test('the payin of a link says that the link is to be read, by the link’s id and not its own', () => {
  const cases: readonly (readonly [ReceivedEvent['status'], string, readonly (string | null)[]])[] = [
    ['COMPLETED', 'id-of-link', ['link', 'COMPLETED', 'id-of-link']],
    ['EXPIRED', 'id-of-link', ['link', 'EXPIRED', 'id-of-link']],
    ['CONFIRMED', 'id-of-its-payin', ['link', 'COMPLETED', null]],
    ['PROCESSING', 'id-of-its-payin', ['link', 'PENDING', null]],
    ['DECLINED', 'id-of-its-payin', ['link', 'PENDING', null]],
  ];
  for (const [status, serviceId, expected] of cases)
    assert.deepEqual(noted({ status, serviceId, reference: 'link' }), [expected], status);
});
