import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { type Demo, startDemo } from '../../../scripts/demo.js';
import { Merchant } from '../console/merchant.js';
import { Shopper } from './shopper.js';
import { whyWithout } from '../../../scripts/tests/needs.js';
import { openChromium } from '../../support/chromium.js';
import { skipWhen } from '../../support/skip-when.js';

/** The pages that `npm run build` makes behave as their sources do, under a strict policy and over HTTPS. */

let demo: Demo;
let browser: Browser;

describe('the built pages', skipWhen(whyWithout('chromium')), () => {
  beforeAll(async () => {
    browser = await openChromium();
    demo = await startDemo({ built: true, flags: ['--https'] });
  });
  afterAll(async () => {
    await browser.close();
    await demo.stop();
  });

  it('carry a policy that allows nothing from elsewhere and no inline code', async () => {
    const shopper = await Shopper.arrive(browser, demo);
    const answer = await shopper.page.request.get(`${demo.siteUrl}/shop/`);
    const policy = answer.headers()['content-security-policy'] ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /require-trusted-types-for 'script'/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    const nothing = await shopper.page.request.get(`${demo.siteUrl}/nothing/here`);
    assert.equal(nothing.status(), 404);
    await shopper.leave();
  });

  it('sell with a Bre-B QR', async () => {
    const shopper = await Shopper.arrive(browser, demo);
    const order = await shopper.buysCoffee();
    await shopper.asksForQr();
    assert.ok(await shopper.page.evaluate(() => isSecureContext), 'copying and sharing need it');
    await shopper.decidesInSandbox('Confirmar exacto');
    await shopper.sees('Pago aprobado');
    await shopper.findsOrderPaid(order);
    await shopper.leave();
  });

  it('sell with PSE, and take back who returns from the bank', async () => {
    const shopper = await Shopper.arrive(browser, demo);
    const order = await shopper.buysCoffee();
    await shopper.fillsInPse('1000000001');
    await shopper.presses('Ir a mi banco');
    await shopper.page.getByRole('button', { name: /^Aprobar/ }).click();
    await shopper.page.waitForURL(/checkout\.html/);
    await shopper.sees('Pago aprobado');
    await shopper.findsOrderPaid(order);
    await shopper.leave();
  });

  it('let anybody play: settings, events, requests, mishaps and the HTML to paste', async () => {
    const shopper = await Shopper.arrive(browser, demo);
    const { page, widget } = shopper;
    await page.goto(`${demo.siteUrl}/playground/`);
    await shopper.sees('¿Cómo quieres pagar?');
    await page.getByLabel('locale').selectOption('en');
    await page.getByLabel('key-type').selectOption('SINGLE_USE');
    await shopper.sees('How do you want to pay?');
    const paste = page.locator('#paste');
    assert.match(await paste.innerText(), /key-type="SINGLE_USE"\n {2}locale="en"/);
    await page.getByRole('slider', { name: 'Ancho' }).fill('320');
    assert.equal(await widget.evaluate((element) => element.getBoundingClientRect().width), 320);

    await page.getByLabel('Qué sale mal').selectOption('underpaid');
    await page.waitForURL(/scenario=underpaid/);
    await page.locator('#events b', { hasText: 'checkout-ready' }).first().waitFor();
    await widget.getByRole('radio', { name: 'Bre-B key' }).check();
    await shopper.presses('Pay with Bre-B');
    await page.getByRole('button', { name: 'Confirmar' }).click();
    await page.locator('#events b', { hasText: 'payin-confirmed' }).waitFor();
    await shopper.sees('We received another amount');
    await page.locator('#requests b', { hasText: 'POST /payins' }).waitFor();

    const before = await paste.innerText();
    await page.reload();
    await shopper.sees('We received another amount');
    assert.equal(await paste.innerText(), before);
    await page.locator('#events b', { hasText: 'payin-created' }).waitFor();
    await page.getByRole('button', { name: 'Nuevo pedido' }).click();
    await shopper.sees('How do you want to pay?');

    // The playground's bank declines first, because that is what was chosen.
    await page.getByLabel('Qué sale mal').selectOption('declined-then-confirmed');
    await page.waitForURL(/scenario=declined-then-confirmed/);
    await page.locator('#events b', { hasText: 'checkout-ready' }).first().waitFor();
    await widget.getByRole('radio', { name: 'Bre-B key' }).check();
    await shopper.presses('Pay with Bre-B');
    await page.getByRole('button', { name: 'Confirmar' }).click();
    await shopper.sees('Payment declined');
    await shopper.leave();
  });

  it("let a merchant in, and send a link's QR and a payout's state through the same policy", async () => {
    const merchant = await Merchant.arrive(browser, () => demo.consoleUrl);
    const { page } = merchant;
    await merchant.signsIn();
    // The build links what pages share after what is their own: the page's word must count all the same.
    const width = await page.locator('.frame').evaluate((frame) => frame.getBoundingClientRect().width);
    assert.equal(width, 1200 - 32);
    const [session] = await page.context().cookies(`${demo.siteUrl}/console/api/session`);
    assert.deepEqual([session?.httpOnly, session?.secure, session?.sameSite], [true, true, 'Strict']);
    await merchant.opens('#/links/new');
    await page.getByRole('button', { name: 'Llenar con datos de prueba' }).click();
    await page.getByRole('button', { name: 'Crear el enlace' }).click();
    const qr = page.getByRole('img', { name: /QR/ });
    await qr.waitFor();
    assert.ok(await qr.evaluate((picture) => (picture as HTMLImageElement).naturalWidth > 0));
    await page.getByRole('link', { name: 'Cartel con QR' }).click();
    await page.locator('.poster img').waitFor();
    await page.emulateMedia({ media: 'print' });
    const paper = await page.locator('.poster').evaluate((poster) => getComputedStyle(poster).borderStyle);
    assert.equal(paper, 'none', 'what is for paper counts more than what is for screens');
    await page.emulateMedia({ media: 'screen' });
    await merchant.opens('#/payouts/new');
    await page.getByRole('button', { name: 'Llenar con datos de prueba' }).click();
    await page.getByRole('button', { name: 'Consultar la llave' }).click();
    await page.getByRole('button', { name: 'Continuar' }).click();
    await page.getByRole('button', { name: /^Enviar/ }).click();
    await page.getByText('Esperamos su webhook con el resultado.').waitFor();
    await merchant.leaves();
  });

  for (const { width, scheme } of [
    { width: 320, scheme: 'dark' },
    { width: 1200, scheme: 'light' },
  ] as const) {
    it(`fit and have nothing that axe objects to at ${width} px, ${scheme}`, async () => {
      const context = await browser.newContext({
        locale: 'es-CO',
        viewport: { width, height: 800 },
        colorScheme: scheme,
        ignoreHTTPSErrors: true,
        // Only axe itself needs it.
        bypassCSP: true,
      });
      await context.addInitScript(readFileSync('node_modules/axe-core/axe.min.js', 'utf8'));
      const page = await context.newPage();
      const judged = async (where: string) => {
        const objections = await page.evaluate(async () => {
          const { axe } = window as unknown as { axe: typeof import('axe-core') };
          const { violations } = await axe.run();
          return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${String(target)}`));
        });
        assert.deepEqual(objections, [], where);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), where);
      };

      await page.goto(`${demo.siteUrl}/`);
      await judged('index');
      await page.goto(`${demo.siteUrl}/shop/`);
      await page.getByRole('button', { name: 'Agregar Mermelada de uchuva' }).waitFor();
      await judged('shop');
      await page.getByRole('button', { name: /^Carrito/ }).click();
      await judged('empty cart');
      await page.getByRole('button', { name: 'Cerrar carrito' }).click();
      await page.getByRole('button', { name: 'Agregar Mermelada de uchuva' }).click();
      await judged('cart');
      await page.getByRole('button', { name: 'Ir a pagar' }).click();
      await page.locator('pay-checkout').getByRole('radio', { name: 'PSE' }).waitFor();
      await judged('checkout');
      await page.getByRole('link', { name: 'Mi pedido' }).click();
      await page.getByRole('heading', { name: 'Aún no nos llega tu pago' }).waitFor();
      await judged('order');
      await page.goto(`${demo.siteUrl}/playground/`);
      await page.locator('pay-checkout').getByRole('radio', { name: 'PSE' }).waitFor();
      await judged('playground');
      await context.close();
    });
  }
});
