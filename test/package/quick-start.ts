import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stop } from '../../scripts/tests/processes.js';
import { openChromium } from '../support/chromium.js';
import { begin } from './fixture-project.js';
import { must } from './tarball.js';

/**
 * A stranger with an empty folder, the packed tarball and docs/quick-start.md: files are written and commands run as
 * the page says, and the payment is confirmed. Only the name of the package becomes the tarball's path.
 */
export async function followQuickStart(tarball: string, folder: string): Promise<void> {
  const text = readFileSync('docs/quick-start.md', 'utf8');
  const commands = [...text.matchAll(/```sh\n([^`]*)```/g)].map(([, lines]) => (lines ?? '').trim());
  const [install = '', sandbox = '', shop = ''] = commands;
  assert.equal(commands.length, 3, 'install, the payment service, the shop');
  mkdirSync(folder, { recursive: true });

  await must('sh', ['-ec', install.replace('npm install pay-checkout', `npm install ${tarball}`)], folder);
  for (const [, name, code] of text.matchAll(/^## .*`([\w.]+)`\n[^`]*```\w+\n([^]*?)\n```/gm))
    writeFileSync(join(folder, name ?? ''), `${code}\n`);

  const service = await begin('sh', ['-c', sandbox], folder, /:4010/);
  const server = await begin('sh', ['-c', shop], folder, /Open (\S+)/);
  const browser = await openChromium();
  try {
    const context = await browser.newContext({ locale: 'en', viewport: { width: 1200, height: 900 } });
    const page = await context.newPage();
    await page.goto(server.found);
    const widget = page.locator('pay-checkout');
    await widget.getByRole('button', { name: 'Pay with Bre-B' }).click();
    await widget.getByRole('img', { name: /Bre-B QR code to pay .*42,900/ }).waitFor();

    const reference = await widget.evaluate(
      (element) => (element as HTMLElementTagNameMap['pay-checkout']).payin?.reference ?? '',
    );
    const bank = await context.newPage();
    await bank.goto('http://127.0.0.1:4010/_/');
    await bank.getByRole('link', { name: reference }).first().click();
    await bank.getByRole('button', { name: 'Confirm exactly' }).click();

    await widget.getByText('Payment approved').first().waitFor();
    assert.match(server.output(), /A-1001 is paid: ship it/);
  } finally {
    await browser.close();
    await stop(server.child);
    await stop(service.child);
  }
}
