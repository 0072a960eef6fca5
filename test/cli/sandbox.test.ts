import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, describe, test } from 'vitest';
import { SANDBOX_DEFAULTS } from '../../src/sandbox.js';
import { cleanup } from '../support/cleanup.js';
import { runCli, startCli } from './cli-process.js';

const KEY = { 'x-api-key': SANDBOX_DEFAULTS.apiKey };
const PAYIN = {
  amountInCents: 12_500_000,
  currency: 'COP',
  rail: 'BRE_B',
  reference: 'A-1042',
  breb: { keyType: 'SINGLE_USE' },
};

/** Starts a sandbox that ends with the test, and says where it is. */
async function startSandbox(context: TestContext, args: readonly string[], env?: Record<string, string>) {
  const cli = startCli(['sandbox', ...args], env);
  cleanup(context, async () => {
    cli.signal('SIGKILL');
    await cli.ended;
  });
  const output = await cli.written('Ctrl-C stops it.');
  const address = /API\s+(http\S+)/.exec(output)?.[1] ?? '';
  return { ...cli, output, address };
}

function createPayin(address: string, change: object = {}): Promise<Response> {
  return fetch(`${address}/payins`, {
    method: 'POST',
    headers: { ...KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ ...PAYIN, ...change }),
  });
}

function folder(context: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'pay-checkout-'));
  cleanup(context, () => rmSync(path, { recursive: true, force: true }));
  return path;
}

