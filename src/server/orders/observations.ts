import { isFinal, isPaid, type AttemptStatus } from '../../contract/status.js';
import { type Heard, type Mismatch, mismatch } from './observation.js';
import {
  type AttemptRecord,
  type CallRecord,
  type Hint,
  locate,
  type OrderRecord,
  type SourceRecord,
  updateAttempt,
  updateCall,
} from './record.js';
import { backOffMs, HINT_FOR_MS, nextHintAt, nextReadAt, WATCH_FOR_MS } from './schedule.js';
import { book, endAttempt, notify, report } from './settlement.js';

/**
 * What the service's words do to an order. Answers and events only point at a payment; a read alone moves its status,
 * and never back: open, then another outcome, then paid.
 */

/** The answer to a creation, or the payin a lookup found. It may come late, twice, or after an event was believed. */
export function answerArrived(
  record: OrderRecord,
  reference: string,
  heard: Heard,
  now: number,
  chargebackWatchMs: number,
): OrderRecord {
  const found = locate(record, reference);
  if (found === undefined) return record;
  const { attempt, call } = found;
  const differs = mismatch(attempt, call, heard);
  if (differs !== null) return disbelieve(record, reference, differs, now);
  let next = bind(record, attempt, call, heard, now);
  if (isFinal(heard.status)) {
    next = eventArrived(next, reference, { status: heard.status, serviceId: heard.serviceId }, now);
  } else {
    next = moveOpen(next, reference, heard.status);
  }
  return scheduleRead(next, reference, now, chargebackWatchMs);
}

/** The service's word does not fit what was asked. A key for another amount or order must not be shown to anyone. */
export function disbelieve(
  record: OrderRecord,
  reference: string,
  reason: Mismatch,
  now: number,
): OrderRecord {
  const found = locate(record, reference);
  if (found === undefined) return record;
  const { attempt, call } = found;
  const next = quarantine(updateCall(record, reference, { hints: [] }), call, reason, now);
  const unseen = attempt.shown === null && attempt.ended === null;
  return unseen ? endAttempt(next, attempt, 'unavailable', 'answer_mismatch', now) : next;
}

export interface Claim {
  readonly status: AttemptStatus;
  readonly serviceId: string | null;
}

/** An event about one of the order's calls: a reason to read, nothing more. */
export function eventArrived(record: OrderRecord, reference: string, claim: Claim, now: number): OrderRecord {
  const found = locate(record, reference);
  if (found === undefined) return record;
  const { call } = found;
  const settled = call.status === claim.status && isFinal(call.status);
  if (settled || call.hints.some((hint) => hint.status === claim.status)) return record;
  const hint: Hint = { ...claim, at: now, tries: 0, nextAt: nextHintAt(call, claim.status, now) };
  return updateCall(record, reference, { hints: [...call.hints, hint] });
}

/** A read of the payment itself: the only thing that is believed. `asked` are the events that it was made for. */
export function readArrived(
  record: OrderRecord,
  reference: string,
  heard: Heard,
  asked: readonly Hint[],
  now: number,
  chargebackWatchMs: number,
): OrderRecord {
  const found = locate(record, reference);
  if (found === undefined) return record;
  const { attempt, call } = found;
  const read = { readAt: now, reads: call.reads + 1 };
  const differs = mismatch(attempt, call, heard);
  if (differs !== null) {
    const next = updateCall(record, reference, { ...read, hints: call.hints.filter(isNewsTo(asked)) });
    // The id came from an event and leads elsewhere: the event was wrong, not the payment.
    if (call.serviceId === null) return next;
    return scheduleRead(quarantine(next, call, differs, now), reference, now, chargebackWatchMs);
  }

  let next = bind(record, attempt, call, heard, now);
  next = updateCall(next, reference, {
    ...read,
    // On a paid payment it remembers which contradiction was reported.
    quarantine: isPaid(call.status) ? call.quarantine : null,
    hints: remainingHints(call, heard, asked, now),
  });
  next = moveStatus(next, reference, heard, now);
  next = noteChargeback(next, reference, heard, now);
  return scheduleRead(next, reference, now, chargebackWatchMs);
}

