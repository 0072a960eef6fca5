import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'vitest';
import { API_ERRORS } from '../../../src/sandbox/api/http.js';
import { SCENARIO_NAMES } from '../../../src/sandbox.js';

const here = new URL('.', import.meta.url);
const page = readFileSync(new URL('../../../docs/service-interface.md', here), 'utf8');

/** Ids that stand in front of a test's name, or in the row of a table that tests are made from. */
function testedIds(): Set<string> {
  const files = readdirSync(here).filter((name) => /^(?!document).*\.test\.ts$/.test(name));
  const sources = files.map((name) => readFileSync(new URL(name, here), 'utf8')).join('\n');
  return new Set(
    [...sources.matchAll(/(?:test\(|\[)\s*['"]([A-Z]{1,2}\d{1,2})['" ]/g)].flatMap(([, id]) => id ?? []),
  );
}

test('every rule of docs/service-interface.md is named by a test, and every named rule is there', () => {
  const documented = [...page.matchAll(/^\| ([A-Z]{1,2}\d{1,2}) +\|/gm)].flatMap(([, id]) => id ?? []);
  assert.ok(documented.length > 150);
  assert.equal(new Set(documented).size, documented.length, 'an id is used twice');
  assert.deepEqual([...testedIds()].sort(), documented.sort());
});

test('docs/service-interface.md names every scenario and every error code', () => {
  for (const name of SCENARIO_NAMES) assert.ok(page.includes(`\`${name}\``), name);
  for (const [code, { status }] of Object.entries(API_ERRORS)) {
    if (status < 500) assert.ok(page.includes(`\`${code}\``), code);
  }
});
