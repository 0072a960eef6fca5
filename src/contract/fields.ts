import * as v from 'valibot';
import { LONGEST_TIMESTAMP, TIMESTAMP, parseTimestamp } from './values/dates.js';

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

/** The service writes UTC with milliseconds. */
export const timestamp = v.pipe(
  v.string(),
  v.maxLength(LONGEST_TIMESTAMP),
  v.regex(TIMESTAMP),
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

/** A country prefix, an underscore and a bank name. Which codes are supported is data (`bank-list.ts`). */
export const bankCode = v.pipe(v.string(), v.maxLength(64), v.regex(/^[A-Z]{2}_[A-Z0-9_]+$/));

/** Absent and null mean the same thing on this wire; both come out as null. */
export const orNull = <const Schema extends v.GenericSchema>(schema: Schema) =>
  v.optional(v.nullable(schema), null);

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
