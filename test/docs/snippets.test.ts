import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { REFERENCE_FILE, referenceText } from '../../scripts/docs/reference.js';
import { MAGIC_DOCUMENTS, SCENARIO_NAMES } from '../../src/sandbox.js';
import { compileErrors } from './compile.js';
import { judge } from './judges.js';
import { originalOf } from './languages.js';
import { brokenLinks, readPages, type Snippet, snippetsOf } from './pages.js';

const pages = readPages();
/** Those of translations are the same, as languages.test.ts makes sure. */
const snippets = pages.filter(({ path }) => originalOf(path) === undefined).flatMap(snippetsOf);
/** Examples that no test runs. */
const FRAGMENTS = { 'shop.rb': 'ruby', 'shop.go': 'go', 'shop.cs': 'csharp', 'Shop.java': 'java' };

const planted = (language: string, code: string): Snippet => ({
  page: 'planted.md',
  line: 10,
  language,
  code,
  given: '',
});

/** Compiled together with the pages, because the package itself takes most of the time. */
const PLANTED = [
  planted('ts', "import { createCheckout } from 'pay-checkout/server';\n\ncreateCheckout({ shop: 1 });"),
  planted('html', '<p></p>\n<script type="module">\nimport { nothing } from \'pay-checkout\';\n</script>'),
  planted('js', 'const text = 1;\ntext.toUpperCase();'),
];
const errors = compileErrors([...snippets, ...PLANTED]);
const isPlanted = (error: string) => error.startsWith('planted.md');

describe('the documentation', () => {
  it('has snippets that type-check against the package', () => {
    assert.deepEqual(
      errors.filter((error) => !isPlanted(error)),
      [],
    );
  });

  it('has a reference that says what the element is today', async () => {
    assert.equal(
      readFileSync(REFERENCE_FILE, 'utf8'),
      await referenceText(),
      'run tsx scripts/docs/reference.ts',
    );
  });

  it('names every scenario and every document that decides', () => {
    const { text = '' } = pages.find(({ path }) => path === 'docs/sandbox.md') ?? {};
    const named = [...MAGIC_DOCUMENTS.keys(), ...SCENARIO_NAMES].filter(
      (name) => !text.includes(`\`${name}\``),
    );
    assert.deepEqual(named, [], 'missing in docs/sandbox.md');
  });

  it('has markup, styles, JSON and commands that the package knows', async () => {
    const wrong: string[] = [];
    const fragments = Object.entries(FRAGMENTS).map(([file, language]) => {
      const page = `docs/examples/${file}`;
      return { page, line: 1, language, code: readFileSync(page, 'utf8'), given: '' };
    });
    for (const snippet of [...snippets, ...fragments]) {
      for (const complaint of await judge(snippet))
        wrong.push(`${snippet.page}:${snippet.line}: ${complaint}`);
    }
    assert.deepEqual(wrong, []);
  });

  it('links only to what is there', () => {
    assert.deepEqual(brokenLinks(pages), []);
  });
});

describe('the reader of the documentation', () => {
  it('finds a call that the package does not have, at its line', () => {
    const found = errors.filter(isPlanted);
    assert.equal(found.length, 3, found.join('\n'));
    assert.match(found[0] ?? '', /^planted\.md:12: .*shop/);
    assert.match(found[1] ?? '', /^planted\.md:12: .*nothing/);
    assert.match(found[2] ?? '', /^planted\.md:11: .*toUpperCase/);
  });

  for (const [language, code, complaint] of [
    ['html', '<pay-checkout backnd="/x"></pay-checkout>', /no attribute backnd/],
    ['html', '<pay-checkout><p slot="foot">x</p></pay-checkout>', /no slot foot/],
    ['html', '<div><p></div>', /<\/div> closes <p>/],
    ['html', '<div>', /not closed/],
    ['vue', '<pay-checkout @paid="x"></pay-checkout>', /no event paid/],
    ['svelte', '<pay-checkout onpaid={({ payin }) => payin}></pay-checkout>', /no event paid/],
    ['css', 'pay-checkout { --pay-color: red; }', /--pay-color is no custom property/],
    ['css', 'pay-checkout::part(boton) { color: red; }', /is no part/],
    ['json', '{ "a": }', /./],
    ['sh', 'npm run no-such-script', /no script no-such-script/],
    ['sh', 'npx pay-checkout verify http://x --ordr y', /no flag --ordr/],
    ['sh', 'npx pay-checkout veriffy', /no command veriffy/],
    ['sh', 'node docs/no-such-file.ts', /there is no docs/],
    ['cobol', 'MOVE 1 TO X', /nobody checks it/],
  ] as const) {
    it(`finds what is wrong in ${language}: ${code}`, async () => {
      assert.match((await judge(planted(language, code))).join('\n'), complaint);
    });
  }

  it('finds links that lead nowhere', () => {
    const page = { path: 'docs/x.md', text: '# One\n\n[a](nowhere.md) [b](#one) [c](#two) `[d](e.md)`' };
    assert.deepEqual(brokenLinks([page]), [
      'docs/x.md links to nowhere.md, which is not there',
      'docs/x.md links to #two: no such heading',
    ]);
  });
});
