import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CdnIntegrity } from '../../scripts/build/cdn.js';
import { freePort } from '../../scripts/tests/free-port.js';
import { findBrowsers } from '../../scripts/tests/needs.js';
import { run, start, stop } from '../../scripts/tests/processes.js';
import type { PayCheckoutElement } from '../../src/index.js';
import { openChromium } from '../support/chromium.js';
import { startBrowser } from '../journeys/paying/engines.js';
import { Payer } from '../journeys/paying/payer.js';
import { buildAgent } from '../journeys/paying/builds.js';
import { type Fixture, OVERRIDES } from './fixture-kit.js';
import { FIXTURES, type FixtureName } from './fixtures.js';
import { must } from './tarball.js';

interface Place {
  readonly tarball: string;
  readonly folder: string;
}

/** Makes the project in an empty folder, installs, builds, serves it and pays in a browser. */
export async function payInFixture(name: FixtureName, { tarball, folder }: Place): Promise<void> {
  const fixture: Fixture = FIXTURES[name];
  const { build, serve } = fixture;
  await install(name, { tarball, folder });
  const backendFolder = name === 'node' ? folder : join(folder, 'backend');
  if (name !== 'node') await install('node', { tarball, folder: backendFolder });
  else console.log(`  ${(await must('node', ['imports.mjs'], folder)).trim()}`);

  if (name === 'html') fillInHash(folder);
  const staticFolder = 'folder' in serve ? join(folder, serve.folder) : folder;
  const port = await freePort();
  const ownUrl = `http://127.0.0.1:${port}`;
  const backend = await begin('node', ['server.mjs', staticFolder], backendFolder, /listening (\S+)/, {
    PUBLIC_URL: 'folder' in serve ? '' : ownUrl,
  });
  const processes = [backend];
  try {
    const env = { BACKEND_URL: backend.found, NEXT_TELEMETRY_DISABLED: '1' };
    for (const [command, ...args] of build)
      assert.doesNotMatch(await must(command, args, folder, env), /WARNING/);
    await refusesMistakes(fixture, folder);
    await printsPage(fixture, folder);
    if (name === 'node') return await answersOrder(backend.found);
    if ('folder' in serve) {
      await payAt(backend.found, fixture);
      // What others build for other browsers is their bundler's; this file is what payers get, whatever they use.
      if (name === 'html') await payInOtherEngines(backend.found);
      return;
    }
    const [command, ...args] = serve.command;
    const site = await begin(command, [...args, String(port)], folder, /Ready/, env);
    processes.push(site);
    const sent = await (await fetch(ownUrl)).text();
    assert.match(
      sent,
      /<pay-checkout backend="\/checkout" order="[^"]+"><p>Cargando/,
      'rendered on the server',
    );
    await payAt(ownUrl, fixture);
  } finally {
    for (const { child } of processes) await stop(child);
  }
}

/** The types that the project finds are those of the tag: a mistake does not compile. */
async function refusesMistakes({ build, files, refuses }: Fixture, folder: string): Promise<void> {
  if (!refuses) return;
  const { file, right, wrong, because } = refuses;
  const text = files[file] ?? '';
  assert.ok(text.includes(right), `${file} has no ${right}`);
  const [command, ...args] = build[0] ?? assert.fail('nothing checks its types');
  writeFileSync(join(folder, file), text.replace(right, wrong));
  const { code, output } = await run(command, args, { cwd: folder });
  writeFileSync(join(folder, file), text);
  assert.notEqual(code, 0, `${wrong} compiles`);
  assert.match(output, because);
}

async function printsPage({ printsOnServer }: Fixture, folder: string): Promise<void> {
  if (!printsOnServer) return;
  const [command, ...args] = printsOnServer;
  const html = await must(command, args, folder);
  assert.match(html, /<pay-checkout[^>]* backend="\/checkout"/);
  assert.doesNotMatch(html, /object Object|customer/);
}

