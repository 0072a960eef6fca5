import * as v from 'valibot';
import { errorCodeSchema } from './error-code.js';
import { read } from '../schema.js';
import { identifier, orNull, text, timestamp } from '../fields.js';
import { SourceDataSchema } from './resources.js';

/** The webhooks of the payment service. They are hints: nothing signs them, and none of them proves a payment. */

export const PAYIN_EVENTS = [
  'payin.processing',
  'payin.confirmed',
  'payin.canceled',
  'payin.declined',
] as const;
export const PAYOUT_EVENTS = [
  'payout.processing',
  'payout.confirmed',
  'payout.canceled',
  'payout.declined',
] as const;
export const LINK_EVENTS = ['paymentlink.completed', 'paymentlink.expired'] as const;

const status = v.pipe(v.string(), v.minLength(1), v.maxLength(64));
const serviceText = v.pipe(v.string(), v.maxLength(512));
/** Fields that nothing depends on: null when they cannot be read, so that the event is still taken. */
const optional = <const Schema extends v.GenericSchema>(schema: Schema) => v.fallback(orNull(schema), null);
const amount = optional(v.pipe(v.number(), v.finite()));

/** Personal data in an event's `inlineCustomer` is dropped here, before anything is stored. */
const transactionData = v.object({
  id: identifier,
  reference: optional(text(256)),
  amount,
  currency: optional(serviceText),
  status,
  rail: optional(serviceText),
  sourceData: optional(SourceDataSchema),
  errorCode: optional(errorCodeSchema),
  createdAt: optional(timestamp),
  updatedAt: optional(timestamp),
  resultAt: optional(timestamp),
  organizationId: optional(identifier),
});

export const PayinEventSchema = v.object({
  event: v.picklist(PAYIN_EVENTS),
  resource: v.literal('payin'),
  data: transactionData,
});
export type PayinEvent = v.InferOutput<typeof PayinEventSchema>;

export const PayoutEventSchema = v.object({
  event: v.picklist(PAYOUT_EVENTS),
  resource: v.literal('payout'),
  data: transactionData,
});
export type PayoutEvent = v.InferOutput<typeof PayoutEventSchema>;

export const PaymentLinkEventSchema = v.object({
  event: v.picklist(LINK_EVENTS),
  resource: v.literal('paymentlink'),
  data: v.object({
    paymentLinkId: identifier,
    reference: optional(text(256)),
    amount,
    currency: optional(serviceText),
    status,
    createdAt: optional(timestamp),
    updatedAt: optional(timestamp),
    expiresAt: optional(timestamp),
    completedAt: optional(timestamp),
  }),
});
export type PaymentLinkEvent = v.InferOutput<typeof PaymentLinkEventSchema>;

/** An event this version does not know: kept apart so that a new name at the service is not an error here. */
export interface UnknownEvent {
  readonly resource: 'unknown';
  readonly event: string;
}

export type ServiceEvent = PayinEvent | PayoutEvent | PaymentLinkEvent | UnknownEvent;

const knownEvent = v.variant('resource', [PayinEventSchema, PayoutEventSchema, PaymentLinkEventSchema]);
const envelope = v.object({ event: text(64), resource: v.optional(v.pipe(v.string(), v.maxLength(64))) });
const knownNames = new Set<string>([...PAYIN_EVENTS, ...PAYOUT_EVENTS, ...LINK_EVENTS]);

/** The typed event, an `unknown` one for an unknown name, or undefined when it is no event at all. */
export function parseEvent(body: unknown): ServiceEvent | undefined {
  const known = read(knownEvent, body);
  if (known.ok) return known.value;
  const named = read(envelope, body);
  if (!named.ok || knownNames.has(named.value.event)) return undefined;
  return { resource: 'unknown', event: named.value.event };
}
