import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type ProxyOptions } from 'vite';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { listen } from '../../src/node.js';
import { createSandbox } from '../../src/sandbox.js';
import { createKit, sandboxClient } from '../support/kit.js';

/** What docs/questions.md says of Vite's development server in front of the kit. */
describe('the kit behind Vite’s development server', () => {
  const sandbox = createSandbox();
  const root = mkdtempSync(join(tmpdir(), 'pay-checkout-dev-proxy-'));
  const checkout = createKit({
    service: sandboxClient({ fetch: (request) => sandbox.fetch(request) }),
    authorize: () => true,
    findOrder: () => ({ amountInCents: 4_290_000 }),
  });
  let backend: Awaited<ReturnType<typeof listen>>;

  beforeAll(async () => {
    backend = await listen(checkout);
  });
  afterAll(async () => {
    await checkout.close();
    await backend.close();
    sandbox.close();
    rmSync(root, { recursive: true, force: true });
  });

  /** The answer to a payin that a page of the development server asks for through its proxy. */
  async function pay(proxy: string | ProxyOptions): Promise<Response> {
    const vite = await createServer({
      configFile: false,
      root,
      logLevel: 'silent',
      server: { host: '127.0.0.1', port: 0, proxy: { '/checkout': proxy } },
    });
    try {
      await vite.listen();
      const origin = vite.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? '';
      return await fetch(`${origin}/checkout/payins`, {
        method: 'POST',
        headers: {
          origin,
          'content-type': 'application/json',
          'idempotency-key': `dev-proxy-${crypto.randomUUID()}`,
        },
        body: JSON.stringify({
          order: 'A-1042',
          rail: 'BRE_B',
          breb: { keyType: 'QR_CODE' },
          callbackUrl: `${origin}/pagar`,
        }),
      });
    } finally {
      await vite.close();
    }
  }

  it('takes payments with the proxy that the page shows', async () => {
    assert.ok(
      readFileSync('docs/questions.md', 'utf8').includes(
        "server: { proxy: { '/checkout': { target: 'http://localhost:3000' } } }",
      ),
    );
    const answer = await pay({ target: backend.url });
    assert.equal(answer.status, 201, await answer.text());
  });

  it('refuses the page’s origin with the short form, which changes it', async () => {
    const answer = await pay(backend.url);
    assert.equal(answer.status, 403);
    assert.equal(((await answer.json()) as { code: string }).code, 'origin_not_allowed');
  });
});
