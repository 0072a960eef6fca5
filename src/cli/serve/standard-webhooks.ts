/**
 * Signs by the Standard Webhooks scheme (standardwebhooks.com), version 1, so that a shop verifies a notice with an
 * existing library of its language. The signature covers the id, the time and the body.
 */

const PREFIX = 'whsec_';

/** A secret as the scheme writes it: `whsec_` and 24 to 64 random bytes in base64. */
export function isSigningSecret(secret: string): boolean {
  if (!secret.startsWith(PREFIX)) return false;
  const text = secret.slice(PREFIX.length);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return false;
  const { length } = keyOf(secret);
  return length >= 24 && length <= 64;
}

/** `id` stays the same when a notice is sent again, so that the shop can recognise it. */
export async function signatureHeaders(
  secret: string,
  id: string,
  body: string,
  at: Date,
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', keyOf(secret), algorithm, false, ['sign']);
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signature = Buffer.from(await crypto.subtle.sign('HMAC', key, content)).toString('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(secret.slice(PREFIX.length), 'base64'));
}
