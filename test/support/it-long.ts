import { it, type TestContext } from 'vitest';
import { isLong } from './long.js';

/** A test of `npm run test:long` alone, for what a quicker one beside it guards in `npm test`. */
export function itLong(title: string, run: (t: TestContext) => Promise<void>): void {
  if (isLong) it(title, run);
}
