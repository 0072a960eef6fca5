import * as v from 'valibot';
import { ID_TYPES, PERSON_TYPES } from './payer/kinds.js';
import { FieldErrorSchema, PROBLEM_CODES } from './problems.js';
import { cents, currency, identifier, orNull, text, timestamp, webAddress } from './schema.js';
import { BankCodeSchema } from './service/requests.js';
import { KEY_TYPES, RAILS } from './service/resources.js';
import { LINK_STATUSES, PAYIN_STATUSES } from './status.js';

/** The wire between the widget and the merchant's backend ("backend contract", version 1). */

export const CUSTOMER_FIELDS = ['name', 'idType', 'idNumber', 'phone', 'email'] as const;
export type CustomerField = (typeof CUSTOMER_FIELDS)[number];

/** An order as the browser names it: opaque, usually signed by the kit. */
export const OrderTokenSchema = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(512),
  v.regex(/^[\w.~:@!$'()*+,;=-]+$/),
);

export const MerchantSchema = v.object({
  name: text(120),
  taxId: orNull(text(32)),
  supportEmail: orNull(text(254)),
  supportPhone: orNull(text(40)),
  /** A WhatsApp number, with its country's code unless it is a Colombian mobile. */
  supportWhatsapp: v.optional(text(40)),
  /** The receiver's name as the payer's bank will show it, usually masked. */
  payeeName: orNull(text(120)),
  /** The merchant's data policy, shown where personal data are asked for. */
  privacyUrl: v.optional(webAddress),
  /** The terms of the sale. */
  termsUrl: v.optional(webAddress),
});
export type Merchant = v.InferOutput<typeof MerchantSchema>;

export const BankSchema = v.object({
  code: BankCodeSchema,
  name: text(80),
  aliases: v.optional(v.pipe(v.array(text(80)), v.maxLength(16))),
  /** Its place before all others, which are listed A to Z. */
  first: v.optional(v.number()),
});
export type OfferedBank = v.InferOutput<typeof BankSchema>;

const requires = v.pipe(v.array(v.picklist(CUSTOMER_FIELDS)), v.maxLength(CUSTOMER_FIELDS.length));

export const BrebAppSchema = v.object({
  name: text(40),
  /** What opens it, as its maker publishes it. */
  url: v.optional(webAddress),
  /** Where Bre-B is in it: "Bre-B › Pagar con llave". */
  path: v.optional(text(120)),
});
/** An app that payers pay Bre-B with. */
export type BrebApp = v.InferOutput<typeof BrebAppSchema>;

export const BrebMethodSchema = v.object({
  kind: v.optional(v.literal('PAYIN'), 'PAYIN'),
  rail: v.literal('BRE_B'),
  keyType: v.picklist(KEY_TYPES),
  requires,
  /** Above it the payer's bank may refuse: the widget says so and preselects another method. It never forbids. */
  ceilingInCents: v.optional(cents),
  /** The apps of most payers. */
  apps: v.optional(v.pipe(v.array(BrebAppSchema), v.maxLength(24))),
});

export const PseMethodSchema = v.object({
  kind: v.optional(v.literal('PAYIN'), 'PAYIN'),
  rail: v.literal('PSE'),
  banks: v.pipe(v.array(BankSchema), v.maxLength(200)),
  requires,
});

/** The hosted alternative: the payer pays on the service's own page, on any rail or on the one given. */
export const LinkMethodSchema = v.object({
  kind: v.literal('PAYMENT_LINK'),
  rail: orNull(v.picklist(RAILS)),
  /** Preselected on the hosted page; only with rail PSE. */
  bank: orNull(BankCodeSchema),
});

export const MethodSchema = v.union([BrebMethodSchema, PseMethodSchema, LinkMethodSchema]);
export type BrebMethod = v.InferOutput<typeof BrebMethodSchema>;
export type PseMethod = v.InferOutput<typeof PseMethodSchema>;
export type LinkMethod = v.InferOutput<typeof LinkMethodSchema>;
export type Method = v.InferOutput<typeof MethodSchema>;

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
  bank: BankCodeSchema,
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

/** A status that nobody knows is open: the payment is still being processed, and never paid. */
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

export const HintsSchema = v.object({
  name: v.optional(text(120)),
  idType: v.optional(v.picklist(ID_TYPES)),
  idNumber: v.optional(text(32)),
  phone: v.optional(text(40)),
  email: v.optional(text(254)),
  personType: v.optional(v.picklist(PERSON_TYPES)),
});
/** Masked words for what the merchant already knows of the payer. Never the values themselves. */
export type Hints = v.InferOutput<typeof HintsSchema>;

export const OfferSchema = v.object({
  version: text(64),
  amountInCents: cents,
  currency,
  description: orNull(text(255)),
  merchant: MerchantSchema,
  methods: v.pipe(v.array(MethodSchema), v.maxLength(16)),
  hints: v.optional(HintsSchema, {}),
  attempt: orNull(AttemptSchema),
  now: timestamp,
});
export type Offer = v.InferOutput<typeof OfferSchema>;

/** What the payer typed; only what the offer asked for. The kit merges what the merchant knows. */
export const GivenCustomerSchema = v.object({
  name: v.optional(text(120)),
  idType: v.optional(v.picklist(ID_TYPES)),
  idNumber: v.optional(text(32)),
  phone: v.optional(text(40)),
  email: v.optional(text(254)),
});
export type GivenCustomer = v.InferOutput<typeof GivenCustomerSchema>;

const startBase = {
  order: OrderTokenSchema,
  offerVersion: v.optional(text(64)),
  callbackUrl: webAddress,
  /** The current attempt, when the payer wants another method or a new key. Compare-and-set. */
  replaces: v.optional(identifier),
  /** The payer declares not to have authorised the PSE payment that is being replaced. */
  override: v.optional(v.boolean(), false),
};

export const StartPayinSchema = v.variant('rail', [
  v.object({
    ...startBase,
    rail: v.literal('BRE_B'),
    breb: v.object({ keyType: v.picklist(KEY_TYPES) }),
    inlineCustomer: v.optional(GivenCustomerSchema),
  }),
  v.object({
    ...startBase,
    rail: v.literal('PSE'),
    pse: v.object({ bank: BankCodeSchema, personType: v.picklist(PERSON_TYPES) }),
    inlineCustomer: v.optional(GivenCustomerSchema),
  }),
]);
export type StartPayin = v.InferInput<typeof StartPayinSchema>;

export const StartLinkSchema = v.object({
  ...startBase,
  rail: v.optional(v.picklist(RAILS)),
  pse: v.optional(v.object({ bank: BankCodeSchema })),
});
export type StartLink = v.InferInput<typeof StartLinkSchema>;

export const IdempotencyKeySchema = v.pipe(
  v.string(),
  v.minLength(16),
  v.maxLength(128),
  v.regex(/^[\w-]+$/),
);

export const ProblemSchema = v.object({
  type: v.optional(v.pipe(v.string(), v.maxLength(256))),
  title: v.optional(v.pipe(v.string(), v.maxLength(256))),
  status: v.optional(v.pipe(v.number(), v.integer())),
  code: v.picklist(PROBLEM_CODES),
  detail: v.optional(v.pipe(v.string(), v.maxLength(1024))),
  errors: v.optional(v.pipe(v.array(FieldErrorSchema), v.maxLength(64))),
  attempt: v.optional(AttemptSchema),
  offer: v.optional(OfferSchema),
  retryAt: v.optional(timestamp),
});
export type Problem = v.InferOutput<typeof ProblemSchema>;
