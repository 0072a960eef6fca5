import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { stop } from '../../scripts/tests/processes.js';
import { openChromium } from '../support/chromium.js';
import { begin } from './fixture-project.js';
import { must } from './tarball.js';

const ORDER = 'A-1001';

/**
 * Day one of a shop with the packed package, by the commands of docs/operations.md: init, two addresses, the sandbox and
 * serve --console; a payment, which the console shows and gives back.
 */
export async function liveDayOne(tarball: string, folder: string): Promise<void> {
  const text = readFileSync('docs/operations.md', 'utf8');
  const commands = (/## Day one\n\n```sh\n([^`]*)```/.exec(text)?.[1] ?? '').trim().split('\n');
  const [init = '', sandbox = '', serve = ''] = commands;
  assert.equal(commands.length, 3, 'init, the sandbox, serve');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  await must('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', tarball, 'libsql'], folder);

  await must('sh', ['-c', init], folder);
  const secrets = JSON.parse(readFileSync(join(folder, 'checkout.secrets.json'), 'utf8')) as Secrets;
  const shop = await openShop(secrets.orders);
  const config = join(folder, 'checkout.config.mjs');
  writeFileSync(config, readFileSync(config, 'utf8').replaceAll('http://localhost:3000/checkout', shop.url));

  const service = await begin('sh', ['-c', sandbox], folder, /:4010/);
  const backend = await begin('sh', ['-c', serve], folder, /Console on (\S+)/);
  const browser = await openChromium();
  try {
    const reference = await pays(secrets.orders);
    const context = await browser.newContext({ locale: 'es-CO', viewport: { width: 1200, height: 900 } });
    const page = await context.newPage();
    await page.goto('http://127.0.0.1:4010/_/');
    await page.getByRole('link', { name: reference }).first().click();
    await page.getByRole('button', { name: 'Confirmar exacto' }).click();
    await shop.told;

    await page.goto(backend.found);
    await page.locator('input[type=password]').fill(secrets.console);
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.getByRole('heading').first().waitFor();
    await page.goto(`${backend.found}#/orders/${ORDER}`);
    await page.getByRole('main').getByRole('link', { name: reference }).first().click();
    await page.getByRole('link', { name: 'Devolver' }).click();
    // The key's owner at the sandbox.
    const payer = {
      'Llave Bre-B': '1000000001',
      'Nombre completo': 'Persona de Prueba',
      'Número de documento': '1000000001',
      Celular: '300 123 4567',
      'Correo electrónico': 'persona@correo.example',
    };
    for (const [label, typed] of Object.entries(payer)) {
      await page.getByLabel(label).fill(typed);
      if (label === 'Llave Bre-B') await page.getByRole('button', { name: 'Consultar la llave' }).click();
    }
    await page.getByRole('button', { name: 'Continuar' }).click();
    await page.getByRole('button', { name: /^Enviar/ }).click();
    // The sandbox confirms a payout by itself after some seconds.
    await shop.refunded;
  } catch (error) {
    throw new Error(`${String(error)}\n${backend.output()}`, { cause: error });
  } finally {
    await browser.close();
    await stop(backend.child);
    await stop(service.child);
    shop.close();
  }
}

interface Secrets {
  readonly orders: string;
  readonly console: string;
}

/** As the shop's page and the widget do: a token, then a payin. */
async function pays(secret: string): Promise<string> {
  const post = async (path: string, headers: Record<string, string>, body: object) => {
    const response = await fetch(`http://127.0.0.1:4020${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    assert.ok(response.ok, `${path}: ${response.status} ${await response.clone().text()}`);
    return (await response.json()) as Record<string, string>;
  };
  const { token } = await post('/tokens', { authorization: `Bearer ${secret}` }, { order: ORDER });
  const payin = await post(
    '/payins',
    { 'idempotency-key': 'day-one-day-one-day-one', origin: 'http://localhost:3000' },
    { order: token, rail: 'BRE_B', breb: { keyType: 'QR_CODE' }, callbackUrl: 'http://localhost:3000/pagar' },
  );
  return payin['reference'] ?? assert.fail('no payin');
}

/** The two calls that a shop answers. */
async function openShop(secret: string) {
  const hooks = new Map<string, () => void>();
  const called = (hook: string) => new Promise<void>((resolve) => hooks.set(hook, resolve));
  const [told, refunded] = [called('onConfirmed'), called('onRefunded')];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      if (request.url === '/outcomes') {
        hooks.get((JSON.parse(body) as { hook: string }).hook)?.();
        return void response.writeHead(204).end();
      }
      const isKnown =
        request.url === `/orders/${ORDER}` && request.headers.authorization === `Bearer ${secret}`;
      response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ amountInCents: 4_290_000, description: 'Café' }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, told, refunded, close: () => void server.close() };
}
