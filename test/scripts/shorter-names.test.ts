import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { describeElement } from '../../scripts/manifest.js';
import { INTERNAL_NAMES, renamed } from '../../scripts/shorter-names.js';

/** What is said outside of the widget's own modules: on the wire, by pages, in catalogues, in the browser's storage. */
const PUBLIC = [
  ...['src/contract', 'src/locales'].flatMap((folder) =>
    readdirSync(folder).map((file) => join(folder, file)),
  ),
  'src/element/events.ts',
  'src/element/attempt-events.ts',
  'src/element/framework-types.ts',
  'src/machine/hint.ts',
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
    assert.equal(new Set(INTERNAL_NAMES.map((name) => renamed(`x.${name}`))).size, INTERNAL_NAMES.length);
    const { members } = describeElement();
    assert.deepEqual(
      members.filter(({ name }) => INTERNAL_NAMES.includes(name)),
      [],
    );
    for (const file of PUBLIC) {
      const code = readFileSync(file, 'utf8').replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '');
      const said = INTERNAL_NAMES.filter((name) =>
        new RegExp(`(?:\\.|readonly |[{,] ?|^ +)${name}\\b(?:\\?|,|:| })`, 'm').test(code),
      );
      assert.deepEqual(said, [], file);
    }
  });
});
