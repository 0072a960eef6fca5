import { isFinal, isPaid, type AttemptStatus } from '../../contract/status.js';
import { type Observation, type Mismatch, mismatch, sameId } from './observation.js';
import {
  type AttemptRecord,
  currentAttempt,
  type Submission,
  type UnverifiedEvent,
  locate,
  type OrderRecord,
  type SourceRecord,
  updateAttempt,
  updateSubmission,
} from './record.js';
import { backOffMs, VERIFY_EVENT_FOR_MS, nextEventReadAt, nextReadAt, WATCH_FOR_MS } from './schedule.js';
import { addNotice, addReport, endAttempt, paymentOf, recordPayment, verdictOn } from './settlement.js';

/**
 * Applies service responses, webhooks and reads to an order. Answers and events only point at a payment; a read alone
 * moves its status, and never back: open, then another outcome, then paid.
 */

/** The answer to a creation, or the payin that a lookup found. It may come late, twice, or after a read. */
export function onCreateAnswered(
  record: OrderRecord,
  reference: string,
  observed: Observation,
  now: number,
  chargebackWatchMs: number,
): OrderRecord {
  const found = locate(record, reference);
  if (found === undefined) return record;
  const { attempt, submission } = found;
  const differs = mismatch(attempt, submission, observed);
  if (differs !== null) return onMismatch(record, reference, differs, now);
  let next = bind(record, attempt, submission, observed, now);
  if (isFinal(observed.status)) {
    next = onEvent(next, reference, { status: observed.status, serviceId: observed.serviceId }, now);
  } else {
    next = moveOpen(next, reference, observed.status);
  }
  return scheduleRead(next, reference, now, chargebackWatchMs);
}

/** The answer contradicts our request. A key for another amount or order must not be disclosed to anyone. */
export function onMismatch(
  record: OrderRecord,
  reference: string,
  reason: Mismatch,
  now: number,
): OrderRecord {
  const found = locate(record, reference);
  if (found === undefined) return record;
  const { attempt, submission } = found;
  // It exists and is not what was asked for: looking it up again would find the same.
  const stopped: Partial<Submission> =
    submission.state === 'known' ? {} : { state: 'abandoned', giveUpAt: null, nextLookupAt: null };
  const next = quarantine(
    updateSubmission(record, reference, { ...stopped, unverifiedEvents: [] }),
    submission,
    reason,
    now,
  );
  const unseen = attempt.disclosed === null && attempt.ended === null;
  return unseen ? endAttempt(next, attempt, 'unavailable', 'answer_mismatch', now) : next;
}

export interface EventClaim {
  readonly status: AttemptStatus;
  readonly serviceId: string | null;
}

/** An event about one of the order's submissions: a reason to read, nothing more. */
export function onEvent(record: OrderRecord, reference: string, claim: EventClaim, now: number): OrderRecord {
  const found = locate(record, reference);
  if (found === undefined) return record;
  const { submission } = found;
  const settled = submission.status === claim.status && isFinal(submission.status);
  if (settled || submission.unverifiedEvents.some((event) => event.status === claim.status)) return record;
  const event: UnverifiedEvent = {
    ...claim,
    at: now,
    tries: 0,
    nextAt: nextEventReadAt(submission, claim.status, now),
  };
  return updateSubmission(record, reference, { unverifiedEvents: [...submission.unverifiedEvents, event] });
}

/**
 * A read of the payment itself, which alone proves. `asked` are the events that it was made for; `orderAmountInCents` is
 * what the order costs now, or undefined when the merchant no longer knows it.
 */
export function onRead(
  record: OrderRecord,
  reference: string,
  observed: Observation,
  asked: readonly UnverifiedEvent[],
  now: number,
  chargebackWatchMs: number,
  orderAmountInCents?: number,
): OrderRecord {
  const found = locate(record, reference);
  if (found === undefined) return record;
  const { attempt, submission } = found;
  const read = { readAt: now, reads: submission.reads + 1 };
  const differs = mismatch(attempt, submission, observed);
  if (differs !== null) {
    const next = updateSubmission(record, reference, {
      ...read,
      unverifiedEvents: submission.unverifiedEvents.filter(isNewTo(asked)),
    });
    // The id came from an event and leads elsewhere: the event was wrong, not the payment.
    if (submission.serviceId === null) return next;
    return scheduleRead(quarantine(next, submission, differs, now), reference, now, chargebackWatchMs);
  }

  let next = bind(record, attempt, submission, observed, now);
  next = updateSubmission(next, reference, {
    ...read,
    // A paid payment keeps it, to remember which contradiction was reported.
    quarantine: isPaid(submission.status) ? submission.quarantine : null,
    unverifiedEvents: remainingEvents(record, submission, observed, asked, now),
  });
  next = moveStatus(next, reference, observed, orderAmountInCents, now);
  next = recordChargeback(next, reference, observed, now);
  return scheduleRead(next, reference, now, chargebackWatchMs);
}

