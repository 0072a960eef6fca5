import { type Parsed, type Refused, refuse } from './parsed.js';

/**
 * What payers type about themselves, normalised and checked. Payers paste from PDFs and chats and type with
 * every keyboard, so spelling is forgiven and only content is refused, each time with a reason to explain it.
 */

export const ID_TYPES = ['CO_CC', 'CO_CE', 'CO_NIT', 'MXN_RFC', 'PASSPORT'] as const;
export type IdType = (typeof ID_TYPES)[number];

export const PERSON_TYPES = ['INDIVIDUAL', 'BUSINESS'] as const;
export type PersonType = (typeof PERSON_TYPES)[number];

const INDIVIDUAL_ID_TYPES = ['CO_CC', 'CO_CE', 'PASSPORT'] as const satisfies readonly IdType[];
const BUSINESS_ID_TYPES = ['CO_NIT'] as const satisfies readonly IdType[];

/** PSE's rule: a company pays with its NIT and nothing else, a person with anything but a NIT. */
export function documentTypesFor(personType: PersonType): readonly IdType[] {
  return personType === 'BUSINESS' ? BUSINESS_ID_TYPES : INDIVIDUAL_ID_TYPES;
}

type LengthRefusal = 'required' | 'too_short' | 'too_long';

export type DocumentRefusal = LengthRefusal | 'invalid_characters' | 'invalid_format' | 'wrong_check_digit';
/** Worth a second look by the payer, but not wrong. */
export type DocumentHint = 'unusually_short';

export type ParsedDocument = Parsed<{ value: string; hint?: DocumentHint }, DocumentRefusal>;

/** Far above any real field and far below what costs time. */
const LONGEST_INPUT = 256;

/**
 * The document number as the service takes it: capitals and digits, no separators. A NIT comes out as its nine
 * digits whether or not its check digit was typed, so that both spellings are one payer; whoever needs the tenth
 * digit has {@link nitCheckDigit}.
 */
