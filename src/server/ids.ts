/** Names the kit makes: ids that cannot be guessed, references a merchant recognises, digests. */

const encoder = new TextEncoder();
const LONGEST_ORDER_ID_BYTES = 198;
export const ORDER_ID_RULE = `An order's id has 1 to ${LONGEST_ORDER_ID_BYTES} bytes of well-formed text without NUL`;

/** Whether every store can keep it as a key. */
export function isOrderId(id: string): boolean {
  const { length } = encoder.encode(id);
  return length > 0 && length <= LONGEST_ORDER_ID_BYTES && !/[\0\p{Surrogate}]/u.test(id);
}

/** 144 random bits in characters that are harmless in paths and logs. */
export function randomId(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(18)));
}

/** Letters and digits that are not mistaken for each other when a receipt is read aloud. */
const READABLE = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const LONGEST_STEM = 40;
const PROOF_LENGTH = 8;
const RANDOM_LENGTH = 8;

/**
 * Unique, and recognisable to the merchant: the plain characters of the order's id, 39 bits of the id's digest, which
 * distinguish ids whose plain characters are the same, and 39 random bits.
 */
export async function newReference(orderId: string): Promise<string> {
  const stem = orderId.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, LONGEST_STEM);
  const random = readable(crypto.getRandomValues(new Uint8Array(RANDOM_LENGTH)));
  return `${stem}-${await proofOf(orderId)}-${random}`;
}

/** Names a payment link that is for no order, such as `EN-7K2M9QXW`. */
export function newLinkName(): string {
  return `EN-${readable(crypto.getRandomValues(new Uint8Array(RANDOM_LENGTH)))}`;
}

/** A link's name with what it is for, in letters that a reference may have: `EN-7K2M9QXW-cafe-molido`. */
export function linkReference(name: string, concept: string | null = ''): string {
  const plain = (concept ?? '').normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = (plain.match(/[a-z0-9]+/g) ?? []).join('-').slice(0, LONGEST_STEM);
  return `${name}-${words}`.replace(/-$/, '');
}

/** Whether `newReference` could have made it. */
export function isReference(text: string): boolean {
  return /^[\w-]{1,64}$/.test(text);
}

/** The order that a reference of ours proves. An id that was changed or cut for it cannot be recovered. */
export async function orderIdIn(reference: string): Promise<string | undefined> {
  const [, stem, proof] = REFERENCE.exec(reference) ?? [];
  return stem !== undefined && proof === (await proofOf(stem)) ? stem : undefined;
}

/** A stem, a proof and random letters, as `newReference` writes them; only the proof decides. */
const REFERENCE = /^([\w-]{1,40})-([0-9A-Z]{8})-[0-9A-Z]{8}$/;

async function proofOf(orderId: string): Promise<string> {
  return readable((await sha256(`pay-checkout reference ${orderId}`)).slice(0, PROOF_LENGTH));
}

function readable(bytes: Uint8Array): string {
  return [...bytes].map((byte) => READABLE[byte % READABLE.length]).join('');
}

/** A text's digest, for comparing and for naming. */
export async function digest(text: string): Promise<string> {
  return toBase64Url(await sha256(text)).slice(0, 22);
}

async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)));
}

/** The same under a key. Without a secret the key is this process's own, so that instances count for themselves. */
export function keyedDigest(secret: string | undefined): (text: string) => Promise<string> {
  const bytes = secret === undefined ? crypto.getRandomValues(new Uint8Array(32)) : encoder.encode(secret);
  let key: Promise<CryptoKey> | undefined;
  return async (text) => {
    key ??= crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    // The prefix keeps it apart from whatever else is signed with the secret.
    const signature = await crypto.subtle.sign(
      'HMAC',
      await key,
      encoder.encode(`pay-checkout client ${text}`),
    );
    return toBase64Url(new Uint8Array(signature)).slice(0, 22);
  };
}

export function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
