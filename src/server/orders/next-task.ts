import { isFinal } from '../../contract/status.js';
import type { HookName } from '../hooks.js';
import { abandon, beginSubmission, submissionUnclear } from './submissions.js';
import { dropStaleEvents } from './apply-observation.js';
import { isMoney } from './notices.js';
import {
  type AttemptRecord,
  attemptStatus,
  oncePer,
  type Submission,
  submissionsOf,
  type NoticeRecord,
  type OrderRecord,
  disclosedSubmission,
  updateAttempt,
  updateSubmission,
} from './record.js';
import { advancePayouts, advancePayoutsAt, nextToSend, postponeSending } from './payouts/payouts.js';
import { verdictOn } from './settlement.js';
import { STALLED_AFTER_MS } from '../../contract/backend.js';
import { lacksSource, VERIFY_EVENT_FOR_MS, watchedReadAt } from './schedule.js';

/** What there is to do for an order at a given time, and what happens to it by time alone. */

export type Task =
  | { readonly task: 'advance' }
  | { readonly task: 'remove' }
  | { readonly task: 'lookup'; readonly reference: string }
  | { readonly task: 'read'; readonly reference: string; readonly serviceId: string }
  | { readonly task: 'send'; readonly payout: string }
  | { readonly task: 'deliver'; readonly notice: NoticeRecord };

export interface Allowance {
  /** A payer is watching, so reads come sooner. */
  readonly watched: boolean;
  /** False once advancing the order has changed nothing. */
  readonly advance: boolean;
  /** Whether the service may be asked now: because of an event, otherwise, and for a page of its list. */
  readonly promptedReads: boolean;
  readonly otherReads: boolean;
  readonly pages: boolean;
}

/** The next thing to do, most urgent first; undefined when nothing is due or the service may not be asked now. */
export function nextTask(record: OrderRecord, now: number, allowance: Allowance): Task | undefined {
  if ((record.goneUntil ?? Infinity) <= now) return { task: 'remove' };
  if (allowance.advance && advanceAt(record) <= now) return { task: 'advance' };
  const submissions = submissionsOf(record);
  for (const { submission } of allowance.promptedReads ? submissions : []) {
    const serviceId = readableId(submission);
    if (serviceId !== null && eventReadAt(submission) <= now) {
      return { task: 'read', reference: submission.reference, serviceId };
    }
  }
  for (const { submission } of allowance.pages ? submissions : []) {
    if (lookupAt(submission) <= now) return { task: 'lookup', reference: submission.reference };
  }
  // The owner of its key is looked up first, which is a read.
  const payout = allowance.promptedReads ? nextToSend(record) : undefined;
  if (payout !== undefined && payout.sendAt <= now) return { task: 'send', payout: payout.id };
  for (const { attempt, submission } of allowance.otherReads ? submissions : []) {
    const { reference, serviceId } = submission;
    if (serviceId === null) continue;
    const watchedAt = allowance.watched ? watchedReadAt(attempt, submission) : null;
    if (Math.min(watchedAt ?? Infinity, readAt(submission)) <= now)
      return { task: 'read', reference, serviceId };
  }
  const notice = nextNotices(record).find(({ nextAt }) => nextAt <= now);
  return notice && { task: 'deliver', notice };
}

/** The oldest notice of each hook, money first: order is kept per hook, and a failing hook holds up only itself. */
function nextNotices(record: OrderRecord): NoticeRecord[] {
  const oldest = new Map<HookName, NoticeRecord>();
  for (const notice of record.notices) if (!oldest.has(notice.hook)) oldest.set(notice.hook, notice);
  return [...oldest.values()].sort((left, right) => Number(isMoney(right)) - Number(isMoney(left)));
}

/** When the order needs work next, whether or not a payer watches; null when there is nothing left to do. */
export function dueAt(record: OrderRecord): number | null {
  const times = submissionsOf(record).map(({ submission }) =>
    Math.min(
      readableId(submission) === null ? Infinity : eventReadAt(submission),
      lookupAt(submission),
      readAt(submission),
    ),
  );
  const notices = nextNotices(record).map(({ nextAt }) => nextAt);
  const at = Math.min(
    record.goneUntil ?? Infinity,
    advanceAt(record),
    nextToSend(record)?.sendAt ?? Infinity,
    ...notices,
    ...times,
  );
  return at === Infinity ? null : at;
}