/** The service could not be asked, or did not know the payment yet. */
export function readFailed(
  record: OrderRecord,
  reference: string,
  asked: readonly Hint[],
  now: number,
  chargebackWatchMs: number,
): OrderRecord {
  const call = locate(record, reference)?.call;
  if (call === undefined) return record;
  const hints = call.hints.map((hint) => triedAgain(hint, asked, now));
  const next = updateCall(record, reference, { readAt: now, reads: call.reads + 1, hints });
  return scheduleRead(next, reference, now, chargebackWatchMs);
}

/** Drops events that no read has agreed with for a day, and says so. */
export function dropStaleHints(record: OrderRecord, call: CallRecord, now: number): OrderRecord {
  const stale = call.hints.filter((hint) => hint.at + HINT_FOR_MS <= now);
  if (stale.length === 0) return record;
  let next = updateCall(record, call.reference, {
    hints: call.hints.filter((hint) => !stale.includes(hint)),
  });
  for (const hint of stale) next = report(next, 'event_unverified', call.reference, hint.status, now);
  return next;
}

/** Ties the call to the service's payment, and shows it when nothing else of this attempt was shown before. */
function bind(
  record: OrderRecord,
  attempt: AttemptRecord,
  call: CallRecord,
  heard: Heard,
  now: number,
): OrderRecord {
  let next = updateCall(record, call.reference, {
    state: 'known',
    serviceId: call.serviceId ?? heard.serviceId,
    giveUpAt: null,
    nextLookupAt: null,
    source: mergeSource(call.source, heard.source, isFinal(call.status)),
  });
  const unseen = attempt.shown === null && !attempt.replaced && attempt.ended === null;
  if (unseen && record.payments.length > 0) {
    // Another attempt paid meanwhile: showing this key would invite a second payment.
    next = updateAttempt(next, attempt.id, {
      draft: null,
      ended: { reason: 'unavailable', errorCode: 'already_paid', at: now },
    });
  } else if (unseen) {
    const isLink = attempt.choice.kind === 'PAYMENT_LINK';
    next = updateAttempt(next, attempt.id, {
      shown: call.reference,
      draft: null,
      expiresAt: isLink ? heard.expiresAt : attempt.expiresAt,
    });
  }
  if (heard.source.pseUrl !== null && attempt.stalled)
    next = updateAttempt(next, attempt.id, { stalled: false });
  return next;
}

/** What a payer may have seen stays as it was; only what was missing is filled in. A finished payment needs no QR. */
function mergeSource(known: SourceRecord, heard: SourceRecord, final: boolean): SourceRecord {
  return {
    keyString: known.keyString ?? heard.keyString,
    qrString: final ? null : (known.qrString ?? heard.qrString),
    qrText: final ? null : (known.qrText ?? heard.qrText),
    checkoutUrl: known.checkoutUrl ?? heard.checkoutUrl,
    pseUrl: known.pseUrl ?? heard.pseUrl,
    cus: known.cus ?? heard.cus,
    paymentLinkUrl: known.paymentLinkUrl ?? heard.paymentLinkUrl,
  };
}

function moveOpen(record: OrderRecord, reference: string, status: AttemptStatus): OrderRecord {
  const call = locate(record, reference)?.call;
  return call?.status === 'PENDING' ? updateCall(record, reference, { status }) : record;
}

