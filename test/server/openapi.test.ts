import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'vitest';
import * as v from 'valibot';
import { PROBLEM_CODES, PROBLEMS } from '../../src/contract/problems.js';
import { OPENAPI_FILE, openApiText, SCHEMAS } from '../../scripts/docs/openapi.js';
import { describeProperties, propertiesOf } from '../../scripts/docs/openapi-text.js';

/** Made once: the kit answers every example. */
const text = openApiText();

test('docs/backend.openapi.json is what the schemas say; if not, run: npx tsx scripts/docs/openapi.ts', async () => {
  assert.equal(await readFile(OPENAPI_FILE, 'utf8'), await text);
});

test('every call in it has an example, and creating a payin one of each kind of answer', async () => {
  const { paths } = JSON.parse(await text) as {
    paths: Record<string, Record<string, { requestBody?: object; responses: Record<string, object> }>>;
  };
  const without = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(
        ([, operation]) =>
          !JSON.stringify(operation.requestBody ?? operation.responses).includes('"examples"'),
      )
      .map(([method]) => `${method} ${path}`),
  );
  assert.deepEqual(without, []);
  for (const status of ['201', '202', '400', '409', '422'])
    assert.match(JSON.stringify(paths['/payins']?.['post']?.responses[status]), /"examples"/);
});

test('every reference in it leads somewhere', async () => {
  const { components } = JSON.parse(await text) as { components: { schemas: Record<string, unknown> } };
  const references = [...(await text).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name ?? '',
  );
  assert.ok(references.length > 20);
  for (const name of references) assert.ok(Object.hasOwn(components.schemas, name), name);
});

test('every property in it has a description and an example that its schema takes', async () => {
  const { components } = JSON.parse(await text) as { components: { schemas: object } };
  const properties = propertiesOf(components.schemas);
  assert.ok(properties.length > 158, `${properties.length} properties`);
  for (const { schema, path, node } of properties) {
    const name = `${schema}.${path}`;
    const { description, examples, ...judge } = node as {
      description?: string;
      examples?: unknown[];
      enum?: unknown[];
    };
    assert.match(description ?? '', /^.{12,}\.$/, name);
    assert.ok(examples !== undefined && examples.length > 0, name);
    const found = schemasAt(SCHEMAS[schema as keyof typeof SCHEMAS], path.split('.'));
    assert.ok(found.length > 0, name);
    for (const example of examples) {
      // An unknown status is read as an open one, so that its schema takes everything.
      if (judge.enum) assert.ok(judge.enum.includes(example), name);
      assert.ok(
        found.some((each) => v.safeParse(each, example).success),
        `${name} does not take ${JSON.stringify(example)}`,
      );
    }
  }
});

/** What a property of a schema is checked by; one of several where the schema has alternatives. */
function schemasAt(schema: unknown, [name, ...rest]: readonly string[]): v.GenericSchema[] {
  const { entries, wrapped, item, options } = schema as {
    entries?: Record<string, v.GenericSchema>;
    wrapped?: v.GenericSchema;
    item?: v.GenericSchema;
    options?: v.GenericSchema[];
  };
  const path = [name ?? '', ...rest];
  if (wrapped ?? item) return schemasAt(wrapped ?? item, path);
  if (entries === undefined) return (options ?? []).flatMap((each) => schemasAt(each, path));
  const own = entries[name ?? ''];
  if (own === undefined) return [];
  return rest.length === 0 ? [own] : schemasAt(own, rest);
}

test('a property without a text, and a text without a property, are refused by name', () => {
  const schemas = () => ({ Bank: { properties: { code: { type: 'string' }, kind: { const: 'BANK' } } } });
  const code = { description: 'The code.', example: 'CO_BBVA' };
  const kind = { description: 'Always the same.' };
  const described = schemas();
  describeProperties(described, { Bank: { code, kind } });
  assert.deepEqual(described.Bank.properties, {
    code: { type: 'string', description: 'The code.', examples: ['CO_BBVA'] },
    kind: { const: 'BANK', description: 'Always the same.', examples: ['BANK'] },
  });
  assert.throws(() => describeProperties(schemas(), { Bank: { code } }), /lacks Bank\.kind$/);
  assert.throws(
    () => describeProperties(schemas(), { Bank: { code: { description: 'The code.' }, kind } }),
    /lacks Bank\.code$/,
  );
  assert.throws(
    () => describeProperties(schemas(), { Bank: { code, kind, city: code } }),
    /not there: Bank\.city$/,
  );
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

test('docs/problems.md explains the codes that the kit itself gives an attempt', async () => {
  const page = await readFile(new URL('../../docs/problems.md', import.meta.url), 'utf8');
  for (const code of ['service_unavailable', 'answer_mismatch', 'replaced', 'already_paid']) {
    assert.match(page, new RegExp(`\\*\\*\`${code}\`\\*\\*`));
  }
});
