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

/** One signature for each secret. `id` stays the same when a notice is sent again, so that the shop can recognise it. */
export async function signatureHeaders(
  secrets: readonly string[],
  id: string,
  body: string,
  at: Date,
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signatures = await Promise.all(secrets.map((secret) => signature(secret, content)));
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

async function signature(secret: string, content: Uint8Array<ArrayBuffer>): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', keyOf(secret), algorithm, false, ['sign']);
  return `v1,${Buffer.from(await crypto.subtle.sign('HMAC', key, content)).toString('base64')}`;
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(secret.slice(PREFIX.length), 'base64'));
}
