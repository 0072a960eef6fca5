import { crc16 } from './crc16.js';
import { centsFromDecimal } from '../values/cents.js';
import { type Parsed, refuse } from '../parsed.js';

export interface EmvQr {
  /** `null` when the payer types the amount: the field is absent or says zero. */
  readonly amountInCents: number | null;
  /** As they are written, by their ids and in their order. */
  readonly fields: ReadonlyMap<string, string>;
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

  return { ok: true, qr: { amountInCents: amountInCents || null, fields } };
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
