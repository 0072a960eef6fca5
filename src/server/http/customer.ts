import { CUSTOMER_FIELDS, type CustomerField, type Hints } from '../../contract/offer.js';
import type { GivenCustomer } from '../../contract/start.js';
import { parseAnyDocument } from '../../contract/payer/documents.js';
import { documentTypesFor, parseEmail, parseName, parsePhone } from '../../contract/payer/identity.js';
import type { PersonType } from '../../contract/kinds.js';
import type { FieldError } from '../../contract/schema.js';
import type { InlineCustomer } from '../../contract/service/resources.js';

/** What is known of a payer, what must still be asked, and how much of it a browser may see. */

export type KnownCustomer = Partial<InlineCustomer>;

/** The merchant's data as the service takes it. What does not pass is treated as unknown, so the payer is asked. */
export function knownCustomer(given: KnownCustomer | undefined): KnownCustomer {
  const known: { -readonly [Field in keyof KnownCustomer]: KnownCustomer[Field] } = {};
  const name = parse(given?.name, parseName);
  const phone = parse(given?.phone, parsePhone);
  const email = parse(given?.email, parseEmail);
  if (name !== undefined) known.name = name;
  if (phone !== undefined) known.phone = phone;
  if (email !== undefined) known.email = email;
  // A number without its type, or the other way round, is of no use.
  if (given?.idType !== undefined && given.idNumber !== undefined) {
    const document = parseAnyDocument(given.idType, given.idNumber);
    if (document.ok) Object.assign(known, { idType: given.idType, idNumber: document.value });
  }
  return known;
}

export function missingFields(known: KnownCustomer): CustomerField[] {
  return CUSTOMER_FIELDS.filter((field) => known[field] === undefined);
}

const DOTS = '•••';

/**
 * Enough for the payer to recognise the data, too little for another person to use it. Dots may be longer than what they
 * stand for, so the words are cut to what an offer takes.
 */
export function maskedHints(known: KnownCustomer): Hints {
  return {
    ...(known.name === undefined
      ? {}
      : { name: known.name.replace(/(\p{L})[^\s]*/gu, `$1${DOTS}`).slice(0, 120) }),
    ...(known.idType === undefined ? {} : { idType: known.idType }),
    ...(known.idNumber === undefined ? {} : { idNumber: DOTS + tail(known.idNumber) }),
    ...(known.phone === undefined ? {} : { phone: DOTS + tail(known.phone) }),
    ...(known.email === undefined
      ? {}
      : { email: known.email.replace(/^(.)[^@]*/, `$1${DOTS}`).slice(0, 254) }),
  };
}

function tail(text: string): string {
  return text.slice(-Math.min(4, Math.floor(text.length / 3)));
}

export type MergedCustomer =
  | { readonly ok: true; readonly customer: InlineCustomer | null }
  | { readonly ok: false; readonly errors: FieldError[] };

/**
 * The customer to send to the service: what the merchant knows, and what the payer gave for the rest. The service
 * takes all five fields or none, so an incomplete customer is left out where it is not required.
 */
export function mergeCustomer(
  known: KnownCustomer,
  given: GivenCustomer | undefined,
  required: boolean,
  personType?: PersonType,
): MergedCustomer {
  const errors: FieldError[] = [];
  const merged: { -readonly [Field in keyof KnownCustomer]: KnownCustomer[Field] } = { ...known };
  const refuse = (field: CustomerField, reason: string) => {
    errors.push({ field: `inlineCustomer.${field}`, code: reason === 'required' ? 'required' : 'format' });
  };
  const take = (field: 'name' | 'phone' | 'email', parser: Parser) => {
    if (known[field] !== undefined || given?.[field] === undefined) return;
    const parsed = parser(given[field]);
    if (parsed.ok) merged[field] = parsed.value;
    else refuse(field, parsed.reason);
  };
  take('name', parseName);
  take('phone', parsePhone);
  take('email', parseEmail);
  if (known.idNumber === undefined && given?.idType !== undefined && given.idNumber !== undefined) {
    const document = parseAnyDocument(given.idType, given.idNumber);
    if (document.ok) Object.assign(merged, { idType: given.idType, idNumber: document.value });
    else refuse('idNumber', document.reason);
  }
  if (errors.length > 0) return { ok: false, errors };

  const missing = missingFields(merged);
  if (missing.length > 0) {
    if (!required) return { ok: true, customer: null };
    return {
      ok: false,
      errors: missing.map((field) => ({ field: `inlineCustomer.${field}`, code: 'required' })),
    };
  }
  const customer = merged as InlineCustomer;
  if (personType !== undefined && !documentTypesFor(personType).some((type) => type === customer.idType)) {
    return { ok: false, errors: [{ field: 'inlineCustomer.idType', code: 'not_allowed' }] };
  }
  return { ok: true, customer };
}

type Parser = (text: string) => { ok: true; value: string } | { ok: false; reason: string };

function parse(text: string | undefined, parser: Parser): string | undefined {
  if (typeof text !== 'string') return undefined;
  const parsed = parser(text);
  return parsed.ok ? parsed.value : undefined;
}
