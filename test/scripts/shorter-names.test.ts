import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Rolldown, build } from 'vite';
import { describeElement } from '../../scripts/manifest.js';
import {
  INTERNAL_NAMES,
  INTERNAL_WORDS,
  WORD_NAMES,
  renamed,
  shorterNames,
} from '../../scripts/shorter-names.js';
import { en } from '../../src/locales/en.js';

/** What is said outside of the widget's own modules: on the wire, by pages, in catalogues, in the browser's storage. */
const PUBLIC = [
  ...['src/contract', 'src/locales'].flatMap((folder) =>
    readdirSync(folder).map((file) => join(folder, file)),
  ),
  'src/element/events.ts',
  'src/element/attempt-events.ts',
  'src/element/framework-types.ts',
  'src/element/hint.ts',
  'src/transport/port.ts',
  'src/react.ts',
  'src/vue.ts',
  'src/index.ts',
];

describe('shorter names', () => {
  const [older, told] = ['older', 'told'].map((name) => renamed(`x.${name}`).slice(2));

  it('stand wherever a property is named, and nowhere else', () => {
    for (const [before, after] of [
      ['const older = state.older;', `const older = state.${older};`],
      ['const { older, told: [a] } = state;', `const { ${older}:older, ${told}: [a] } = state;`],
      ['f({ older, told: older });', `f({ ${older}:older, ${told}: older });`],
      ["if ('older' in state) f();", `if ('${older}' in state) f();`],
      [
        'class A { told = 1; older() { return this.told; } }',
        `class A { ${told} = 1; ${older}() { return this.${told}; } }`,
      ],
      ['function f(older) { return older; }', 'function f(older) { return older; }'],
      ['state[older] = state?.told;', `state[older] = state?.${told};`],
      ['({ older = 1 }) => older', `({ ${older}:older = 1 }) => older`],
    ] as const)
      assert.equal(renamed(before), after);
  });

  it('are refused for what is made up while the widget runs', () => {
    assert.throws(() => renamed("state['older'] = 1;"), /as text/);
    assert.throws(() => renamed("const name = flag ? 'older' : 'newer';"), /as text/);
  });

  it('are all different, and none is a word of the page or of the wire', () => {
    const names = [...INTERNAL_NAMES, ...WORD_NAMES];
    assert.equal(new Set(names.map((name) => renamed(`x.${name}`))).size, names.length);
    const { members } = describeElement();
    assert.deepEqual(
      members.filter(({ name }) => names.includes(name)),
      [],
    );
    for (const [file, code] of publicCode()) {
      // Catalogues are the one place where a word's name is said.
      const said = (file.includes('locales') ? INTERNAL_NAMES : names).filter((name) =>
        new RegExp(`(?:\\.|readonly |[{,] ?|^ +)${name}\\b(?:\\?|,|:| })`, 'm').test(code),
      );
      assert.deepEqual(said, [], file);
    }
  });

  it('are what a page’s own words are looked up by', async () => {
    const built = await build({
      configFile: false,
      logLevel: 'silent',
      plugins: [shorterNames()],
      build: { write: false, lib: { entry: 'src/locales/message-names.ts', formats: ['es'] } },
    });
    const [{ code }] = (built as Rolldown.RolldownOutput[])[0]!.output;
    const { ownWords } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
      ownWords: (words: object) => object;
    };
    const short = renamed('x.receiptState').slice(2);
    assert.notEqual(short, 'receiptState');
    assert.deepEqual(ownWords({ receiptState: 'Así va', bank: 'Entidad', [short]: 'no word', odd: 'none' }), {
      [short]: 'Así va',
      bank: 'Entidad',
    });
  });
});

describe('the lists', () => {
  it('have nothing that the widget does not say', () => {
    const code = ['machine', 'transport', 'element', 'element/views']
      .flatMap((folder) => readdirSync(`src/${folder}`).map((file) => `src/${folder}/${file}`))
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const names = new Set(code.match(/(?<=\.|readonly |[{,(] ?|^ +)[a-z]\w*(?=\(|\??:|,|;| [=}]|\.|\))/gim));
    assert.deepEqual(
      INTERNAL_NAMES.filter((name) => !names.has(name)),
      [],
    );
    assert.deepEqual(
      INTERNAL_WORDS.filter((word) => !code.includes(`'${word}'`)),
      [],
    );
  });
});

describe('numbers for words', () => {
  const [check, retry] = ['check', 'retry'].map((word) => renamed(`f({ type: '${word}' })`).slice(10, -3));

  it('stand where modules say a word to each other', () => {
    for (const [before, after] of [
      ["send({ type: 'check', check });", `send({ type: ${check}, check });`],
      ["switch (type) { case 'retry': f(); }", `switch (type) { case ${retry}: f(); }`],
      ["const asks = type === 'check';", `const asks = type === ${check};`],
      ["let type = 'check'; type = 'retry';", `let type = ${check}; type = ${retry};`],
      ["const type = asks ? 'check' : 'retry';", `const type = asks ? ${check} : ${retry};`],
      // The name of a property is no word.
      ["if ('check' in state) f(state.check);", "if ('check' in state) f(state.check);"],
    ] as const)
      assert.equal(renamed(before), after);
  });

  it('are refused where a word may be said to others', () => {
    for (const code of [
      "addEventListener('check', f);",
      "field.className = 'check';",
      "state['check'] = 1;",
      "f({ 'check': 1 });",
      "new Set(['check']);",
      "const text = 'a ' + 'check';",
      "html`<p class=${'check'}></p>`;",
    ])
      assert.throws(() => renamed(code), /more than a word/, code);
  });

  it('are all different, never nothing, and for no word of the page, of the wire or of a catalogue', () => {
    const numbers = INTERNAL_WORDS.map((word) => Number(renamed(`f({ type: '${word}' })`).slice(10, -3)));
    assert.equal(new Set(numbers).size, INTERNAL_WORDS.length);
    assert.ok(numbers.every((number) => number > 0));
    const { attributes, cssParts, events, slots } = describeElement();
    const others = [
      ...[attributes, cssParts, events, slots].flat().map(({ name }) => name),
      // Phases are `:state()`s.
      ...[...readFileSync('src/machine/state.ts', 'utf8').matchAll(/\bphase: (.+);/g)]
        .flatMap(([, phases = '']) => phases.split(' | '))
        .map((phase) => phase.slice(1, -1)),
      // Words that are looked up by another.
      ...Object.values<unknown>({ ...en }).flatMap((value) =>
        typeof value === 'object' && value ? Object.keys(value) : [],
      ),
      ...INTERNAL_NAMES,
    ];
    for (const known of ['payin-confirmed', 'amount-differs', 'FAILED']) assert.ok(others.includes(known));
    assert.deepEqual(
      INTERNAL_WORDS.filter((word) => others.includes(word)),
      [],
    );
    for (const [file, code] of publicCode()) {
      const said = INTERNAL_WORDS.filter((word) => new RegExp(`(["'\`])${word}\\1`).test(code));
      assert.deepEqual(said, [], file);
    }
  });
});

function publicCode(): [string, string][] {
  return PUBLIC.map((file) => [file, readFileSync(file, 'utf8').replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '')]);
}
