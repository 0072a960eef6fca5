import assert from 'node:assert/strict';
import { test } from 'vitest';
import { type AttemptRecord, submissionsOf } from '../../../src/server/orders/record.js';
import { applyEvent, type ReceivedEvent } from '../../../src/server/orders/received-event.js';
import { asking, calling, LINK, order, START, submission } from './records.js';

const NOW = START;
const made = (reference: string, serviceId: string | null, change: Partial<AttemptRecord> = {}) =>
  asking({ id: `attempt of ${reference}`, submissions: [calling({ reference, serviceId })], ...change });

const ORDER = order([
  made('unknown-yet', null),
  made('known', 'ID-OF-KNOWN'),
  made('link', 'ID-OF-LINK', { choice: LINK }),
]);

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
  ];
  for (const [event, expected] of cases) assert.deepEqual(noted(event), expected, JSON.stringify(event));
});

test('an event about a second payin under a reference has it read by its own id, whatever became of the first', () => {
  const paid = order([
    made('known', 'id-of-known', {
      submissions: [submission({ reference: 'known', serviceId: 'id-of-known', status: 'CONFIRMED' })],
    }),
  ]);
  const next = applyEvent(paid, { status: 'CONFIRMED', serviceId: 'second', reference: 'known' }, NOW);
  const [first, second, ...more] = submissionsOf(next).map((each) => each.submission);
  assert.deepEqual([first?.unverifiedEvents, more], [[], []]);
  assert.deepEqual(
    [second?.serviceId, second?.link, second?.status, second?.nextReadAt],
    ['second', 'known', 'PENDING', NOW],
  );
});

test('events add no payin that is known, no link, nor one to a link or to a creation without an answer', () => {
  for (const event of [
    { status: 'CONFIRMED', serviceId: 'ID-OF-KNOWN', reference: 'known' },
    { status: 'CONFIRMED', serviceId: null, reference: 'known' },
    { status: 'COMPLETED', serviceId: 'another', reference: 'known' },
    { status: 'CONFIRMED', serviceId: 'another', reference: 'link' },
    { status: 'CONFIRMED', serviceId: 'another', reference: 'unknown-yet' },
  ] as const) {
    const { length } = submissionsOf(applyEvent(ORDER, event, NOW));
    assert.equal(length, 3, JSON.stringify(event));
  }
});

test('events add a few payins to an attempt and no more, however many are forged', () => {
  let record = ORDER;
  for (let index = 0; index < 50; index++)
    record = applyEvent(
      record,
      { status: 'CONFIRMED', serviceId: `forged-${index}`, reference: 'known' },
      NOW,
    );
  assert.equal(record.attempts[1]?.payins.length, 5);
  const more = { status: 'CONFIRMED', serviceId: 'forged-99', reference: 'forged-0' } as const;
  assert.equal(applyEvent(record, more, NOW).attempts[1]?.payins.length, 5);
});

test('an event that names no payment of the order changes nothing', () => {
  for (const [serviceId, reference] of [
    [null, null],
    ['another', null],
    ['another', 'of another order'],
  ] as const)
    assert.equal(applyEvent(ORDER, { status: 'CONFIRMED', serviceId, reference }, NOW), ORDER);
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
