import type { AttemptStatus } from '../../contract/status.js';
import { type EventClaim, onEvent } from './apply-observation.js';
import { payinFound } from './link-payins.js';
import { sameId } from './observation.js';
import { isLink, type Located, type OrderRecord, submissionsOf } from './record.js';

/** An event as it is kept: what it claims of which payment, and nothing of the payer. */
export interface ReceivedEvent extends EventClaim {
  readonly reference: string | null;
}

/** Applies an event to the submission it is about, found by the service's id or by our reference. */
export function applyEvent(record: OrderRecord, event: ReceivedEvent, now: number): OrderRecord {
  const submissions = submissionsOf(record);
  const found =
    submissions.find(
      ({ submission }) =>
        submission.serviceId !== null &&
        event.serviceId !== null &&
        sameId(submission.serviceId, event.serviceId),
    ) ?? submissions.find(({ submission }) => submission.reference === event.reference);
  if (found === undefined) return record;
  const { reference } = found.submission;
  return onEvent(withSecondPayin(record, found, event, now), reference, claimFor(found, event), now);
}

/** The service makes a second payin under one reference by accident only; more than these are forged. */
const MOST_PAYINS_OF_EVENTS = 5;

/**
 * An event may name another payin than the one that is known under its reference. The service may have carried out one
 * creation twice, so the other is read by its own id, which alone says whether it is paid and of whom.
 */
function withSecondPayin(
  record: OrderRecord,
  { attempt, submission }: Located,
  { serviceId, status }: ReceivedEvent,
  now: number,
): OrderRecord {
  if (serviceId === null || submission.serviceId === null || sameId(submission.serviceId, serviceId))
    return record;
  // The payins of a link are found by a read of it, and an event about a link names no payin.
  const isOfLink = attempt.choice.kind === 'PAYMENT_LINK' || isAboutLink(status);
  if (isOfLink || submission.link !== null || attempt.payins.length >= MOST_PAYINS_OF_EVENTS) return record;
  return payinFound(record, submission.reference, { serviceId, createdAt: null }, now);
}

const isAboutLink = (status: AttemptStatus) => status === 'COMPLETED' || status === 'EXPIRED';

/** A payment made through a link may send a payin's event too. Its id is not the link's, so the link is read instead. */
function claimFor(found: Located, event: ReceivedEvent): EventClaim {
  if (!isLink(found) || isAboutLink(event.status)) {
    return { status: event.status, serviceId: event.serviceId };
  }
  return { status: event.status === 'CONFIRMED' ? 'COMPLETED' : 'PENDING', serviceId: null };
}
