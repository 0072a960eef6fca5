import assert from 'node:assert/strict';
import { sizeOr } from '../../support/torture.js';
import { test } from 'vitest';
import fc from 'fast-check';
import { isFinal, isPaid, type PayinStatus } from '../../../src/contract/status.js';
import {
  submissionNotMade,
  submissionRefused,
  submissionUnclear,
  lookupMissed,
} from '../../../src/server/orders/submissions.js';
import { commit } from '../../../src/server/order-repository.js';
import { advance, dueAt } from '../../../src/server/orders/next-task.js';
import type { Observation } from '../../../src/server/orders/observation.js';
import {
  onCreateAnswered,
  onEvent,
  onRead,
  onReadFailed,
} from '../../../src/server/orders/apply-observation.js';
import {
  locate,
  submissionsOf,
  newOrder,
  NO_SOURCE,
  type OrderRecord,
} from '../../../src/server/orders/record.js';
import { startAttempt } from '../../../src/server/orders/start-attempt.js';

/**
 * Every order of events that can happen to an order, played against a small model of the service: it makes payins
 * (or not), they move to an outcome (some of them twice), and what it says arrives late, twice or never.
 */

const AMOUNT = 5_000_000;
const RULES = { maxAttempts: 6, allowPseOverride: true, submissionTimeoutMs: 10_000 };

interface TruePayin {
  readonly id: string;
  readonly states: PayinStatus[];
  readonly confirmedAmountInCents: number | null;
}

type Step =
  | { readonly do: 'start'; readonly replaces: boolean; readonly pse: boolean }
  | { readonly do: 'make'; readonly submission: number }
  | {
      readonly do: 'outcome';
      readonly submission: number;
      readonly status: PayinStatus;
      readonly differs: boolean;
    }
  | { readonly do: 'answer' | 'unclear' | 'refused' | 'notMade' | 'missed'; readonly submission: number }
  | { readonly do: 'event'; readonly submission: number; readonly status: PayinStatus }
  | { readonly do: 'read'; readonly submission: number; readonly lag: number; readonly forged: boolean }
  | { readonly do: 'failedRead'; readonly submission: number }
  | { readonly do: 'pass'; readonly durationMs: number };

const submission = fc.nat({ max: 5 });
const status = fc.constantFrom<PayinStatus>('PENDING', 'PROCESSING', 'CONFIRMED', 'DECLINED', 'CANCELED');
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('start'), replaces: fc.boolean(), pse: fc.boolean() }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('make'), submission }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('outcome'),
        submission,
        status: fc.constantFrom<PayinStatus>('CONFIRMED', 'CONFIRMED', 'DECLINED', 'CANCELED'),
        differs: fc.boolean(),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('answer'), submission }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constantFrom('unclear', 'refused', 'notMade', 'missed'), submission }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('event'), submission, status }) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('read'),
        submission,
        lag: fc.nat({ max: 2 }),
        forged: fc.constantFrom(true, false, false, false),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('failedRead'), submission }) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('pass'),
        durationMs: fc.constantFrom(500, 16_000, 30_000, 3_600_000),
      }),
    },
  ),
  { maxLength: 60 },
);

class Play {
  record: OrderRecord = newOrder('order-1');
  now = 1_000_000;
  readonly truth = new Map<string, TruePayin>();
  #count = 0;

  run(step: Step): void {
    const before = this.record;
    const after = this.#apply(step);
    const committed = commit(before, after, this.now);
    this.record = committed.record;
    this.#check(before, committed.write?.wake);
  }

  #apply(step: Step): OrderRecord {
    const { record, now } = this;
    if (step.do === 'pass') {
      this.now += step.durationMs;
      return this.#advanced(record);
    }
    if (step.do === 'start') return this.#startAttempt(step);
    const submissions = submissionsOf(record);
    const known = submissions[step.submission % Math.max(1, submissions.length)]?.submission;
    if (known === undefined) return record;
    const { reference } = known;
    const truth = this.truth.get(reference);
    switch (step.do) {
      case 'make':
        if (truth === undefined && this.#mayBeMade(reference)) {
          this.truth.set(reference, {
            id: `id-${reference}`,
            states: ['PROCESSING'],
            confirmedAmountInCents: null,
          });
        }
        return record;
      case 'outcome': {
        const last = truth?.states.at(-1);
        // A service may confirm after another outcome; it never takes a confirmation back.
        if (truth === undefined || last === undefined || isPaid(last)) return record;
        if (isFinal(last) && step.status !== 'CONFIRMED') return record;
        this.truth.set(reference, {
          ...truth,
          states: [...truth.states, step.status],
          confirmedAmountInCents: step.differs ? AMOUNT - 1 : null,
        });
        return record;
      }
      case 'answer':
        return truth === undefined
          ? record
          : onCreateAnswered(record, reference, this.#observed(reference, truth, 0), now, 0);
      case 'unclear':
        return submissionUnclear(record, reference, now);
      case 'refused':
        // A refusal means that nothing was made.
        return truth === undefined ? submissionRefused(record, reference, 'invalid_input', now) : record;
      case 'notMade':
        return truth === undefined ? submissionNotMade(record, reference, 0, now) : record;
      case 'missed':
        return lookupMissed(record, reference, now);
      case 'event':
        return onEvent(record, reference, { status: step.status, serviceId: `id-${reference}` }, now);
      case 'read': {
        if (truth === undefined) return record;
        if (known.serviceId === null && known.unverifiedEvents.length === 0) return record;
        const observed = this.#observed(reference, truth, step.lag);
        return onRead(
          record,
          reference,
          step.forged ? forge(observed) : observed,
          known.unverifiedEvents,
          now,
          0,
        );
      }
      case 'failedRead':
        return onReadFailed(record, reference, known.unverifiedEvents, now, 0);
    }
  }

