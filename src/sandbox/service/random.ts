export type Random = ReturnType<typeof createRandom>;
export type RandomState = [number, number, number, number];

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Repeatable random values: the same state gives the same ids, keys and tokens. Not for real secrets. */
export function createRandom(start: RandomState) {
  let [a, b, c, counter] = start;

  /** sfc32: small, fast and good enough to never repeat an id in a sandbox's life. */
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return sum >>> 0;
  };
  const pick = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet[next() % alphabet.length]).join('');

  return {
    uuid(): string {
      const hex = Array.from({ length: 4 }, () => next().toString(16).padStart(8, '0')).join('');
      const variant = '89ab'[next() % 4];
      return [
        hex.slice(0, 8),
        hex.slice(8, 12),
        `4${hex.slice(13, 16)}`,
        `${variant}${hex.slice(17, 20)}`,
        hex.slice(20),
      ].join('-');
    },
    digits: (length: number) => pick('0123456789', length),
    /** Capital letters and digits, as generated keys use. */
    letters: (length: number) => pick(LETTERS, length),
    /** What a snapshot keeps to go on where it stopped. */
    state: (): RandomState => [a, b, c, counter],
  };
}

/** Spreads one number over the whole state; without a seed the platform's randomness fills it. */
export function randomState(seed?: number): RandomState {
  if (seed === undefined) {
    const [a = 0, b = 0, c = 0] = crypto.getRandomValues(new Int32Array(3));
    return [a, b, c, 1];
  }
  const random = createRandom([0x9e37_79b9 | 0, seed | 0, Math.floor(seed / 2 ** 32) | 0, 1]);
  // The first numbers of close seeds resemble each other.
  random.letters(16);
  return random.state();
}
