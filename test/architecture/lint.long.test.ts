import assert from 'node:assert/strict';
import { ESLint } from 'eslint';
import { it } from 'vitest';
import tseslint from 'typescript-eslint';

/** The linter's rules for single parts, by breaches planted in a file of the part; those about types are left out. */
const eslint = new ESLint({
  overrideConfig: {
    files: ['**/*.ts'],
    ...tseslint.configs.disableTypeChecked,
    languageOptions: { parserOptions: { projectService: false } },
  },
});

const planted = {
  'a dynamic import of something computed': [
    'src/server/a.ts',
    `export const a = (name: string) => import(name);`,
  ],
  'a barrel': ['src/contract/all.ts', `export * from './money.js';`],
  'a barrel in two steps': ['src/contract/all.ts', `import { cents } from './money.js';\nexport { cents };`],
  'a clock in a room that decides': ['src/server/orders/a.ts', `export const a = () => Date.now();`],
  'the time of day in a room that decides': ['src/server/orders/a.ts', `export const a = () => new Date();`],
  'a random id in a room that decides': [
    'src/server/orders/a.ts',
    `export const a = () => crypto.randomUUID();`,
  ],
  'a random number in the machine': ['src/machine/a.ts', `export const a = () => Math.random();`],
  'a timer in the machine': ['src/machine/a.ts', `export const a = () => setTimeout(a, 1);`],
  'Node in a part for browsers': ['src/element/a.ts', `export const a = process.env;`],
  'the page in the backend kit': ['src/server/a.ts', `export const a = location.href;`],
  'text that becomes markup': ['src/element/a.ts', `export const a = (b: Element) => (b.innerHTML = '');`],
} as const;
for (const [name, [filePath, text]] of Object.entries(planted)) {
  it(`the linter refuses ${name}`, async () => {
    const [result] = await eslint.lintText(text, { filePath });
    const [only, ...others] = result?.messages ?? [];
    assert.match(only?.ruleId ?? only?.message ?? 'nothing found', /^no-restricted-/);
    assert.deepEqual(others, []);
  });
}

it('the linter allows a file that exports what it declares, and a date of a given time', async () => {
  const text = `import { b } from '../hooks.js';\nexport const a = (ms: number) => [new Date(ms), b];`;
  const [result] = await eslint.lintText(text, { filePath: 'src/server/orders/a.ts' });
  assert.deepEqual(result?.messages, []);
});
