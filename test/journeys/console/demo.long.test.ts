import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Demo, startDemo } from '../../../scripts/demo.js';
import { whyWithout } from '../../../scripts/tests/needs.js';
import { openChromium } from '../../support/chromium.js';
import { skipWhen } from '../../support/skip-when.js';
import { Shopper } from '../first-run/shopper.js';
import { Merchant } from './merchant.js';
import { Service } from './service.js';

/** The console of `npm start`, beside its shop, while processes of it die. */

let demo: Demo;
let browser: Browser;
let service: Service;
const entry = () => demo.consoleUrl;

describe('the console of npm start', skipWhen(whyWithout('chromium')), () => {
  beforeAll(async () => {
    browser = await openChromium();
    demo = await startDemo({ built: true });
    service = new Service(demo.sandboxUrl);
  });
  afterAll(async () => {
    await browser.close();
    await demo.stop();
  });

  it('lets in by the link of the terminal, and again in another tab', async () => {
    const merchant = await Merchant.arrive(browser, entry);
    const { page } = merchant;
    await page.goto(`${demo.siteUrl}/`);
    await page.getByRole('link', { name: 'Consola' }).click();
    await page.getByRole('heading', { name: 'Entra a la consola' }).waitFor();
    await merchant.signsIn();
    assert.doesNotMatch(page.url(), /entrada/);

    // The link once more, in another tab: the first one goes on with the new session.
    const other = await page.context().newPage();
    await other.goto(demo.consoleUrl);
    await other.getByText('En vivo').waitFor();
    await other.close();
    await merchant.opens('#/payouts/new');
    await page.getByRole('button', { name: 'Llenar con datos de prueba' }).click();
    await page.getByRole('button', { name: 'Consultar la llave' }).click();
    await page.getByRole('button', { name: 'Continuar' }).click();
    await page.getByRole('button', { name: 'Descartar' }).click();
    await page.getByText('Pago descartado.').waitFor();
    await merchant.leaves();
  });

  it('shows an order as paid as soon as it is, with what the shop was told', async () => {
    const merchant = await Merchant.arrive(browser, entry);
    const { page } = merchant;
    // It would look again by itself too.
    await page.addInitScript(() => void Object.assign(window, { setInterval: () => 0 }));
    await merchant.signsIn();
    await merchant.opens('#/attempts');
    const shopper = await Shopper.arrive(browser, demo);
    const order = await shopper.buysCoffee();
    await shopper.asksForQr();
    await page.locator('.rows a', { hasText: order }).click();
    await page.getByRole('main').getByText('Por pagar').waitFor();
    const { reference } = await shopper.payin();
    await service.settle('payins', reference, 'CONFIRMED');
    await page.getByRole('heading', { name: 'Avisos a tu tienda' }).waitFor();
    await page.getByRole('main').getByText('Pagado').first().waitFor();
    // From the order to its payin, and back.
    await page.getByRole('main').getByRole('link', { name: reference }).first().click();
    await page.getByRole('heading', { name: `Cobro ${reference}` }).waitFor();
    await page.getByRole('button', { name: 'Copiar: Referencia' }).click();
    await page.getByText('Copiado').waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), reference);
    // A browser that refuses: the page says so, and the reader's own keyboard can do it.
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
      document.execCommand = () => false;
    });
    await page.getByRole('button', { name: 'Copiar: Referencia' }).click();
    await page.locator('page-copy .hint', { hasText: 'No se pudo copiar.' }).waitFor();
    assert.equal(await page.evaluate(() => getSelection()?.toString()), reference);
    await page.locator('.facts').first().getByRole('link', { name: order }).click();
    await page.getByRole('heading', { name: `Pedido ${order}` }).waitFor();
    await shopper.leave();
    await merchant.leaves();
  });

  it('says when it is not live, comes back by itself and shows what it missed', async () => {
    const merchant = await Merchant.arrive(browser, entry);
    const { page } = merchant;
    await merchant.signsIn();
    process.kill(demo.pid('merchant backend'), 'SIGKILL');
    await page.getByText('Reconectando…').waitFor();
    await service.createPayins(1, 'MIENTRAS');
    await page.getByText('En vivo').waitFor();
    await page.locator('.rows .main', { hasText: 'MIENTRAS-1' }).waitFor();
    // It hangs first: once it is killed another takes its place at once.
    process.kill(demo.pid('payment service'), 'SIGSTOP');
    await page.getByText('El servicio de pagos no responde.').first().waitFor();
    process.kill(demo.pid('payment service'), 'SIGKILL');
    await page.getByText('El servicio de pagos no responde.').first().waitFor({ state: 'detached' });
    await page.locator('.rows .main', { hasText: 'MIENTRAS-1' }).waitFor();
    await merchant.leaves();
  });
});
