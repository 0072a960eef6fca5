import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'vitest';
import { run } from '../../scripts/tests/processes.js';

test('the examples for Node, Express, Next, Bun, Deno and workers compile against the package', async () => {
  for (const runtime of ['node', 'express', 'next', 'bun', 'deno', 'worker'])
    assert.ok(existsSync(`docs/examples/${runtime}.ts`), `there is no example for ${runtime}`);
  const compiler = 'node_modules/typescript-native/bin/tsc';
  const { code, output } = await run(process.execPath, [compiler, '--noEmit', '-p', 'docs/examples']);
  assert.equal(code, 0, output);
});
