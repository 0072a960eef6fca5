import assert from 'node:assert/strict';
import { test } from 'vitest';
import { type AttemptRecord, NO_SOURCE, type OrderRecord } from '../../../src/server/orders/record.js';
import {
  startAttempt,
  type StartRequest,
  type StartRules,
} from '../../../src/server/orders/start-attempt.js';
import {
  asking,
  attempt,
  calling,
  MINUTE_MS,
  order,
  payment,
  PRICE,
  PSE,
  SECOND_MS,
  START,
  submission,
} from './records.js';

const NOW = START + MINUTE_MS;
const RULES: StartRules = { maxAttempts: 3, allowPseOverride: true, submissionTimeoutMs: 10 * SECOND_MS };

const {
  amountInCents: _amount,
  submissions: _submissions,
  disclosed: _disclosed,
  replaced: _replaced,
  stalled: _stalled,
  late: _late,
  ended: _ended,
  changedAt: _changedAt,
  ...WANTED
} = asking({ id: 'new', idempotencyKey: 'key-new', createdAt: NOW });

interface Wish extends Partial<StartRequest> {
  readonly now?: number;
  readonly rules?: Partial<StartRules>;
}

function start(record: OrderRecord, { now = NOW, rules, ...wish }: Wish = {}) {
  const request: StartRequest = {
    attempt: WANTED,
    reference: 'ref-new',
    offerVersion: undefined,
    orderVersion: '1',
    replaces: undefined,
    override: false,
    ...wish,
  };
  return startAttempt(record, request, now, { ...RULES, ...rules });
}
const outcomeOf = (record: OrderRecord, wish?: Wish) => start(record, wish).outcome;
const startedFrom = (record: OrderRecord, wish?: Wish) => {
  const started = start(record, wish);
  assert.ok(started.outcome === 'started');
  return started.record;
};

const started = asking({
  id: 'new',
  idempotencyKey: 'key-new',
  createdAt: NOW,
  changedAt: NOW,
  submissions: [calling({ reference: 'ref-new', startedAt: NOW, giveUpAt: NOW + 12 * SECOND_MS })],
});
const address = { ...NO_SOURCE, pseUrl: 'https://bank.test/' };
const atTheBank = attempt({ choice: PSE, submissions: [submission({ source: address })] });
const declined = [submission({ status: 'DECLINED' })];

test('the first attempt asks for the price, a later one for what is missing of it', () => {
  assert.deepEqual(start(order([])), { outcome: 'started', record: order([started]), attempt: started });
  const part = order([], { payments: [payment({ amountInCents: 1 })] });
  assert.deepEqual(startedFrom(part).attempts, [{ ...started, amountInCents: PRICE - 1 }]);
});

test('the same wish under the same key is the same attempt, whatever happened to it', () => {
  const same = attempt({ idempotencyKey: 'key-new', submissions: declined });
  const record = order([same, attempt({ id: 'current' })]);
  assert.deepEqual(start(record), { outcome: 'same', attempt: same });
  const attempts = { ...WANTED, fingerprint: 'another wish' };
  assert.deepEqual(start(record, { attempt: attempts }), { outcome: 'idempotency_mismatch' });
});

test('a paid order names the attempt that paid; one that was partly paid takes the rest', () => {
  const other = attempt({ id: 'other', submissions: declined });
  const paid = order([attempt(), other], { payments: [payment()] });
  assert.deepEqual(start(paid), { outcome: 'already_paid', attempt: attempt() });
  assert.equal(outcomeOf({ ...paid, payments: [payment({ amountInCents: 1 })] }), 'started');
});

test('an offer that has changed since the payer saw it starts nothing', () => {
  const part = order([], { payments: [payment({ amountInCents: 1 })] });
  assert.deepEqual(start(order([]), { offerVersion: '0' }), { outcome: 'offer_changed' });
  assert.equal(outcomeOf(order([]), { offerVersion: '1' }), 'started');
  assert.equal(outcomeOf(part, { offerVersion: '1' }), 'offer_changed');
  assert.equal(outcomeOf(part, { offerVersion: '1.1' }), 'started');
});

test('an open attempt stands in for a new one until its time is over, it has an outcome or the price has changed', () => {
  const expiresAt = NOW + 1;
  assert.deepEqual(start(order([attempt({ expiresAt })])), {
    outcome: 'open',
    attempt: attempt({ expiresAt }),
  });
  assert.equal(outcomeOf(order([attempt({ expiresAt: null })])), 'open');
  assert.equal(outcomeOf(order([attempt({ expiresAt: NOW })])), 'started');
  assert.equal(outcomeOf(order([attempt({ submissions: declined })])), 'started');
  assert.equal(outcomeOf(order([attempt({ amountInCents: PRICE - 1 })])), 'started');
});

