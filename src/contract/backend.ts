import * as v from 'valibot';
import { FirstOfferSchema, MerchantSchema } from './offer.js';
import { PlainProblemSchema } from './problems.js';
import { FIELD_ERROR_CODES } from './schema.js';
import { bankCode, cents, currency, identifier, orNull, text, timestamp, webAddress } from './fields.js';
import { KEY_TYPES, RAILS } from './kinds.js';
import { LINK_STATUSES, PAYIN_STATUSES } from './status.js';

/** The wire between the widget and the merchant's backend ("backend contract", version 1). */

/** An order as the browser names it: opaque, usually signed by the kit. */
export const OrderTokenSchema = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(512),
  v.regex(/^[\w.~:@!$'()*+,;=-]+$/),
);

const BrebSourceSchema = v.object({
  keyType: v.picklist(KEY_TYPES),
  keyString: text(256),
  /** The service's picture, a PNG data URL; checked to be one before it is shown. */
  qrString: orNull(v.pipe(v.string(), v.maxLength(256_000))),
  /** An EMVCo payload to draw, where a backend gives text instead of a picture. */
  qrText: orNull(v.pipe(v.string(), v.maxLength(1024))),
  checkoutUrl: orNull(webAddress),
});

const PseSourceSchema = v.object({
  bank: bankCode,
  bankName: orNull(text(80)),
  /** Null until the service knows it. */
  pseUrl: orNull(webAddress),
  /** The bank's transaction number, for receipts and complaints. */
  cus: orNull(text(64)),
});

export const SETTLEMENT_STATES = ['OPEN', 'PAID', 'AMOUNT_DIFFERS'] as const;

/** What is known of the whole order, whichever attempt is being looked at. */
export const SettlementSchema = v.object({
  state: v.picklist(SETTLEMENT_STATES),
  /** The attempt that paid. */
  by: orNull(identifier),
  /** More was paid than the order costs, by more than one attempt. */
  duplicate: v.boolean(),
  /** What was paid, when that is not what the order costs. Too little is completed by a further payment of the rest. */
  paidInCents: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  /** What the order costs then. */
  orderAmountInCents: v.optional(cents),
  /** Every payment that reached the order, oldest first, when it was not simply paid once. */
  payments: v.optional(
    v.pipe(
      v.array(
        v.object({
          reference: text(256),
          amountInCents: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
          at: timestamp,
        }),
      ),
      v.maxLength(64),
    ),
  ),
});
export type Settlement = v.InferOutput<typeof SettlementSchema>;

/** After this long without a key or the bank's address, both the kit and the widget say that it takes long. */
export const STALLED_AFTER_MS = 20_000;

const attemptBase = {
  id: identifier,
  order: OrderTokenSchema,
  reference: text(256),
  amountInCents: cents,
  confirmedAmountInCents: orNull(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  currency,
  errorCode: orNull(text(128)),
  createdAt: timestamp,
  updatedAt: timestamp,
  resultAt: orNull(timestamp),
  expiresAt: orNull(timestamp),
  /** Paid after it had lapsed, or after another outcome had been reported. */
  late: v.optional(v.boolean(), false),
  /** The bank's address should be known by now and is not; the payer may wait, retry or take another method. */
  stalled: v.optional(v.boolean(), false),
  /** A later attempt of the order took its place. It is still watched, and should not be paid any more. */
  replaced: v.optional(v.boolean()),
  /** False when no payment was made: the service could not be reached or refused. No bank was asked. */
  started: v.optional(v.boolean()),
  merchant: MerchantSchema,
  description: orNull(text(255)),
  settlement: SettlementSchema,
  /** Covers every attempt of the order: it changes when anything the payer could see changes. */
  version: text(64),
  /** The server's clock. */
  now: timestamp,
  /** The backend held the answer until something changed or the time was up. */
  waited: v.optional(v.boolean(), false),
};

/** An unknown status is open: the payment is still being processed, and never paid. */
const payinStatus = v.fallback(v.picklist(PAYIN_STATUSES), 'PROCESSING');

export const BrebAttemptSchema = v.object({
  ...attemptBase,
  kind: v.literal('PAYIN'),
  status: payinStatus,
  rail: v.literal('BRE_B'),
  /** Null while the service's answer is unclear. */
  sourceData: orNull(BrebSourceSchema),
});
export type BrebAttempt = v.InferOutput<typeof BrebAttemptSchema>;

export const PseAttemptSchema = v.object({
  ...attemptBase,
  kind: v.literal('PAYIN'),
  status: payinStatus,
  rail: v.literal('PSE'),
  sourceData: orNull(PseSourceSchema),
});
export type PseAttempt = v.InferOutput<typeof PseAttemptSchema>;

export const LinkAttemptSchema = v.object({
  ...attemptBase,
  kind: v.literal('PAYMENT_LINK'),
  status: v.fallback(v.picklist(LINK_STATUSES), 'PENDING'),
  rail: orNull(v.picklist(RAILS)),
  paymentLinkUrl: orNull(webAddress),
});
export type LinkAttempt = v.InferOutput<typeof LinkAttemptSchema>;

export const AttemptSchema = v.union([BrebAttemptSchema, PseAttemptSchema, LinkAttemptSchema]);
export type PayinAttempt = BrebAttempt | PseAttempt;
export type Attempt = v.InferOutput<typeof AttemptSchema>;

export const OfferSchema = v.object({
  ...FirstOfferSchema.entries,
  /** The current attempt, or the one that paid. */
  attempt: orNull(AttemptSchema),
});
export type Offer = v.InferOutput<typeof OfferSchema>;

const FieldErrorSchema = v.object({
  field: v.pipe(v.string(), v.maxLength(128)),
  code: v.picklist(FIELD_ERROR_CODES),
});

export const ProblemSchema = v.object({
  type: v.optional(v.pipe(v.string(), v.maxLength(256))),
  title: v.optional(v.pipe(v.string(), v.maxLength(256))),
  status: v.optional(v.pipe(v.number(), v.integer())),
  ...PlainProblemSchema.entries,
  detail: v.optional(v.pipe(v.string(), v.maxLength(1024))),
  errors: v.optional(v.pipe(v.array(FieldErrorSchema), v.maxLength(64))),
  attempt: v.optional(AttemptSchema),
  offer: v.optional(OfferSchema),
  retryAt: v.optional(timestamp),
});
export type Problem = v.InferOutput<typeof ProblemSchema>;
