/**
 * Hashes, signatures and random bytes that cost nothing and are the same in every run. For a process that simulates
 * and guards nothing: what is simulated is the order of things, and a real digest would run on another thread.
 */
let chance: () => number = () => 0;

/** From now on random bytes come from here. */
export function seedCrypto(next: () => number): void {
  chance = next;
}

export function cheapenCrypto(): void {
  const { subtle } = crypto;
  replace(subtle, 'importKey', async (...[, bytes]: [string, Uint8Array]) => bytes);
  replace(subtle, 'digest', async (...[, bytes]: [string, Uint8Array]) => hash(bytes));
  replace(subtle, 'sign', async (...[, , bytes]: [string, unknown, Uint8Array]) => hash(bytes));
  replace(
    subtle,
    'verify',
    async (...[, , signature, bytes]: [string, unknown, Uint8Array, Uint8Array]) =>
      Buffer.compare(signature, new Uint8Array(hash(bytes))) === 0,
  );
  replace(crypto, 'getRandomValues', (bytes: Uint8Array) =>
    bytes.map((_, at) => (bytes[at] = chance() * 256)),
  );
  replace(crypto, 'randomUUID', () => `${chance()}-${chance()}`);
}

function replace(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { configurable: true, value });
}

/** FNV-1a, eight times with other beginnings. */
function hash(bytes: Uint8Array): ArrayBuffer {
  const words = new Uint32Array(8);
  for (let word = 0; word < words.length; word++) {
    let sum = 0x811c_9dc5 ^ word;
    for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x0100_0193);
    words[word] = sum;
  }
  return words.buffer;
}
