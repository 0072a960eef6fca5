import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { loadServeConfig, readServeSecrets } from '../../src/cli/serve/config.js';
import { runCli } from './cli-process.js';

const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-init-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const emptyFolder = () => mkdtempSync(join(folder, 'shop-'));
const text = (shop: string, name: string) => readFileSync(join(shop, name), 'utf8');

describe('pay-checkout init', () => {
  it('writes a configuration that serve takes, and says what to run next', async () => {
    const shop = emptyFolder();
    const { code, stdout, stderr } = await runCli(['init', '--backend', 'serve'], {}, shop);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /npx pay-checkout sandbox --webhook http:\/\/127\.0\.0\.1:4020\/webhooks\n/);
    assert.match(stdout, /npx pay-checkout serve --console\n/);
    const config = await loadServeConfig(join(shop, 'checkout.config.mjs'));
    const secrets = await readServeSecrets(config);
    assert.match(config.own.orders.url, /\{id\}$/);
    assert.equal(config.own.service.baseUrl, 'http://127.0.0.1:4010');
    assert.ok((secrets.console?.length ?? 0) >= 32);
  });

  it('makes secrets of its own, for one pair of eyes, that git ignores and the terminal does not show', async () => {
    const [one, other] = [emptyFolder(), emptyFolder()];
    writeFileSync(join(one, '.gitignore'), 'node_modules');
    const runs = await Promise.all([one, other].map((shop) => runCli(['init'], {}, shop)));
    const made = (shop: string) => JSON.parse(text(shop, 'checkout.secrets.json')) as Record<string, string>;
    for (const name of ['orders', 'outcomes', 'orderTokens', 'console', 'metrics']) {
      const secret = made(one)[name] ?? '';
      assert.ok(secret.length >= 43, name);
      assert.notEqual(secret, made(other)[name], name);
      assert.ok(!runs.some(({ stdout, stderr }) => (stdout + stderr).includes(secret)), name);
      assert.ok(!text(one, 'checkout.config.mjs').includes(secret), name);
    }
    if (process.platform !== 'win32')
      assert.equal(statSync(join(one, 'checkout.secrets.json')).mode & 0o777, 0o600);
    assert.equal(text(one, '.gitignore'), 'node_modules\ncheckout.secrets.json\ncheckout.db*\n');
    assert.equal(text(other, '.gitignore'), 'checkout.secrets.json\ncheckout.db*\n');
  });

  it('writes over nothing', async () => {
    for (const name of ['checkout.config.mjs', 'checkout.secrets.json']) {
      const shop = emptyFolder();
      writeFileSync(join(shop, name), 'mine');
      const { code, stderr } = await runCli(['init'], {}, shop);
      assert.equal(code, 1);
      assert.equal(stderr, `${name} is there already. Nothing was changed.\n`);
      assert.equal(text(shop, name), 'mine');
    }
  });
});

describe('pay-checkout serve', () => {
  it('says which file is missing, and how to get one', async () => {
    const { code, stderr } = await runCli(['serve'], {}, emptyFolder());
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^There is no checkout\.config\.mjs in .+\nnpx pay-checkout init writes a first one/,
    );
  });

  it('says which import of the config file failed', async () => {
    for (const missing of ['left-pad', './secrets.mjs']) {
      const shop = emptyFolder();
      writeFileSync(join(shop, 'checkout.config.mjs'), `import '${missing}';\nexport default {};\n`);
      const { code, stderr } = await runCli(['serve'], {}, shop);
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^checkout\.config\.mjs imports .*(?:left-pad|secrets\.mjs), which is not there\.\n$/,
      );
    }
  });
});
