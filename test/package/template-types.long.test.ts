import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { run } from '../../scripts/tests/processes.js';

describe('the types in templates of Vue', () => {
  it('know the tag: what is right compiles, and what is wrong does not', async () => {
    const { code, output } = await run('node_modules/.bin/vue-tsc', [
      '--noEmit',
      '-p',
      'test/package/types/tsconfig.vue.json',
    ]);
    assert.equal(code, 0, output);
  });
});