describe('npx pay-checkout sandbox', { concurrent: true }, () => {
  test('says where it is, what to send and what to try, and does what it says', async (context) => {
    const { output, address } = await startSandbox(context, ['--port', '0']);
    for (const text of [
      `${address}/_/`,
      SANDBOX_DEFAULTS.apiKey,
      SANDBOX_DEFAULTS.accessToken,
      '1000000001',
      '1000000003',
      '1000000005',
      'curl',
    ]) {
      assert.ok(output.includes(text), text);
    }
    const created = await createPayin(address);
    assert.equal(created.status, 201);
    const { sourceData } = (await created.json()) as { sourceData: { checkoutUrl: string } };
    assert.ok(sourceData.checkoutUrl.startsWith(`${address}/checkout/`));
    const page = await fetch(sourceData.checkoutUrl);
    assert.match(await page.text(), /Paga desde la app de tu banco/);
    const control = await fetch(`${address}/_/api/view`);
    assert.match(await control.text(), /A-1042/);
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    test(`${signal} ends it cleanly, even with a connection open`, async (context) => {
      const { address, ended, signal: send } = await startSandbox(context, ['--port', '0']);
      // Left unread on purpose: an answer somebody still holds.
      await fetch(`${address}/_/`);
      send(signal);
      const { code, stderr } = await ended;
      assert.equal(code, 0);
      assert.equal(stderr, '');
    });
  }

  test('a port that was asked for and is taken is a clear end', async (context) => {
    const other = createServer().listen(0, '127.0.0.1');
    context.onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    const { code, stderr } = await runCli(['sandbox', '--port', String(port)]);
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`Port ${port} is taken`));
    assert.doesNotMatch(stderr, /\n\s+at /);
  });

  test('without a port it takes the next free one', async (context) => {
    const one = await startSandbox(context, []);
    const other = await startSandbox(context, []);
    assert.notEqual(one.address, other.address);
    assert.equal((await createPayin(one.address)).status, 201);
    assert.equal((await createPayin(other.address)).status, 201);
  });

  test('an address this machine does not have is explained', async () => {
    const { code, stderr } = await runCli(['sandbox', '--port', '0', '--host', '203.0.113.7']);
    assert.equal(code, 1);
    assert.match(stderr, /This machine has no address "203\.0\.113\.7"/);
  });

  test('it does not start in production', async () => {
    const { code, stdout, stderr } = await runCli(['sandbox', '--port', '0'], { NODE_ENV: 'production' });
    assert.equal(code, 1);
    assert.match(stderr, /NODE_ENV=production/);
    assert.equal(stdout, '');
  });

  test('events go to the address given, with the header given', async (context) => {
    const arrived = new Promise<{ headers: IncomingMessage['headers']; body: string }>((resolve) => {
      const merchant = createServer((request, response) => {
        let body = '';
        request.setEncoding('utf8').on('data', (text: string) => (body += text));
        request.on('end', () => {
          response.end();
          resolve({ headers: request.headers, body });
        });
      }).listen(0, '127.0.0.1');
      context.onTestFinished(() => {
        merchant.closeAllConnections();
        merchant.close();
      });
      merchant.once('listening', () => {
        const { port } = merchant.address() as { port: number };
        void startSandbox(context, [
          ...['--port', '0', '--webhook', `http://127.0.0.1:${port}/hooks`],
          ...['--webhook-header', 'x-my-shop', '--webhook-secret', 'open-sesame'],
        ]).then(({ address }) => createPayin(address));
      });
    });
    const { headers, body } = await arrived;
    assert.equal(headers['x-my-shop'], 'open-sesame');
    assert.match(body, /"event":"payin\.processing"/);
  });

  test('scenarios given at the start are on', async (context) => {
    const { address, output } = await startSandbox(context, [
      ...['--port', '0', '--scenario', 'repeated-references,amount-in-cents-omitted'],
    ]);
    assert.match(output, /repeated-references, amount-in-cents-omitted/);
    await createPayin(address);
    const repeated = await createPayin(address);
    assert.equal(repeated.status, 201);
    assert.ok(!('amountInCents' in ((await repeated.json()) as object)));
  });

  test('the same seed gives the same ids', async (context) => {
    const ids = [];
    for (const seed of ['7', '7', '8']) {
      const { address } = await startSandbox(context, ['--port', '0', '--seed', seed]);
      ids.push(((await (await createPayin(address)).json()) as { id: string }).id);
    }
    assert.equal(ids[0], ids[1]);
    assert.notEqual(ids[0], ids[2]);
  });

  test('addresses begin with the public URL', async (context) => {
    const cli = startCli(['sandbox', '--port', '0', '--public-url', 'https://tunnel.example/']);
    context.onTestFinished(() => cli.signal('SIGKILL'));
    const output = await cli.written('Ctrl-C stops it.');
    assert.match(output, /https:\/\/tunnel\.example\/_\//);
  });

  test('a snapshot carries everything over to the next run', async (context) => {
    const at = folder(context);
    const file = join(at, 'sandbox.json');
    const one = await startSandbox(context, ['--port', '0', '--snapshot', file]);
    const { id } = (await (await createPayin(one.address)).json()) as { id: string };
    one.signal('SIGINT');
    const { code, stdout } = await one.ended;
    assert.equal(code, 0);
    assert.match(stdout, /Everything is in .*sandbox\.json/);
    assert.deepEqual(readdirSync(at), ['sandbox.json'], 'nothing else is left behind');

    const other = await startSandbox(context, ['--port', '0', '--snapshot', file]);
    const read = await fetch(`${other.address}/payins/${id}`, { headers: KEY });
    assert.equal(read.status, 200);
  });

  for (const [what, content] of [
    ['no JSON', 'hello'],
    ['not a snapshot', '{"version":99}'],
  ] as const) {
    test(`a snapshot file with ${what} is refused and left as it is`, async (context) => {
      const file = join(folder(context), 'sandbox.json');
      writeFileSync(file, content);
      const { code, stderr } = await runCli(['sandbox', '--port', '0', '--snapshot', file]);
      assert.equal(code, 1);
      assert.match(stderr, /is not a snapshot/);
      assert.doesNotMatch(stderr, /\n\s+at /);
      assert.equal(readFileSync(file, 'utf8'), content);
    });
  }

  test('a snapshot that cannot be written is said, not swallowed', async (context) => {
    const file = join(folder(context), 'missing', 'sandbox.json');
    const { ended, signal } = await startSandbox(context, ['--port', '0', '--snapshot', file]);
    signal('SIGINT');
    const { code, stderr } = await ended;
    assert.equal(code, 1);
    assert.match(stderr, /Could not write the snapshot/);
  });
});
