import * as v from 'valibot';
import { KEY_TYPES, PERSON_TYPES, RAILS } from '../kinds.js';
import { bankCode, cents, currency, text, webAddress } from '../fields.js';
import { InlineCustomerSchema } from './resources.js';

/** What the payment service takes, with the rules of its interface. */

export const MAX_REFERENCE_LENGTH = 128;
const reference = text(MAX_REFERENCE_LENGTH);

const payinBase = {
  amountInCents: cents,
  currency,
  reference,
  inlineCustomer: v.optional(InlineCustomerSchema),
  callbackUrl: v.optional(webAddress),
};

export const CreatePayinSchema = v.variant('rail', [
  v.object({
    ...payinBase,
    rail: v.literal('BRE_B'),
    // The shared schema lists keyString as required here, yet the payin guides never send it.
    breb: v.object({ keyType: v.picklist(KEY_TYPES), keyString: v.optional(text(256)) }),
  }),
  v.object({
    ...payinBase,
    rail: v.literal('PSE'),
    pse: v.object({ bank: bankCode, personType: v.picklist(PERSON_TYPES) }),
  }),
]);
export type CreatePayin = v.InferInput<typeof CreatePayinSchema>;

export const CreatePayoutSchema = v.object({
  amountInCents: cents,
  currency,
  rail: v.literal('BRE_B'),
  reference,
  inlineCustomer: InlineCustomerSchema,
  breb: v.object({ keyString: text(256) }),
});
export type CreatePayout = v.InferInput<typeof CreatePayoutSchema>;

export const CreatePaymentLinkSchema = v.pipe(
  v.object({
    amountType: v.literal('FIXED'),
    amountInCents: cents,
    reference,
    callbackUrl: webAddress,
    rail: v.optional(v.picklist(RAILS)),
    inlineCustomer: v.optional(InlineCustomerSchema),
    pse: v.optional(v.object({ bank: bankCode })),
  }),
  v.forward(
    v.partialCheck(
      [['rail'], ['pse']],
      ({ rail, pse }) => pse === undefined || rail === 'PSE',
      'pse only with rail PSE',
    ),
    ['pse'],
  ),
);
export type CreatePaymentLink = v.InferInput<typeof CreatePaymentLinkSchema>;
