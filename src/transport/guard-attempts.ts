import type { Attempt, Offer, Problem } from '../contract/backend.js';
import {
  bankCode,
  check,
  currency,
  description,
  flag,
  identifier,
  integer,
  keyType,
  list,
  merchant,
  object,
  offerShape,
  one,
  optional,
  orNull,
  rail,
  refuse,
  string,
  text,
  timestamp,
  variant,
  version,
} from './guard.js';

/** Reads attempts and problems, and offers with an attempt: what comes after the first screen. */

const webAddress = check(string(2048, /^https?:\/\//i), (value) => new URL(value));

const brebSource = object({
  keyType,
  keyString: text(256),
  qrString: orNull(string(256_000)),
  qrText: orNull(string(1024)),
  checkoutUrl: orNull(webAddress),
});

const pseSource = object({
  bank: bankCode,
  bankName: orNull(text(80)),
  pseUrl: orNull(webAddress),
  cus: orNull(text(64)),
});

const anyStatus = text(128);

const attemptBase = {
  id: identifier,
  order: string(512, /^[\w.~:@!$'()*+,;=-]+$/),
  reference: text(256),
  amountInCents: integer(1),
  confirmedAmountInCents: orNull(integer(0)),
  currency,
  errorCode: orNull(text(128)),
  createdAt: timestamp,
  updatedAt: timestamp,
  resultAt: orNull(timestamp),
  expiresAt: orNull(timestamp),
  late: optional(flag, false),
  stalled: optional(flag, false),
  merchant,
  description,
  settlement: object({
    state: one('OPEN PAID AMOUNT_DIFFERS'),
    by: orNull(identifier),
    duplicate: flag,
  }),
  version,
  now: timestamp,
  waited: optional(flag, false),
};

const payinBase = {
  ...attemptBase,
  kind: one('PAYIN'),
  // Where the schema refuses, a name that nobody knows is open: never paid.
  status: (value: unknown) =>
    /^(CONFIRMED|DECLINED|CANCELED|PENDING)$/.test(anyStatus(value) as string) ? value : 'PROCESSING',
  rail,
};
const brebAttempt = object({ ...payinBase, sourceData: orNull(brebSource) });
const pseAttempt = object({ ...payinBase, sourceData: orNull(pseSource) });
const linkAttempt = object({
  ...attemptBase,
  kind: one('PAYMENT_LINK'),
  status: one('PENDING COMPLETED EXPIRED'),
  rail: orNull(rail),
  paymentLinkUrl: orNull(webAddress),
});

const attempt = variant(linkAttempt, pseAttempt, brebAttempt);

const offer = object({ ...offerShape, attempt: orNull(attempt) });

const problem = object({
  type: optional(string(256)),
  title: optional(string(256)),
  status: optional((value) => (Number.isInteger(value) ? value : refuse())),
  code: one(
    'invalid_request idempotency_key_missing return_url_not_allowed webhook_unreadable ' +
      'webhook_unauthorized origin_not_allowed not_found method_not_allowed offer_changed already_paid ' +
      'not_current pse_in_progress payload_too_large unsupported_media_type idempotency_mismatch ' +
      'method_unavailable service_refused too_many_attempts rate_limited internal_error ' +
      'service_unavailable store_unavailable',
  ),
  detail: optional(string(1024)),
  errors: optional(
    list(
      object({
        field: string(128),
        code: one('required wrong_type too_short too_long too_small too_large format not_allowed'),
      }),
      64,
    ),
  ),
  attempt: optional(attempt),
  offer: optional(offer),
  retryAt: optional(timestamp),
});

export const guard = {
  readOffer: offer as (value: unknown) => Offer,
  readAttempt: attempt as (value: unknown) => Attempt,
  readProblem: problem as (value: unknown) => Problem,
};

export type Guard = typeof guard;
