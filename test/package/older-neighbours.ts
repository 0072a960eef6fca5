import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../scripts/tests/processes.js';
import { versions } from './fixture-kit.js';
import { must } from './tarball.js';

/** What is installed beside versions that it does not work with, and the oldest compiler that takes its types. */

export const OLDEST_TYPESCRIPT = '5.7.3';

async function installBeside(tarball: string, folder: string, packages: Readonly<Record<string, string>>) {
  mkdirSync(folder, { recursive: true });
  const dependencies = { ...packages, 'pay-checkout': `file:${tarball}` };
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'beside', private: true, type: 'module', dependencies }),
  );
  await must('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], folder);
}

export async function refusesOldReact(tarball: string, folder: string): Promise<void> {
  await installBeside(tarball, folder, { react: '16.14.0' });
  await must('node', ['--input-type=module', '--eval', "await import('pay-checkout/define')"], folder);
  const { code, output } = await run(
    'node',
    ['--input-type=module', '--eval', "await import('pay-checkout/react')"],
    {
      cwd: folder,
    },
  );
  assert.notEqual(code, 0);
  assert.match(output, /pay-checkout\/react needs React 17 or newer, and this is 16\.14\.0/);
}

export async function refusesOldDriver(tarball: string, folder: string): Promise<void> {
  await installBeside(tarball, folder, { pg: '7.18.2' });
  const secret = 'thirty-two characters or more, and secret';
  const config = {
    service: { baseUrl: 'http://127.0.0.1:9', apiKey: 'key' },
    orders: { url: 'http://127.0.0.1:9/{id}', secret },
    outcomes: { url: 'http://127.0.0.1:9/', secret: `whsec_${btoa(secret)}` },
    orderSecret: secret,
    merchant: { name: 'Mi tienda' },
    webhook: { header: 'x-webhook-secret', secret },
    publicUrl: 'http://127.0.0.1:4020',
    database: 'postgres://nobody@127.0.0.1:9/none',
  };
  writeFileSync(join(folder, 'checkout.config.mjs'), `export default ${JSON.stringify(config)};\n`);
  const { code, output } = await run('npx', ['pay-checkout', 'serve'], { cwd: folder });
  assert.equal(code, 1, output);
  assert.match(output, /PostgreSQL needs pg 8 or newer, and 7\.18\.2 is installed/);
}

export async function compilesWithOldTypeScript(tarball: string, folder: string): Promise<void> {
  await installBeside(tarball, folder, {
    typescript: OLDEST_TYPESCRIPT,
    ...versions('@types/node', 'react', '@types/react', 'vue', 'svelte', 'preact', 'solid-js'),
  });
  const entries = [
    '',
    '/define',
    '/react',
    '/vue',
    '/svelte',
    '/preact',
    '/solid',
    '/locales/es',
    '/simulator',
  ];
  const onServers = ['/server', '/node', '/service', '/sandbox'];
  const imports = [...entries, ...onServers].map((entry) => `import 'pay-checkout${entry}';`);
  const listening = `document.querySelector('pay-checkout')?.addEventListener('payin-confirmed', ({ payin }) => payin.reference);`;
  writeFileSync(join(folder, 'page.ts'), [...imports, listening].join('\n'));
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    types: ['node'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['page.ts'] }));
  await must('npx', ['tsc'], folder);
}
