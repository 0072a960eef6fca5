import { isOrderId, ORDER_ID_RULE, toBase64Url } from './ids.js';

/**
 * An order token is the merchant's id and the day it was issued with a signature, so that holding one token says
 * nothing about the next order. It is the same all day, so that a page may be rendered again.
 */

const encoder = new TextEncoder();
const DAY_MS = 86_400_000;

export interface OrderTokens {
  sign(orderId: string): Promise<string>;
  /** The order's id, or undefined when the token was not signed with one of the secrets. */
  verify(token: string): Promise<string | undefined>;
}

/** The first secret signs; all verify, so that a secret can be changed while old pages are open. */
export function orderTokens(
  secrets: readonly string[],
  now: () => number,
  lifetimeMs: number | null,
): OrderTokens {
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
      if (!isOrderId(orderId)) throw new RangeError(ORDER_ID_RULE);
      const [key] = await keys;
      if (key === undefined) throw new TypeError('Order tokens need the option orderSecret');
      const day = Math.floor(now() / DAY_MS).toString(36);
      const signature = await crypto.subtle.sign('HMAC', key, signed(orderId, day));
      return `${toBase64Url(bytes)}.${day}.${toBase64Url(new Uint8Array(signature))}`;
    },
    async verify(token) {
      const [name, day, signature, ...more] = token.split('.');
      if (name === undefined || day === undefined || signature === undefined || more.length > 0)
        return undefined;
      if (hasExpired(day, now(), lifetimeMs)) return undefined;
      const idBytes = fromBase64Url(name);
      const signatureBytes = fromBase64Url(signature);
      if (idBytes === undefined || signatureBytes === undefined) return undefined;
      const orderId = decode(idBytes);
      if (orderId === undefined || !isOrderId(orderId)) return undefined;
      for (const key of await keys) {
        // `verify` compares in constant time.
        if (await crypto.subtle.verify('HMAC', key, signatureBytes, signed(orderId, day))) return orderId;
      }
      return undefined;
    },
  };
}

/** Signed with a prefix, so that a signature made for another purpose is not valid for an order. */
function signed(orderId: string, day: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(`pay-checkout dated order ${day} ${orderId}`);
}

/** A token is valid for its lifetime and the rest of its day. A day that is no day has expired. */
function hasExpired(day: string, now: number, lifetimeMs: number | null): boolean {
  if (!/^[0-9a-z]{1,6}$/.test(day)) return true;
  if (lifetimeMs === null) return false;
  return now >= (Number.parseInt(day, 36) + 1) * DAY_MS + lifetimeMs;
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
