import type { CheckoutContext } from '../context.js';
import { onEvent, type EventClaim } from '../orders/apply-observation.js';
import { isLink, type Located, submissionsOf, type OrderRecord } from '../orders/record.js';
import { sameId } from '../orders/observation.js';

/** An event as it is kept: what it claims of which payment, and nothing of the payer. */
export interface ReceivedEvent extends EventClaim {
  readonly reference: string | null;
}

/** Applies events that came before the order knew the payment they are about. */
export async function adoptUnmatchedEvents(
  context: CheckoutContext,
  rowId: string,
  orphanKeys: readonly string[],
): Promise<number> {
  const orphans = await context.store.takeOrphans(orphanKeys);
  if (orphans.length === 0) return 0;
  await context.orders.apply(rowId, (record, now) =>
    orphans.reduce((each, orphan) => applyEvent(each, orphan.body as ReceivedEvent, now), record),
  );
  return orphans.length;
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
