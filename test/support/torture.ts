import { isLong } from './long.js';

/** How much a test that draws its cases at random tries: in `npm test`, in a long run, or what `npm run torture` asks for. */
export const sizeOr = (usual: number, long: number): number =>
  Number(process.env['PAY_CHECKOUT_SIZE'] ?? (isLong ? long : usual));

/** Which cases it draws: its own, or those of the seed that `npm run torture` gives. */
export const seedOr = (usual: number): number => Number(process.env['PAY_CHECKOUT_SEED'] ?? usual);

/** mulberry32: one number decides all that follow. */
export function chanceFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
