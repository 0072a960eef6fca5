import * as v from 'valibot';

/** Every way the backend contract can say no. The code is stable and is what programs act on. */
export const PROBLEM_CODES = [
  'invalid_request',
  'idempotency_key_missing',
  'return_url_not_allowed',
  'webhook_unreadable',
  'webhook_unauthorized',
  'origin_not_allowed',
  'not_found',
  'method_not_allowed',
  'offer_changed',
  'already_paid',
  'not_current',
  'pse_in_progress',
  'payload_too_large',
  'unsupported_media_type',
  'idempotency_mismatch',
  'method_unavailable',
  'service_refused',
  'too_many_attempts',
  'rate_limited',
  'internal_error',
  'service_unavailable',
  'store_unavailable',
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

/**
 * What a backend says with each code: the HTTP status, and a title for the merchant's engineer that never carries
 * personal data. docs/problems.md says what the widget does with each.
 */
export const PROBLEMS: Readonly<Record<ProblemCode, { status: number; title: string }>> = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  idempotency_key_missing: { status: 400, title: 'The Idempotency-Key header is missing or malformed' },
  return_url_not_allowed: { status: 400, title: 'The callbackUrl is outside the allowed return addresses' },
  webhook_unreadable: { status: 400, title: 'The webhook body is not an event' },
  webhook_unauthorized: { status: 401, title: 'The webhook header is missing or wrong' },
  origin_not_allowed: { status: 403, title: 'This origin may not use this checkout' },
  not_found: { status: 404, title: 'Nothing is here' },
  method_not_allowed: { status: 405, title: 'This address does not take this method' },
  offer_changed: { status: 409, title: 'The price or the methods of the order changed' },
  already_paid: { status: 409, title: 'The order is paid' },
  not_current: { status: 409, title: 'The attempt to replace is not the current one' },
  pse_in_progress: { status: 409, title: 'A PSE payment of this order may still be authorised' },
  payload_too_large: { status: 413, title: 'The request body is too large' },
  unsupported_media_type: { status: 415, title: 'The request body must be application/json' },
  idempotency_mismatch: { status: 422, title: 'This Idempotency-Key was used for another request' },
  method_unavailable: { status: 422, title: 'The order cannot be paid with this method' },
  service_refused: { status: 422, title: 'The payment service refused the payment' },
  too_many_attempts: { status: 429, title: 'The order has used all its attempts' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'The backend failed' },
  service_unavailable: { status: 503, title: 'The payment service cannot be reached' },
  store_unavailable: { status: 503, title: 'The store cannot be reached' },
};

export const PROBLEM_CONTENT_TYPE = 'application/problem+json';

/** What every problem says. Some also carry what they are about (`ProblemSchema`). */
export const PlainProblemSchema = v.object({ code: v.picklist(PROBLEM_CODES) });