/** The service could not be asked, or did not know the payment yet. */
export function onReadFailed(
  record: OrderRecord,
  reference: string,
  asked: readonly UnverifiedEvent[],
  now: number,
  chargebackWatchMs: number,
): OrderRecord {
  const submission = locate(record, reference)?.submission;
  if (submission === undefined) return record;
  const unverifiedEvents = submission.unverifiedEvents.map((event) => triedAgain(event, asked, now));
  const next = updateSubmission(record, reference, {
    readAt: now,
    reads: submission.reads + 1,
    unverifiedEvents,
  });
  return scheduleRead(next, reference, now, chargebackWatchMs);
}

/** Drops events that no read has agreed with for a day, and reports them. */
export function dropStaleEvents(record: OrderRecord, submission: Submission, now: number): OrderRecord {
  const stale = submission.unverifiedEvents.filter((event) => event.at + VERIFY_EVENT_FOR_MS <= now);
  if (stale.length === 0) return record;
  let next = updateSubmission(record, submission.reference, {
    unverifiedEvents: submission.unverifiedEvents.filter((event) => !stale.includes(event)),
  });
  for (const event of stale)
    next = addReport(next, 'event_unverified', submission.reference, event.status, now);
  return next;
}

/** Ties the submission to the service's payment, and discloses it when nothing else of this attempt was. */
function bind(
  record: OrderRecord,
  attempt: AttemptRecord,
  submission: Submission,
  observed: Observation,
  now: number,
): OrderRecord {
  let next = updateSubmission(record, submission.reference, {
    state: 'known',
    serviceId: submission.serviceId ?? observed.serviceId,
    giveUpAt: null,
    nextLookupAt: null,
    // What a payer was shown on a link's own page is not ours to keep.
    source:
      submission.link === null
        ? mergeSource(submission.source, observed.source, isFinal(submission.status))
        : submission.source,
  });
  if (submission.link !== null) return next;
  const unseen = attempt.disclosed === null && !attempt.replaced && attempt.ended === null;
  if (unseen && verdictOn(record).isComplete) {
    // Another attempt paid meanwhile: showing this key would invite a second payment.
    next = updateAttempt(next, attempt.id, {
      draft: null,
      ended: { reason: 'unavailable', errorCode: 'already_paid', at: now },
    });
  } else if (unseen) {
    const isLink = attempt.choice.kind === 'PAYMENT_LINK';
    next = updateAttempt(next, attempt.id, {
      disclosed: submission.reference,
      draft: null,
      expiresAt: isLink ? observed.expiresAt : attempt.expiresAt,
    });
  }
  if (observed.source.pseUrl !== null && attempt.stalled)
    next = updateAttempt(next, attempt.id, { stalled: false });
  return next;
}

/** What a payer may have seen stays as it was; only what was missing is filled in. A finished payment needs no QR. */
function mergeSource(known: SourceRecord, observed: SourceRecord, final: boolean): SourceRecord {
  return {
    keyString: known.keyString ?? observed.keyString,
    qrString: final ? null : (known.qrString ?? observed.qrString),
    qrText: final ? null : (known.qrText ?? observed.qrText),
    checkoutUrl: known.checkoutUrl ?? observed.checkoutUrl,
    pseUrl: betterAddress(known.pseUrl, observed.pseUrl),
    cus: known.cus ?? observed.cus,
    paymentLinkUrl: known.paymentLinkUrl ?? observed.paymentLinkUrl,
  };
}

/** One that is encrypted takes the place of one that is not. */
function betterAddress(known: string | null, observed: string | null): string | null {
  const isBetter = observed?.startsWith('https:') === true && known?.startsWith('https:') === false;
  return isBetter ? observed : (known ?? observed);
}

function moveOpen(record: OrderRecord, reference: string, status: AttemptStatus): OrderRecord {
  const submission = locate(record, reference)?.submission;
  return submission?.status === 'PENDING' ? updateSubmission(record, reference, { status }) : record;
}

