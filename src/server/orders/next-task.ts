import { isFinal } from '../../contract/status.js';
import { abandon, beginCall, callUnclear } from './submissions.js';
import { dropStaleHints } from './observations.js';
import {
  type AttemptRecord,
  attemptStatus,
  type CallRecord,
  callsOf,
  type NoticeRecord,
  type OrderRecord,
  shownCall,
  updateAttempt,
  updateCall,
} from './record.js';
import { HINT_FOR_MS, lacksSource, STALLED_AFTER_MS, watchedReadAt } from './schedule.js';

/** What time does to an order, and what there is to do for it at a given time. */

export type Task =
  | { readonly task: 'advance' }
  | { readonly task: 'lookup'; readonly reference: string }
  | { readonly task: 'read'; readonly reference: string; readonly serviceId: string }
  | { readonly task: 'deliver'; readonly notice: NoticeRecord };

export interface Means {
  /** A payer is watching, so reads come sooner. */
  readonly watched: boolean;
  /** Whether the service may be asked now: because of an event, and otherwise. */
  readonly promptedReads: boolean;
  readonly otherReads: boolean;
}

/** The next thing to do, most urgent first; undefined when nothing is due or there are no means for it. */
export function nextTask(record: OrderRecord, now: number, means: Means): Task | undefined {
  if (advanceAt(record) <= now) return { task: 'advance' };
  const calls = callsOf(record);
  for (const { call } of means.promptedReads ? calls : []) {
    const serviceId = readableId(call);
    if (serviceId !== null && hintAt(call) <= now) {
      return { task: 'read', reference: call.reference, serviceId };
    }
  }
  for (const { call } of means.promptedReads ? calls : []) {
    if (lookupAt(call) <= now) return { task: 'lookup', reference: call.reference };
  }
  for (const { attempt, call } of means.otherReads ? calls : []) {
    const at = Math.min(readAt(call), means.watched ? (watchedReadAt(attempt, call) ?? Infinity) : Infinity);
    if (call.serviceId !== null && at <= now) {
      return { task: 'read', reference: call.reference, serviceId: call.serviceId };
    }
  }
  const [notice] = record.notices;
  return notice !== undefined && notice.nextAt <= now ? { task: 'deliver', notice } : undefined;
}

/** When somebody should look at the order next, whether or not a payer watches; null when it is at rest. */
export function dueAt(record: OrderRecord): number | null {
  const times = callsOf(record).map(({ call }) =>
    Math.min(readableId(call) === null ? Infinity : hintAt(call), lookupAt(call), readAt(call)),
  );
  const at = Math.min(advanceAt(record), record.notices[0]?.nextAt ?? Infinity, ...times);
  return at === Infinity ? null : at;
}

/** The same while a payer watches. */
export function watchedDueAt(record: OrderRecord): number | null {
  const times = callsOf(record).map(({ attempt, call }) => watchedReadAt(attempt, call) ?? Infinity);
  const at = Math.min(dueAt(record) ?? Infinity, ...times);
  return at === Infinity ? null : at;
}

/** Puts off what is due but may not be asked of the service yet, so that it does not stand in others' way. */
export function putOff(record: OrderRecord, now: number, until: number): OrderRecord {
  let next = record;
  for (const { call } of callsOf(record)) {
    const change: { -readonly [Field in keyof CallRecord]?: CallRecord[Field] } = {};
    if (readAt(call) <= now) change.nextReadAt = until;
    if (lookupAt(call) <= now) change.nextLookupAt = now + PUT_OFF_PROMPTED_MS;
    if (hintAt(call) <= now) {
      change.hints = call.hints.map((hint) => ({
        ...hint,
        nextAt: Math.max(hint.nextAt, now + PUT_OFF_PROMPTED_MS),
      }));
    }
    if (Object.keys(change).length > 0) next = updateCall(next, call.reference, change);
  }
  return next;
}

const PUT_OFF_PROMPTED_MS = 1_000;

export interface Advanced {
  readonly record: OrderRecord;
  /** The call that was put in hand and that the caller must now make. */
  readonly begun: string | undefined;
}

/** Everything that happens by time alone. `reference` is used when another call has to be made. */
export function advance(
  record: OrderRecord,
  now: number,
  reference: string,
  callTimeoutMs: number,
): Advanced {
  let next = record;
  for (const { attempt, call } of callsOf(record)) {
    if ((call.giveUpAt ?? Infinity) <= now) {
      if (call.state === 'calling') next = callUnclear(next, call.reference, now);
      else if (call.state === 'unclear') next = abandon(next, attempt, call, now);
    }
    next = dropStaleHints(next, call, now);
  }
  let begun: string | undefined;
  for (const attempt of next.attempts) {
    if (stalledAt(attempt) <= now) next = updateAttempt(next, attempt.id, { stalled: true });
    const fresh = next.attempts.find((each) => each.id === attempt.id) ?? attempt;
    if ((fresh.draft?.nextCallAt ?? Infinity) > now) continue;
    if (next.payments.length > 0) {
      // Somebody paid meanwhile: another key would only invite a second payment.
      next = updateAttempt(next, attempt.id, {
        draft: null,
        ended: { reason: 'unavailable', errorCode: 'already_paid', at: now },
      });
    } else if (begun === undefined) {
      next = beginCall(next, fresh, reference, now, callTimeoutMs);
      begun = reference;
    }
  }
  return { record: next, begun };
}

function advanceAt(record: OrderRecord): number {
  return Math.min(
    ...record.attempts.flatMap((attempt) => [
      stalledAt(attempt),
      attempt.draft?.nextCallAt ?? Infinity,
      ...attempt.calls.flatMap((call) => [
        call.giveUpAt ?? Infinity,
        ...call.hints.map((hint) => hint.at + HINT_FOR_MS),
      ]),
    ]),
    Infinity,
  );
}

/** Only the bank's address is waited for like this: a key comes with the answer or not at all. */
function stalledAt(attempt: AttemptRecord): number {
  const { choice } = attempt;
  if (choice.kind !== 'PAYIN' || choice.rail !== 'PSE' || attempt.stalled || attempt.replaced)
    return Infinity;
  const call = shownCall(attempt);
  if (isFinal(attemptStatus(attempt)) || (call !== undefined && !lacksSource(attempt, call))) return Infinity;
  return attempt.createdAt + STALLED_AFTER_MS;
}

/** The payment to read for this call: its own, or the one that an event names while its own is not known. */
function readableId(call: CallRecord): string | null {
  return call.serviceId ?? call.hints.find((hint) => hint.serviceId !== null)?.serviceId ?? null;
}

const hintAt = (call: CallRecord) => Math.min(Infinity, ...call.hints.map((hint) => hint.nextAt));
const lookupAt = (call: CallRecord) => call.nextLookupAt ?? Infinity;
const readAt = (call: CallRecord) => (call.serviceId === null ? Infinity : (call.nextReadAt ?? Infinity));
