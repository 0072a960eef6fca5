import { randomInt } from 'node:crypto';

/** Letters and digits that nobody mistakes for others. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';

/** What the service and the bank will know a payment by, such as `PG-7K2M9QXW`. */
export function newReference(prefix: string): string {
  return `${prefix}-${Array.from({ length: 8 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`;
}
