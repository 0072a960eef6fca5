import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { whyWithout } from '../../../scripts/needs.js';
import { verifyBackend } from '../../../src/cli/verify/run.js';
import type { Attempt } from '../../../src/contract/backend.js';
import { listen, type Listening } from '../../../src/node.js';
import { createSandbox, type Sandbox, SANDBOX_DEFAULTS } from '../../../src/sandbox.js';

const FILE = 'docs/examples/backend.php';

describe('the reference backend in PHP', { skip: whyWithout('php') ?? false }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-php-'));
  let sandbox: Sandbox;
  let service: Listening;
  let origin: string;
  let env: NodeJS.ProcessEnv;
  let php: ReturnType<typeof spawn>;
  let said = '';

  before(async () => {
    sandbox = createSandbox({ autoOutcome: 'never' });
    service = await listen(sandbox);
    sandbox.engine.publicUrl = service.url;
    origin = await freeOrigin();
    env = {
      ...process.env,
      SERVICE_URL: service.url,
      DATA_DIR: join(folder, 'data'),
      SHOP_ORIGIN: origin,
      // More than one, so that requests really meet at the lock.
      PHP_CLI_SERVER_WORKERS: '4',
    };
    // A group of its own: its workers do not end with it.
    php = spawn('php', ['-S', new URL(origin).host, FILE], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    const started = new Promise<void>((resolve) => {
      php.stderr?.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes('started')) resolve();
      });
    });
    await Promise.race([started, once(php, 'exit').then(() => assert.fail(said))]);
  });

  after(async () => {
    if (php.pid !== undefined) process.kill(-php.pid, 'SIGKILL');
    if (php.exitCode === null && php.signalCode === null) await once(php, 'exit');
    await service.close();
    sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });

  // Never synchronously: the sandbox it may call lives in this process.
  const run = (...args: string[]) => promisify(execFile)('php', [FILE, ...args], { env });
  const tokenOf = async (order: string) => (await run('token', order)).stdout;
  const get = async <Body>(path: string) =>
    (await fetch(`${origin}/checkout${path}`)).json() as Promise<Body>;

  it('passes verify at the basic level with its offer, webhook included', async () => {
    const checks = await verifyBackend({
      backend: `${origin}/checkout`,
      order: await tokenOf('A-1001'),
      level: 'basic',
      callbackUrl: `${origin}/gracias?x=1#pago`,
      webhook: {
        header: SANDBOX_DEFAULTS.webhookHeaderName,
        secret: SANDBOX_DEFAULTS.webhookHeaderValue,
      },
    });
    // It serves the pages of its own origin.
    assert.deepEqual(
      checks.filter(({ id, outcome }) => outcome !== 'pass' && !id.startsWith('cors-')),
      [],
    );
    const callback = sandbox.engine.payins[0]?.callbackUrl ?? '';
    assert.match(callback, /\/gracias\?x=1&pay-return=[0-9a-f]{32}#pago$/);
    assert.doesNotMatch(said, /Warning|Fatal|Notice|Deprecated/);
  });

  it('finds a payment whose payer is gone, by its schedule, and does not sell twice', async () => {
    const order = await tokenOf('A-1002');
    const create = (key: string) =>
      fetch(`${origin}/checkout/payins`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({
          order,
          rail: 'BRE_B',
          breb: { keyType: 'QR_CODE' },
          callbackUrl: `${origin}/`,
        }),
      });
    const clicks = await Promise.all(Array.from({ length: 4 }, () => create('one-click-on-one-page')));
    const attempts = (await Promise.all(clicks.map((click) => click.json()))) as Attempt[];
    const [first] = attempts;
    assert.equal(new Set(attempts.map(({ id }) => id)).size, 1);
    const made = sandbox.engine.payins.filter(({ reference }) => reference === first?.reference);
    assert.equal(made.length, 1, 'four clicks at once, one payin at the service');

    sandbox.engine.settle(made[0]?.id ?? '', 'CONFIRMED');
    let told = '';
    // It reads a payin at most every two seconds, so the first runs may find nothing new.
    while (!told.includes('A-1002 is paid')) told += (await run('reconcile')).stderr;
    const offer = await get<{ attempt: Attempt }>(`/orders/${order}`);
    assert.equal(offer.attempt.settlement.state, 'PAID');
    assert.equal((await create('another-click-on-one-page')).status, 409);
  });

  it('looks a payin up when the answer to its creation was lost', async () => {
    sandbox.engine.setMishap('error-after-work', true);
    const order = await tokenOf('A-1003');
    const created = await fetch(`${origin}/checkout/payins`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'a-click-with-a-lost-answer' },
      body: JSON.stringify({ order, rail: 'BRE_B', breb: { keyType: 'QR_CODE' }, callbackUrl: `${origin}/` }),
    });
    assert.equal(created.status, 202);
    sandbox.engine.setMishap('error-after-work', false);
    let attempt = (await created.json()) as Attempt;
    while (attempt.kind === 'PAYIN' && attempt.sourceData === null)
      attempt = await get(`/payins/${attempt.id}`);
    assert.equal(sandbox.engine.payins.filter(({ reference }) => reference === attempt.reference).length, 1);
  });
});

async function freeOrigin(): Promise<string> {
  const free = await listen({ fetch: () => new Response() });
  await free.close();
  return free.url;
}
