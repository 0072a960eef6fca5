import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { loadServeConfig } from '../../../src/cli/serve/config.js';
import { outcomesTo } from '../../../src/cli/serve/shop.js';
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
