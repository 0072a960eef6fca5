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
