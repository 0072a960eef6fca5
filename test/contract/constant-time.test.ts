import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import * as fc from 'fast-check';
import { equalInConstantTime } from '../../src/contract/constant-time.js';

describe('equalInConstantTime', () => {
  it('says whether two secrets are the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), async (left, right) => {
        assert.equal(await equalInConstantTime(left, right), left === right);
        assert.ok(await equalInConstantTime(left, `${left}`));
      }),
    );
  });

  it('tells apart secrets that differ in one character, in length or in case', async () => {
    for (const other of ['', 'secre', 'secret ', 'Secret', 'secreu', 'secretsecret']) {
      assert.equal(await equalInConstantTime('secret', other), false, other);
    }
  });
});
