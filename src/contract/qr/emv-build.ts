import { crc16 } from './crc16.js';
import { decimalAmount } from '../values/money.js';

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

export interface EmvQrContent {
  readonly key: EmvKey;
  readonly amountInCents: number;
  readonly merchantName: string;
  readonly merchantCity: string;
  readonly transactionId: string;
}

/**
 * A well-formed dynamic Colombian payload for the sandbox. Its security hash is all zeros: only the network
 * can make a real one, so no bank honours what is built here.
 */
export function buildEmvQr(content: EmvQrContent): string {
  const body =
    field('00', '01') +
    field('01', '12') +
    template('26', 'LLA', EMV_KEY_FIELDS[content.key.kind], content.key.value) +
    template('49', 'RED', '01', 'RBM') +
    field('52', '0000') +
    field('53', '170') +
    field('54', decimalAmount(content.amountInCents)) +
    field('58', 'CO') +
    field('59', atMost(25, content.merchantName)) +
    field('60', atMost(15, content.merchantCity)) +
    field('61', '110111') +
    field('62', field('07', 'WEB00001') + field('08', '00') + field('11', '522')) +
    template('80', 'CANAL', '01', 'ECOMM') +
    template('81', 'CIVA', '01', '02') +
    template('82', 'IVA', '01', '0.00') +
    template('83', 'BASE', '01', '0.00') +
    template('84', 'CINC', '01', '02') +
    template('85', 'INC', '01', '0.00') +
    template('90', 'TRXID', '01', content.transactionId) +
    template('91', 'SEC', '01', '0'.repeat(64)) +
    '6304';
  return body + crc16(body);
}

function template(id: string, name: string, valueId: string, value: string): string {
  return field(id, field('00', `CO.COM.RBM.${name}`) + field(valueId, value));
}

function field(id: string, value: string): string {
  const { length } = [...value];
  if (length < 1 || length > 99) throw new RangeError(`Field ${id} holds 1 to 99 characters, not ${length}`);
  return id + String(length).padStart(2, '0') + value;
}

/** The specification's own limits for name and city; a real name may be longer. */
function atMost(length: number, text: string): string {
  return [...text].slice(0, length).join('');
}
