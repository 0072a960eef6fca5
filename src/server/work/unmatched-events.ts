import type { CheckoutContext } from '../context.js';
import type { StoredOrder } from '../order-repository.js';
import { onEvent, type EventClaim } from '../orders/apply-observation.js';
import { isLink, keys, locate, type Located, submissionsOf, type OrderRecord } from '../orders/record.js';
import { sameId } from '../orders/observation.js';

/** An event as it is kept: what it claims of which payment, and nothing of the payer. */
export interface ReceivedEvent extends EventClaim {
  readonly reference: string | null;
}

/** Applies events that came before the order knew the payment they are about. Undefined when there are none. */
export async function adoptUnmatchedEvents(
  context: CheckoutContext,
  rowId: string,
  orphanKeys: readonly string[],
): Promise<StoredOrder | undefined> {
  const orphans = await context.store.takeOrphans(orphanKeys);
  if (orphans.length === 0) return undefined;
  return context.orders.apply(rowId, (record, now) =>
    orphans.reduce((each, orphan) => applyEvent(each, orphan.body as ReceivedEvent, now), record),
  );
}

/** The same for the events of a submission whose payment has just become known. */
export async function adoptEarlyEvents(
  context: CheckoutContext,
  rowId: string,
  reference: string,
  order: StoredOrder | undefined,
): Promise<StoredOrder | undefined> {
  const serviceId = order && locate(order.record, reference)?.submission.serviceId;
  if (serviceId === undefined || serviceId === null) return undefined;
  return adoptUnmatchedEvents(context, rowId, [keys.reference(reference), keys.service(serviceId)]);
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
