import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { loadServeConfig } from '../../../src/cli/serve/config.js';
import { ordersFrom, outcomesTo } from '../../../src/cli/serve/shop.js';
import { HOOK_NAMES } from '../../../src/server/hooks.js';
import { runCli } from '../cli-process.js';

const shop = { url: 'https://shop.example/outcomes', secrets: ['whsec_c2VjcmV0'] };

test('a shop is sent the outcomes that it names, or all of them', () => {
  assert.deepEqual(Object.keys(outcomesTo(shop)).sort(), [...HOOK_NAMES].sort());
  const hooks = ['onConfirmed', 'onAmountMismatch'] as const;
  assert.deepEqual(Object.keys(outcomesTo({ ...shop, hooks })), [...hooks]);
});

test('a shop that leaves out how it learns of payments is refused at the start', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-shop-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const load = (hooks: readonly string[]) => {
    const file = join(folder, `${hooks.join('-')}.mjs`);
    const config = {
      database: ':memory:',
      service: { baseUrl: 'https://service.example', apiKey: 'a-key-of-a-test' },
      orders: { url: 'https://shop.example/orders/{id}', secret: 'orders-secret-of-thirty-two-chars' },
      outcomes: { url: shop.url, secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`, hooks },
      orderSecret: 'a secret of thirty-two characters or more',
      merchant: { name: 'Café Andino' },
      webhook: { header: 'x-webhook-secret', secret: 'a-secret-of-webhooks' },
    };
    writeFileSync(file, `export default ${JSON.stringify(config)};\n`);
    return loadServeConfig(file);
  };
  await assert.rejects(load(['onAmountMismatch']), /outcomes\.hooks must name onConfirmed/);
  await assert.rejects(load(['onConfirmed', 'onNothing']), /outcomes\.hooks/);
  await load(['onConfirmed', 'onAmountMismatch']);
});

test('a misspelt option of the config file is refused with the nearest name', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-shop-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const load = (name: string, config: object) => {
    const file = join(folder, `${name}.mjs`);
    writeFileSync(file, `export default ${JSON.stringify(config)};\n`);
    return loadServeConfig(file);
  };
  await assert.rejects(
    load('a', { allowedOrigin: [] }),
    /allowedOrigin is not an option. Did you mean allowedOrigins\?/,
  );
  await assert.rejects(load('b', { metricSecret: '' }), /Did you mean metricsSecret\?/);
  await assert.rejects(load('c', { service: { baseURL: '' } }), /service\.baseURL .* service\.baseUrl\?/);
  await assert.rejects(load('d', { orders: { secrets: '' } }), /Did you mean orders\.secret\?/);
  await assert.rejects(
    load('e', { onConfirmed: 1 }),
    /onConfirmed is not an option. serve sends notices to outcomes\.url/,
  );
});

test('what the shop did wrong is said in a sentence', async (t) => {
  const answers: [number, string][] = [
    [500, ''],
    [200, '<p>Ana Pérez</p>'],
  ];
  const server = createServer((_request, response) => {
    const [status, body] = answers.shift() ?? [404, ''];
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const find = ordersFrom(`http://127.0.0.1:${port}/{id}`, 'secret');
  await assert.rejects(find('A-1'), { name: 'ShopError', message: /answered 500 when asked for an order/ });
  await assert.rejects(find('A-1'), { name: 'ShopError', message: /did not answer with JSON/ });
  assert.equal(await find('A-1'), null);
  server.close();
  server.closeAllConnections();
  await assert.rejects(find('A-1'), { name: 'ShopError', message: /could not be asked .*orders\.url/ });
});

test('the examples of a service unit and a container start it by flags that it has', async () => {
  const { stdout: help } = await runCli(['serve', '--help']);
  for (const file of ['pay-checkout.service', 'Containerfile']) {
    const text = readFileSync(`docs/examples/${file}`, 'utf8');
    const flags = [...text.matchAll(/^(?:ExecStart=|CMD \[).*pay-checkout.*serve.*$/gm)].flatMap(([line]) =>
      [...line.matchAll(/--[a-z-]+/g)].map(([flag]) => flag),
    );
    assert.ok(flags.includes('--config'), `${file} starts serve`);
    for (const flag of flags) assert.ok(help.includes(flag), `${file}: ${flag}`);
  }
});
