import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'vitest';
import { KNOWN_MISTAKES } from './known-mistakes.js';

test('each known mistake can be made at one place, and has a test that is there', () => {
  for (const { says, file, from, noticedBy } of KNOWN_MISTAKES) {
    assert.equal(readFileSync(file, 'utf8').split(from).length, 2, `${says}: ${from}`);
    assert.ok(existsSync(`test/${noticedBy}.test.ts`), `${says}: ${noticedBy}`);
  }
});
