import assert from 'node:assert/strict';
import { isFinal, isPaid, type PayinStatus } from '../../../src/contract/status.js';
import {
  submissionNotMade,
  submissionRefused,
  submissionUnclear,
  lookupMissed,
} from '../../../src/server/orders/submissions.js';
import { commit } from '../../../src/server/order-repository.js';
import { advance, dueAt } from '../../../src/server/orders/next-task.js';
import { type LinkReading, onLinkRead } from '../../../src/server/orders/link-payins.js';
import type { Observation } from '../../../src/server/orders/observation.js';
import {
  onCreateAnswered,
  onEvent,
  onRead,
  onReadFailed,
} from '../../../src/server/orders/apply-observation.js';
import {
  isLink,
  locate,
  type Located,
  submissionsOf,
  newOrder,
  NO_SOURCE,
  type OrderRecord,
} from '../../../src/server/orders/record.js';
import { startAttempt } from '../../../src/server/orders/start-attempt.js';
import { AMOUNT, CHOICES, RULES, type Step, type TrueLink, type TruePayin } from './decisions-steps.js';

/** An order beside a small model of the service, which says what is true. */

export class Play {
  record: OrderRecord = newOrder('order-1');
  now = 1_000_000;
  /** By the reference of the submission; payins of a link by their id, as the record names them. */
  readonly truth = new Map<string, TruePayin>();
  readonly links = new Map<string, TrueLink>();
  #count = 0;

  run(step: Step): void {
    this.#store(this.#apply(step));
  }

  #apply(step: Step): OrderRecord {
    const { record, now } = this;
    if (step.do === 'pass') {
      this.now += step.durationMs;
      return this.#advanced(record);
    }
    if (step.do === 'start') return this.#startAttempt(step);
    const submissions = submissionsOf(record);
    const located = submissions[step.submission % Math.max(1, submissions.length)];
    if (located === undefined) return record;
    if (isLink(located)) return this.#applyToLink(step, located);
    const known = located.submission;
    const { reference } = known;
    const truth = this.truth.get(reference);
    switch (step.do) {
      case 'payThrough':
      case 'expire':
        return record;
      case 'make':
        if (truth === undefined && this.#mayBeMade(reference)) {
          this.truth.set(reference, {
            id: `id-${reference}`,
            states: ['PROCESSING'],
            confirmedAmountInCents: null,
            link: null,
          });
        }
        return record;
      case 'outcome':
        this.#decide(reference, step);
        return record;
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

  #decide(key: string, { status: next, differs }: Extract<Step, { do: 'outcome' }>): void {
    const truth = this.truth.get(key);
    const last = truth?.states.at(-1);
    // A service may confirm after another outcome; it never takes a confirmation back.
    if (truth === undefined || last === undefined || isPaid(last)) return;
    if (isFinal(last) && next !== 'CONFIRMED') return;
    this.truth.set(key, {
      ...truth,
      states: [...truth.states, next],
      confirmedAmountInCents: differs ? AMOUNT - 1 : null,
    });
  }