  #startAttempt(step: Extract<Step, { do: 'start' }>): OrderRecord {
    this.#count += 1;
    const current = this.record.attempts.at(-1);
    const outcome = startAttempt(
      this.record,
      {
        attempt: {
          id: `attempt-${this.#count}`,
          token: 'order-1',
          choice: step.pse
            ? { kind: 'PAYIN', rail: 'PSE', bank: 'CO_BBVA', bankName: 'BBVA', personType: 'INDIVIDUAL' }
            : { kind: 'PAYIN', rail: 'BRE_B', keyType: 'QR_CODE' },
          orderAmountInCents: AMOUNT,
          currency: 'COP',
          description: null,
          merchant: { name: 'Tienda', taxId: null, supportEmail: null, supportPhone: null, payeeName: null },
          idempotencyKey: `key-${this.#count}`,
          fingerprint: '',
          createdAt: this.now,
          expiresAt: this.now + 900_000,
          draft: { customer: null, callbackUrl: 'https://shop.test/', nextSubmissionAt: null },
        },
        reference: `first-${this.#count}`,
        offerVersion: undefined,
        orderVersion: '1',
        replaces: step.replaces ? current?.id : undefined,
        override: true,
      },
      this.now,
      RULES,
    );
    return outcome.outcome === 'started' ? outcome.record : this.record;
  }

  #advanced(record: OrderRecord): OrderRecord {
    this.#count += 1;
    return advance(record, this.now, `again-${this.#count}`, RULES.submissionTimeoutMs).record;
  }

  /** The service makes nothing for a submission that it refused or never got. */
  #mayBeMade(reference: string): boolean {
    return submissionsOf(this.record).some(
      (each) => each.submission.reference === reference && each.submission.state !== 'failed',
    );
  }

  #observed(reference: string, truth: TruePayin, lag: number): Observation {
    const status = truth.states[Math.max(0, truth.states.length - 1 - lag)] ?? 'PROCESSING';
    return {
      serviceId: truth.id,
      paymentLinkId: null,
      reference,
      amountInCents: locate(this.record, reference)?.attempt.amountInCents ?? AMOUNT,
      amount: null,
      currency: 'COP',
      status,
      confirmedAmountInCents: isPaid(status) ? truth.confirmedAmountInCents : null,
      confirmedAmount: null,
      errorCode: null,
      createdAt: null,
      resultAt: null,
      chargebackAt: null,
      expiresAt: null,
      source: { ...NO_SOURCE, keyString: `@${reference}`, pseUrl: 'https://bank.test/' },
    };
  }

  /** Everything that was made becomes known and is read as it truly is. */
  finish(): void {
    for (const { submission } of submissionsOf(this.record)) {
      const truth = this.truth.get(submission.reference);
      if (truth === undefined) continue;
      this.now += 1_000;
      const observed = this.#observed(submission.reference, truth, 0);
      this.record = commit(
        this.record,
        onCreateAnswered(this.record, submission.reference, observed, this.now, 0),
        this.now,
      ).record;
      this.record = commit(
        this.record,
        onRead(this.record, submission.reference, observed, submission.unverifiedEvents, this.now, 0),
        this.now,
      ).record;
    }
  }

  #check(before: OrderRecord, woke: boolean | undefined): void {
    const after = this.record;
    assert.deepEqual(
      after.payments.slice(0, before.payments.length),
      before.payments,
      'what was booked stays as it was booked',
    );
    for (const { submission: old } of submissionsOf(before)) {
      const now = submissionsOf(after).find(
        (each) => each.submission.reference === old.reference,
      )?.submission;
      assert.ok(now !== undefined, 'no submission is ever forgotten');
      assert.ok(rank(now.status) >= rank(old.status), `${old.status} was lowered to ${now.status}`);
    }
    for (const old of before.attempts) {
      const now = after.attempts.find((each) => each.id === old.id);
      assert.ok(
        old.disclosed === null || now?.disclosed === old.disclosed,
        'what was disclosed is never exchanged',
      );
    }
    for (const { submission, attempt } of submissionsOf(after)) {
      const truth = this.truth.get(submission.reference);
      assert.ok(
        !isPaid(submission.status) || truth?.states.includes('CONFIRMED'),
        'paid without the service saying so',
      );
      const open =
        submission.state === 'known' &&
        !isFinal(submission.status) &&
        this.now - submission.startedAt < 29 * 86_400_000;
      assert.ok(!open || dueAt(after) !== null, 'an open payment is always looked at again');
      const stuck = attempt.draft !== null && attempt.submissions.every((each) => each.state === 'failed');
      assert.ok(
        !stuck || attempt.draft?.nextSubmissionAt !== null,
        'an attempt whose submissions failed goes on or ends',
      );
    }
    this.#checkNotices();
    assert.ok(after.version >= before.version);
    assert.equal(
      woke ?? false,
      after.version > before.version,
      'waiters are woken exactly when something shows',
    );
  }

  #checkNotices(): void {
    const { notices, payments } = this.record;
    const count = (...hooks: string[]) => notices.filter(({ hook }) => hooks.includes(hook)).length;
    const expected = { onAmountMismatch: 0, onConfirmed: 0, onDuplicatePayment: 0 };
    let paid = 0;
    for (const [index, { amountInCents }] of payments.entries()) {
      const wasComplete = paid >= AMOUNT;
      paid += amountInCents;
      if (wasComplete) expected.onDuplicatePayment += 1;
      else if (paid < AMOUNT || (index === 0 && paid > AMOUNT)) expected.onAmountMismatch += 1;
      else {
        expected.onConfirmed += 1;
        if (paid > AMOUNT) expected.onDuplicatePayment += 1;
      }
    }
    assert.ok(expected.onConfirmed <= 1);
    for (const [hook, times] of Object.entries(expected)) assert.equal(count(hook), times, hook);
    const keys = notices.filter(({ hook }) => hook !== 'onReport').map(({ key }) => key);
    assert.equal(new Set(keys).size, keys.length, 'no notice twice');
  }
}

