import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { differences, originalOf } from './languages.js';
import { readPages } from './pages.js';

const pages = readPages();

/** What a merchant needs to take payments and keep taking them. */
const IN_SPANISH = [
  'README.es.md',
  'docs/es/quick-start.md',
  'docs/es/integrate.md',
  'docs/es/theming.md',
  'docs/es/not-javascript.md',
  'docs/es/questions.md',
  'docs/es/problems.md',
  'docs/es/operations.md',
  'docs/es/production-checklist.md',
  'docs/es/security.md',
];

describe('the Spanish pages', () => {
  it('are there', () => {
    const paths = pages.map(({ path }) => path);
    assert.deepEqual(
      IN_SPANISH.filter((path) => !paths.includes(path)),
      [],
    );
  });

  it('have the headings, the code and the links of the English ones', () => {
    assert.deepEqual(differences(pages), []);
  });
});

describe('the comparison of languages', () => {
  const english = [
    '# Pay',
    '[Español](es/a.md)',
    '[Start](b.md#second) [Site](https://shop.example) [Other](c.md)',
    '## Run',
    '```sh\nnode a.mjs\n```',
  ].join('\n\n');
  const spanish = [
    '# Pagar',
    '[English](../a.md)',
    '[Empieza](b.md#segundo) [Sitio](https://shop.example) [Otra](../c.md)',
    '## Corre',
    '```sh\nnode a.mjs\n```',
  ].join('\n\n');
  const compared = (text: string) =>
    differences([
      { path: 'docs/a.md', text: english },
      { path: 'docs/b.md', text: '# First\n\n[Español](es/b.md)\n\n## Second' },
      { path: 'docs/c.md', text: '# Third' },
      { path: 'docs/es/a.md', text },
      { path: 'docs/es/b.md', text: '# Primero\n\n[English](../b.md)\n\n## Segundo' },
    ]);

  it('is content with a page that is equal', () => {
    assert.deepEqual(compared(spanish), []);
  });

  for (const [name, from, to, complaint] of [
    ['a heading that is missing', '## Corre', 'Corre', /heading 2 is nothing and should be "##"/],
    ['a heading of another level', '## Corre', '### Corre', /heading 2 is "###"/],
    ['another command', 'node a.mjs', 'node b.mjs', /code block 1 is .*b\.mjs.* should be .*a\.mjs/],
    ['another language of a code block', '```sh', '```js', /code block 1/],
    ['a link that is missing', '[Otra](../c.md)', 'Otra', /link 3 is nothing and should be "docs\/c\.md"/],
    ['a link to the English page', 'b.md#segundo', '../b.md#second', /should be "docs\/es\/b\.md#segundo"/],
    ['a link to another heading', '#segundo', '#primero', /link 1 is "docs\/es\/b\.md#primero"/],
    ['another address', 'https://shop.example', 'https://other.example', /link 2/],
    ['no way to the English page', '[English](../a.md)', '', /docs\/es\/a\.md has no link to docs\/a\.md/],
  ] as const) {
    it(`finds ${name}`, () => {
      const found = compared(spanish.replace(from, to));
      assert.equal(found.length, 1, found.join('\n'));
      assert.match(found[0] ?? '', complaint);
    });
  }

  it('finds an English page that does not lead to the Spanish one', () => {
    assert.deepEqual(
      differences([
        { path: 'README.md', text: '# Pay' },
        { path: 'README.es.md', text: '# Pagar\n\n[English](README.md)' },
      ]),
      ['README.md has no link to README.es.md'],
    );
  });

  it('finds a page without an original', () => {
    assert.deepEqual(differences([{ path: 'docs/es/x.md', text: '# X' }]), [
      'docs/es/x.md translates docs/x.md, which is not there',
    ]);
  });

  it('knows which pages are translations', () => {
    assert.equal(originalOf('README.es.md'), 'README.md');
    assert.equal(originalOf('docs/es/problems.md'), 'docs/problems.md');
    assert.equal(originalOf('docs/problems.md'), undefined);
  });
});
