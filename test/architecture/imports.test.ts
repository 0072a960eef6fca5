import assert from 'node:assert/strict';
import { it } from 'vitest';
import { breaches } from './breaches.js';

it('src and demo import what the rules of the parts allow', async () => {
  assert.deepEqual(await breaches(process.cwd()), []);
});
