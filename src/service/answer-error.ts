import { FIELD_ERROR_CODES, type FieldError, type FieldErrorCode } from '../contract/schema.js';
import type { ServiceErrorDetails, ServiceErrorKind } from './errors.js';

/**
 * What an answer that is no success says. The shape of the service's error body is not documented, so everything
 * in it is optional; and it may repeat what was sent, so nothing of it is passed on that could be a payer's data
 * or a key.
 */

/** Field names the requests have. Any other "field" could be a value in disguise. */
const FIELD_NAMES = new Set(
  (
    'amountInCents amountType bank breb callbackUrl currency cursor email id idNumber idType inlineCustomer ' +
    'keyString keyType limit name paymentLinkId personType phone pse rail reference'
  ).split(' '),
);
const MAX_FIELDS = 50;
const REQUEST_ID = /^[\w.:-]{1,128}$/;
const SERVICE_CODE = /^[A-Za-z][\w.-]{0,63}$/;

export function kindOfStatus(status: number): ServiceErrorKind {
  switch (status) {
    case 400:
    case 422:
      return 'invalid_input';
    case 401:
    case 403:
      return 'unauthorized';
    case 404:
    case 410:
      return 'not_found';
    case 409:
      return 'conflict';
    case 429:
      return 'rate_limited';
    // Both say that the server gave up waiting, which passes by itself.
    case 408:
    case 425:
      return 'unavailable';
    default:
      if (status >= 500) return 'unavailable';
      return status >= 400 ? 'refused' : 'unreadable_answer';
  }
}

/** The safe part of an error body. `sent` are the credential and the person's data of the request. */
export function describeErrorBody(
  body: unknown,
  headers: Headers,
  sent: readonly string[],
): Pick<ServiceErrorDetails, 'requestId' | 'serviceCode' | 'fields'> {
  return {
    requestId: requestIdOf(headers, sent) ?? harmless(member(body, 'requestId'), REQUEST_ID, sent),
    serviceCode: harmless(member(body, 'code'), SERVICE_CODE, sent),
    fields: fieldsOf(body),
  };
}

export function requestIdOf(headers: Headers, sent: readonly string[]): string | null {
  return harmless(headers.get('x-request-id'), REQUEST_ID, sent);
}

function harmless(value: unknown, pattern: RegExp, sent: readonly string[]): string | null {
  if (typeof value !== 'string' || !pattern.test(value)) return null;
  const lowered = value.toLowerCase();
  // Either may be a part of the other: a phone number may come back without its country's prefix.
  const repeats = (text: string) => lowered.includes(text) || text.includes(lowered);
  return sent.some((text) => repeats(text.toLowerCase())) ? null : value;
}

/** Errors come as a list of entries that name their field, or as one member per field. */
function fieldsOf(body: unknown): FieldError[] {
  const errors = member(body, 'errors');
  if (Array.isArray(errors)) {
    return errors.slice(0, MAX_FIELDS).map((entry: unknown) => ({
      field: fieldName(member(entry, 'field') ?? member(entry, 'path')),
      code: fieldCode(member(entry, 'code')),
    }));
  }
  if (typeof errors !== 'object' || errors === null) return [];
  return Object.entries(errors)
    .slice(0, MAX_FIELDS)
    .map(([name, code]) => ({ field: fieldName(name), code: fieldCode(code) }));
}

function fieldName(value: unknown): string {
  const segments = Array.isArray(value) ? value : typeof value === 'string' ? value.split('.', 8) : [];
  return segments.every((segment) => FIELD_NAMES.has(String(segment))) ? segments.join('.') : '';
}

/** An unknown code still says that the service does not take the value. */
function fieldCode(value: unknown): FieldErrorCode {
  return FIELD_ERROR_CODES.find((code) => code === value) ?? 'not_allowed';
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
