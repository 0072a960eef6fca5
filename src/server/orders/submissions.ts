import {
  type AttemptRecord,
  attemptById,
  type CallRecord,
  locate,
  newCall,
  type OrderRecord,
  updateAttempt,
  updateCall,
} from './record.js';
import { backOffMs, LOOKUP_FOR_MS, nextLookupAt } from './schedule.js';
import { endAttempt } from './settlement.js';

/** What becomes of a call that asks the service for a payment, when no answer came that could be used. */

/** Calls per attempt; a service that gives no clear answer to so many is down. */
const MAX_CALLS = 3;
const LONGEST_PAUSE_MS = 30_000;

/** The service certainly refused: no other reference would change its mind. */
export function callRefused(
  record: OrderRecord,
  reference: string,
  errorCode: string,
  now: number,
): OrderRecord {
  const found = locate(record, reference);
  if (found === undefined || found.call.state === 'known') return record;
  const next = updateCall(record, reference, { ...STOPPED, state: 'failed' });
  const { attempt } = found;
  const over = attempt.shown !== null || attempt.ended !== null;
  return over ? next : endAttempt(next, attempt, 'refused', errorCode, now);
}

/** The service certainly did nothing (it was busy, or never reached): another call may follow. */
export function callNotMade(
  record: OrderRecord,
  reference: string,
  retryAfterMs: number,
  now: number,
): OrderRecord {
  const found = locate(record, reference);
  if (found === undefined || found.call.state === 'known') return record;
  const next = updateCall(record, reference, { ...STOPPED, state: 'failed' });
  const pauseMs = Math.max(backOffMs(found.attempt.calls.length - 1), retryAfterMs);
  return callAgain(next, found.attempt.id, Math.min(pauseMs, LONGEST_PAUSE_MS), now);
}

/** Nobody can say whether the service made it. Payins can be looked up by their reference; links cannot. */
export function callUnclear(record: OrderRecord, reference: string, now: number): OrderRecord {
  const found = locate(record, reference);
  if (found === undefined || found.call.state !== 'calling') return record;
  if (found.attempt.choice.kind === 'PAYMENT_LINK') return abandon(record, found.attempt, found.call, now);
  return updateCall(record, reference, {
    state: 'unclear',
    giveUpAt: now + LOOKUP_FOR_MS,
    nextLookupAt: now,
  });
}

export function lookupMissed(record: OrderRecord, reference: string, now: number): OrderRecord {
  const call = locate(record, reference)?.call;
  if (call === undefined || call.state === 'known') return record;
  return updateCall(record, reference, { lookups: call.lookups + 1, nextLookupAt: nextLookupAt(call, now) });
}

/** Nobody saw its key, so another reference may be used; but it stays watched in case it was made after all. */
export function abandon(
  record: OrderRecord,
  attempt: AttemptRecord,
  call: CallRecord,
  now: number,
): OrderRecord {
  const abandoned: CallRecord = { ...call, state: 'abandoned', giveUpAt: null };
  const isLink = attempt.choice.kind === 'PAYMENT_LINK';
  const next = updateCall(record, call.reference, {
    ...abandoned,
    nextLookupAt: isLink ? null : nextLookupAt(abandoned, now),
  });
  return callAgain(next, attempt.id, 0, now);
}

/** Puts the next call of an attempt in hand. The caller makes it after the record is stored. */
export function beginCall(
  record: OrderRecord,
  attempt: AttemptRecord,
  reference: string,
  now: number,
  callTimeoutMs: number,
): OrderRecord {
  if (attempt.draft === null) return record;
  return updateAttempt(record, attempt.id, {
    draft: { ...attempt.draft, nextCallAt: null },
    calls: [...attempt.calls, newCall(reference, now, now + callTimeoutMs + CALL_MARGIN_MS)],
  });
}

/** A caller that still lives has written its answer down by then. */
export const CALL_MARGIN_MS = 2_000;

const STOPPED = { giveUpAt: null, nextLookupAt: null } as const;

function callAgain(record: OrderRecord, attemptId: string, pauseMs: number, now: number): OrderRecord {
  const attempt = attemptById(record, attemptId);
  if (attempt === undefined || attempt.draft === null) return record;
  if (attempt.calls.length >= MAX_CALLS) {
    return endAttempt(record, attempt, 'unavailable', 'service_unavailable', now);
  }
  return updateAttempt(record, attemptId, { draft: { ...attempt.draft, nextCallAt: now + pauseMs } });
}
