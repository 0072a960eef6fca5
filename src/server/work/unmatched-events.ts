import type { CheckoutContext } from '../context.js';
import type { StoredOrder } from '../order-repository.js';
import { applyEvent, type ReceivedEvent } from '../orders/received-event.js';
import { keys, locate } from '../orders/record.js';

/** Applies events that came before the order knew the payment they are about. Undefined when there are none. */
export async function adoptUnmatchedEvents(
  context: CheckoutContext,
  rowId: string,
  orphanKeys: readonly string[],
): Promise<StoredOrder | undefined> {
  const orphans = await context.store.takeOrphans(orphanKeys);
  if (orphans.length === 0) return undefined;
  return context.repository.apply(rowId, (record, now) =>
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
