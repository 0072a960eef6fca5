import * as v from 'valibot';
import { ID_TYPES, KEY_TYPES, PERSON_TYPES, RAILS } from './kinds.js';
import { bankCode, cents, currency, orNull, text, timestamp, webAddress } from './fields.js';

/** What can be paid and how, as the backend offers it to the widget. */

export const CUSTOMER_FIELDS = ['name', 'idType', 'idNumber', 'phone', 'email'] as const;
export type CustomerField = (typeof CUSTOMER_FIELDS)[number];

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
  code: bankCode,
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
  bank: orNull(bankCode),
});

export const MethodSchema = v.union([BrebMethodSchema, PseMethodSchema, LinkMethodSchema]);
export type BrebMethod = v.InferOutput<typeof BrebMethodSchema>;
export type PseMethod = v.InferOutput<typeof PseMethodSchema>;
export type Method = v.InferOutput<typeof MethodSchema>;

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

/** An offer of which no attempt was made yet: all that the first screen reads. */
export const FirstOfferSchema = v.object({
  version: text(64),
  amountInCents: cents,
  currency,
  description: orNull(text(255)),
  merchant: MerchantSchema,
  methods: v.pipe(v.array(MethodSchema), v.maxLength(16)),
  hints: v.optional(HintsSchema, {}),
  attempt: orNull(v.null()),
  now: timestamp,
});
