import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { PROBLEM_CODES, PROBLEMS } from '../../src/contract/problems.js';
import { contractExamples, EXAMPLES_FILE } from '../../scripts/contract-examples.js';
import { OPENAPI_FILE, openApiText } from '../../scripts/openapi.js';

test('docs/backend.openapi.json is what the schemas say; if not, run: npx tsx scripts/openapi.ts', async () => {
  assert.equal(await readFile(OPENAPI_FILE, 'utf8'), await openApiText());
});

test('docs/contract-examples.md is what the kit answers; if not, run: npx tsx scripts/contract-examples.ts', async () => {
  assert.equal(await readFile(EXAMPLES_FILE, 'utf8'), await contractExamples());
});

test('every reference in it leads somewhere', async () => {
  const text = await openApiText();
  const { components } = JSON.parse(text) as { components: { schemas: Record<string, unknown> } };
  const references = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name ?? '');
  assert.ok(references.length > 20);
  for (const name of references) assert.ok(Object.hasOwn(components.schemas, name), name);
});

test('docs/problems.md says of every problem what causes it and what the widget does', async () => {
  const page = await readFile(new URL('../../docs/problems.md', import.meta.url), 'utf8');
  const [refusals = ''] = page.split('\n## ');
  const rows = refusals.split('\n').filter((line) => line.startsWith('| `'));
  const described = rows.map((row) => row.split('|').map((cell) => cell.trim()));
  assert.deepEqual(described.map(([, code]) => code?.replaceAll('`', '')).sort(), [...PROBLEM_CODES].sort());
  for (const [, code, status, cause, widget] of described) {
    const { status: expected } = PROBLEMS[(code ?? '').replaceAll('`', '') as keyof typeof PROBLEMS];
    assert.equal(status, String(expected), code);
    assert.ok((cause ?? '').length > 20 && (widget ?? '').length > 20, code);
  }
});

test('docs/problems.md explains every code the kit itself gives an attempt', async () => {
  const page = await readFile(new URL('../../docs/problems.md', import.meta.url), 'utf8');
  for (const code of ['service_unavailable', 'answer_mismatch', 'replaced', 'already_paid']) {
    assert.match(page, new RegExp(`\\*\\*\`${code}\`\\*\\*`));
  }
});
