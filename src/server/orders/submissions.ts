import {
  type AttemptRecord,
  attemptById,
  type ListSearch,
  type Submission,
  locate,
  newSubmission,
  type OrderRecord,
  updateAttempt,
  updateSubmission,
} from './record.js';
import { backOffMs, LOOKUP_FOR_MS, nextLookupAt, SEARCH_ON_AFTER_MS } from './schedule.js';
import { endAttempt } from './settlement.js';

/** What becomes of a submission when no usable answer came. */

/** Per attempt; a service that gives no clear answer to so many is down. */
const MAX_SUBMISSIONS = 3;
const LONGEST_PAUSE_MS = 30_000;

/** The service certainly refused: another reference would be refused as well. */
export function submissionRefused(
  record: OrderRecord,
  reference: string,
  errorCode: string,
  now: number,
): OrderRecord {
  const found = locate(record, reference);
  if (found === undefined || found.submission.state === 'known') return record;
  const next = updateSubmission(record, reference, { ...STOPPED, state: 'failed' });
  const { attempt } = found;
  const over = attempt.disclosed !== null || attempt.ended !== null;
  return over ? next : endAttempt(next, attempt, 'refused', errorCode, now);
}

/** The service certainly did nothing (it was busy, or never reached): another submission may follow. */
export function submissionNotMade(
  record: OrderRecord,
  reference: string,
  retryAfterMs: number,
  now: number,
): OrderRecord {
  const found = locate(record, reference);
  if (found === undefined || found.submission.state === 'known') return record;
  const next = updateSubmission(record, reference, { ...STOPPED, state: 'failed' });
  const pauseMs = Math.max(backOffMs(found.attempt.submissions.length - 1), retryAfterMs);
  return submitAgain(next, found.attempt.id, Math.min(pauseMs, LONGEST_PAUSE_MS), now);
}

/** The service may or may not have made it. Payins are looked up by their reference; an unpaid link is in no list. */
export function submissionUnclear(record: OrderRecord, reference: string, now: number): OrderRecord {
  const found = locate(record, reference);
  if (found === undefined || found.submission.state !== 'calling') return record;
  if (found.attempt.choice.kind === 'PAYMENT_LINK')
    return abandon(record, found.attempt, found.submission, now);
  return updateSubmission(record, reference, {
    state: 'unclear',
    giveUpAt: now + LOOKUP_FOR_MS,
    nextLookupAt: now,
  });
}

/** A lookup found nothing. `searchedAt` is when it began, if it saw the whole list; null when it failed. */
export function lookupMissed(
  record: OrderRecord,
  reference: string,
  now: number,
  searchedAt: number | null = null,
): OrderRecord {
  const submission = locate(record, reference)?.submission;
  if (submission === undefined || submission.state === 'known') return record;
  const nextAt = nextLookupAt(submission, now);
  const isOver = submission.state === 'abandoned' && nextAt === null && searchedAt !== null;
  return updateSubmission(record, reference, {
    search: null,
    searchedAt: searchedAt ?? submission.searchedAt,
    lookups: submission.lookups + 1,
    nextLookupAt: nextAt,
    // It is in no list a day later, so it was not made.
    ...(isOver ? { state: 'failed' } : {}),
  });
}

/** The list goes on: whether the payin was made is not known, so the search is continued. */
export function lookupCutShort(
  record: OrderRecord,
  reference: string,
  search: ListSearch,
  now: number,
): OrderRecord {
  const submission = locate(record, reference)?.submission;
  if (submission === undefined || submission.state === 'known') return record;
  const pauseMs = submission.state === 'unclear' ? CONTINUE_LOOKUP_AFTER_MS : SEARCH_ON_AFTER_MS;
  return updateSubmission(record, reference, { search, nextLookupAt: now + pauseMs });
}

/** A payer waits for the key. */
const CONTINUE_LOOKUP_AFTER_MS = 500;

/** Its key was never disclosed, so another reference may be used; it stays watched in case it was made after all. */
export function abandon(
  record: OrderRecord,
  attempt: AttemptRecord,
  submission: Submission,
  now: number,
): OrderRecord {
  const abandoned: Submission = { ...submission, state: 'abandoned', giveUpAt: null };
  const next = updateSubmission(record, submission.reference, {
    ...abandoned,
    nextLookupAt: nextLookupAt(abandoned, now),
  });
  return submitAgain(next, attempt.id, 0, now);
}

/** Adds the attempt's next submission. The caller sends it after the record is stored. */
export function beginSubmission(
  record: OrderRecord,
  attempt: AttemptRecord,
  reference: string,
  now: number,
  submissionTimeoutMs: number,
): OrderRecord {
  if (attempt.draft === null) return record;
  return updateAttempt(record, attempt.id, {
    draft: { ...attempt.draft, nextSubmissionAt: null },
    submissions: [
      ...attempt.submissions,
      newSubmission(reference, now, now + submissionTimeoutMs + SUBMISSION_MARGIN_MS),
    ],
  });
}

/** A process that still lives has stored the answer by then. */
export const SUBMISSION_MARGIN_MS = 2_000;

const STOPPED = { giveUpAt: null, nextLookupAt: null } as const;

function submitAgain(record: OrderRecord, attemptId: string, pauseMs: number, now: number): OrderRecord {
  const attempt = attemptById(record, attemptId);
  if (attempt === undefined || attempt.draft === null) return record;
  if (attempt.submissions.length >= MAX_SUBMISSIONS) {
    return endAttempt(record, attempt, 'unavailable', 'service_unavailable', now);
  }
  return updateAttempt(record, attemptId, { draft: { ...attempt.draft, nextSubmissionAt: now + pauseMs } });
}
