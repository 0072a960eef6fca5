import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'vitest';
import { API_ERRORS } from '../../../src/sandbox/api/http.js';

const here = new URL('.', import.meta.url);
const rules = readFileSync(new URL('rules.md', here), 'utf8');

/** Ids that stand in front of a test's name, or in the row of a table that tests are made from. */
function testedIds(): Set<string> {
  const files = readdirSync(here).filter((name) => /^(?!document).*\.test\.ts$/.test(name));
  const sources = files.map((name) => readFileSync(new URL(name, here), 'utf8')).join('\n');
  return new Set(
    [...sources.matchAll(/(?:test\(|\[)\s*['"]([A-Z]{1,2}\d{1,2})['" ]/g)].flatMap(([, id]) => id ?? []),
  );
}

test('every rule of the interface is named by a test, and every named rule is there', () => {
  const documented = [...rules.matchAll(/^\| ([A-Z]{1,2}\d{1,2}) +\|/gm)].flatMap(([, id]) => id ?? []);
  assert.ok(documented.length > 150);
  assert.equal(new Set(documented).size, documented.length, 'an id is used twice');
  assert.deepEqual([...testedIds()].sort(), documented.sort());
});

test('docs/sandbox.md names every error code', () => {
  const page = readFileSync(new URL('../../../docs/sandbox.md', here), 'utf8');
  for (const [code, { status }] of Object.entries(API_ERRORS)) {
    if (status < 500) assert.ok(page.includes(`\`${code}\``), code);
  }
});
