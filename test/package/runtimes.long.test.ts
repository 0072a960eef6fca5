/**
 * The examples for other runtimes, run by those runtimes with the packed package. It installs them, so it needs the
 * registry.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, it, type TestContext } from 'vitest';
import { freePort } from '../../scripts/tests/free-port.js';
import { run, stop } from '../../scripts/tests/processes.js';
import { listen } from '../../src/node.js';
import { createSandbox, SANDBOX_DEFAULTS } from '../../src/sandbox.js';
import { createCheckout, memoryStore } from '../../src/server.js';
import { createServiceClient } from '../../src/service.js';
import { cleanup } from '../support/cleanup.js';
import { skipWhen } from '../support/skip-when.js';
import { snippet } from '../docs/pages.js';
import { begin } from './fixture-project.js';
import { must, pack } from './tarball.js';

/** Versions that run beside Node 20. */
const PACKAGES = {
  deno: '2.9.5',
  bun: '1.4.4',
  miniflare: '4.20250906.0',
  esbuild: '0.25.9',
  express: '5.3.0',
  fastify: '5.12.8',
  '@nestjs/core': '11.2.10',
  '@nestjs/common': '11.2.10',
  '@nestjs/platform-express': '11.2.10',
  'reflect-metadata': '0.2.2',
  rxjs: '7.8.2',
  next: '15.5.29',
  react: '19.2.0',
  'react-dom': '19.2.0',
  typescript: '5.9.3',
  '@types/react': '19.2.2',
  '@types/node': '20.19.24',
};
const ORDER_SECRET = 'a secret of thirty-two characters or more';

const { code } = await run('npm', ['view', 'deno', 'version']);
const skip = code === 0 ? false : 'the registry of packages cannot be reached';

