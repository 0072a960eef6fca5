import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it, vi } from 'vitest';
import { createAdaptorServer } from '@hono/node-server';
import type { BrebAttempt } from '../../../src/contract/backend.js';
import { CLI, runCli } from '../cli-process.js';
import { createSandbox, type Sandbox, SANDBOX_DEFAULTS } from '../../../src/sandbox.js';
import { brebPayin } from '../../sandbox/harness.js';
import { CUSTOMER } from '../../server/world.js';
import { PATIENCE_MS } from '../../support/patience.js';

const METRICS_SECRET = 'sixteen characters or more';
const SECRETS = {
  orders: 'orders-secret-of-the-shop',
  outcomes: `whsec_${Buffer.from('a signing key of thirty-two bytes').toString('base64')}`,
  webhook: 'webhook-secret-of-shop',
};

/** A shop in any language: it answers for its orders and takes outcomes, refusing the first to see it repeated. */
class Shop {
  readonly notices: { hook: string; key: string; order: string; isSigned: boolean }[] = [];
  readonly asked: string[] = [];
  refusals = 1;
  readonly server: Server = createServer((request, response) => {
    const authorization = request.headers.authorization ?? '';
    if (request.method === 'GET') {
      this.asked.push(authorization);
      const known = /^\/orders\/A-104[23]$/.test(request.url ?? '');
      response.writeHead(known ? 200 : request.url === '/orders/broken' ? 500 : 404, {
        'content-type': 'application/json',
      });
      response.end(
        known ? JSON.stringify({ amountInCents: 12_500_000, description: 'Dos bolsas de café' }) : '{}',
      );
      return;
    }
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { hook, notice } = JSON.parse(text) as { hook: string; notice: { key: string; order: string } };
      assert.equal(request.headers['webhook-id'], notice.key);
      this.notices.push({
        hook,
        key: notice.key,
        order: notice.order,
        isSigned: isSigned(request.headers, text),
      });
      response.writeHead(this.refusals-- > 0 ? 503 : 204);
      response.end();
      this.server.emit('notice');
    });
  });
}

/** As the scheme says it, written down apart from the code that signs. */
function isSigned(headers: IncomingHttpHeaders, body: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signature } = headers;
  const key = Buffer.from(SECRETS.outcomes.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key)
    .update(`${String(id)}.${String(seconds)}.${body}`)
    .digest('base64');
  const isRecent = Math.abs(Date.now() / 1_000 - Number(seconds)) < 300;
  return isRecent && signature === `v1,${expected}`;
}

/** What a sale came to, as the payer, the shop and the service saw it. */
interface Sale {
  readonly offered: number;
  readonly asked: string | undefined;
  readonly collected: number;
}

const listening = async (server: Server): Promise<string> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

