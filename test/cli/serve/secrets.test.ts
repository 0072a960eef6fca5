import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { signatureHeaders } from '../../../src/cli/serve/standard-webhooks.js';
import { CLI, runCli } from '../cli-process.js';

const signing = (text: string) => `whsec_${Buffer.from(text.padEnd(32, '.')).toString('base64')}`;

const FIRST = {
  orders: 'the-first-secret-of-the-shop',
  order: 'the first secret of thirty-two characters',
  webhook: 'the-first-webhook-secret',
  outcomes: signing('first'),
  apiKey: 'first-key',
};
const SECOND = {
  orders: 'the-second-secret-of-the-shop',
  order: 'the second secret of thirty-two characters',
  webhook: 'the-second-webhook-secret',
};
const HEADER = 'x-webhook-secret';

describe('secrets of pay-checkout serve', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-secrets-'));
  const file = (name: string) => join(folder, name);
  /** As an operator should: a file that is half written is never in place. */
  const write = (name: keyof typeof FIRST, ...lines: readonly string[]) => {
    writeFileSync(file('new'), `${lines.join('\n')}\n`);
    renameSync(file('new'), file(name));
  };
  const asked: string[] = [];
  const shop = createServer((request, response) => {
    asked.push(request.headers.authorization ?? '');
    response.end(JSON.stringify({ amountInCents: 12_500_000 }));
  });
  let child: ChildProcess;
  let base: string;
  let said = '';

  beforeAll(async () => {
    shop.listen(0, '127.0.0.1');
    await once(shop, 'listening');
    for (const [name, secret] of Object.entries(FIRST)) write(name as keyof typeof FIRST, secret);
    const config = {
      port: 0,
      database: file('checkout.db'),
      basePath: '/checkout',
      publicUrl: 'https://shop.example/checkout',
      service: { baseUrl: 'http://127.0.0.1:9', apiKey: { file: file('apiKey') } },
      orders: {
        url: `http://127.0.0.1:${(shop.address() as AddressInfo).port}/{id}`,
        secret: { file: file('orders') },
      },
      outcomes: { url: 'http://127.0.0.1:9/', secret: { file: file('outcomes') } },
      orderSecret: { file: file('order') },
      merchant: { name: 'Café Andino' },
      webhook: { header: HEADER, secret: { file: file('webhook') } },
    };
    writeFileSync(file('checkout.config.mjs'), `export default ${JSON.stringify(config)};\n`);
    const flags = [CLI, 'serve', '--config', file('checkout.config.mjs')];
    child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const [line] = (await Promise.race([
      once(child.stdout ?? child, 'data'),
      once(child, 'exit').then(() => assert.fail(said)),
    ])) as [Buffer];
    base = /http:\S+/.exec(line.toString())?.[0] ?? assert.fail(line.toString());
  });

  afterAll(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
    shop.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const tokenFor = (secret: string) =>
    fetch(`${base}/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ order: 'A-1042' }),
    });
  const token = async (secret: string) =>
    ((await (await tokenFor(secret)).json()) as { token: string }).token;
  const offer = (orderToken: string) => fetch(`${base}/orders/${orderToken}`);
  const event = (secret: string) =>
    fetch(`${base}/webhooks`, {
      method: 'POST',
      headers: { [HEADER]: secret, 'content-type': 'application/json' },
      body: '{"event":"payin.confirmed","resource":"payin","data":{"id":"1","status":"CONFIRMED"}}',
    });
  /** The files are looked at every other second. */
  const inForce = async (line: RegExp) => {
    const before = said.length;
    // real time: another process looks at its files
    while (!line.test(said.slice(before))) await once(child.stderr ?? child, 'data');
  };

  it('come from files, and are changed one by one while it runs', async () => {
    const old = await token(FIRST.orders);
    assert.equal((await offer(old)).status, 200);
    assert.equal(asked.at(-1), `Bearer ${FIRST.orders}`);
    assert.equal((await event(FIRST.webhook)).status, 200);

    const changed = inForce(/secrets_changed/);
    write('orders', SECOND.orders, FIRST.orders);
    write('order', SECOND.order, FIRST.order);
    write('webhook', SECOND.webhook, FIRST.webhook);
    await changed;
    // The files were written one after the other and may have been read in between.
    while ((await event(SECOND.webhook)).status !== 200) await inForce(/secrets_changed/);
    for (const secret of [FIRST.orders, SECOND.orders]) assert.equal((await tokenFor(secret)).status, 200);
    for (const secret of [FIRST.webhook, SECOND.webhook]) assert.equal((await event(secret)).status, 200);
    const fresh = await token(SECOND.orders);
    assert.notEqual(fresh, old, 'the first signs');
    for (const each of [old, fresh]) assert.equal((await offer(each)).status, 200);
    assert.equal(asked.at(-1), `Bearer ${SECOND.orders}`);

    const dropped = inForce(/secrets_changed/);
    write('order', SECOND.order);
    await dropped;
    assert.equal((await offer(old)).status, 404);
    assert.equal((await offer(fresh)).status, 200);
    assert.equal(child.exitCode, null);
  });

  it('that cannot be used change nothing, and are named without being shown', async () => {
    const before = await token(SECOND.orders);
    const refused = inForce(/secrets_unusable.*orderSecret: must be 32 to 512 characters/);
    write('order', 'too short');
    await refused;
    for (const each of [before, await token(SECOND.orders)]) assert.equal((await offer(each)).status, 200);
    assert.doesNotMatch(said, /too short|the-second|the second|the-first|the first/);
  });

  it('sign each notice, one signature beside the other', async () => {
    const secrets = [signing('new'), signing('old')];
    const headers = await signatureHeaders(secrets, 'id', '{}', new Date(1_763_200_000_000));
    const expected = secrets.map((secret) => {
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
      return `v1,${createHmac('sha256', key).update('id.1763200000.{}').digest('base64')}`;
    });
    assert.equal(headers['webhook-signature'], expected.join(' '));
  });

  it('say which file is missing', async () => {
    const config = {
      service: { baseUrl: 'http://127.0.0.1:9', apiKey: { file: file('nothing-here') } },
      orders: { url: 'http://127.0.0.1:9/{id}', secret: FIRST.orders },
      outcomes: { url: 'http://127.0.0.1:9/', secret: [FIRST.outcomes] },
      orderSecret: [FIRST.order],
    };
    writeFileSync(file('missing.config.mjs'), `export default ${JSON.stringify(config)};\n`);
    const { code, stderr } = await runCli(['serve', '--config', file('missing.config.mjs')]);
    assert.equal(code, 1);
    assert.match(stderr, /service\.apiKey: .*nothing-here could not be read \(ENOENT\)/);
  });
});