function moveStatus(record: OrderRecord, reference: string, heard: Heard, now: number): OrderRecord {
  const found = locate(record, reference);
  if (found === undefined) return record;
  const { attempt, call } = found;
  if (isPaid(call.status)) {
    return isFinal(heard.status) && !isPaid(heard.status)
      ? reportOnce(record, reference, heard.status, now)
      : record;
  }
  if (isPaid(heard.status)) {
    return withoutQr(book(record, attempt, call, heard, now), reference);
  }
  if (isFinal(call.status)) return record;
  if (!isFinal(heard.status)) return moveOpen(record, reference, heard.status);

  const next = updateCall(record, reference, {
    status: heard.status,
    finalAt: now,
    errorCode: heard.errorCode,
    resultAt: heard.resultAt,
  });
  if (attempt.shown !== reference) return next;
  const hook = heard.status === 'DECLINED' ? 'onDeclined' : 'onCanceled';
  return notify(withoutQr(next, reference), hook, reference, now);
}

function withoutQr(record: OrderRecord, reference: string): OrderRecord {
  const call = locate(record, reference)?.call;
  return call === undefined
    ? record
    : updateCall(record, reference, { source: { ...call.source, qrString: null, qrText: null } });
}

/** The contradiction is remembered as the quarantine's reason, so that each further read does not repeat it. */
function reportOnce(record: OrderRecord, reference: string, status: AttemptStatus, now: number): OrderRecord {
  const call = locate(record, reference)?.call;
  const reason = `status ${status}`;
  if (call === undefined || call.quarantine === reason) return record;
  return report(
    updateCall(record, reference, { quarantine: reason }),
    'status_contradicted',
    reference,
    status,
    now,
  );
}

function noteChargeback(record: OrderRecord, reference: string, heard: Heard, now: number): OrderRecord {
  const call = locate(record, reference)?.call;
  if (call === undefined || heard.chargebackAt === null) return record;
  if (!isPaid(call.status) || call.chargebackAt !== null) return record;
  const { chargebackAt } = heard;
  return notify(updateCall(record, reference, { chargebackAt }), 'onChargeback', reference, now, {
    chargebackAt,
  });
}

function quarantine(record: OrderRecord, call: CallRecord, reason: string, now: number): OrderRecord {
  const next = updateCall(record, call.reference, { quarantine: reason });
  return call.quarantine === reason ? next : report(next, 'quarantined', call.reference, reason, now);
}

/**
 * A final read answers every event; an open one answers only those that claimed no more. An event that came while the
 * read was under way may know more than the read: only a word that agrees with it answers it.
 */
function remainingHints(call: CallRecord, heard: Heard, asked: readonly Hint[], now: number): Hint[] {
  if (isPaid(heard.status)) return [];
  const isNews = isNewsTo(asked);
  return call.hints
    .filter((hint) => isFinal(hint.status) && hint.status !== heard.status)
    .filter((hint) => isNews(hint) || !isFinal(heard.status))
    .map((hint) => triedAgain(hint, asked, now));
}

/** By what they say, not by when: instances share orders, not clocks. */
function isNewsTo(asked: readonly Hint[]): (hint: Hint) => boolean {
  return ({ status, at }) => !asked.some((known) => known.status === status && known.at === at);
}

function triedAgain(hint: Hint, asked: readonly Hint[], now: number): Hint {
  if (isNewsTo(asked)(hint)) return hint;
  return { ...hint, tries: hint.tries + 1, nextAt: now + backOffMs(hint.tries) };
}

function scheduleRead(
  record: OrderRecord,
  reference: string,
  now: number,
  chargebackWatchMs: number,
): OrderRecord {
  const found = locate(record, reference);
  if (found === undefined || found.call.state !== 'known') return record;
  const { attempt, call } = found;
  const at = nextReadAt(attempt, call, now, chargebackWatchMs);
  const next = updateCall(record, reference, { nextReadAt: at });
  const gaveUp = at === null && !isFinal(call.status) && now - call.startedAt >= WATCH_FOR_MS;
  // Once: a payment whose watch has ended has no next read that could say so again.
  return gaveUp && call.nextReadAt !== null ? report(next, 'watch_ended', reference, call.status, now) : next;
}
