import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Demo, startDemo } from '../../scripts/demo.js';
import { openBrowser, Shopper } from './first-run-shopper.js';

/** The pages for developers to copy: each sells, and loses no payment when its visitor goes elsewhere and comes back. */

const pages = ['react', 'vue', 'cdn'] as const;

let demo: Demo;
let browser: Browser;

const installed = await openBrowser();
describe('the framework pages', { skip: typeof installed === 'string' ? installed : false }, () => {
  before(async () => {
    if (typeof installed === 'string') return;
    browser = installed;
    demo = await startDemo();
  });
  after(async () => {
    await browser.close();
    await demo.stop();
  });

  it('are linked from the index', async () => {
    const shopper = await Shopper.arrive(browser, demo);
    await shopper.page.goto(`${demo.siteUrl}/`);
    const links = await shopper.page
      .locator('.doors a')
      .evaluateAll((found) => found.map((link) => link.getAttribute('href')));
    for (const page of pages) assert.ok(links.includes(`./${page}/`), page);
    await shopper.leave();
  });

  for (const name of pages) {
    it(`${name}: pays with Bre-B after the visitor has gone elsewhere and come back`, async () => {
      const shopper = await Shopper.arrive(browser, demo);
      const { page } = shopper;
      await page.goto(`${demo.siteUrl}/${name}/`);
      await page.getByRole('button', { name: 'Comprar' }).click();
      await shopper.asksForQr();
      const before = await shopper.payin();

      // Elsewhere in the application: the element is gone from the page, and with it everything it held.
      await page.getByRole('link', { name: 'Producto' }).click();
      await page.getByRole('button', { name: 'Comprar' }).waitFor();
      assert.equal(await shopper.widget.count(), 0);
      await page.getByRole('link', { name: 'Pago' }).click();
      await shopper.sees('Esperando tu pago');
      assert.deepEqual(await shopper.payin(), before);

      // And with the browser's own buttons, and a reload between.
      await page.goBack();
      await page.getByRole('button', { name: 'Comprar' }).waitFor();
      await page.reload();
      await page.getByRole('button', { name: 'Comprar' }).waitFor();
      await page.goForward();
      await shopper.sees('Esperando tu pago');
      assert.deepEqual(await shopper.payin(), before);

      await shopper.decidesInSandbox('Confirmar exacto');
      await shopper.sees('Pago aprobado');
      await shopper.presses('Volver a la tienda');
      await page.getByRole('button', { name: 'Comprar' }).waitFor();
      assert.equal(await page.getByRole('link', { name: 'Pago' }).count(), 0);
      await shopper.leave();
    });

    it(`${name}: takes back who returns from the bank`, async () => {
      const shopper = await Shopper.arrive(browser, demo);
      const { page } = shopper;
      await page.goto(`${demo.siteUrl}/${name}/`);
      await page.getByRole('button', { name: 'Comprar' }).click();
      await shopper.fillsInPse('1000000001');
      await shopper.presses('Ir a mi banco');
      await page.getByRole('button', { name: /^Aprobar/ }).click();
      await page.waitForURL(new RegExp(`/${name}/\\?view=pay`));
      await shopper.sees('Pago aprobado');
      await shopper.leave();
    });
  }
});