export function parseDocument(idType: IdType, text: string): ParsedDocument {
  const typed = clean(text);
  if (typeof typed !== 'string') return typed;
  switch (idType) {
    case 'CO_CC': {
      const digits = typed.replace(/[ .,']/g, '');
      const refused = outside(digits, /^\d*$/, 3, 10);
      if (refused) return refused;
      return digits.length < 6
        ? { ok: true, value: digits, hint: 'unusually_short' }
        : { ok: true, value: digits };
    }
    case 'CO_CE':
      return alphanumeric(typed, 3, 12);
    case 'PASSPORT':
      return alphanumeric(typed, 5, 15);
    case 'CO_NIT':
      return parseNit(typed);
    case 'MXN_RFC': {
      const letters = typed.replace(/[ .-]/g, '');
      const refused = outside(letters, /^[A-Za-zÑñ&\d]*$/, 12, 13);
      if (refused) return refused;
      const value = letters.toUpperCase();
      return RFC.test(value) ? { ok: true, value } : refuse('invalid_format');
    }
    default:
      throw new TypeError(`Unknown document type: ${String(idType satisfies never)}`);
  }
}

/** Initials, date of birth or foundation, and three more. The last is a check digit that old papers get wrong. */
const RFC = /^[A-ZÑ&]{3,4}\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[A-Z\d]{2}[\dA]$/;

function alphanumeric(typed: string, shortest: number, longest: number): ParsedDocument {
  const value = typed.replace(/[ .]/g, '');
  return outside(value, /^[A-Za-z\d]*$/, shortest, longest) ?? { ok: true, value: value.toUpperCase() };
}

function parseNit(typed: string): ParsedDocument {
  const compact = typed.replace(/[ .,]/g, '');
  const digits = compact.replace('-', '');
  const refused = outside(digits, /^\d*$/, 9, 10);
  if (refused) return refused;
  const match = /^(\d{9})(?:-?(\d))?$/.exec(compact);
  if (!match?.[1]) return refuse('invalid_format');
  const [, base, checkDigit] = match;
  return checkDigit === undefined || checkDigit === nitCheckDigit(base)
    ? { ok: true, value: base }
    : refuse('wrong_check_digit');
}

const NIT_WEIGHTS = [3, 7, 13, 17, 19, 23, 29, 37, 41];

/** The digit after the dash, for the nine digits of a NIT. */
export function nitCheckDigit(base: string): string {
  const sum = NIT_WEIGHTS.reduce((total, weight, index) => total + weight * Number(base.at(-1 - index)), 0);
  const remainder = sum % 11;
  return String(remainder < 2 ? remainder : 11 - remainder);
}

export type PhoneRefusal =
  | LengthRefusal
  | 'invalid_characters'
  | 'country_code_missing'
  | 'invalid_country_code'
  | 'not_a_colombian_mobile';

/** A phone in international form. A number without a country is Colombian when it looks like a mobile there. */
export function parsePhone(text: string): Parsed<{ value: string }, PhoneRefusal> {
  const typed = clean(text);
  if (typeof typed !== 'string') return typed;
  const compact = typed.replace(/[ ().-]/g, '').replace(/^00/, '+');
  const match = /^(\+?)(\d+)$/.exec(compact);
  if (!match?.[2]) return refuse('invalid_characters');
  const [, plus, digits] = match;

  const colombian = plus ? digits.startsWith('57') : digits.startsWith('573') && digits.length >= 11;
  if (colombian || (!plus && digits.startsWith('3') && digits.length <= 10)) {
    const national = colombian ? digits.slice(2) : digits;
    if (national.length < 10) return refuse('too_short');
    if (national.length > 10) return refuse('too_long');
    return national.startsWith('3')
      ? { ok: true, value: `+57${national}` }
      : refuse('not_a_colombian_mobile');
  }
  if (digits.length < 8) return refuse('too_short');
  if (digits.length > 15) return refuse('too_long');
  if (!plus) return refuse('country_code_missing');
  return digits.startsWith('0') ? refuse('invalid_country_code') : { ok: true, value: `+${digits}` };
}

export type EmailRefusal =
  LengthRefusal | 'invalid_characters' | 'at_sign_missing' | 'invalid_format' | 'invalid_domain';

/**
 * An address that can receive a receipt: one at sign, a dotted ASCII name before it, a host with a dot after it.
 * Quoted names and literal IP addresses are legal mail that no payer has. An accent is nearly always a slip of the
 * keyboard, so it is refused where the payer can still mend it.
 */
export function parseEmail(text: string): Parsed<{ value: string }, EmailRefusal> {
  const typed = clean(text);
  if (typeof typed !== 'string') return typed;
  if (typed.length > 254) return refuse('too_long');
  if (!/^[\x21-\x7e]+$/.test(typed)) return refuse('invalid_characters');
  const [name, domain, ...more] = typed.split('@');
  if (!name || domain === undefined) return refuse(name ? 'at_sign_missing' : 'invalid_format');
  if (more.length > 0 || name.length > 64 || !EMAIL_NAME.test(name)) return refuse('invalid_format');
  const labels = domain.toLowerCase().split('.');
  if (labels.length < 2 || !labels.every(isHostLabel) || !/^[a-z]/.test(labels.at(-1) ?? '')) {
    return refuse('invalid_domain');
  }
  return { ok: true, value: `${name}@${labels.join('.')}` };
}

const EMAIL_NAME = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;

function isHostLabel(label: string): boolean {
  return label.length <= 63 && /^[a-z\d-]+$/.test(label) && !label.startsWith('-') && !label.endsWith('-');
}

export type NameRefusal = LengthRefusal | 'invalid_characters' | 'letters_missing';

const LONGEST_NAME = 100;

/**
 * A person's or company's name: any script, digits and punctuation ("D1 S.A.S.", "O’Neill & Cía."), one space
 * between words. Quotes, bars and angle brackets are what PSE and its banks stumble over.
 */
export function parseName(text: string): Parsed<{ value: string }, NameRefusal> {
  const value = clean(text);
  if (typeof value !== 'string') return value;
  if (value.length > LONGEST_NAME) return refuse('too_long');
  if (/[<>|"\\\p{Cc}\p{Cs}]/u.test(value)) return refuse('invalid_characters');
  if (!/\p{L}/u.test(value)) return refuse('letters_missing');
  return value.length < 2 ? refuse('too_short') : { ok: true, value };
}

/**
 * Text as the payer meant it: composed accents, ASCII instead of full-width forms, one kind of space, dash and
 * apostrophe, and none of the invisible marks that come along with a paste.
 */
function clean(text: string): string | Refused<'required' | 'too_long'> {
  if (text.length > LONGEST_INPUT) return refuse('too_long');
  const typed = text
    .normalize('NFC')
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
  return typed === '' ? refuse('required') : typed;
}

/** Looks at the letters as typed: in capitals, some foreign ones have turned into ASCII. */
function outside(
  value: string,
  allowed: RegExp,
  shortest: number,
  longest: number,
): Refused<'invalid_characters' | 'too_short' | 'too_long'> | undefined {
  if (!allowed.test(value)) return refuse('invalid_characters');
  if (value.length < shortest) return refuse('too_short');
  return value.length > longest ? refuse('too_long') : undefined;
}