function moveStatus(
  record: OrderRecord,
  reference: string,
  observed: Observation,
  orderAmountInCents: number | undefined,
  now: number,
): OrderRecord {
  const found = locate(record, reference);
  if (found === undefined) return record;
  const { attempt, submission } = found;
  if (isPaid(submission.status)) {
    return isFinal(observed.status) && !isPaid(observed.status)
      ? reportOnce(record, reference, observed.status, now)
      : record;
  }
  if (isPaid(observed.status)) {
    const price =
      orderAmountInCents ?? currentAttempt(record)?.orderAmountInCents ?? attempt.orderAmountInCents;
    return withoutQr(recordPayment(record, attempt, submission, observed, price, now), reference);
  }
  if (isFinal(submission.status)) return record;
  if (!isFinal(observed.status)) return moveOpen(record, reference, observed.status);

  const next = updateSubmission(record, reference, {
    status: observed.status,
    finalAt: now,
    errorCode: observed.errorCode,
    resultAt: observed.resultAt,
  });
  if (attempt.disclosed !== reference) return next;
  const hook = observed.status === 'DECLINED' ? 'onDeclined' : 'onCanceled';
  return addNotice(withoutQr(next, reference), hook, reference, now);
}

function withoutQr(record: OrderRecord, reference: string): OrderRecord {
  const submission = locate(record, reference)?.submission;
  return submission === undefined
    ? record
    : updateSubmission(record, reference, { source: { ...submission.source, qrString: null, qrText: null } });
}

/** The contradiction is remembered as the quarantine's reason, so that each further read does not repeat it. */
function reportOnce(record: OrderRecord, reference: string, status: AttemptStatus, now: number): OrderRecord {
  const submission = locate(record, reference)?.submission;
  const reason = `status ${status}`;
  if (submission === undefined || submission.quarantine === reason) return record;
  return addReport(
    updateSubmission(record, reference, { quarantine: reason }),
    'status_contradicted',
    reference,
    status,
    now,
  );
}

function recordChargeback(
  record: OrderRecord,
  reference: string,
  observed: Observation,
  now: number,
): OrderRecord {
  const submission = locate(record, reference)?.submission;
  if (submission === undefined || observed.chargebackAt === null) return record;
  if (!isPaid(submission.status) || submission.chargebackAt !== null) return record;
  const { chargebackAt, serviceId } = observed;
  const payments = record.payments.map((payment) =>
    sameId(payment.serviceId, serviceId) ? { ...payment, chargebackAt } : payment,
  );
  const next = updateSubmission({ ...record, payments }, reference, { chargebackAt });
  return addNotice(next, 'onChargeback', reference, now, { chargebackAt });
}

function quarantine(record: OrderRecord, submission: Submission, reason: string, now: number): OrderRecord {
  const next = updateSubmission(record, submission.reference, { quarantine: reason });
  return submission.quarantine === reason
    ? next
    : addReport(next, 'quarantined', submission.reference, reason, now);
}

/**
 * An open read settles only the events that claimed no more; a final one settles the others too, but none that claims
 * money: a yes may follow a no, and a read may lag behind it. An event that came while the read was under way may know
 * more than the read, so only a read that agrees with it settles it. Money of another payin is proved by that one's read.
 */
function remainingEvents(
  record: OrderRecord,
  submission: Submission,
  observed: Observation,
  asked: readonly UnverifiedEvent[],
  now: number,
): UnverifiedEvent[] {
  if (isPaid(observed.status)) return [];
  const isNew = isNewTo(asked);
  return submission.unverifiedEvents
    .filter((event) => isFinal(event.status) && event.status !== observed.status)
    .filter((event) => isNew(event) || isPaid(event.status) || !isFinal(observed.status))
    .filter(
      ({ status, serviceId }) =>
        !isPaid(status) || serviceId === null || paymentOf(record, serviceId) === undefined,
    )
    .map((event) => triedAgain(event, asked, now));
}

/** Compared by content, because the clocks of two instances differ. */
function isNewTo(asked: readonly UnverifiedEvent[]): (event: UnverifiedEvent) => boolean {
  return ({ status, at }) => !asked.some((known) => known.status === status && known.at === at);
}

function triedAgain(event: UnverifiedEvent, asked: readonly UnverifiedEvent[], now: number): UnverifiedEvent {
  if (isNewTo(asked)(event)) return event;
  return { ...event, tries: event.tries + 1, nextAt: now + backOffMs(event.tries) };
}

function scheduleRead(
  record: OrderRecord,
  reference: string,
  now: number,
  chargebackWatchMs: number,
): OrderRecord {
  const found = locate(record, reference);
  if (found === undefined || found.submission.state !== 'known') return record;
  const { attempt, submission } = found;
  const at = nextReadAt(attempt, submission, now, chargebackWatchMs);
  const next = updateSubmission(record, reference, { nextReadAt: at });
  const gaveUp = at === null && !isFinal(submission.status) && now - submission.startedAt >= WATCH_FOR_MS;
  // Reported once: a payment whose watch has ended has no further read.
  return gaveUp && submission.nextReadAt !== null
    ? addReport(next, 'watch_ended', reference, submission.status, now)
    : next;
}
