import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';
import ts from 'typescript';

const configFile = fileURLToPath(new URL('../../docs/examples/tsconfig.json', import.meta.url));

test('the examples for Node, Express, Next, Bun, Deno and workers compile against the package', () => {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => assert.fail('no tsconfig') };
  const config = ts.getParsedCommandLineOfConfigFile(configFile, undefined, host);
  assert.ok(config !== undefined);
  const names = config.fileNames.map((name) => name.slice(name.lastIndexOf('/') + 1));
  for (const runtime of ['node', 'express', 'next', 'bun', 'deno', 'worker']) {
    assert.ok(names.includes(`${runtime}.ts`), `there is no example for ${runtime}`);
  }
  const program = ts.createProgram(config.fileNames, config.options);
  const faults = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  assert.deepEqual(faults, []);
});
