import { defineConfig } from 'vitest/config';
import { TEST_PATIENCE_MS } from '../support/patience.js';
import { KNOWN_MISTAKES } from './known-mistakes.js';

const mistake = KNOWN_MISTAKES[Number(process.env['PAY_CHECKOUT_MISTAKE'])];
if (!mistake) throw new Error('PAY_CHECKOUT_MISTAKE is the number of a known mistake');

/** One known mistake in its file, as Vite reads it, and the test that must fail then. */
export default defineConfig({
  root: process.cwd(),
  plugins: [
    {
      name: 'known-mistake',
      enforce: 'pre',
      transform: (code, id) =>
        id.endsWith(`/${mistake.file}`) ? code.replace(mistake.from, () => mistake.to) : undefined,
    },
  ],
  test: { include: [`test/${mistake.noticedBy}.test.ts`], testTimeout: TEST_PATIENCE_MS },
});
