import type { Parsed } from '../parsed.js';
import type { PersonType } from '../kinds.js';

/**
 * What payers type about themselves, normalised and checked. Payers paste from PDFs and chats and type with
 * every keyboard, so spelling is forgiven and only content is refused.
 */

const INDIVIDUAL_ID_TYPES = ['CO_CC', 'CO_CE', 'PASSPORT'] as const;
const BUSINESS_ID_TYPES = ['CO_NIT'] as const;
/** What a payer in Colombia may give. The service takes one more, which only a merchant can know of. */
export type PayerIdType = (typeof INDIVIDUAL_ID_TYPES | typeof BUSINESS_ID_TYPES)[number];

/** PSE's rule: a company pays with its NIT and nothing else, a person with anything but a NIT. */
export function documentTypesFor(personType: PersonType): readonly PayerIdType[] {
  return personType === 'BUSINESS' ? BUSINESS_ID_TYPES : INDIVIDUAL_ID_TYPES;
}

/** Nothing was given, it has not the form of what was asked for, or the last digit of a NIT is not its own. */
type Refusal = 'required' | 'format' | 'nitCheckDigit';
export type Given = Parsed<{ value: string }, Refusal>;

/** What is left out of each kind of document as it is typed, and what must then remain. */
const DOCUMENTS: Readonly<Record<PayerIdType, readonly [separators: RegExp, form: RegExp]>> = {
  CO_CC: [/[ .,']/g, /^\d{3,10}$/],
  CO_CE: [/[ .]/g, /^[a-z\d]{3,12}$/i],
  CO_NIT: [/[ .,]/g, /^\d{9}(?:-?\d)?$/],
  PASSPORT: [/[ .]/g, /^[a-z\d]{5,15}$/i],
};

/**
 * The document number as the service takes it: capitals and digits, no separators. A NIT comes out as its nine
 * digits whether or not its check digit was typed, so that both spellings are one payer; {@link nitCheckDigit} gives the
 * tenth digit.
 */
export function parseDocument(idType: PayerIdType, text: string): Given {
  const number = parseNumber(text, ...DOCUMENTS[idType]);
  if (idType !== 'CO_NIT' || !number.ok) return number;
  const value = number.value.slice(0, 9);
  const right = number.value === value || number.value.endsWith(nitCheckDigit(value));
  return right ? { ok: true, value } : { ok: false, reason: 'nitCheckDigit' };
}

export function parseNumber(text: string, separators: RegExp, form: RegExp): Given {
  return parse(text, (typed) => {
    const number = typed.replace(separators, '');
    // Looked at as typed: in capitals, some foreign letters have turned into ASCII.
    return form.test(number) && number.toUpperCase();
  });
}

const NIT_WEIGHTS = [3, 7, 13, 17, 19, 23, 29, 37, 41];

/** The digit after the dash, for the nine digits of a NIT. */
export function nitCheckDigit(base: string): string {
  const sum = NIT_WEIGHTS.reduce((total, weight, index) => total + weight * Number(base.at(-1 - index)), 0);
  const remainder = sum % 11;
  return String(remainder < 2 ? remainder : 11 - remainder);
}

/** A phone in international form. A number without a country is Colombian when it looks like a mobile there. */
export function parsePhone(text: string): Given {
  return parse(text, (typed) => {
    const phone = typed
      .replace(/[ ().-]/g, '')
      .replace(/^00/, '+')
      .replace(/^(?:57)?(?=3\d{9}$)/, '+57');
    return /^\+(?:573\d{9}|(?!57|0)\d{8,15})$/.test(phone) && phone;
  });
}

const LONGEST_EMAIL = 254;
/** At most 64 characters with single dots before the sign, and two labels or more after it, the last of which is a word. */
const EMAIL =
  /^(?![^@]{65}|\.)(?:\.?[\w!#$%&'*+/=?^`{|}~-])+@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/i;

/**
 * An address that can receive a receipt: one at sign, a dotted ASCII name before it, a host with a dot after it.
 * Quoted names and literal IP addresses are legal mail that no payer has. An accent is nearly always a slip of the
 * keyboard, so it is refused where the payer can still mend it.
 */
export function parseEmail(text: string): Given {
  return parse(
    text,
    (typed) =>
      typed.length <= LONGEST_EMAIL &&
      EMAIL.test(typed) &&
      typed.replace(/@.*/, (host) => host.toLowerCase()),
  );
}

const LONGEST_NAME = 100;

/**
 * A person's or company's name: any script, digits and punctuation ("D1 S.A.S.", "O’Neill & Cía."), one space
 * between words. Quotes, bars and angle brackets are what PSE and its banks stumble over.
 */
export function parseName(text: string): Given {
  return parse(
    text,
    (name) =>
      name.length > 1 &&
      name.length <= LONGEST_NAME &&
      /\p{L}/u.test(name) &&
      !/[<>|"\\\p{Cc}\p{Cs}]/u.test(name) &&
      name,
  );
}

/** Far above any real field and far below what costs time. */
const LONGEST_INPUT = 256;

/** `read` gives the value of what was typed, or false when it has not the form of one. */
function parse(text: string, read: (typed: string) => string | false): Given {
  if (text.length > LONGEST_INPUT) return { ok: false, reason: 'format' };
  const typed = clean(text);
  const value = read(typed);
  return value ? { ok: true, value } : { ok: false, reason: typed ? 'format' : 'required' };
}

/**
 * Text as the payer meant it: composed accents, ASCII instead of full-width forms, one kind of space, dash and
 * apostrophe, and none of the invisible marks that come along with a paste.
 */
function clean(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\uff01-\uff5e]/g, (wide) => wide.normalize('NFKC'))
    .replace(/\p{Cf}/gu, '')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
}
