import * as v from 'valibot';
import { ID_TYPES, KEY_TYPES, RAILS } from '../kinds.js';
import { errorCodeSchema } from './error-code.js';
import { currency, identifier, orNull, text, timestamp } from '../fields.js';

/**
 * The payment service's resources as they arrive. Lenient where its samples contradict each other (a missing
 * `amountInCents`, a customer that is a string, a `pseUrl` that is null at first), strict where money or safety
 * is at stake. Unknown keys are dropped.
 */

const statusName = v.pipe(v.string(), v.minLength(1), v.maxLength(64));
const serviceText = v.pipe(v.string(), v.maxLength(512));
const amount = v.pipe(v.number(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER));
const amountInCents = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** PNG data URLs are large; the picture itself is checked by `png.ts` where it is shown. */
const MAX_QR_LENGTH = 256_000;

export const InlineCustomerSchema = v.object({
  name: text(120),
  idType: v.picklist(ID_TYPES),
  idNumber: text(32),
  phone: v.pipe(v.string(), v.maxLength(16), v.regex(/^\+\d{8,15}$/)),
  email: v.pipe(v.string(), v.maxLength(254), v.regex(/^[^\s@]+@[^\s@]+$/)),
});
export type InlineCustomer = v.InferOutput<typeof InlineCustomerSchema>;

/** As echoed by the service: an object in single payins, a string in lists, absent in links. */
const echoedCustomer = orNull(
  v.union([
    v.object({
      name: v.optional(serviceText),
      idType: v.optional(serviceText),
      idNumber: v.optional(serviceText),
      phone: v.optional(serviceText),
      email: v.optional(serviceText),
    }),
    v.pipe(v.string(), v.maxLength(4096)),
  ]),
);

/** Rail-specific data; which fields are there depends on the rail and on how far the payin has come. */
export const SourceDataSchema = v.object({
  keyType: orNull(v.picklist(KEY_TYPES)),
  keyString: orNull(text(256)),
  qrString: orNull(v.pipe(v.string(), v.maxLength(MAX_QR_LENGTH))),
  qrText: orNull(v.pipe(v.string(), v.maxLength(1024))),
  checkoutUrl: orNull(v.pipe(v.string(), v.maxLength(2048))),
  pseUrl: orNull(v.pipe(v.string(), v.maxLength(2048))),
  bank: orNull(v.pipe(v.string(), v.maxLength(64))),
  cus: orNull(v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.maxLength(64))),
});

export const PayinSchema = v.object({
  id: identifier,
  amount: orNull(amount),
  amountInCents: orNull(amountInCents),
  confirmedAmount: orNull(amount),
  confirmedAmountInCents: orNull(amountInCents),
  currency,
  status: statusName,
  settlementStatus: orNull(serviceText),
  rail: v.pipe(v.string(), v.minLength(1), v.maxLength(32)),
  reference: text(256),
  paymentLinkId: orNull(identifier),
  inlineCustomer: echoedCustomer,
  errorCode: orNull(errorCodeSchema),
  createdAt: timestamp,
  updatedAt: timestamp,
  resultAt: orNull(timestamp),
  chargebackAt: orNull(timestamp),
  organizationId: orNull(identifier),
  sourceData: orNull(SourceDataSchema),
  callbackUrl: orNull(v.pipe(v.string(), v.maxLength(4096))),
});
export type Payin = v.InferOutput<typeof PayinSchema>;

export const PayoutSchema = v.object({
  id: identifier,
  amount: orNull(amount),
  amountInCents: orNull(amountInCents),
  currency,
  status: statusName,
  rail: v.pipe(v.string(), v.minLength(1), v.maxLength(32)),
  reference: text(256),
  inlineCustomer: echoedCustomer,
  errorCode: orNull(errorCodeSchema),
  createdAt: timestamp,
  updatedAt: timestamp,
  resultAt: orNull(timestamp),
  organizationId: orNull(identifier),
  sourceData: orNull(v.object({ keyString: orNull(text(256)) })),
});
export type Payout = v.InferOutput<typeof PayoutSchema>;

export const PaymentLinkSchema = v.object({
  paymentLinkId: identifier,
  paymentLinkUrl: orNull(v.pipe(v.string(), v.maxLength(2048))),
  status: statusName,
  createdAt: timestamp,
  expiresAt: orNull(timestamp),
  completedAt: orNull(timestamp),
  reference: orNull(text(256)),
  amount: orNull(amount),
  amountInCents: orNull(amountInCents),
  currency: orNull(currency),
  rail: orNull(v.picklist(RAILS)),
  inlineCustomer: echoedCustomer,
});
export type PaymentLink = v.InferOutput<typeof PaymentLinkSchema>;

/** The receiver behind a BREB key. Personal data: shown masked, never handed whole to a browser. */
export const KeyLookupSchema = v.object({
  details: v.object({
    name: serviceText,
    documentType: orNull(serviceText),
    documentNumber: orNull(serviceText),
    bankAccountNumber: orNull(serviceText),
    keyString: serviceText,
    keyType: orNull(serviceText),
    bankName: orNull(serviceText),
  }),
});
export type KeyLookup = v.InferOutput<typeof KeyLookupSchema>;

const cursor = orNull(v.pipe(v.string(), v.maxLength(1024)));

export const PageInfoSchema = v.object({
  hasNext: v.boolean(),
  hasPrevious: v.boolean(),
  nextCursor: cursor,
  previousCursor: cursor,
});
export type PageInfo = v.InferOutput<typeof PageInfoSchema>;

export const PayinPageSchema = v.object({
  data: v.pipe(v.array(PayinSchema), v.maxLength(100)),
  pageInfo: PageInfoSchema,
});
