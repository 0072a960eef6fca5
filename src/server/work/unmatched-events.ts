import type { Kit } from '../context.js';
import { eventArrived, type Claim } from '../orders/observations.js';
import { callsOf, type OrderRecord } from '../orders/record.js';
import { sameId } from '../orders/observation.js';

/** An event as it is kept: what it claims of which payment, and nothing of the payer. */
export interface StoredEvent extends Claim {
  readonly reference: string | null;
}

/** Events that came before the order knew the payment they are about. */
export async function adoptOrphans(kit: Kit, rowId: string, orphanKeys: readonly string[]): Promise<number> {
  const orphans = await kit.store.takeOrphans(orphanKeys);
  if (orphans.length === 0) return 0;
  await kit.orders.apply(rowId, (record, now) =>
    orphans.reduce((each, orphan) => noteEvent(each, orphan.body as StoredEvent, now), record),
  );
  return orphans.length;
}

/** Notes an event at the call it is about, found by the service's id or by our reference. */
export function noteEvent(record: OrderRecord, event: StoredEvent, now: number): OrderRecord {
  const calls = callsOf(record);
  const found =
    calls.find(
      ({ call }) =>
        call.serviceId !== null && event.serviceId !== null && sameId(call.serviceId, event.serviceId),
    ) ?? calls.find(({ call }) => call.reference === event.reference);
  return found === undefined
    ? record
    : eventArrived(record, found.call.reference, claimFor(found, event), now);
}

/**
 * A payment made through a link may fire a payin's event too. It is about the link then, whose own word is a
 * completed link, and its id is not the link's.
 */
function claimFor(found: ReturnType<typeof callsOf>[number], event: StoredEvent): Claim {
  const isLink = found.attempt.choice.kind === 'PAYMENT_LINK';
  if (!isLink || event.status === 'COMPLETED' || event.status === 'EXPIRED') {
    return { status: event.status, serviceId: event.serviceId };
  }
  return { status: event.status === 'CONFIRMED' ? 'COMPLETED' : 'PENDING', serviceId: null };
}
