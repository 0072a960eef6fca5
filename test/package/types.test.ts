import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { run } from '../../scripts/processes.js';

/** TypeScript and JSX are compiled with everything else, by the checks; these need a compiler or a program of their own. */
describe('the types of a page that only imports define', () => {
  it('know the tag and its events, also on the document', async () => {
    const { code, output } = await run('node_modules/.bin/tsc', [
      '--noEmit',
      '-p',
      'test/package/types/tsconfig.define.json',
    ]);
    assert.equal(code, 0, output);
  });
});

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
