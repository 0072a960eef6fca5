import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { breaches } from './breaches.js';
import { readSources } from './sources.js';

describe('the imports of src and demo', () => {
  it('keep the rules of the parts', async () => {
    assert.deepEqual(await breaches(process.cwd()), []);
  });

  it('do not lead from a page of the demo into src: its script does', () => {
    const pages = [...readSources(['demo'], ['.html'])];
    assert.ok(pages.length > 0, 'no page was read');
    assert.deepEqual(
      pages.filter(([, text]) => /["'](?:\.\.)?\/src\//.test(text)).map(([path]) => path),
      [],
    );
  });
});
