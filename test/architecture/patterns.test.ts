import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { patternFaults } from './patterns.js';

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