describe('pay-checkout serve', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-serve-'));
  const shop = new Shop();
  let sandbox: Sandbox;
  let sandboxServer: Server;
  let child: ChildProcess;
  let said = '';
  let base: string;
  let sale: Sale;

  beforeAll(async () => {
    const shopUrl = await listening(shop.server);
    sandbox = createSandbox();
    sandboxServer = createAdaptorServer({ fetch: sandbox.fetch }) as Server;
    const sandboxUrl = await listening(sandboxServer);
    sandbox.engine.publicUrl = sandboxUrl;
    const config = {
      port: 0,
      database: join(folder, 'checkout.db'),
      basePath: '/checkout',
      publicUrl: 'https://shop.example/checkout',
      service: { baseUrl: sandboxUrl, apiKey: SANDBOX_DEFAULTS.apiKey },
      orders: { url: `${shopUrl}/orders/{id}`, secret: SECRETS.orders },
      outcomes: { url: `${shopUrl}/outcomes`, secret: SECRETS.outcomes },
      orderSecret: 'a secret of thirty-two characters or more',
      metricsSecret: METRICS_SECRET,
      merchant: { name: 'Café Andino' },
      webhook: { header: SANDBOX_DEFAULTS.webhookHeaderName, secret: SECRETS.webhook },
    };
    const file = join(folder, 'checkout.config.mjs');
    writeFileSync(file, `export default ${JSON.stringify(config)};\n`);
    child = spawn(process.execPath, [CLI, 'serve', '--config', file], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const [line] = (await Promise.race([
      once(child.stdout ?? child, 'data'),
      once(child, 'exit').then(() => assert.fail(said)),
    ])) as [Buffer];
    base = /http:\S+/.exec(line.toString())?.[0] ?? assert.fail(line.toString());
    sandbox.engine.setWebhooks([
      {
        url: `${base}/webhooks`,
        headerName: SANDBOX_DEFAULTS.webhookHeaderName,
        headerValue: SECRETS.webhook,
      },
    ]);
    sale = await sell();
  });

  afterAll(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
    sandbox.close();
    sandboxServer.close();
    shop.server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const tokenFor = (order: string, secret: string, more: object = {}) =>
    fetch(`${base}/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ order, ...more }),
    });

  /** Sells A-1042, whose first notice the shop refuses. */
  async function sell(): Promise<Sale> {
    const { token } = (await (await tokenFor('A-1042', SECRETS.orders)).json()) as { token: string };
    const offer = (await (await fetch(`${base}/orders/${token}`)).json()) as {
      amountInCents: number;
      version: string;
    };
    const asked = shop.asked.at(-1);
    const created = await fetch(`${base}/payins`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'one-click-on-one-page' },
      body: JSON.stringify({
        order: token,
        offerVersion: offer.version,
        rail: 'BRE_B',
        breb: { keyType: 'QR_CODE' },
        callbackUrl: 'https://shop.example/gracias',
      }),
    });
    assert.equal(created.status, 201);
    const attempt = (await created.json()) as BrebAttempt;
    const payin = sandbox.engine.payins.find(({ reference }) => reference === attempt.reference);
    assert.ok(payin);
    const twice = new Promise<void>((resolve) => {
      shop.server.on('notice', () => shop.notices.length >= 2 && resolve());
    });
    sandbox.engine.settle(payin.id, 'CONFIRMED');
    await twice;
    return { offered: offer.amountInCents, asked, collected: payin.amountInCents };
  }

  it('gives tokens only to the shop', async () => {
    assert.equal((await tokenFor('A-1042', 'somebody else entirely')).status, 401);
    assert.equal((await tokenFor('', SECRETS.orders)).status, 400);
    assert.equal((await tokenFor('A-1042', SECRETS.orders)).status, 200);
  });

  it('gives the offer with the token as a tag, empty when the shop has no such order or cannot say', async () => {
    const tagOf = async (order: string): Promise<unknown> => {
      const answer = await tokenFor(order, SECRETS.orders, { offer: true });
      assert.equal(answer.status, 200);
      const { token, offerTag } = (await answer.json()) as { token: unknown; offerTag: unknown };
      assert.equal(typeof token, 'string');
      return offerTag;
    };
    const [, json = ''] =
      /^<script type="application\/json">(.*)<\/script>$/.exec(String(await tagOf('A-1043'))) ?? [];
    assert.equal((JSON.parse(json) as { amountInCents: number }).amountInCents, 12_500_000);
    assert.equal(await tagOf('B-1'), '');
    assert.equal(await tagOf('broken'), '');
    await vi.waitFor(() => {
      assert.match(
        said,
        /"offer_left_out","order":"broken","code":"ShopError","message":"The shop answered 500/,
      );
    });
    assert.deepEqual(Object.keys((await (await tokenFor('A-1043', SECRETS.orders)).json()) as object), [
      'token',
    ]);
  });

  it('takes the price from the shop, collects, and tells the shop until it listens', () => {
    assert.equal(sale.offered, 12_500_000);
    assert.equal(sale.asked, `Bearer ${SECRETS.orders}`);
    assert.equal(sale.collected, 12_500_000);
    const [refused, taken] = shop.notices;
    assert.equal(refused?.hook, 'onConfirmed');
    assert.deepEqual(taken, refused, 'the same notice, under the same key');
    assert.equal(taken?.order, 'A-1042');
    assert.ok(taken.isSigned, 'by the Standard Webhooks scheme');
  });

  it('says whether it is well to all, and what it measures to those who have the secret', async () => {
    const { origin } = new URL(base);
    assert.equal((await fetch(`${origin}/health`)).status, 200);
    const ready = await fetch(`${origin}/ready`);
    assert.equal(ready.status, 200);
    assert.equal(((await ready.json()) as { status: string }).status, 'ready');
    const metrics = (authorization?: string) =>
      fetch(`${origin}/metrics`, { headers: authorization === undefined ? {} : { authorization } });
    const text = await (await metrics(`Bearer ${METRICS_SECRET}`)).text();
    assert.match(text, /^pay_checkout_ready 1$/m);
    assert.match(text, /^pay_checkout_events_total\{name="order\.payment_confirmed",label="BRE_B"\} 1$/m);
    assert.match(text, /^pay_checkout_duration_seconds_count\{name="service\.create",label="PAYIN"\} 1$/m);
    const dashboard = readFileSync('docs/examples/grafana-dashboard.json', 'utf8');
    const drawn = [...dashboard.matchAll(/\bpay_checkout_[a-z_]+/g)].map(([name]) =>
      name.replace(/_bucket$/, ''),
    );
    assert.ok(drawn.length > 5, 'the dashboard draws something');
    const measured = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    assert.deepEqual(
      drawn.filter((name) => !measured.includes(name)),
      [],
      'what the dashboard draws is measured',
    );
    for (const authorization of [undefined, '', `Bearer ${METRICS_SECRET}x`, METRICS_SECRET])
      assert.equal((await metrics(authorization)).status, 401, 'from this machine too');
  });

  it('shows and repairs orders, and reconciles, from a second process on the same database', async () => {
    const config = join(folder, 'checkout.config.mjs');
    const shown = await runCli(['orders', 'show', 'A-1042', '--json', '--config', config]);
    assert.equal(shown.code, 0, shown.stderr);
    const { notices } = JSON.parse(shown.stdout) as { notices: { key: string; hook: string }[] };
    assert.equal(notices[0]?.hook, 'onConfirmed');
    const before = shop.notices.length;
    const repeated = await runCli(['orders', 'repeat', 'A-1042', notices[0]?.key ?? '', '--config', config]);
    assert.equal(repeated.code, 0, repeated.stderr);
    assert.equal(shop.notices.length, before + 1);
    assert.equal(
      (await runCli(['orders', 'review', '--config', config])).stdout,
      'Nothing needs a person.\n',
    );
    const missing = await runCli(['orders', 'show', 'nobody', '--config', config]);
    assert.deepEqual([missing.code, missing.stdout], [1, '']);

    const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
    const csv = join(folder, 'payments.csv');
    const flags = ['--from', day(-1), '--to', day(2), '--csv', csv, '--config', config];
    const reconciled = await runCli(['reconcile', ...flags]);
    assert.equal(reconciled.code, 0, reconciled.stderr);
    assert.match(reconciled.stdout, /1 {2}same\nTheirs \$ 125\.000, ours \$ 125\.000, difference \$ 0/);
    const lines = readFileSync(csv, 'utf8').split('\r\n');
    assert.match(lines[0] ?? '', /^created_at,reference,/);
    assert.match(lines[1] ?? '', /,A-1042,BRE_B,CONFIRMED,CONFIRMED,125000\.00,125000\.00,0\.00,same$/);

    // Another system's payment to the same account: the kit has no order for it.
    const strange = sandbox.engine.createPayin({
      ...brebPayin,
      reference: 'another-system-1',
      amountInCents: 3_000_000,
    });
    sandbox.engine.settle(strange.id, 'CONFIRMED');
    const differing = await runCli(['reconcile', ...flags]);
    assert.equal(differing.code, 0, differing.stderr);
    assert.match(differing.stdout, /unknown_order {2}another-system-1 {2}order unknown {2}theirs \$ 30\.000/);
    assert.match(differing.stdout, /Theirs \$ 155\.000, ours \$ 125\.000, difference -\$ 30\.000/);

    // Where a run that was stopped after the newest payment goes on.
    const page = await sandbox.fetch(
      new Request(`${sandbox.engine.publicUrl}/payins?limit=1`, {
        headers: { 'x-api-key': SANDBOX_DEFAULTS.apiKey },
      }),
    );
    const { pageInfo } = (await page.json()) as { pageInfo: { nextCursor: string } };
    const begun = readFileSync(csv, 'utf8');
    const rest = await runCli(['reconcile', ...flags, '--cursor', pageInfo.nextCursor]);
    assert.equal(rest.code, 0, rest.stderr);
    assert.match(rest.stdout, /^This is the rest only/m);
    assert.equal(readFileSync(csv, 'utf8'), `${begun}${lines[1]}\r\n`, 'below what the file had');
    rmSync(csv);
    await runCli(['reconcile', ...flags, '--cursor', pageInfo.nextCursor]);
    assert.equal(readFileSync(csv, 'utf8'), `${lines[0]}\r\n${lines[1]}\r\n`, 'a file of its own has a head');
  });

  it('gives money back after a person has seen whose key it is, and never more than came in', async () => {
    const config = join(folder, 'checkout.config.mjs');
    const customer = join(folder, 'customer.json');
    const { name, idType, idNumber, phone, email } = CUSTOMER;
    writeFileSync(customer, JSON.stringify({ name, idType, idNumber, phone, email }));
    const refund = (...more: string[]) =>
      runCli(['orders', 'refund', 'A-1042', '--customer', customer, '--config', config, ...more]);
    const unasked = await refund('--key', idNumber);
    assert.equal(unasked.code, 1);
    assert.match(unasked.stderr, /owner {5}Rec\*\*\* de Pru\*\*\*/);
    assert.match(unasked.stderr, /Nothing was sent: .*--yes/);
    assert.ok(!unasked.stderr.includes(idNumber), 'the key and the person stay masked');
    assert.equal(sandbox.engine.payouts.length, 0);
    const other = await refund('--key', '3001234567', '--yes');
    assert.match(other.stderr, /belongs to another person than was expected/);
    assert.equal(sandbox.engine.payouts.length, 0);
    const part = await refund('--key', idNumber, '--yes', '--amount-in-cents', '500000', '--json');
    assert.equal(part.code, 0, part.stderr);
    // The running backend may be the one that sends it.
    assert.match((JSON.parse(part.stdout) as { state: string }).state, /^(SENDING|PROCESSING)$/);
    const tooMuch = await refund('--key', idNumber, '--yes', '--amount-in-cents', '12500000');
    assert.match(tooMuch.stderr, /Only \$ 120\.000 can still be given back/);
    const sent = () => sandbox.engine.payouts.map(({ amountInCents }) => amountInCents);
    await vi.waitFor(() => assert.deepEqual(sent(), [500_000]), PATIENCE_MS);
  });

  it('knows no order that the shop does not know', async () => {
    const { token } = (await (await tokenFor('A-0000', SECRETS.orders)).json()) as { token: string };
    assert.equal((await fetch(`${base}/orders/${token}`)).status, 404);
  });

  it('says how to make a signing secret', async () => {
    const file = join(folder, 'unsigned.config.mjs');
    const config = {
      service: { baseUrl: 'http://127.0.0.1:9', apiKey: 'key' },
      orders: { url: 'http://127.0.0.1:9/{id}', secret: SECRETS.orders },
      outcomes: { url: 'http://127.0.0.1:9/outcomes', secret: 'not of the scheme at all' },
      orderSecret: 'a secret of thirty-two characters or more',
    };
    writeFileSync(file, `export default ${JSON.stringify(config)};\n`);
    const { code, stderr } = await runCli(['serve', '--config', file]);
    assert.equal(code, 1);
    assert.match(stderr, /outcomes\.secret must be whsec_.*openssl rand/);
  });

  it('says what is missing in a config file', async () => {
    const file = join(folder, 'empty.config.mjs');
    writeFileSync(file, 'export default { service: {} };\n');
    const { code, stderr } = await runCli(['serve', '--config', file]);
    assert.equal(code, 1);
    assert.match(stderr, /service\.baseUrl: required/);
    assert.match(stderr, /orders: required/);
  });
});