test('only the current attempt can be replaced', () => {
  const [first, current] = [attempt({ id: 'first' }), attempt({ id: 'current' })];
  const record = order([first, current]);
  assert.deepEqual(start(record, { replaces: 'first' }), { outcome: 'not_current', attempt: current });
  assert.deepEqual(start(order([]), { replaces: 'first' }), { outcome: 'not_current', attempt: undefined });
  assert.deepEqual(startedFrom(record, { replaces: 'current' }).attempts, [
    first,
    { ...current, replaced: true },
    started,
  ]);
});

test('what was never shown of a replaced attempt never will be, and nothing of its payer is kept', () => {
  const unseen = startedFrom(order([asking()]), { replaces: 'attempt-1' }).attempts[0];
  const gone = { reason: 'unavailable', errorCode: 'replaced', at: NOW } as const;
  assert.deepEqual(unseen, asking({ replaced: true, draft: null, ended: gone }));
  const ended = { reason: 'refused', errorCode: 'WHY', at: START } as const;
  const over = startedFrom(order([asking({ ended })])).attempts[0];
  assert.deepEqual(over, asking({ replaced: true, draft: null, ended }));
});

test('a payer who was sent to a bank may still pay there for 21 minutes, unless the payer says otherwise', () => {
  const record = order([atTheBank]);
  const retryAt = START + 21 * MINUTE_MS;
  const locked = { outcome: 'pse_in_progress', attempt: atTheBank, retryAt };
  const replaces = 'attempt-1';
  assert.deepEqual(start(record, { replaces }), locked);
  assert.deepEqual(start(record, { replaces, now: retryAt - 1 }), locked);
  assert.equal(outcomeOf(record, { replaces, now: retryAt }), 'started');
  assert.equal(outcomeOf(record, { replaces, override: true }), 'started');
  const rules = { allowPseOverride: false };
  assert.deepEqual(start(record, { replaces, override: true, rules }), locked);
  const lapsed = order([{ ...atTheBank, expiresAt: NOW }]);
  assert.equal(
    outcomeOf(lapsed, { override: true }),
    'pse_in_progress',
    'the payer declared nothing about this attempt',
  );
});

test('a bank’s address that was not shown, or a payment that has an outcome, locks no payer', () => {
  const replaces = 'attempt-1';
  for (const free of [
    { ...atTheBank, disclosed: null },
    { ...atTheBank, submissions: [submission()] },
    { ...atTheBank, submissions: [submission({ source: address, status: 'DECLINED' })] },
  ] as const)
    assert.equal(outcomeOf(order([free]), { replaces }), 'started');
});

test('attempts that may have become payins are counted, since the last time a person began anew', () => {
  const made = (count: number, change: Partial<AttemptRecord> = {}) =>
    Array.from({ length: count }, (_, index) =>
      attempt({ id: `${index}`, idempotencyKey: `key ${index}`, submissions: declined, ...change }),
    );
  const failed = asking({ submissions: [calling({ state: 'failed' })] });
  assert.equal(outcomeOf(order([failed, ...made(2)])), 'started');
  assert.deepEqual(start(order(made(3))), { outcome: 'too_many_attempts' });
  assert.equal(outcomeOf(order(made(3), { attemptsResetAt: START - 1 })), 'too_many_attempts');
  assert.equal(outcomeOf(order(made(3), { attemptsResetAt: START })), 'started');
  const lost = (searchedAt: number | null) =>
    made(3, {
      submissions: [calling({ state: 'abandoned', searchedAt })],
      ended: { reason: 'unavailable', errorCode: 'service_unavailable', at: START },
    });
  assert.equal(outcomeOf(order(lost(null))), 'too_many_attempts', 'never searched to the end');
  assert.equal(outcomeOf(order(lost(START + 10 * MINUTE_MS - 1))), 'too_many_attempts', 'searched too soon');
  assert.equal(outcomeOf(order(lost(START + 10 * MINUTE_MS))), 'started');
  const atLast = [calling({ reference: 'ref-0', state: 'failed' }), ...declined];
  assert.equal(outcomeOf(order(made(3, { submissions: atLast }))), 'too_many_attempts');
});

test('only the last ten attempts that came to nothing are kept, and every one that may have become a payin', () => {
  const ended = { reason: 'refused', errorCode: 'WHY', at: START } as const;
  const failures = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      attempt({
        id: `failed ${index}`,
        idempotencyKey: `key ${index}`,
        submissions: [calling({ state: 'failed' })],
        disclosed: null,
        ended,
      }),
    );
  const made = attempt({ id: 'made', submissions: declined });
  const endedLater = attempt({ id: 'ended', idempotencyKey: 'ended', ended });
  const idsAfter = (...attempts: AttemptRecord[]) =>
    startedFrom(order(attempts)).attempts.map(({ id }) => id);
  const ids = (attempts: readonly AttemptRecord[]) => attempts.map(({ id }) => id);
  assert.deepEqual(idsAfter(made, ...failures(10)), ['made', ...ids(failures(10)), 'new']);
  assert.deepEqual(idsAfter(endedLater, made, ...failures(11)), [
    'ended',
    'made',
    ...ids(failures(11).slice(1)),
    'new',
  ]);
});
