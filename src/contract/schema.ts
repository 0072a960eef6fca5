import * as v from 'valibot';

/** How servers read what is sent to them, and what they say of fields that are wrong. */

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
      return 'not_allowed';
    default:
      return 'format';
  }
}
