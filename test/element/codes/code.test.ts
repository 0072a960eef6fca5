import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { codeOf, crispWidth } from '../../../src/element/paying/codes/code.js';

describe('a drawn code', () => {
  it('has a quiet zone of four modules, and one rectangle for what touches in a row', () => {
    const rows = ['##.', '...', '#.#'];
    assert.deepEqual(
      codeOf(3, (row, column) => rows[row]?.[column] === '#'),
      { modules: 11, path: 'M4 4h2v1h-2zM4 6h1v1h-1zM6 6h1v1h-1z' },
    );
  });
});

describe('the width of a code in its box', () => {
  it('is the most that gives each module whole device pixels', () => {
    assert.equal(crispWidth(97, 334, 1), 291);
    assert.equal(crispWidth(97, 334, 1.25), 310.4);
    assert.equal(crispWidth(97, 334, 2), 291);
    assert.equal(crispWidth(97, 388, 1), 388);
  });

  it('fills a box that has less than one for each', () => {
    assert.equal(crispWidth(97, 60, 1), 60);
  });
});
