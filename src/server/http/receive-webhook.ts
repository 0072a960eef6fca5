import type { PayoutEvent, ServiceEvent } from '../../contract/service/events.js';
import { payinStatus, type AttemptStatus, type PayinStatus } from '../../contract/status.js';
import { verifyWebhook, WebhookError } from '../../service/webhook.js';
import type { CheckoutContext } from '../context.js';
import { applyEvent, type ReceivedEvent } from '../orders/received-event.js';
import { adoptUnmatchedEvents } from '../work/unmatched-events.js';
import { onPayoutEvent, payoutOf } from '../orders/payouts/payouts.js';
import { keys, rowIds } from '../orders/record.js';
import { ProblemError } from './responses.js';
import { digest, isReference } from '../ids.js';

/**
 * Verifies an event and stores it before it is answered. Returns the rows that have work now: only a read proves what
 * the event claims.
 */
export async function receiveWebhook(context: CheckoutContext, request: Request): Promise<readonly string[]> {
  const { webhook } = context.settings.options;
  if (webhook === false) throw new ProblemError('not_found');
  const event = await verify(context, request, webhook);
  context.measure({ name: 'webhook', value: 1, unit: 'count', label: event.resource });
  switch (event.resource) {
    case 'payin':
    case 'paymentlink': {
      const rowId = await storeEvent(context, receivedEvent(event));
      return rowId === undefined ? [] : [rowId];
    }
    case 'payout':
      return [await storePayoutEvent(context, event)];
    case 'unknown':
      context.log({ level: 'info', event: 'webhook_unknown' });
      return [];
    default:
      throw new TypeError(`Unknown event: ${String(event satisfies never)}`);
  }
}

async function verify(
  context: CheckoutContext,
  request: Request,
  webhook: Exclude<CheckoutContext['settings']['options']['webhook'], false>,
): Promise<ServiceEvent> {
  try {
    return await verifyWebhook(request, webhook);
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    context.measure({ name: 'webhook.refused', value: 1, unit: 'count', label: error.reason });
    context.logSparingly({ level: 'warn', event: 'webhook_refused', code: error.reason });
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

/** Stores the event with the payout that it is about, or in a row of its own when another program made that. */
async function storePayoutEvent(context: CheckoutContext, event: PayoutEvent): Promise<string> {
  const { id, reference } = event.data;
  const owner = await context.repository.find(...keysOf({ serviceId: id, reference }));
  const isKnown = owner !== undefined && payoutOf(owner.record, event) !== undefined;
  const rowId = isKnown ? owner.rowId : rowIds.payout(id);
  await context.repository.change(rowId, (record, now) => ({
    record: onPayoutEvent(record, event, now),
    result: undefined,
  }));
  return rowId;
}

/** Stores the event with its order, or as an orphan until an order knows the payment. */
async function storeEvent(context: CheckoutContext, event: ReceivedEvent): Promise<string | undefined> {
  const eventKeys = keysOf(event);
  const stored = await context.repository.applyByKey(eventKeys, (record, now) =>
    applyEvent(record, event, now),
  );
  if (stored !== undefined) return stored.rowId;
  const id = await digest(JSON.stringify(event));
  await context.store.saveOrphan({ id, keys: eventKeys, body: event, receivedAt: context.now() });
  // The order may have learnt of the payment in between, before the orphan was there.
  const late = await context.repository.find(...eventKeys);
  if (late !== undefined) await adoptUnmatchedEvents(context, late.rowId, eventKeys);
  else logUnmatched(context, event);
  return late?.rowId;
}

/** A payer may have paid an order that this store does not know. */
function logUnmatched(context: CheckoutContext, { reference, status }: ReceivedEvent): void {
  context.log({ level: 'warn', event: 'event_unmatched', ...(reference !== null && { reference }), status });
  context.measure({ name: 'event.unmatched', value: 1, unit: 'count' });
}

function keysOf(event: Pick<ReceivedEvent, 'serviceId' | 'reference'>): string[] {
  return [
    ...(event.serviceId === null ? [] : [keys.service(event.serviceId)]),
    ...(event.reference === null || !isReference(event.reference) ? [] : [keys.reference(event.reference)]),
  ];
}

type PaymentEvent = Extract<ServiceEvent, { resource: 'payin' | 'paymentlink' }>;

/** The event's name says what it claims; the status inside may carry another name at another service. */
function receivedEvent(event: PaymentEvent): ReceivedEvent {
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
