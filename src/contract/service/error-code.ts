import * as v from 'valibot';

/**
 * The service's `errorCode`. Its values are not documented and the field is free text, so anything may be in it: a name,
 * a document, an e-mail. Codes that are known pass as they are. Of anything else only the length is kept, and it never
 * reaches a log, the history or a browser.
 */

const KNOWN: readonly string[] = [
  'ACCOUNT_BLOCKED',
  'ACCOUNT_CLOSED',
  'ACCOUNT_NOT_FOUND',
  'AMOUNT_NOT_ACCEPTED',
  'AMOUNT_NOT_ALLOWED',
  'BANK_UNAVAILABLE',
  'CANCELED',
  'CANCELED_BY_PAYER',
  'CANCELED_BY_SERVICE',
  'DECLINED',
  'DECLINED_BY_BANK',
  'DECLINED_BY_RECEIVING_BANK',
  'DUPLICATED',
  'EXPIRED',
  'FAILED',
  'FRAUD_SUSPECTED',
  'INSUFFICIENT_FUNDS',
  'INTERNAL_ERROR',
  'INVALID_ACCOUNT',
  'INVALID_KEY',
  'KEY_NOT_FOUND',
  'LIMIT_EXCEEDED',
  'LINK_EXPIRED',
  'NO_FUNDS',
  'REJECTED',
  'SERVICE_REFUSED',
  'TIMEOUT',
];
/** Reason codes of ISO 20022, such as AM04, which the rails use among themselves. */
const ISO_REASON = /^[A-Z]{2}\d{2}$/;

export const errorCodeSchema = v.pipe(
  v.string(),
  v.maxLength(512),
  v.transform((code) =>
    KNOWN.includes(code.toUpperCase()) || ISO_REASON.test(code) ? code : `unknown_${code.length}`,
  ),
);
