/** Names the kit makes: ids nobody can guess, references a merchant recognises, digests. */

const encoder = new TextEncoder();

/** 144 random bits in characters that are harmless in paths and logs. */
export function randomId(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(18)));
}

/** Letters and digits that are not mistaken for each other when somebody reads a receipt aloud. */
const READABLE = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const LONGEST_REFERENCE_STEM = 40;

/** Unique, and recognisable to the merchant: the order's id as far as it is harmless, and 58 random bits. */
export function newReference(orderId: string): string {
  const stem = orderId.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, LONGEST_REFERENCE_STEM);
  const random = [...crypto.getRandomValues(new Uint8Array(12))].map(
    (byte) => READABLE[byte % READABLE.length],
  );
  return `${stem}-${random.join('')}`;
}

/** A text's digest, for comparing and for naming. */
export async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', encoder.encode(text));
  return toBase64Url(new Uint8Array(bytes)).slice(0, 22);
}

export function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
