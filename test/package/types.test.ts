import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { run } from '../../scripts/tests/processes.js';

/** TypeScript and JSX are compiled with everything else, by the checks; this needs a program of its own. */
describe('the types of a page that only imports define', () => {
  it('know the tag and its events, also on the document', async () => {
    const { code, output } = await run(process.execPath, [
      'node_modules/typescript-native/bin/tsc',
      '--noEmit',
      '-p',
      'test/package/types/tsconfig.define.json',
    ]);
    assert.equal(code, 0, output);
  });
});
