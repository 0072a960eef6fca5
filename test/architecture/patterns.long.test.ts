import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { patternFaults, readPatterns } from './patterns.js';
import { readSources } from './sources.js';

describe('the regular expressions of src', () => {
  it('are all linear', () => {
    const sources = [...readSources(['src'])];
    assert.ok(
      sources.some(([path, text]) => readPatterns(path, text).patterns.length > 0),
      'no pattern was read',
    );
    assert.deepEqual(
      sources.flatMap(([path, text]) => patternFaults(path, text)),
      [],
    );
  });
});

describe('the reader of patterns', () => {
  const planted = {
    'an exponential literal': 'export const p = /^(a|a)*$/;',
    'a quadratic literal': 'export const p = /\\s+$/;',
    'an exponential pattern given as text': "export const p = new RegExp('^(a+)+$', 'u');",
    'a pattern built from parts': 'export const p = (name: string) => new RegExp(`^${name}$`);',
  };
  for (const [name, text] of Object.entries(planted)) {
    it(`sees ${name}`, () => {
      assert.equal(patternFaults('planted.ts', text).length, 1);
    });
  }

  it('lets linear patterns pass', () => {
    assert.deepEqual(patternFaults('fine.ts', "export const p = [/^\\d{1,3}$/u, new RegExp('^a*b$')];"), []);
  });
});
