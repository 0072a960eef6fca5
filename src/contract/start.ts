import * as v from 'valibot';
import { OrderTokenSchema } from './backend.js';
import { ID_TYPES, KEY_TYPES, PERSON_TYPES, RAILS } from './kinds.js';
import { bankCode, identifier, text, webAddress } from './fields.js';

/** What the widget sends to start a payment. */

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
    pse: v.object({ bank: bankCode, personType: v.picklist(PERSON_TYPES) }),
    inlineCustomer: v.optional(GivenCustomerSchema),
  }),
]);
export type StartPayin = v.InferInput<typeof StartPayinSchema>;

export const StartLinkSchema = v.object({
  ...startBase,
  rail: v.optional(v.picklist(RAILS)),
  pse: v.optional(v.object({ bank: bankCode })),
});
export type StartLink = v.InferInput<typeof StartLinkSchema>;

export const IdempotencyKeySchema = v.pipe(
  v.string(),
  v.minLength(16),
  v.maxLength(128),
  v.regex(/^[\w-]+$/),
);
