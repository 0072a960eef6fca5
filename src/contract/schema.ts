import * as v from 'valibot';
import { parseTimestamp } from './dates.js';

/**
 * The pieces every schema of the wire is made of. Each one bounds the length before it runs a pattern, so that
 * hostile text costs no more than it weighs.
 */

/** Text with at least one character and no control characters. */
export const text = (maxLength: number) =>
  v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(maxLength),
    v.check((value) => !hasControlCharacter(value), 'control_character'),
  );

/** Opaque ids travel in paths and logs, so only characters that are harmless in both are taken. */
export const identifier = v.pipe(v.string(), v.minLength(1), v.maxLength(128), v.regex(/^[\w.~-]+$/));

/** Integer cents, at least one. Floats and numbers beyond exact integers are refused: this is money. */
export const cents = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

export const currency = v.picklist(['COP']);

/** ISO 8601 in UTC or with an offset; the service writes UTC with milliseconds. */
export const timestamp = v.pipe(
  v.string(),
  v.maxLength(35),
  v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/),
  v.check((value) => parseTimestamp(value) !== null, 'format'),
);

/** An absolute web address. Whether it may be visited is decided where it is used (`safe-url.ts`). */
export const webAddress = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(2048),
  v.regex(/^https?:\/\//i),
  v.check(isUrl, 'format'),
);

/** Absent and null mean the same thing on this wire; both come out as null. */
export const orNull = <const Schema extends v.GenericSchema>(schema: Schema) =>
  v.optional(v.nullable(schema), null);

export type Reading<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly errors: FieldError[] };

/**
 * The one way to parse at the edge. A pipe stops at its first fault, so a pattern never runs on text whose length
 * was already refused.
 */
export function read<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
): Reading<v.InferOutput<Schema>> {
  const result = v.safeParse(schema, input, { abortPipeEarly: true });
  return result.success
    ? { ok: true, value: result.output }
    : { ok: false, errors: fieldErrors(result.issues) };
}

/** What is wrong with one field, in words a program can act on. */
export const FIELD_ERROR_CODES = [
  'required',
  'wrong_type',
  'too_short',
  'too_long',
  'too_small',
  'too_large',
  'format',
  'not_allowed',
] as const;
export type FieldErrorCode = (typeof FIELD_ERROR_CODES)[number];

export interface FieldError {
  readonly field: string;
  readonly code: FieldErrorCode;
}

/** Turns schema issues into stable field errors. The refused values themselves are never repeated. */
function fieldErrors(issues: readonly v.BaseIssue<unknown>[]): FieldError[] {
  const byField = new Map<string, FieldError>();
  for (const issue of issues) {
    const field = v.getDotPath(issue)?.slice(0, 128) ?? '';
    if (!byField.has(field)) byField.set(field, { field, code: fieldErrorCode(issue) });
  }
  return [...byField.values()];
}

function fieldErrorCode(issue: v.BaseIssue<unknown>): FieldErrorCode {
  if (issue.kind === 'schema') {
    if (issue.received === 'undefined' || issue.received === 'null') return 'required';
    return issue.type === 'picklist' || issue.type === 'literal' || issue.type === 'variant'
      ? 'not_allowed'
      : 'wrong_type';
  }
  switch (issue.type) {
    case 'min_length':
    case 'non_empty':
      return 'too_short';
    case 'max_length':
      return 'too_long';
    case 'min_value':
      return 'too_small';
    case 'max_value':
      return 'too_large';
    case 'safe_integer':
    case 'integer':
      return 'wrong_type';
    case 'partial_check':
    case 'forbidden':
      return 'not_allowed';
    default:
      return 'format';
  }
}

/** Not URL.canParse: browsers of 2023 lack it. */
function isUrl(value: string): boolean {
  try {
    return Boolean(new URL(value));
  } catch {
    return false;
  }
}

function hasControlCharacter(value: string): boolean {
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index);
    if (code < 32 || code === 127) return true;
  }
  return false;
}
