import { crc16 } from './crc16.js';
import { centsFromDecimal } from '../values/cents.js';
import { type Parsed, refuse } from '../parsed.js';

/** Sub-field of template 26 that holds the key, by the kind of key. */
export const EMV_KEY_FIELDS = {
  DOCUMENT: '01',
  MOBILE: '02',
  EMAIL: '03',
  ALPHANUMERIC: '04',
  MERCHANT_CODE: '05',
} as const;

export type EmvKeyKind = keyof typeof EMV_KEY_FIELDS;

export interface EmvKey {
  readonly kind: EmvKeyKind;
  readonly value: string;
}

/** What a payload says, as far as the Colombian profile goes. Only the checksum is promised to be there. */
export interface EmvQr {
  /** A static code is printed once and paid many times; a dynamic one belongs to one payment. */
  readonly use: 'STATIC' | 'DYNAMIC' | null;
  readonly key: EmvKey | null;
  readonly network: string | null;
  /** `null` when the payer types the amount: the field is absent or says zero. */
  readonly amountInCents: number | null;
  /** ISO 4217 number; `170` is COP. */
  readonly currency: string | null;
  readonly country: string | null;
  readonly merchantName: string | null;
  readonly merchantCity: string | null;
  readonly terminal: string | null;
  readonly purpose: string | null;
  readonly channel: string | null;
  readonly transactionId: string | null;
  readonly securityHash: string | null;
}

export type EmvQrRefusal =
  | 'required'
  | 'too_long'
  | 'invalid_characters'
  | 'crc_missing'
  | 'crc_wrong'
  | 'malformed'
  | 'unknown_format'
  | 'duplicate_field'
  | 'invalid_amount';

/** Twice what the profile produces, and well within what a QR code holds. */
const LONGEST_PAYLOAD = 1_024;
const CHECKSUM = /6304([0-9A-F]{4})$/;

/**
 * Reads a merchant-presented QR payload. Strict about what makes it one payload with one amount (checksum,
 * structure, no repeated field); lenient about which fields are there, since networks differ.
 */
export function parseEmvQr(text: string): Parsed<{ qr: EmvQr }, EmvQrRefusal> {
  if (text === '') return refuse('required');
  if (text.length > LONGEST_PAYLOAD) return refuse('too_long');
  // A lone surrogate has no UTF-8 form, so the bytes checked would not be the bytes drawn.
  if (/[\p{Cc}\p{Cs}]/u.test(text)) return refuse('invalid_characters');

  const checksum = CHECKSUM.exec(text);
  if (!checksum) return refuse('crc_missing');
  if (crc16(text.slice(0, -4)) !== checksum[1]) return refuse('crc_wrong');

  const fields = readFields(text);
  if (typeof fields === 'string') return refuse(fields);
  const ids = [...fields.keys()];
  if (ids[0] !== '00' || fields.get('00') !== '01') return refuse('unknown_format');
  if (ids.at(-1) !== '63') return refuse('malformed');

  const amountInCents = centsFromDecimal(fields.get('54') ?? '0');
  if (amountInCents === null) return refuse('invalid_amount');

  // A template that is not well-formed inside says nothing, but does not spoil the rest.
  const within = (template: string, id: string) => {
    const inner = readFields(fields.get(template) ?? '');
    return typeof inner === 'string' ? null : (inner.get(id) ?? null);
  };
  const key = (Object.keys(EMV_KEY_FIELDS) as EmvKeyKind[])
    .map((kind) => ({ kind, value: within('26', EMV_KEY_FIELDS[kind]) }))
    .find((found): found is EmvKey => found.value !== null);
  return {
    ok: true,
    qr: {
      use: fields.get('01') === '11' ? 'STATIC' : fields.get('01') === '12' ? 'DYNAMIC' : null,
      key: key ?? null,
      network: within('26', '00'),
      amountInCents: amountInCents || null,
      currency: fields.get('53') ?? null,
      country: fields.get('58') ?? null,
      merchantName: fields.get('59') ?? null,
      merchantCity: fields.get('60') ?? null,
      terminal: within('62', '07'),
      purpose: within('62', '08'),
      channel: within('80', '01'),
      transactionId: within('90', '01'),
      securityHash: within('91', '01'),
    },
  };
}

/** Fields in their order, or what is wrong with them. A Map, because ids come from outside. */
function readFields(text: string): Map<string, string> | 'malformed' | 'duplicate_field' {
  // Lengths count characters, and a character outside the basic plane is one, not two.
  const characters = [...text];
  const fields = new Map<string, string>();
  for (let at = 0; at < characters.length;) {
    const head = characters.slice(at, at + 4).join('');
    if (!/^\d{4}$/.test(head)) return 'malformed';
    const start = at + 4;
    at = start + Number(head.slice(2));
    if (at > characters.length) return 'malformed';
    const id = head.slice(0, 2);
    if (fields.has(id)) return 'duplicate_field';
    fields.set(id, characters.slice(start, at).join(''));
  }
  return fields;
}
