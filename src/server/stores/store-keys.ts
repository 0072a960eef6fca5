const longestPlainKey = 200;
// NUL and lone surrogates cannot be kept as text by every database; the backslash marks the keys made below.
const oddCharacter = /^\\|[\0\p{Surrogate}]/u;

/**
 * The text under which a database keeps an id: the id itself, or its digest where it is too long for an index or has
 * characters that a database would cut off, replace or refuse. Two ids never share a key.
 */
export function storedKey(id: string): string {
  if (id.length <= longestPlainKey && !oddCharacter.test(id)) return id;
  return `\\${sha256(new TextEncoder().encode(JSON.stringify(id)))}`;
}

/** What has to be kept beside the key to give the id back: nothing, or the id as JSON, which is plain text. */
export function storedId(id: string, key: string): string | null {
  return key === id ? null : JSON.stringify(id);
}

export function idFrom(key: string, storedId: string | null): string {
  return storedId === null ? key : (JSON.parse(storedId) as string);
}

/** Platforms digest only asynchronously, which is too late in the middle of a transaction of a synchronous driver. */
function sha256(bytes: Uint8Array): string {
  const padded = new Uint8Array((((bytes.length + 8) >> 6) << 6) + 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const state = Uint32Array.from(initialState);
  const words = new Uint32Array(64);
  for (let offset = 0; offset < padded.length; offset += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(offset + i * 4);
    mixBlock(state, words);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

function mixBlock(state: Uint32Array, words: Uint32Array): void {
  const word = (i: number): number => words[i] ?? 0;
  for (let i = 16; i < 64; i++) {
    const early = word(i - 15);
    const late = word(i - 2);
    const small = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const large = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words[i] = word(i - 16) + small + word(i - 7) + large;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const first =
      h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + (roundConstants[i] ?? 0) + word(i);
    const second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  }
  for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] ?? 0) + value;
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

const primes = firstPrimes(64);
const initialState = primes.slice(0, 8).map((prime) => fractionBits(Math.sqrt(prime)));
const roundConstants = primes.map((prime) => fractionBits(Math.cbrt(prime)));

/** The first 32 bits of the fraction, as the standard defines its constants. */
function fractionBits(value: number): number {
  return Math.floor((value % 1) * 2 ** 32);
}

function firstPrimes(count: number): number[] {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate++) {
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  }
  return found;
}
