/**
 * A console makes the key of its sessions by six hundred thousand rounds of PBKDF2. The tests' consoles have few secrets:
 * what a round makes of the same bytes is made once for all of them.
 */
const { subtle } = crypto;
const bytesOf = new WeakMap<CryptoKey, string>();
const made = new Map<string, Promise<ArrayBuffer>>();

const importKey = subtle.importKey.bind(subtle) as (...args: readonly unknown[]) => Promise<CryptoKey>;
const deriveBits = subtle.deriveBits.bind(subtle);

async function noteBytes(...args: readonly [string, Uint8Array, ...unknown[]]): Promise<CryptoKey> {
  const key = await importKey(...args);
  if (args[2] === 'PBKDF2') bytesOf.set(key, Buffer.from(args[1]).toString('hex'));
  return key;
}

function deriveOnce(algorithm: Pbkdf2Params, key: CryptoKey, length: number): Promise<ArrayBuffer> {
  const what = JSON.stringify([algorithm, bytesOf.get(key), length]);
  const bits = made.get(what) ?? deriveBits(algorithm, key, length);
  made.set(what, bits);
  return bits;
}

for (const [name, value] of Object.entries({ importKey: noteBytes, deriveBits: deriveOnce }))
  Object.defineProperty(subtle, name, { value, configurable: true });
