import { isFinal } from '../../contract/status.js';
import { SUBMISSION_MARGIN_MS } from './submissions.js';
import {
  type AttemptRecord,
  attemptStatus,
  currentAttempt,
  newSubmission,
  type OrderRecord,
  type Submission,
  disclosedSubmission,
  updateAttempt,
} from './record.js';
import { isTombstone } from './tombstone.js';
import { amountDue, offerVersion, payingAttempt } from './settlement.js';

/** Whether a payer may start paying an order, and what is started. */

export interface StartRules {
  readonly maxAttempts: number;
  readonly allowPseOverride: boolean;
  readonly submissionTimeoutMs: number;
}

export interface StartRequest {
  /** The new attempt without what starting adds. */
  readonly attempt: Omit<
    AttemptRecord,
    | 'amountInCents'
    | 'submissions'
    | 'payins'
    | 'disclosed'
    | 'replaced'
    | 'stalled'
    | 'late'
    | 'ended'
    | 'changedAt'
  >;
  readonly reference: string;
  /** The version that the payer saw, if it was sent. */
  readonly offerVersion: string | undefined;
  /** The version of the order's price and methods now. */
  readonly orderVersion: string;
  readonly replaces: string | undefined;
  readonly override: boolean;
}

export type StartOutcome =
  /** A new attempt; its submission must be sent now. */
  | { readonly outcome: 'started'; readonly record: OrderRecord; readonly attempt: AttemptRecord }
  /** The attempt that the same request made before. */
  | { readonly outcome: 'same'; readonly attempt: AttemptRecord }
  /** Another attempt is open. */
  | { readonly outcome: 'open'; readonly attempt: AttemptRecord }
  | { readonly outcome: 'already_paid'; readonly attempt: AttemptRecord }
  | { readonly outcome: 'not_current'; readonly attempt: AttemptRecord | undefined }
  | { readonly outcome: 'pse_in_progress'; readonly attempt: AttemptRecord; readonly retryAt: number }
  | { readonly outcome: 'idempotency_mismatch' }
  /** It was paid, and then removed. */
  | { readonly outcome: 'gone' }
  | { readonly outcome: 'offer_changed' }
  | { readonly outcome: 'too_many_attempts' };

export function startAttempt(
  record: OrderRecord,
  request: StartRequest,
  now: number,
  rules: StartRules,
): StartOutcome {
  const wanted = request.attempt;
  if (isTombstone(record)) return { outcome: 'gone' };
  const same = record.attempts.find((each) => each.idempotencyKey === wanted.idempotencyKey);
  if (same !== undefined) {
    return same.fingerprint === wanted.fingerprint
      ? { outcome: 'same', attempt: same }
      : { outcome: 'idempotency_mismatch' };
  }
  const paying = payingAttempt(record);
  if (paying !== undefined) return { outcome: 'already_paid', attempt: paying };
  const amountInCents = amountDue(record, wanted.orderAmountInCents);
  const { offerVersion: seen = undefined, orderVersion } = request;
  if (seen !== undefined && seen !== offerVersion(record, orderVersion)) return { outcome: 'offer_changed' };

  const current = currentAttempt(record);
  const { replaces } = request;
  if (replaces !== undefined && replaces !== current?.id) return { outcome: 'not_current', attempt: current };
  if (current !== undefined && replaces === undefined && standsFor(current, amountInCents, now)) {
    return { outcome: 'open', attempt: current };
  }
  const lockedUntil = current === undefined ? undefined : pseLockedUntil(current, now);
  if (current !== undefined && lockedUntil !== undefined) {
    const released = request.override && replaces !== undefined && rules.allowPseOverride;
    if (!released) return { outcome: 'pse_in_progress', attempt: current, retryAt: lockedUntil };
  }
  const isCounted = (each: AttemptRecord) =>
    mayBecomePayin(each) && each.createdAt > (record.attemptsResetAt ?? -Infinity);
  if (record.attempts.filter(isCounted).length >= rules.maxAttempts) return { outcome: 'too_many_attempts' };

  const attempt: AttemptRecord = {
    ...wanted,
    amountInCents,
    changedAt: now,
    submissions: [
      newSubmission(request.reference, now, now + rules.submissionTimeoutMs + SUBMISSION_MARGIN_MS),
    ],
    payins: [],
    disclosed: null,
    replaced: false,
    stalled: false,
    late: false,
    ended: null,
  };
  const before = current === undefined ? record : replace(record, current, now);
  const kept = withoutOldFailures(before);
  return { outcome: 'started', record: { ...kept, attempts: [...kept.attempts, attempt] }, attempt };
}

/** An open attempt that has not lapsed and still asks for what is due stands in for a new one. */
function standsFor(attempt: AttemptRecord, amountInCents: number, now: number): boolean {
  if (isFinal(attemptStatus(attempt))) return false;
  if (attempt.expiresAt !== null && attempt.expiresAt <= now) return false;
  return attempt.amountInCents === amountInCents;
}

/** Whether a payin exists or may exist. What was never made does not count as an attempt. */
function mayBecomePayin({ submissions }: AttemptRecord): boolean {
  return submissions.some((submission) => submission.state !== 'failed' && !isInNoList(submission));
}

/** Longer than any list lags behind what it lists. */
const LISTED_AFTER_MS = 10 * 60_000;

/** A submission without an answer, and the whole list searched long enough after it was sent: nothing was made. */
function isInNoList({ state, startedAt, searchedAt }: Submission): boolean {
  return state === 'abandoned' && searchedAt !== null && searchedAt - startedAt >= LISTED_AFTER_MS;
}

const MOST_FAILURES_KEPT = 10;

/** During an outage a payer may try for hours: only the latest attempts that came to nothing are kept. */
function withoutOldFailures(record: OrderRecord): OrderRecord {
  const failures = record.attempts.filter(
    ({ ended, submissions }) => ended !== null && submissions.every(({ state }) => state === 'failed'),
  );
  const dropped = failures.slice(0, -MOST_FAILURES_KEPT);
  return dropped.length === 0
    ? record
    : { ...record, attempts: record.attempts.filter((attempt) => !dropped.includes(attempt)) };
}

/** How long a bank may still let the payer authorise a PSE payment. */
const PSE_LOCK_MS = 21 * 60_000;

/** Until when a PSE payment may still be authorised, once its address was handed out; undefined when it is not locked. */
function pseLockedUntil(attempt: AttemptRecord, now: number): number | undefined {
  if (isFinal(attemptStatus(attempt)) || (disclosedSubmission(attempt)?.source.pseUrl ?? null) === null)
    return undefined;
  const until = attempt.createdAt + PSE_LOCK_MS;
  return now < until ? until : undefined;
}

/** The old attempt stays watched. If its key was never disclosed it never will be, and nothing of the payer is kept. */
function replace(record: OrderRecord, attempt: AttemptRecord, now: number): OrderRecord {
  const unseen = attempt.disclosed === null && attempt.ended === null;
  return updateAttempt(record, attempt.id, {
    replaced: true,
    draft: null,
    ...(unseen ? { ended: { reason: 'unavailable', errorCode: 'replaced', at: now } as const } : {}),
  });
}
