import type { InlineCustomer } from '../../contract/service/resources.js';

/** Enough of a person to recognise them by, and no more: what pages get instead of the data itself. */

/** `Receptor de Prueba` becomes `Rec*** de Pru***`, as banks show the owner of a key. */
export function maskName(name: string): string {
  return name
    .split(/\s+/)
    .map((word) => (word.length > 3 ? `${[...word].slice(0, 3).join('')}***` : word))
    .join(' ');
}

/** The last four of a number, when there is more than them. */
export function maskNumber(number: string): string {
  return number.length > 4 ? `•••• ${number.slice(-4)}` : '••••';
}

export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 1 ? '•••' : `${email.slice(0, 1)}•••${email.slice(at)}`;
}

/** A Bre-B key may be a phone, a document or an address, so all kinds are treated alike. */
export function maskKey(key: string): string {
  if (key.indexOf('@') > 0) return maskEmail(key);
  return key.length > 6 ? `${key.slice(0, 3)}•••${key.slice(-2)}` : `${key.slice(0, 2)}•••`;
}

/** The last four of a document that has more than them, as a field of an attempt. */
export function documentEndOf(customer: InlineCustomer | null): { readonly documentEnd?: string } {
  const digits = customer?.idNumber ?? '';
  return digits.length > 4 ? { documentEnd: digits.slice(-4) } : {};
}
