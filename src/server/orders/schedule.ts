import { STALLED_AFTER_MS } from '../../contract/backend.js';
import { isFinal, isPaid, type AttemptStatus } from '../../contract/status.js';
import { type AttemptRecord, isLink, type Submission } from './record.js';

/** When to ask the service, and a hook, again. All of it is arithmetic on times that the record holds. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** How long an unclear creation is looked up before another reference is used. */
export const LOOKUP_FOR_MS = 15 * SECOND_MS;
/** Looking up reads the service's list, so an abandoned submission is asked for only a few times more. */
const ABANDONED_LOOKUPS_MS = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS];

/** A payment without an outcome is read for this long. */
export const WATCH_FOR_MS = 30 * DAY_MS;
/** An event that no read agrees with is tried for this long. */
export const VERIFY_EVENT_FOR_MS = 24 * HOUR_MS;

/** Between two reads of one payment that events ask for. */
const EVENT_READ_SPACING_MS = 200;
/** Long enough for the service to have closed a link that ran out. */
const AFTER_EXPIRY_MS = 2 * SECOND_MS;
/** Between two stretches of one search of the service's list. */
export const SEARCH_ON_AFTER_MS = 5 * SECOND_MS;
const FOLLOW_UPS_MS = [5 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS];

/** When a notice is looked at again that no process with its hook has taken. */
const PASSED_ON_MS = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS];

export function passedOnUntil(timesBefore: number, now: number): number {
  return now + (PASSED_ON_MS[timesBefore] ?? DAY_MS);
}

/** A delay between reads, and the age of the payment up to which it holds. */
type Steps = readonly (readonly [untilAgeMs: number, delayMs: number])[];

const BACKGROUND: Steps = [
  [MINUTE_MS, 15 * SECOND_MS],
  [5 * MINUTE_MS, 30 * SECOND_MS],
  [15 * MINUTE_MS, MINUTE_MS],
  [HOUR_MS, 5 * MINUTE_MS],
  [6 * HOUR_MS, 20 * MINUTE_MS],
  [Infinity, HOUR_MS],
];

const WATCHED_SLOWLY_MS = 30 * SECOND_MS;
const WATCHED: Steps = [
  [3 * MINUTE_MS, 5 * SECOND_MS],
  [15 * MINUTE_MS, 10 * SECOND_MS],
  [Infinity, WATCHED_SLOWLY_MS],
];

const delayAt = (steps: Steps, ageMs: number) =>
  steps.find(([untilAgeMs]) => ageMs < untilAgeMs)?.[1] ?? HOUR_MS;

/** Doubling from one second, never above the ceiling: for hooks, lookups, creates and unverified events alike. */
export function backOffMs(tries: number, ceilingMs = HOUR_MS): number {
  return Math.min(SECOND_MS * 2 ** Math.min(tries, 30), ceilingMs);
}

export function nextLookupAt(submission: Submission, now: number): number | null {
  if (submission.state === 'unclear')
    return Math.min(now + backOffMs(submission.lookups, 4 * SECOND_MS), submission.giveUpAt ?? now);
  return submission.state === 'abandoned'
    ? firstAfter(ABANDONED_LOOKUPS_MS, submission.startedAt, now)
    : null;
}

export function nextEventReadAt(submission: Submission, claimed: AttemptStatus, now: number): number {
  // Only the first event that claims this outcome gets here, so a flood of events causes one immediate read.
  if (isFinal(claimed) && !isFinal(submission.status)) return now;
  return Math.max(now, (submission.readAt ?? -Infinity) + EVENT_READ_SPACING_MS);
}

/** What the payer needs to pay has not come yet. */
export function lacksSource(attempt: AttemptRecord, submission: Submission): boolean {
  if (submission.link !== null) return false;
  if (attempt.choice.kind === 'PAYMENT_LINK') return submission.source.paymentLinkUrl === null;
  return attempt.choice.rail === 'PSE'
    ? submission.source.pseUrl === null
    : submission.source.keyString === null;
}

/** The next background read; null when the payment needs none any more. */
export function nextReadAt(
  attempt: AttemptRecord,
  submission: Submission,
  now: number,
  chargebackWatchMs: number,
): number | null {
  // A link that is over may have further payins: it has no chargebacks of its own.
  if (isPaid(submission.status) && !isLink({ attempt, submission })) {
    const last = (submission.finalAt ?? now) + chargebackWatchMs;
    return submission.chargebackAt === null && now + DAY_MS <= last ? now + DAY_MS : null;
  }
  if (isFinal(submission.status)) return firstAfter(FOLLOW_UPS_MS, submission.finalAt ?? now, now);
  const ageMs = now - submission.startedAt;
  if (ageMs >= WATCH_FOR_MS) return null;
  if (lacksSource(attempt, submission) && ageMs < STALLED_AFTER_MS) return now + SECOND_MS;
  const regular = now + delayAt(BACKGROUND, ageMs);
  const { expiresAt } = attempt;
  return expiresAt !== null && expiresAt >= now ? Math.min(regular, expiresAt + AFTER_EXPIRY_MS) : regular;
}

/** The next read while a payer watches; null when watching needs none. */
export function watchedReadAt(attempt: AttemptRecord, submission: Submission): number | null {
  if (submission.state !== 'known' || isFinal(submission.status)) return null;
  const last = submission.readAt ?? submission.startedAt;
  const ageMs = last - submission.startedAt;
  if (ageMs >= WATCH_FOR_MS) return null;
  if (lacksSource(attempt, submission) && ageMs < STALLED_AFTER_MS) return last + SECOND_MS;
  // One that was replaced may still be paid, but hardly ever is.
  return last + (attempt.replaced ? WATCHED_SLOWLY_MS : delayAt(WATCHED, ageMs));
}

function firstAfter(delaysMs: readonly number[], since: number, now: number): number | null {
  const delayMs = delaysMs.find((each) => since + each > now);
  return delayMs === undefined ? null : since + delayMs;
}
