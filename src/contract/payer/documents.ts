import { type Given, parseDocument, parseNumber } from './identity.js';
import type { IdType } from '../kinds.js';

/** Initials, date of birth or foundation, and three more. The last is a check digit that old papers get wrong. */
const RFC = /^[a-zñ&]{3,4}\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[a-z\d]{2}[\da]$/i;

/** The number of any document that the service takes: also of those that no payer is asked for. */
export function parseAnyDocument(idType: IdType, text: string): Given {
  return idType === 'MXN_RFC' ? parseNumber(text, /[ .-]/g, RFC) : parseDocument(idType, text);
}
