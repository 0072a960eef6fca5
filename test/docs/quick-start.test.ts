import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { it } from 'node:test';
import type { Attempt, Offer } from '../../src/contract/backend.js';
import { listen } from '../../src/node.js';
import { createSandbox } from '../../src/sandbox.js';
import { readPages, snippetsOf } from './pages.js';

const ENTRIES = ['node', 'server', 'service'];

/** A folder where `pay-checkout` is installed, as far as its entry points for servers go. */
function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-quick-start-'));
  const installed = join(folder, 'node_modules', 'pay-checkout');
  mkdirSync(installed, { recursive: true });
  symlinkSync(resolve('src'), join(installed, 'src'));
  const exports = Object.fromEntries(ENTRIES.map((name) => [`./${name}`, `./src/${name}.ts`]));
  writeFileSync(
    join(installed, 'package.json'),
    JSON.stringify({ name: 'pay-checkout', type: 'module', exports }),
  );
  return folder;
}

it('the quick start’s server sells, as it is written', async () => {
  const page =
    readPages().find(({ path }) => path === 'docs/quick-start.md') ?? assert.fail('no quick start');
  const snippets = snippetsOf(page);
  const html = snippets.find(({ language }) => language === 'html')?.code ?? '';
  const js = snippets.find(({ language }) => language === 'js')?.code ?? '';
  const sandbox = createSandbox({ autoOutcome: 'never' });
  const service = await listen(sandbox);
  const folder = emptyFolder();
  writeFileSync(join(folder, 'index.html'), html);
  writeFileSync(join(folder, 'pay-checkout.js'), '/* the browser’s half */');
  // Its ports may be taken on this machine; nothing else is changed.
  writeFileSync(
    join(folder, 'server.mjs'),
    js.replace('http://127.0.0.1:4010', service.url).replace('port: 3000', 'port: 0'),
  );

  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), 'server.mjs'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const saying = async (text: RegExp): Promise<string> => {
    for (;;) {
      const found = text.exec(said)?.[1];
      if (found !== undefined) return found;
      if (child.exitCode !== null) assert.fail(said);
      await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    }
  };
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  try {
    const origin = await saying(/Open (\S+)/);
    const shown = await (await fetch(origin)).text();
    const token = /order="([^"]+)"/.exec(shown)?.[1] ?? assert.fail(shown);
    assert.match(await (await fetch(`${origin}/pay-checkout.js`)).text(), /browser/);
    const offer = (await (await fetch(`${origin}/checkout/orders/${token}`)).json()) as Offer;
    assert.equal(offer.amountInCents, 4_290_000);
    const created = await fetch(`${origin}/checkout/payins`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'the-quick-start-of-a-test' },
      body: JSON.stringify({
        order: token,
        rail: 'BRE_B',
        breb: { keyType: 'QR_CODE' },
        callbackUrl: `${origin}/`,
      }),
    });
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
    await saying(/(A-1001 is paid: ship it)/);
  } finally {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await service.close();
    sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