function rank(status: string): number {
  if (isPaid(status as PayinStatus)) return 3;
  if (isFinal(status as PayinStatus)) return 2;
  return status === 'PROCESSING' ? 1 : 0;
}

/** The same payin as somebody else's: of another amount, under another reference or id. */
function forge(observed: Observation): Observation {
  return { ...observed, status: 'CONFIRMED', amountInCents: (observed.amountInCents ?? 0) + 100 };
}

const runs = sizeOr(2_000);

test('whatever happens in whatever order, money is booked exactly once and nothing is lowered or lost', () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      const play = new Play();
      play.run({ do: 'start', replaces: false, pse: false });
      for (const step of sequence) play.run(step);
      play.finish();
      const paid = [...play.truth]
        .filter(([, truth]) => truth.states.includes('CONFIRMED'))
        .map(([key]) => key);
      assert.deepEqual(
        play.record.payments.map(({ reference }) => reference).sort(),
        paid.sort(),
        'every payment the service knows of is booked',
      );
    }),
    { numRuns: runs },
  );
});

test('the order in which true news arrives does not change what comes out', () => {
  const shuffled = fc.shuffledSubarray(['answer', 'event', 'read', 'answer', 'event', 'read'] as const, {
    minLength: 6,
  });
  fc.assert(
    fc.property(
      shuffled,
      fc.constantFrom<PayinStatus>('CONFIRMED', 'DECLINED', 'CANCELED'),
      (news, outcome) => {
        const play = new Play();
        play.run({ do: 'start', replaces: false, pse: false });
        play.run({ do: 'make', submission: 0 });
        play.run({ do: 'outcome', submission: 0, status: outcome, differs: false });
        for (const each of news) {
          if (each === 'read') play.run({ do: 'read', submission: 0, lag: 0, forged: false });
          else if (each === 'event') play.run({ do: 'event', submission: 0, status: outcome });
          else play.run({ do: 'answer', submission: 0 });
        }
        play.finish();
        const [found] = submissionsOf(play.record);
        assert.equal(found?.submission.status, outcome);
        assert.deepEqual(found?.submission.unverifiedEvents, []);
        assert.equal(play.record.payments.length, outcome === 'CONFIRMED' ? 1 : 0);
        assert.equal(play.record.notices.length, 1);
      },
    ),
    { numRuns: 300 },
  );
});

test('of two payins made for one attempt only the first known is ever disclosed', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([0, 1, 0, 1], { minLength: 4 }), (answers) => {
      const play = new Play();
      play.run({ do: 'start', replaces: false, pse: false });
      // No answer: looked up for 15 seconds, then another reference is used.
      play.run({ do: 'pass', durationMs: 12_000 });
      play.run({ do: 'pass', durationMs: 15_000 });
      assert.equal(submissionsOf(play.record).length, 2);
      for (const each of [0, 1]) play.run({ do: 'make', submission: each });
      for (const each of answers) play.run({ do: 'answer', submission: each });
      const [first] = answers;
      const disclosed = submissionsOf(play.record)[first ?? 0]?.submission.reference;
      assert.equal(play.record.attempts[0]?.disclosed, disclosed);
    }),
  );
});
