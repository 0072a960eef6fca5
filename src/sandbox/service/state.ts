import * as v from 'valibot';
import { text, webAddress } from '../../contract/fields.js';
import { KEY_TYPES, PERSON_TYPES, RAILS } from '../../contract/kinds.js';
import { InlineCustomerSchema } from '../../contract/service/resources.js';
import { LINK_STATUSES, PAYIN_STATUSES } from '../../contract/status.js';
import { SCENARIO_NAMES } from './scenarios.js';

/**
 * What the sandbox remembers. Records are replaced, never changed, so an old one can still be shown by a read that
 * lags. They are schemas because a snapshot comes back from a file.
 */

const id = v.pipe(v.string(), v.uuid());
const instantMs = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const cents = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const status = v.picklist(PAYIN_STATUSES);
const shortText = v.pipe(v.string(), v.maxLength(256));

/** `settlementStatus` after the money arrived; the interface shows only the first of these. */
export const SETTLEMENT_STATUSES = ['PENDING_SETTLEMENT', 'SETTLED', 'REVERSED'] as const;
export type SettlementStatus = (typeof SETTLEMENT_STATUSES)[number];

export const OUTCOMES = ['CONFIRMED', 'DECLINED', 'CANCELED'] as const;
export type Outcome = (typeof OUTCOMES)[number];

const source = v.variant('rail', [
  v.object({
    rail: v.literal('BRE_B'),
    keyType: v.picklist(KEY_TYPES),
    keyString: shortText,
    /** The EMVCo payload the QR picture is drawn from; null for a key without a QR. */
    qrText: v.nullable(v.pipe(v.string(), v.maxLength(1024))),
  }),
  v.object({
    rail: v.literal('PSE'),
    bank: shortText,
    personType: v.picklist(PERSON_TYPES),
    /** Names the bank page. It exists from the start; `ready` says whether the service shows it yet. */
    bankToken: shortText,
    ready: v.boolean(),
    cus: v.nullable(shortText),
  }),
]);

/** Position in the order of creation; pages of lists are cut by it. */
const sequence = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/** What payins, payouts and links have alike. */
const resource = {
  id,
  sequence,
  amountInCents: cents,
  currency: v.literal('COP'),
  reference: text(256),
  createdAtMs: instantMs,
  updatedAtMs: instantMs,
  /** Scenarios bound to this one alone, beside those that are on for all. */
  mishaps: v.array(v.picklist(SCENARIO_NAMES)),
};

export const PayinRecordSchema = v.object({
  ...resource,
  kind: v.literal('payin'),
  confirmedAmountInCents: v.nullable(cents),
  status,
  settlementStatus: v.nullable(v.picklist(SETTLEMENT_STATUSES)),
  paymentLinkId: v.nullable(id),
  inlineCustomer: v.nullable(InlineCustomerSchema),
  errorCode: v.nullable(shortText),
  resultAtMs: v.nullable(instantMs),
  chargebackAtMs: v.nullable(instantMs),
  callbackUrl: v.nullable(webAddress),
  /** Part of the checkout page's address, so that the payin's id alone does not open it. */
  checkoutToken: shortText,
  source,
});
export type PayinRecord = Readonly<v.InferOutput<typeof PayinRecordSchema>>;

export const PayoutRecordSchema = v.object({
  ...resource,
  kind: v.literal('payout'),
  status,
  inlineCustomer: InlineCustomerSchema,
  keyString: text(256),
  errorCode: v.nullable(shortText),
  resultAtMs: v.nullable(instantMs),
});
export type PayoutRecord = Readonly<v.InferOutput<typeof PayoutRecordSchema>>;

export const LinkRecordSchema = v.object({
  ...resource,
  kind: v.literal('link'),
  status: v.picklist(LINK_STATUSES),
  callbackUrl: webAddress,
  /** The one rail the payer may use, or null for all. */
  rail: v.nullable(v.picklist(RAILS)),
  bank: v.nullable(shortText),
  inlineCustomer: v.nullable(InlineCustomerSchema),
  expiresAtMs: instantMs,
  completedAtMs: v.nullable(instantMs),
});
export type LinkRecord = Readonly<v.InferOutput<typeof LinkRecordSchema>>;

export type ResourceRecord = PayinRecord | PayoutRecord | LinkRecord;

/** An event for the merchant, true or forged. */
export const EventRecordSchema = v.object({
  kind: v.literal('event'),
  id,
  sequence,
  event: shortText,
  resourceId: id,
  /** The JSON text that is sent, fixed when the event happened. */
  body: v.string(),
  forged: v.boolean(),
  createdAtMs: instantMs,
});
export type EventRecord = Readonly<v.InferOutput<typeof EventRecordSchema>>;

const attempt = v.object({
  atMs: instantMs,
  /** The receiver's answer, or null when there was none. */
  status: v.nullable(v.number()),
  /** Why there was no answer. */
  error: v.nullable(v.picklist(['timeout', 'unreachable'])),
});
export type DeliveryAttempt = Readonly<v.InferOutput<typeof attempt>>;

const DELIVERY_STATES = ['WAITING', 'DELIVERED', 'LOST', 'GIVEN_UP'] as const;

/** One event for one webhook address, with its delivery attempts. */
export const DeliveryRecordSchema = v.object({
  kind: v.literal('delivery'),
  id,
  sequence,
  eventId: id,
  event: shortText,
  resourceId: id,
  url: webAddress,
  /** False sends a wrong value in the static header: a forgery by someone who lacks the secret. */
  trueHeader: v.boolean(),
  state: v.picklist(DELIVERY_STATES),
  createdAtMs: instantMs,
  nextAttemptAtMs: v.nullable(instantMs),
  attempts: v.array(attempt),
});
export type DeliveryRecord = Readonly<v.InferOutput<typeof DeliveryRecordSchema>>;

export type AnyRecord = ResourceRecord | EventRecord | DeliveryRecord;

/** Work for later, as data, so that a snapshot can carry it. */
export const JobSchema = v.variant('kind', [
  v.object({ kind: v.literal('show-pse-url'), payinId: id }),
  /** An automatic outcome; scenarios apply when it falls due. */
  v.object({ kind: v.literal('decide'), id, outcome: v.picklist(OUTCOMES) }),
  v.object({ kind: v.literal('settle'), id, outcome: v.picklist(OUTCOMES) }),
  v.object({ kind: v.literal('charge-back'), payinId: id }),
  v.object({ kind: v.literal('expire-link'), linkId: id }),
  v.object({ kind: v.literal('deliver'), deliveryId: id }),
]);
export type Job = Readonly<v.InferOutput<typeof JobSchema>>;

const word = v.pipe(v.number(), v.safeInteger());

export const SnapshotSchema = v.object({
  version: v.literal(1),
  organizationId: id,
  random: v.tuple([word, word, word, word]),
  payins: v.array(PayinRecordSchema),
  payouts: v.array(PayoutRecordSchema),
  links: v.array(LinkRecordSchema),
  events: v.array(EventRecordSchema),
  deliveries: v.array(DeliveryRecordSchema),
  jobs: v.array(v.object({ dueAtMs: instantMs, job: JobSchema })),
  lookedUpKeys: v.array(text(256)),
  mishaps: v.object({
    everywhere: resource.mishaps,
    armed: v.record(
      v.picklist(SCENARIO_NAMES),
      v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
    ),
  }),
});
export type Snapshot = Readonly<v.InferOutput<typeof SnapshotSchema>>;
