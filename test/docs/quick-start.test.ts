import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { freePort } from '../../scripts/tests/free-port.js';
import type { Attempt, Offer } from '../../src/contract/backend.js';
import { listen } from '../../src/node.js';
import { createSandbox } from '../../src/sandbox.js';
import { bundleForNode } from '../support/bundles.js';
import { readPages, snippetsOf } from './pages.js';

const ENTRIES = ['node', 'server', 'service'];

let built: string;
beforeAll(async () => {
  built = await bundleForNode(Object.fromEntries(ENTRIES.map((name) => [name, `src/${name}.ts`])));
});

/** A folder where `pay-checkout` is installed, as far as its entry points for servers go. */
function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-quick-start-'));
  const installed = join(folder, 'node_modules', 'pay-checkout');
  mkdirSync(installed, { recursive: true });
  symlinkSync(resolve(built), join(installed, 'built'));
  const exports = Object.fromEntries(ENTRIES.map((name) => [`./${name}`, `./built/${name}.js`]));
  writeFileSync(
    join(installed, 'package.json'),
    JSON.stringify({ name: 'pay-checkout', type: 'module', exports }),
  );
  return folder;
}

/** The quick start's shop as the page writes it, except for what is said here. */
interface Changes {
  readonly page?: string;
  readonly serviceUrl: string;
  readonly apiKey?: string;
}

interface Shop {
  readonly origin: string;
  /** Waits until the terminal shows this, and gives the part in brackets. */
  readonly shows: (text: RegExp) => Promise<string>;
}

async function withShop(
  { page = 'docs/quick-start.md', serviceUrl, apiKey }: Changes,
  use: (shop: Shop) => Promise<void>,
): Promise<void> {
  const snippets = snippetsOf(readPages().find(({ path }) => path === page) ?? assert.fail(`no ${page}`));
  const html = snippets.find(({ language }) => language === 'html')?.code ?? '';
  const js = snippets.find(({ language }) => language === 'js')?.code ?? '';
  const folder = emptyFolder();
  writeFileSync(join(folder, 'index.html'), html);
  writeFileSync(join(folder, 'pay-checkout.js'), '/* the browser’s half */');
  // Its ports may be taken on this machine.
  writeFileSync(
    join(folder, 'server.mjs'),
    js
      .replace('http://127.0.0.1:4010', serviceUrl)
      .replace('port: 3000', 'port: 0')
      .replace("'sandbox-api-key'", (written) => (apiKey === undefined ? written : `'${apiKey}'`)),
  );
  const child = spawn(process.execPath, ['server.mjs'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const shows = async (text: RegExp): Promise<string> => {
    for (;;) {
      const found = text.exec(said)?.[1];
      if (found !== undefined) return found;
      if (child.exitCode !== null) assert.fail(said);
      await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), once(child, 'exit')]);
    }
  };
  try {
    await use({ origin: await shows(/Open (\S+)/), shows });
  } finally {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
}

async function shownPage(origin: string): Promise<{ token: string; finishUrl: string }> {
  const shown = await (await fetch(origin)).text();
  const attribute = (name: string) => new RegExp(`${name}="([^"]+)"`).exec(shown)?.[1] ?? assert.fail(shown);
  return { token: attribute('order'), finishUrl: attribute('finish-url') };
}

async function pay(origin: string, order: string): Promise<Response> {
  return fetch(`${origin}/checkout/payins`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'the-quick-start-of-a-test' },
    body: JSON.stringify({ order, rail: 'BRE_B', breb: { keyType: 'QR_CODE' }, callbackUrl: `${origin}/` }),
  });
}

describe('the quick start’s server, as it is written', () => {
  const sandbox = createSandbox({ autoOutcome: 'never' });
  let service: Awaited<ReturnType<typeof listen>>;
  beforeAll(async () => {
    service = await listen(sandbox);
  });
  afterAll(async () => {
    await service.close();
    sandbox.close();
  });

  for (const page of ['docs/quick-start.md', 'docs/es/quick-start.md']) {
    it(`sells, shows each event of the money, and says thank you: ${page}`, async () => {
      await withShop({ page, serviceUrl: service.url }, async ({ origin, shows }) => {
        const { token, finishUrl } = await shownPage(origin);
        assert.match(await (await fetch(`${origin}/pay-checkout.js`)).text(), /browser/);
        const offer = (await (await fetch(`${origin}/checkout/orders/${token}`)).json()) as Offer;
        assert.equal(offer.amountInCents, 4_290_000);
        const created = await pay(origin, token);
        const attempt = (await created.json()) as Attempt;
        assert.equal(created.status, 201);
        const webhook = {
          url: `${origin}/checkout/webhooks`,
          headerName: 'x-webhook-secret',
          headerValue: 'sandbox-webhook-secret',
        };
        sandbox.engine.setWebhooks([webhook]);
        const payin = sandbox.engine.payins.find(({ reference }) => reference === attempt.reference);
        sandbox.engine.settle(payin?.id ?? '', 'CONFIRMED');
        await shows(/(A-1001 is paid: ship it)/);
        for (const event of [
          'attempt_created',
          'payment_known',
          'event_received',
          'payment_confirmed',
          'notice_delivered',
        ])
          await shows(new RegExp(`("event":"${event}")`));
        const thanks = await fetch(new URL(finishUrl, origin));
        assert.equal(thanks.status, 200);
        assert.match(await thanks.text(), /Gracias/);
      });
    });
  }

  it('says in the terminal that the API key is wrong', async () => {
    await withShop({ serviceUrl: service.url, apiKey: 'wrong' }, async ({ origin, shows }) => {
      const { token } = await shownPage(origin);
      assert.equal((await pay(origin, token)).status, 422);
      await shows(/("event":"create_failed",.*"code":"unauthorized")/);
    });
  });

  it('says in the terminal that nothing answers at the service’s address', async () => {
    const serviceUrl = `http://127.0.0.1:${await freePort()}`;
    await withShop({ serviceUrl }, async ({ origin, shows }) => {
      const { token } = await shownPage(origin);
      assert.equal((await pay(origin, token)).status, 202);
      await shows(/("event":"create_failed",.*"code":"network")/);
    });
  });
});