async function install(name: FixtureName, { tarball, folder }: Place): Promise<void> {
  const { files, packages }: Fixture = FIXTURES[name];
  const about = {
    name: 'fixture',
    private: true,
    type: 'module',
    dependencies: { 'pay-checkout': `file:${tarball}`, ...packages },
    overrides: OVERRIDES,
  };
  for (const [path, text] of Object.entries({ ...files, 'package.json': JSON.stringify(about) })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  await must('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], folder);
}

function fillInHash(folder: string): void {
  const cdn = join(folder, 'node_modules/pay-checkout/dist/cdn/integrity.json');
  const { files } = JSON.parse(readFileSync(cdn, 'utf8')) as CdnIntegrity;
  const [file, { integrity } = { integrity: '' }] =
    Object.entries(files).find(([name]) => name.endsWith('.classic.js')) ?? [];
  const page = join(folder, 'index.html');
  const text = readFileSync(page, 'utf8').replace('CLASSIC_FILE', file ?? '');
  writeFileSync(page, text.replace('CLASSIC_INTEGRITY', integrity));
}

interface Begun {
  readonly child: ChildProcess;
  readonly found: string;
  readonly output: () => string;
}

/** Starts a program and waits for words of it. */
export function begin(
  command: string,
  args: readonly string[],
  cwd: string,
  words: RegExp,
  env: NodeJS.ProcessEnv = {},
): Promise<Begun> {
  const child = start(command, args, {
    cwd,
    env: { NODE_ENV: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const match = words.exec(output);
        if (match) resolve({ child, found: match[1] ?? match[0], output: () => output });
      });
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(new Error(`${command} ${args.join(' ')} ended (${code}):\n${output}`)),
    );
  });
}

async function answersOrder(url: string): Promise<void> {
  const { token } = (await (await fetch(`${url}/order`)).json()) as { token: string };
  const offer = await fetch(`${url}/checkout/orders/${token}`);
  assert.equal(offer.status, 200);
  const { amountInCents } = (await offer.json()) as { amountInCents: number };
  assert.equal(amountInCents, 4_290_000);
}

async function payAt(url: string, { setsCustomer }: Fixture): Promise<void> {
  const browser = await openChromium();
  try {
    const page = await browser.newPage({ locale: 'es-CO' });
    const troubles: string[] = [];
    page.on('pageerror', (error) => troubles.push(String(error)));
    page.on('console', (message) => {
      const isIcon = message.location().url.endsWith('/favicon.ico');
      if (message.type() === 'error' && !isIcon) troubles.push(message.text());
    });
    await page.goto(url);
    const widget = page.locator('pay-checkout');
    await widget.getByRole('radio', { name: 'QR Bre-B' }).check();
    await widget.getByRole('button', { name: 'Pagar con Bre-B' }).click();
    await widget
      .getByText('Pago aprobado')
      .first()
      .waitFor()
      .catch(async (error: unknown) => {
        const shown = await widget.evaluate((element) => element.shadowRoot?.textContent);
        throw new Error(`The checkout shows: ${shown ?? ''}\n${troubles.join('\n')}`, { cause: error });
      });
    // The page's own listener heard it too.
    await page.locator('#told', { hasText: /\w/ }).waitFor();
    if (setsCustomer === true)
      assert.deepEqual(await widget.evaluate((element: PayCheckoutElement) => element.customer), {
        name: 'Ana',
      });
    assert.deepEqual(troubles, []);
  } finally {
    await browser.close();
  }
}

async function payInOtherEngines(url: string): Promise<void> {
  const { found, missing } = findBrowsers(['firefox', 'webkit']);
  for (const { engine, reason } of missing) console.log(`  not tried in ${engine}: ${reason}`);
  const agent = await buildAgent();
  for (const installed of found) {
    const browser = await startBrowser(installed);
    try {
      const tab = await browser.open();
      const payer = new Payer(tab, agent);
      await tab.goto(url);
      await payer.presses('QR Bre-B');
      await payer.presses('Pagar con Bre-B');
      await payer.sees('Pago aprobado');
      assert.match(String(await tab.evaluate("document.querySelector('#told').textContent")), /\w/);
      console.log(`  paid in ${installed.engine} too`);
    } finally {
      await browser.close();
    }
  }
}
