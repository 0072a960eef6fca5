import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import { KNOWN_MISTAKES } from './known-mistakes.js';
import { mutantsOf } from './mutants.js';

const mutated = (text: string) =>
  mutantsOf('example.ts', text).map(
    ({ start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end),
  );

test('a condition is always or never so, its comparison is another one, and a step is left out', () => {
  assert.deepEqual(mutated('if (paid >= price) ship(order);'), [
    'if (true) ship(order);',
    'if (false) ship(order);',
    'if (paid > price) ship(order);',
    'if (paid >= price) ;',
    'if (paid >= price) (order);',
  ]);
});

test('a conversion, a fallback or a member is forgotten, a negation and a number are wrong', () => {
  assert.deepEqual(mutated('const path = encodeURIComponent(id);'), ['const path = (id);']);
  assert.deepEqual(mutated('const name = given ?? other;'), ['const name = given;']);
  assert.deepEqual(mutated('const body = { a, b: !c };'), [
    'const body = {  b: !c };',
    'const body = { a,  };',
    'const body = { a, b: c };',
  ]);
  assert.deepEqual(mutated('const limit = 9;'), ['const limit = 9 + 1;']);
});

test('what only describes is left alone', () => {
  const text = "import a from 'a';\ntype B = 1 | 2;\ninterface C { d: 1 }\nthrow new Error('no' + 1);\n";
  assert.deepEqual(mutated(text), []);
});

test('each known mistake can be made at one place', () => {
  for (const { says, file, from } of KNOWN_MISTAKES)
    assert.equal(readFileSync(file, 'utf8').split(from).length, 2, `${says}: ${from}`);
});
