import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { en } from '../../src/locales/en.js';
import { KNOWN, SAID, ownWords } from '../../src/locales/message-names.js';

describe('the names of words', () => {
  it('are those of a catalogue, said twice in the same order', () => {
    assert.deepEqual(SAID, Object.keys(KNOWN));
    assert.deepEqual([...SAID].sort(), Object.keys(en).sort());
  });

  it('keep a page’s words and nothing else', () => {
    const words = { tryAgain: 'Otra vez', errors: en.errors };
    assert.deepEqual(ownWords({ ...words, ...{ unheard: 'of' } }), words);
  });
});