  #applyToLink(step: Extract<Step, { submission: number }>, { submission: known }: Located): OrderRecord {
    const { record, now } = this;
    const { reference } = known;
    const link = this.links.get(reference);
    switch (step.do) {
      case 'make':
        if (link === undefined && this.#mayBeMade(reference))
          this.links.set(reference, { id: `id-${reference}`, payins: [], isExpired: false });
        return record;
      case 'payThrough': {
        if (link === undefined || link.isExpired) return record;
        const id = `${link.id}-${link.payins.length}`;
        link.payins.push(id);
        this.truth.set(id, { id, states: ['PROCESSING'], confirmedAmountInCents: null, link: reference });
        return record;
      }
      case 'expire':
        if (link !== undefined) link.isExpired = true;
        return record;
      case 'outcome': {
        const last = link?.payins.at(-1);
        if (last !== undefined) this.#decide(last, step);
        return record;
      }
      case 'answer':
        return link === undefined
          ? record
          : onCreateAnswered(record, reference, this.#observedLink(reference, link), now, 0);
      case 'unclear':
        return submissionUnclear(record, reference, now);
      case 'refused':
        return link === undefined ? submissionRefused(record, reference, 'invalid_input', now) : record;
      case 'notMade':
        return link === undefined ? submissionNotMade(record, reference, 0, now) : record;
      case 'missed':
        return lookupMissed(record, reference, now);
      case 'event': {
        const claimed = isPaid(step.status) ? 'COMPLETED' : 'EXPIRED';
        return onEvent(record, reference, { status: claimed, serviceId: `id-${reference}` }, now);
      }
      case 'read': {
        if (link === undefined) return record;
        if (known.serviceId === null && known.unverifiedEvents.length === 0) return record;
        const observed = this.#observedLink(reference, link);
        const amountInCents = (observed.amountInCents ?? 0) + 100;
        return this.#readLink(reference, step.forged ? { ...observed, amountInCents } : observed, step.lag);
      }
      case 'failedRead':
        return onReadFailed(record, reference, known.unverifiedEvents, now, 0);
    }
  }

  /** As the kit reads a link: payins are searched for once it is over or an event claims money. */
  #readLink(reference: string, observed: Observation, lag: number): OrderRecord {
    const { record, now } = this;
    const payins = this.links.get(reference)?.payins ?? [];
    const unverified = locate(record, reference)?.submission.unverifiedEvents ?? [];
    const isOver = this.#isCompleted(reference) || isFinal(observed.status);
    const isSearched = isOver || unverified.some(({ status: claimed }) => isPaid(claimed));
    const found = isSearched ? payins.slice(0, Math.max(0, payins.length - lag)) : [];
    const search = !isSearched
      ? 'none'
      : found.length === payins.length
        ? 'complete'
        : { beganAt: now, cursor: String(found.length) };
    const reading: LinkReading = {
      observed,
      payins: found.map((id) => this.#observed(id, this.truth.get(id) ?? assert.fail(id), 0)),
      search,
      beganAt: now,
    };
    return onLinkRead(record, reference, reading, unverified, now, 0);
  }

  #isCompleted(reference: string): boolean {
    const payins = this.links.get(reference)?.payins ?? [];
    return payins.some((id) => this.truth.get(id)?.states.includes('CONFIRMED'));
  }

  #observedLink(reference: string, { id, isExpired }: TrueLink): Observation {
    return {
      ...this.#observed(reference, { id, states: [], confirmedAmountInCents: null, link: null }, 0),
      status: isExpired && !this.#isCompleted(reference) ? 'EXPIRED' : 'PENDING',
      source: { ...NO_SOURCE, paymentLinkUrl: 'https://link.test/' },
    };
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
          choice: CHOICES[step.method],
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

  #observed(key: string, truth: TruePayin, lag: number): Observation {
    const reference = truth.link ?? key;
    const status = truth.states[Math.max(0, truth.states.length - 1 - lag)] ?? 'PROCESSING';
    return {
      serviceId: truth.id,
      paymentLinkId: truth.link === null ? null : (this.links.get(truth.link)?.id ?? null),
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
    for (const located of submissionsOf(this.record)) {
      const { reference } = located.submission;
      const link = this.links.get(reference);
      if (!isLink(located) || link === undefined) continue;
      link.isExpired = true;
      this.now += 1_000;
      const observed = this.#observedLink(reference, link);
      this.#store(onCreateAnswered(this.record, reference, observed, this.now, 0));
      this.#store(this.#readLink(reference, observed, 0));
    }
    for (const { submission } of submissionsOf(this.record)) {
      const truth = this.truth.get(submission.reference);
      if (truth === undefined) continue;
      this.now += 1_000;
      const observed = this.#observed(submission.reference, truth, 0);
      const { reference, unverifiedEvents } = submission;
      this.#store(onCreateAnswered(this.record, reference, observed, this.now, 0));
      this.#store(onRead(this.record, reference, observed, unverifiedEvents, this.now, 0));
    }
  }

  /** What a payin brought: all that was asked for, unless the service says otherwise. */
  paidInCents(key: string): number | null | undefined {
    const truth = this.truth.get(key);
    return truth?.confirmedAmountInCents ?? locate(this.record, truth?.link ?? key)?.attempt.amountInCents;
  }

  #store(after: OrderRecord): void {
    const before = this.record;
    const { record, write } = commit(before, after, this.now);
    this.record = record;
    this.#check(before, write?.wake);
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
        !isPaid(submission.status) ||
          truth?.states.includes('CONFIRMED') ||
          this.#isCompleted(submission.reference),
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

/** The same payin, paid, with another amount than was asked for. */
function forge(observed: Observation): Observation {
  return { ...observed, status: 'CONFIRMED', amountInCents: (observed.amountInCents ?? 0) + 100 };
}