/** The same while a payer watches. */
export const watchedDueAt = oncePer((record: OrderRecord): number | null => {
  const times = submissionsOf(record).map(
    ({ attempt, submission }) => watchedReadAt(attempt, submission) ?? Infinity,
  );
  const at = Math.min(dueAt(record) ?? Infinity, ...times);
  return at === Infinity ? null : at;
});

/** Postpones due reads when the read budget is spent. */
export function postpone(record: OrderRecord, now: number, until: number): OrderRecord {
  let next = postponeSending(record, now, now + POSTPONE_PROMPTED_MS);
  for (const { submission } of submissionsOf(record)) {
    const change: { -readonly [Field in keyof Submission]?: Submission[Field] } = {};
    if (readAt(submission) <= now) change.nextReadAt = until;
    if (lookupAt(submission) <= now) change.nextLookupAt = now + POSTPONE_PROMPTED_MS;
    if (eventReadAt(submission) <= now) {
      change.unverifiedEvents = submission.unverifiedEvents.map((event) => ({
        ...event,
        nextAt: Math.max(event.nextAt, now + POSTPONE_PROMPTED_MS),
      }));
    }
    if (Object.keys(change).length > 0) next = updateSubmission(next, submission.reference, change);
  }
  return next;
}

const POSTPONE_PROMPTED_MS = 1_000;

export interface Advanced {
  readonly record: OrderRecord;
  /** The submission that was added and that the caller must now send. */
  readonly begun: string | undefined;
}

/** Everything that happens by time alone. `reference` is for a further submission, when one is needed. */
export function advance(
  record: OrderRecord,
  now: number,
  reference: string,
  submissionTimeoutMs: number,
): Advanced {
  let next = advancePayouts(record, now);
  for (const { attempt, submission } of submissionsOf(record)) {
    if ((submission.giveUpAt ?? Infinity) <= now) {
      if (submission.state === 'calling') next = submissionUnclear(next, submission.reference, now);
      else if (submission.state === 'unclear') next = abandon(next, attempt, submission, now);
    }
    next = dropStaleEvents(next, submission, now);
  }
  let begun: string | undefined;
  for (const attempt of next.attempts) {
    if (stalledAt(attempt) <= now) next = updateAttempt(next, attempt.id, { stalled: true });
    const fresh = next.attempts.find((each) => each.id === attempt.id) ?? attempt;
    if ((fresh.draft?.nextSubmissionAt ?? Infinity) > now) continue;
    if (verdictOn(next).isComplete) {
      // Another attempt paid meanwhile: a new key would invite a second payment.
      next = updateAttempt(next, attempt.id, {
        draft: null,
        ended: { reason: 'unavailable', errorCode: 'already_paid', at: now },
      });
    } else if (begun === undefined) {
      next = beginSubmission(next, fresh, reference, now, submissionTimeoutMs);
      begun = reference;
    }
  }
  return { record: next, begun };
}

function advanceAt(record: OrderRecord): number {
  return Math.min(
    advancePayoutsAt(record),
    ...record.attempts.flatMap((attempt) => [
      stalledAt(attempt),
      attempt.draft?.nextSubmissionAt ?? Infinity,
    ]),
    ...submissionsOf(record).flatMap(({ submission }) => [
      submission.giveUpAt ?? Infinity,
      ...submission.unverifiedEvents.map((event) => event.at + VERIFY_EVENT_FOR_MS),
    ]),
    Infinity,
  );
}

/** Only PSE can stall: a Bre-B key comes with the answer, a bank's address may come later. */
function stalledAt(attempt: AttemptRecord): number {
  const { choice } = attempt;
  if (choice.kind !== 'PAYIN' || choice.rail !== 'PSE' || attempt.stalled || attempt.replaced)
    return Infinity;
  const submission = disclosedSubmission(attempt);
  if (isFinal(attemptStatus(attempt)) || (submission !== undefined && !lacksSource(attempt, submission)))
    return Infinity;
  return attempt.createdAt + STALLED_AFTER_MS;
}

/** The payment to read for this submission: its own, or the one that an event names while its own is not known. */
function readableId(submission: Submission): string | null {
  return (
    submission.serviceId ??
    submission.unverifiedEvents.find((event) => event.serviceId !== null)?.serviceId ??
    null
  );
}

const eventReadAt = (submission: Submission) =>
  Math.min(Infinity, ...submission.unverifiedEvents.map((event) => event.nextAt));
const lookupAt = (submission: Submission) => submission.nextLookupAt ?? Infinity;
const readAt = (submission: Submission) =>
  submission.serviceId === null ? Infinity : (submission.nextReadAt ?? Infinity);
