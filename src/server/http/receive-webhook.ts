import type { ServiceEvent } from '../../contract/service-events.js';
import { payinStatus, type AttemptStatus, type PayinStatus } from '../../contract/status.js';
import { verifyWebhook, WebhookError } from '../../service/webhook.js';
import type { Kit } from '../context.js';
import type { StoredOrder } from '../order-repository.js';
import { adoptOrphans, noteEvent, type StoredEvent } from '../work/unmatched-events.js';
import { payoutArrived } from '../orders/payout.js';
import { keys, rowIds } from '../orders/record.js';
import { ProblemError } from './responses.js';
import { digest } from '../ids.js';

/**
 * Takes an event in: verify, store, and only then answer. The rows that should be worked on come back; whether the
 * event was true is for a read to say.
 */
export async function receiveWebhook(kit: Kit, request: Request): Promise<readonly string[]> {
  const { webhook } = kit.settings.options;
  if (webhook === false) throw new ProblemError('not_found');
  const event = await verify(request, webhook);
  kit.measure({ name: 'webhook', value: 1, unit: 'count', label: event.resource });
  switch (event.resource) {
    case 'payin':
    case 'paymentlink': {
      const rowId = await storeEvent(kit, storedEvent(event));
      return rowId === undefined ? [] : [rowId];
    }
    case 'payout': {
      const rowId = rowIds.payout(event.data.id);
      await kit.orders.change(rowId, (record, now) => ({
        record: payoutArrived(record, event, now),
        result: undefined,
      }));
      return [rowId];
    }
    case 'unknown':
      kit.log({ level: 'info', event: 'webhook_unknown' });
      return [];
    default:
      throw new TypeError(`Unknown event: ${String(event satisfies never)}`);
  }
}

async function verify(
  request: Request,
  webhook: Exclude<Kit['settings']['options']['webhook'], false>,
): Promise<ServiceEvent> {
  try {
    return await verifyWebhook(request, webhook);
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    switch (error.reason) {
      case 'unauthorized':
        throw new ProblemError('webhook_unauthorized');
      case 'too_large':
        throw new ProblemError('payload_too_large');
      case 'unreadable':
        throw new ProblemError('webhook_unreadable');
      default:
        throw new TypeError(`Unknown reason: ${String(error.reason satisfies never)}`);
    }
  }
}

/** Noted at its order, or kept as an orphan until its order knows the payment. */
async function storeEvent(kit: Kit, event: StoredEvent): Promise<string | undefined> {
  const eventKeys = keysOf(event);
  const owner = await findOwner(kit, eventKeys);
  if (owner !== undefined) {
    await kit.orders.apply(owner.rowId, (record, now) => noteEvent(record, event, now));
    return owner.rowId;
  }
  const id = await digest(JSON.stringify(event));
  await kit.store.saveOrphan({ id, keys: eventKeys, body: event, receivedAt: kit.now() });
  // The order may have learnt of the payment in between and found no orphan yet.
  const late = await findOwner(kit, eventKeys);
  if (late !== undefined) await adoptOrphans(kit, late.rowId, eventKeys);
  return late?.rowId;
}

function keysOf(event: StoredEvent): string[] {
  return [
    ...(event.serviceId === null ? [] : [keys.service(event.serviceId)]),
    ...(event.reference === null ? [] : [keys.reference(event.reference)]),
  ];
}

async function findOwner(kit: Kit, eventKeys: readonly string[]): Promise<StoredOrder | undefined> {
  for (const key of eventKeys) {
    const found = await kit.orders.find(key);
    if (found !== undefined) return found;
  }
  return undefined;
}

type PaymentEvent = Extract<ServiceEvent, { resource: 'payin' | 'paymentlink' }>;

/** The event's name says what it claims; the status inside may carry another name at another service. */
function storedEvent(event: PaymentEvent): StoredEvent {
  const { reference } = event.data;
  if (event.resource === 'paymentlink') {
    const status: AttemptStatus = event.event === 'paymentlink.completed' ? 'COMPLETED' : 'EXPIRED';
    return { status, serviceId: event.data.paymentLinkId, reference };
  }
  return { status: statusOf(event.event), serviceId: event.data.id, reference };
}

/** `payin.confirmed` claims CONFIRMED. */
function statusOf(eventName: string): PayinStatus {
  return payinStatus(eventName.slice(eventName.indexOf('.') + 1).toUpperCase());
}
