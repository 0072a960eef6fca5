import { type EventClaim, onEvent } from './apply-observation.js';
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
  return found === undefined
    ? record
    : onEvent(record, found.submission.reference, claimFor(found, event), now);
}

/** A payment made through a link may send a payin's event too. Its id is not the link's, so the link is read instead. */
function claimFor(found: Located, event: ReceivedEvent): EventClaim {
  if (!isLink(found) || event.status === 'COMPLETED' || event.status === 'EXPIRED') {
    return { status: event.status, serviceId: event.serviceId };
  }
  return { status: event.status === 'CONFIRMED' ? 'COMPLETED' : 'PENDING', serviceId: null };
}