describe('the examples for other runtimes', skipWhen(skip), () => {
  const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-runtimes-'));
  beforeAll(async () => {
    const tarball = await pack(folder);
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    const packages = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
    await must('npm', ['install', '--no-audit', '--no-fund', tarball, ...packages], folder);
    // Puts its program into place; newer versions of npm run no scripts of packages.
    await must('node', ['node_modules/bun/install.js'], folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Puts an example where its runtime wants it, changed as its comment says. */
  function place(example: string, path: string, change = (text: string) => text): void {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, change(readFileSync(`docs/examples/${example}.ts`, 'utf8')));
  }

  /** A port to listen at, with a sandbox and all else that the example reads from its environment. */
  async function surroundings(t: TestContext) {
    const sandbox = createSandbox({ autoOutcome: 'never' });
    const service = await listen(sandbox);
    cleanup(t, async () => {
      sandbox.close();
      await service.close();
    });
    const port = await freePort();
    const env = {
      SERVICE_URL: service.url,
      SERVICE_API_KEY: SANDBOX_DEFAULTS.apiKey,
      SERVICE_ACCESS_TOKEN: SANDBOX_DEFAULTS.accessToken,
      ORDER_SECRET,
      WEBHOOK_SECRET: SANDBOX_DEFAULTS.webhookHeaderValue,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      CRON_SECRET: 'a secret of the schedule',
    };
    return { port, env };
  }

  /** Starts it and waits until it says that it is ready. */
  async function serves(t: TestContext, [command, ...args]: string[], ready: RegExp, env = {}) {
    const { child } = await begin(command ?? '', args, folder, ready, env);
    cleanup(t, () => stop(child));
  }

  /** Opens a payin of the example's order and waits for news of it, three times. */
  async function sells(url: string): Promise<void> {
    const order = await tokenOf('order-1');
    const offer = await fetch(`${url}/orders/${order}`);
    assert.equal(offer.status, 200, await offer.clone().text());
    const made = await fetch(`${url}/payins`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
      body: JSON.stringify({
        order,
        rail: 'BRE_B',
        breb: { keyType: 'QR_CODE' },
        callbackUrl: `${new URL(url).origin}/gracias`,
      }),
    });
    assert.equal(made.status, 201, await made.clone().text());
    let { id, version } = (await made.json()) as { id: string; version: string };
    for (let reads = 0; reads < 3; reads++) {
      const read = await fetch(`${url}/payins/${id}?after=${version}&wait=1`);
      assert.equal(read.status, 200, `read ${reads + 1}: ${await read.clone().text()}`);
      ({ id, version } = (await read.json()) as { id: string; version: string });
    }
  }

  for (const [name, args] of [
    ['deno', ['run', '--allow-net', '--allow-env']],
    ['bun', []],
  ] as const)
    it(`${name} ${PACKAGES[name]} starts and sells`, async (t) => {
      const { port, env } = await surroundings(t);
      place('checkout', 'checkout.ts');
      place(name, `${name}.ts`, (text) => text.replace('port: 3000', `port: ${port}`));
      await serves(t, [`node_modules/.bin/${name}`, ...args, `${name}.ts`], /Listening/, env);
      await sells(`http://127.0.0.1:${port}`);
    });

  /** Starts a program for Node, written in TypeScript, and buys from it. */
  async function sellsOnNode(t: TestContext, name: string, program: string, path: string): Promise<void> {
    const { port, env } = await surroundings(t);
    const project = join(folder, name);
    mkdirSync(project);
    const checkout = readFileSync('docs/examples/checkout.ts', 'utf8');
    writeFileSync(
      join(project, 'checkout.ts'),
      // Fastify leaves the path as it came.
      name === 'fastify'
        ? checkout.replace('createCheckout({', "createCheckout({ basePath: '/checkout',")
        : checkout,
    );
    writeFileSync(join(project, 'main.ts'), program.replaceAll('3000', `${port}`));
    const files = ['checkout.ts', 'main.ts'].map((file) => `${name}/${file}`);
    await must('node_modules/.bin/esbuild', [...files, `--outdir=${name}`], folder);
    await serves(t, ['node', `${name}/main.js`], /Listening/, env);
    await sells(`http://127.0.0.1:${port}${path}`);
  }

  it('Node starts and sells', (t) =>
    sellsOnNode(t, 'plain', readFileSync('docs/examples/node.ts', 'utf8'), ''));

  it(`Express ${PACKAGES.express} starts and sells`, (t) => {
    const example = readFileSync('docs/examples/express.ts', 'utf8');
    const program = example.replace('listen(3000)', "listen(3000, () => console.log('Listening'))");
    return sellsOnNode(t, 'express', program, '/checkout');
  });

  const ON_NODE = `import { toNodeHandler } from 'pay-checkout/node';
import { makeCheckout } from './checkout.js';
const checkout = makeCheckout(process.env);
`;

  it(`Fastify ${PACKAGES.fastify} sells with the lines of the page`, (t) =>
    sellsOnNode(
      t,
      'fastify',
      `import fastify from 'fastify';
${ON_NODE}const app = fastify();
${snippet('docs/integrate.md', 'js', 'removeAllContentTypeParsers')}
await app.listen({ port: 3000, host: '127.0.0.1' });
console.log('Listening');`,
      '/checkout',
    ));

  it(`Nest ${PACKAGES['@nestjs/core']} sells with the lines of the page`, (t) =>
    sellsOnNode(
      t,
      'nest',
      `import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
${ON_NODE}class AppModule {}
Module({})(AppModule);
${snippet('docs/integrate.md', 'js', 'NestFactory')}
console.log('Listening');`,
      '/checkout',
    ));

  it(`workerd, by miniflare ${PACKAGES.miniflare}, sells and answers every read that waits`, async (t) => {
    place('checkout', 'checkout.ts');
    place('worker', 'worker.ts');
    const bundle = ['--bundle', '--format=esm', '--platform=neutral', '--main-fields=module,main'];
    await must(
      'node_modules/.bin/esbuild',
      ['worker.ts', ...bundle, '--external:node:*', '--outfile=worker.js'],
      folder,
    );
    const { port, env } = await surroundings(t);
    const options = {
      host: '127.0.0.1',
      port,
      modules: true,
      scriptPath: 'worker.js',
      compatibilityDate: '2025-09-01',
      compatibilityFlags: ['nodejs_compat'],
      bindings: env,
    };
    writeFileSync(
      join(folder, 'serve.js'),
      `import { Miniflare } from 'miniflare';\nawait new Miniflare(${JSON.stringify(options)}).ready;\nconsole.log('ready');\n`,
    );
    await serves(t, ['node', 'serve.js'], /ready/);
    await sells(`http://127.0.0.1:${port}`);
  });

  it(`Next ${PACKAGES.next} builds without secrets, starts, sells, and ticks for the schedule alone`, async (t) => {
    const route = 'app/api/checkout/[...path]';
    place('checkout', `${route}/checkout.ts`, (text) =>
      text.replace('createCheckout({', "createCheckout({\n    basePath: '/api/checkout',"),
    );
    place('next', `${route}/route.ts`);
    place('checkout', 'app/api/checkout-tick/checkout.ts');
    place('next-tick', 'app/api/checkout-tick/route.ts');
    writeFileSync(
      join(folder, 'app/layout.tsx'),
      'export default function Layout({ children }: { children: React.ReactNode }) {\n  return <html lang="es"><body>{children}</body></html>;\n}\n',
    );
    writeFileSync(
      join(folder, 'app/page.tsx'),
      'export default function Page() {\n  return <p>Tienda</p>;\n}\n',
    );
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          jsx: 'preserve',
          lib: ['dom', 'esnext'],
          module: 'esnext',
          moduleResolution: 'bundler',
          isolatedModules: true,
          skipLibCheck: true,
        },
        include: ['app', 'next-env.d.ts'],
      }),
    );
    await must('npx', ['next', 'build'], folder, { NEXT_TELEMETRY_DISABLED: '1' });
    const { port, env } = await surroundings(t);
    const url = `http://127.0.0.1:${port}`;
    await serves(t, ['npx', 'next', 'start', '--hostname', '127.0.0.1', '--port', `${port}`], /Ready/, env);
    await sells(`${url}/api/checkout`);
    const tick = (secret: string) =>
      fetch(`${url}/api/checkout-tick`, { headers: { authorization: `Bearer ${secret}` } });
    assert.equal((await tick('a guess of some length')).status, 401);
    assert.equal((await tick(env.CRON_SECRET)).status, 200);
  });
});

/** What the shop's page would be given for an order. */
function tokenOf(order: string): Promise<string> {
  const checkout = createCheckout({
    service: createServiceClient({ baseUrl: 'https://service.test', apiKey: 'none' }),
    store: memoryStore(),
    merchant: { name: 'Mi tienda' },
    orderSecret: ORDER_SECRET,
    webhook: false,
    findOrder: () => null,
    onConfirmed: () => undefined,
  });
  return checkout.orderToken(order);
}
