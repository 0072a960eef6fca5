import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { freePort } from '../../scripts/tests/free-port.js';
import { listen } from '../../src/node.js';
import { createSandbox, SANDBOX_DEFAULTS } from '../../src/sandbox.js';
import { runCli, startCli, type Started } from '../cli/cli-process.js';
import { snippet } from './pages.js';

/**
 * What the Spanish pages for shops in other languages say to write and to type, written and typed: `serve` beside a
 * shop, `verify` through it, `reconcile` afterwards. Only addresses and secrets are put in.
 */

const ORDERS = Array.from({ length: 6 }, (_, index) => `A-${1042 + index}`);
const SECRETS = {
  SERVICE_API_KEY: SANDBOX_DEFAULTS.apiKey,
  SERVICE_ACCESS_TOKEN: SANDBOX_DEFAULTS.accessToken,
  WEBHOOK_SECRET: SANDBOX_DEFAULTS.webhookHeaderValue,
  SHOP_SECRET: 'the-shop-and-serve-know-this-one',
  ORDER_SECRET: 'a secret of thirty-two characters or more',
};

/** The words of a command after `npx pay-checkout`, lines joined. */
function argumentsOf(command: string): string[] {
  const [npx, program, ...args] = command.replaceAll('\\\n', ' ').split(/\s+/).filter(Boolean);
  assert.deepEqual([npx, program], ['npx', 'pay-checkout']);
  return args;
}

/** The shop of the page: says what an order costs, takes outcomes, and tells how often it has shipped. */
class Shop {
  readonly #done = new Map<string, { shipped: number; review: number }>();
  readonly #seen = new Set<string>();
  readonly tokens = new Map<string, string>();
  readonly #order = snippet('docs/es/not-javascript.md', 'json', 'amountInCents');

  readonly server: Server = createServer((request, response) => {
    const [, place, what, id = ''] = (request.url ?? '').split('/').map(decodeURIComponent);
    if (place === 'staging') {
      const order = this.tokens.get(what ?? '') ?? '';
      response.writeHead(200, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify(this.#done.get(order) ?? { shipped: 0, review: 0 }));
    }
    if (what === 'orders') {
      const isAllowed = request.headers.authorization === `Bearer ${SECRETS.SHOP_SECRET}`;
      const status = !isAllowed ? 401 : ORDERS.includes(id) ? 200 : 404;
      response.writeHead(status, { 'content-type': 'application/json' });
      return void response.end(status === 200 ? this.#order : '{}');
    }
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      this.#take(String(request.headers['webhook-id']), text);
      response.writeHead(204).end();
    });
  });

  #take(webhookId: string, text: string): void {
    if (this.#seen.has(webhookId)) return;
    this.#seen.add(webhookId);
    const { hook, notice } = JSON.parse(text) as { hook: string; notice: { order: string } };
    const done = this.#done.get(notice.order) ?? { shipped: 0, review: 0 };
    if (hook === 'onConfirmed') done.shipped += 1;
    if (hook === 'onAmountMismatch' || hook === 'onDuplicatePayment') done.review += 1;
    this.#done.set(notice.order, done);
  }
}

describe('who follows the Spanish pages with a shop in another language', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-followed-'));
  const sandbox = createSandbox({ autoOutcome: 'never', timings: { pseUrlDelayMs: 0, webhookGapMs: 50 } });
  const shop = new Shop();
  const env: Record<string, string> = { ...SECRETS };
  let service: Awaited<ReturnType<typeof listen>>;
  let serve: Started;
  let shopUrl: string;
  let base: string;

  beforeAll(async () => {
    service = await listen(sandbox);
    sandbox.engine.publicUrl = service.url;
    await new Promise<void>((resolve) => void shop.server.listen(0, '127.0.0.1', resolve));
    shopUrl = `http://127.0.0.1:${(shop.server.address() as { port: number }).port}`;
    const secretCommand = snippet('docs/es/not-javascript.md', 'sh', 'whsec_');
    env['OUTCOMES_SECRET'] = execFileSync('sh', ['-c', secretCommand], { encoding: 'utf8' }).trim();
    const port = await freePort();
    const config = snippet('docs/es/not-javascript.md', 'js', 'export default')
      .replace('https://service.example', service.url)
      .replaceAll('http://127.0.0.1:8000', shopUrl)
      .replace('https://tienda.example/checkout', `http://127.0.0.1:${port}/checkout`);
    writeFileSync(join(folder, 'checkout.config.mjs'), config);
    const command = argumentsOf(snippet('docs/es/not-javascript.md', 'sh', ' serve '));
    serve = startCli([...command, '--port', String(port)], env, folder);
    base = /http:\S+/.exec(await serve.written('http:'))?.[0] ?? '';
    sandbox.engine.setWebhooks([
      {
        url: `${base}/webhooks`,
        headerName: SANDBOX_DEFAULTS.webhookHeaderName,
        headerValue: SECRETS.WEBHOOK_SECRET,
      },
    ]);
  });

  afterAll(async () => {
    serve.signal('SIGTERM');
    await serve.ended;
    sandbox.close();
    await service.close();
    shop.server.closeAllConnections();
    shop.server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('gets tokens, and every payment that verify plays ends as it should', async () => {
    for (const order of ORDERS) {
      const response = await fetch(`${base}/tokens`, {
        method: 'POST',
        headers: { authorization: `Bearer ${SECRETS.SHOP_SECRET}`, 'content-type': 'application/json' },
        body: JSON.stringify({ order, offer: true }),
      });
      assert.equal(response.status, 200);
      const { token, offerTag } = (await response.json()) as { token: string; offerTag: string };
      assert.match(offerTag, /^<script type="application\/json">\{.*\}<\/script>$/);
      shop.tokens.set(token, order);
    }
    const tokens = [...shop.tokens.keys()];
    const command = snippet('docs/es/not-javascript.md', 'sh', ' verify ')
      .replace('http://127.0.0.1:4020/checkout', base)
      .replace('http://127.0.0.1:4010', service.url)
      .replace('http://127.0.0.1:8000', shopUrl)
      .replace('--webhook-secret SECRET', `--webhook-secret ${SECRETS.WEBHOOK_SECRET}`)
      .replace(/TOKEN_(\d)/g, (_, nth: string) => tokens[Number(nth) - 1] ?? '');
    const { code, stdout, stderr } = await runCli(argumentsOf(command), env, folder);
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /\nok {4}play-underpaid /);
    assert.match(stdout, /, 0 failed, /);
  });

  it('compares with the service, and has a file for the accountant', async () => {
    const today = new Date();
    const day = (offset: number) =>
      new Date(today.getTime() + offset * 86_400_000).toISOString().slice(0, 10);
    const command = snippet('docs/es/operations.md', 'sh', ' reconcile ')
      .replace('2026-01-01', day(-2))
      .replace('2026-02-01', day(2));
    const { code, stdout, stderr } = await runCli(argumentsOf(command), env, folder);
    assert.equal(code, 0, stdout + stderr);
    const csv = readFileSync(join(folder, 'january.csv'), 'utf8').trim().split('\n');
    assert.equal(csv.length - 1, sandbox.engine.payins.length, stdout);
  });
});
