import { toBase64Url } from '../ids.js';

/**
 * Names that cannot be guessed. An order token is the merchant's id with a signature, so that holding one token says
 * nothing about the next order; it is the same each time, so that a page may be built again.
 */

const encoder = new TextEncoder();
const LONGEST_ORDER_ID_BYTES = 256;

export interface OrderTokens {
  sign(orderId: string): Promise<string>;
  /** The order's id, or undefined when nobody here signed this. */
  verify(token: string): Promise<string | undefined>;
}

/** The first secret signs; all verify, so that a secret can be changed while old pages are open. */
export function orderTokens(secrets: readonly string[]): OrderTokens {
  const keys = Promise.all(
    secrets.map((secret) =>
      crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
        'sign',
        'verify',
      ]),
    ),
  );
  keys.catch(() => undefined);
  return {
    async sign(orderId) {
      const bytes = encoder.encode(orderId);
      if (bytes.length === 0 || bytes.length > LONGEST_ORDER_ID_BYTES) {
        throw new RangeError(`An order's id has 1 to ${LONGEST_ORDER_ID_BYTES} bytes`);
      }
      const [key] = await keys;
      if (key === undefined) throw new TypeError('Order tokens need the option orderSecret');
      const signature = await crypto.subtle.sign('HMAC', key, signed(orderId));
      return `${toBase64Url(bytes)}.${toBase64Url(new Uint8Array(signature))}`;
    },
    async verify(token) {
      const [name, signature, ...more] = token.split('.');
      if (name === undefined || signature === undefined || more.length > 0) return undefined;
      const idBytes = fromBase64Url(name);
      const signatureBytes = fromBase64Url(signature);
      if (idBytes === undefined || signatureBytes === undefined) return undefined;
      const orderId = decode(idBytes);
      if (orderId === undefined || orderId === '') return undefined;
      for (const key of await keys) {
        // `verify` compares in constant time.
        if (await crypto.subtle.verify('HMAC', key, signatureBytes, signed(orderId))) return orderId;
      }
      return undefined;
    },
  };
}

/** Signed with a prefix, so that a signature made for anything else is none for an order. */
function signed(orderId: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(`pay-checkout order ${orderId}`);
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]+$/.test(text) || text.length % 4 === 1) return undefined;
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  // One spelling per value: stray bits would make two tokens of one order.
  return toBase64Url(bytes) === text ? bytes : undefined;
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
