import type { Attempt, Offer, Problem } from '../contract/backend.js';

/**
 * Reads from the wire. Says the same as the schemas of the contract (`contract/backend.ts`) in a tenth of the bytes; a
 * test holds both to the same cases. Each reader gives back a value that is safe to trust, without unknown keys, or
 * throws.
 */
type Reader = (value: unknown) => unknown;
type Shape = Readonly<Record<string, Reader>>;

function refuse(): never {
  throw new TypeError('malformed');
}

const string =
  (maxLength: number, pattern?: RegExp, minLength = 0): Reader =>
  (value) =>
    typeof value === 'string' &&
    value.length >= minLength &&
    value.length <= maxLength &&
    (pattern === undefined || pattern.test(value))
      ? value
      : refuse();

const text = (maxLength: number): Reader => string(maxLength, /^[^\x00-\x1f\x7f]*$/, 1);

/** A text that must also mean something: the check says so, and may throw when it does not. */
const check =
  (reader: Reader, means: (text: string) => unknown): Reader =>
  (value) => {
    const text = reader(value) as string;
    try {
      if (means(text)) return text;
    } catch {
      // Refused below.
    }
    return refuse();
  };

const integer =
  (min: number): Reader =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= min ? value : refuse();

export const flag: Reader = (value) => (typeof value === 'boolean' ? value : refuse());

export const one = (names: string): Reader => {
  const known = names.split(' ');
  return (value) => (known.includes(value as string) ? value : refuse());
};

export const orNull =
  (reader: Reader): Reader =>
  (value) =>
    value === undefined || value === null ? null : reader(value);

/** Absent stays absent, or becomes the fallback. */
const optional =
  (reader: Reader, fallback?: unknown): Reader =>
  (value) =>
    value === undefined ? fallback : reader(value);

const list =
  (reader: Reader, maxLength: number): Reader =>
  (value) =>
    Array.isArray(value) && value.length <= maxLength ? value.map(reader) : refuse();

export const object =
  (shape: Shape): Reader =>
  (value) => {
    if (typeof value !== 'object' || value === null) return refuse();
    const read: Record<string, unknown> = {};
    for (const key in shape) {
      const member = shape[key]?.((value as Record<string, unknown>)[key]);
      if (member !== undefined) read[key] = member;
    }
    return read;
  };

export const identifier = string(128, /^[\w.~-]+$/);
const currency = one('COP');
const bankCode = string(64, /^[A-Z]{2}_[A-Z0-9_]+$/);
export const keyType = one('SINGLE_USE QR_CODE');
export const rail = one('BRE_B PSE');
const version = text(64);
const description = orNull(text(255));
const timestamp = check(
  string(35, /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/),
  // A day that the calendar does not have comes back as another, or not at all.
  (value) => new Date(`${value.slice(0, 10)}T00:00Z`).toISOString().slice(0, 10) === value.slice(0, 10),
);

const merchant = object({
  name: text(120),
  taxId: orNull(text(32)),
  supportEmail: orNull(text(254)),
  supportPhone: orNull(text(40)),
  payeeName: orNull(text(120)),
});

const requires = list(one('name idType idNumber phone email'), 5);
const payinKind = optional(one('PAYIN'), 'PAYIN');

const brebMethod = object({ kind: payinKind, rail, keyType, requires });

const pseMethod = object({
  kind: payinKind,
  rail,
  banks: list(object({ code: bankCode, name: text(80), aliases: optional(list(text(80), 16)) }), 200),
  requires,
});

const linkMethod = object({ kind: one('PAYMENT_LINK'), rail: orNull(rail), bank: orNull(bankCode) });

/** Kind and rail tell the variants apart; each of them then insists on its own. */
export const variant =
  (link: Reader, pse: Reader, breb: Reader): Reader =>
  (value) => {
    const { kind, rail } = Object(value) as Record<string, unknown>;
    return (kind === 'PAYMENT_LINK' ? link : rail === 'PSE' ? pse : breb)(value);
  };

const offerShape = {
  version,
  amountInCents: integer(1),
  currency,
  description,
  merchant,
  methods: list(variant(linkMethod, pseMethod, brebMethod), 16),
  hints: optional(
    object({
      name: optional(text(120)),
      idType: optional(one('CO_CC CO_CE CO_NIT MXN_RFC PASSPORT')),
      idNumber: optional(text(32)),
      phone: optional(text(40)),
      email: optional(text(254)),
      personType: optional(one('INDIVIDUAL BUSINESS')),
    }),
    {},
  ),
  now: timestamp,
};

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

export const readOffer = offer as (value: unknown) => Offer;
export const readAttempt = attempt as (value: unknown) => Attempt;
export const readProblem = problem as (value: unknown) => Problem;
