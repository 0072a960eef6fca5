import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { type Desk, openDesk } from './desk.js';
import { Merchant } from './merchant.js';
import { whyWithout } from '../../../scripts/tests/needs.js';
import { openChromium } from '../../support/chromium.js';
import { skipWhen } from '../../support/skip-when.js';

/** Every screen of the console, as axe and a narrow window see it. */

let desk: Desk;
let browser: Browser;

describe('the looks of the merchant console', skipWhen(whyWithout('chromium')), () => {
  beforeAll(async () => {
    browser = await openChromium();
    desk = await openDesk();
  });
  afterAll(async () => {
    await browser.close();
    await desk.stop();
  });

  it('have nothing that axe objects to, and fit, on every screen: light and dark, Spanish and English', async () => {
    const merchant = await Merchant.arrive(browser, desk.entry, { axe: true });
    const { page } = merchant;
    const judged = async (where: string) => {
      for (const [scheme, width] of [
        ['light', 1200],
        ['dark', 320],
      ] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width, height: 800 });
        for (const language of ['es', 'en']) {
          await page.evaluate(async (wanted) => {
            if (!document.documentElement.lang.startsWith(wanted))
              document.querySelector<HTMLElement>('header button[lang]')?.click();
            await document.querySelector<HTMLElement & { updateComplete: Promise<boolean> }>(
              'merchant-console',
            )?.updateComplete;
          }, language);
          await page.waitForFunction((wanted) => document.documentElement.lang.startsWith(wanted), language);
          assert.deepEqual(await objections(page), [], `${where}, ${scheme}, ${language}`);
          const fits = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
          assert.ok(fits, `${where} fits ${width} px in ${language}`);
        }
      }
      // Back to Spanish, which the rest of the test reads.
      await page.getByRole('button', { name: 'Español' }).click();
    };

    await page.goto(`${desk.siteUrl}/console/`);
    await page.getByRole('heading', { name: 'Entra a la consola' }).waitFor();
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.getByText('Ese código no es.').first().waitFor();
    await judged('sign in, refused');
    await merchant.signsIn();
    await desk.service.createPayins(30, `${'MUY-LARGA-'.repeat(11)}AXE`);
    await page.locator('.rows li').nth(24).waitFor();
    await judged('payins');
    // So narrow, the filters are folded.
    await page.locator('summary', { hasText: 'Filtros' }).click();
    await page.getByLabel('Referencia').fill('nada que exista');
    await page.getByRole('main').getByRole('button', { name: 'Buscar' }).click();
    await page.getByText('Ningún cobro coincide').waitFor();
    await page.locator('.empty', { hasText: 'Miramos todos los cobros del servicio.' }).waitFor();
    await judged('payins, none found');
    await page.getByRole('link', { name: 'Quitar filtros' }).click();
    await page.locator('.rows a').first().click();
    await page.getByRole('heading', { name: /^Cobro / }).waitFor();
    await judged('payin');
    await merchant.opens('#/payins/unknown');
    await page.getByText('No lo encontramos.').waitFor();
    await judged('payin, unknown');

    await merchant.opens('#/payouts/new');
    await page.getByRole('button', { name: 'Consultar la llave' }).click();
    await page.locator('.fault').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'field-breb-keyString');
    await page.getByLabel('Llave Bre-B').fill('@noexiste');
    await page.getByRole('button', { name: 'Consultar la llave' }).click();
    await page.getByText('Nadie tiene esa llave.').waitFor();
    await judged('payout form, key refused');
    await page.getByLabel('Llave Bre-B').fill('3001234567');
    await page.getByRole('button', { name: 'Consultar la llave' }).click();
    await page.getByRole('button', { name: 'Continuar' }).click();
    await page.getByText('Escribe un valor').waitFor();
    // Everything that is empty is marked at once, and the first of it has the focus.
    assert.equal(await page.locator('.fault').count(), 5);
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'field-amountInCents');
    await judged('payout form, empty');
    await page.getByRole('button', { name: 'Llenar con datos de prueba' }).click();
    await page.getByLabel('Llave Bre-B').fill('3001234567');
    await page.getByRole('button', { name: 'Consultar la llave' }).click();
    await page.getByRole('button', { name: 'Continuar' }).click();
    await page.getByRole('heading', { name: '¿Es esta persona?' }).waitFor();
    await judged('payout to confirm');
    await page.getByRole('checkbox', { name: /^Sé que no es la misma persona/ }).check();
    await page.getByRole('button', { name: /^Enviar/ }).click();
    await judged('payout to confirm once more');
    await page.getByRole('button', { name: /^Sí, enviar a/ }).click();
    await page.getByText('Esperamos su webhook con el resultado.').waitFor();
    await judged('payout');
    await merchant.opens('#/payouts');
    await page.locator('.rows li').first().waitFor();
    await judged('payouts');

    await merchant.opens('#/links/new');
    await page.getByText('Más opciones').click();
    await page.getByRole('radio', { name: 'Un solo medio de pago, con los datos' }).check();
    await judged('link form');
    await page.getByRole('button', { name: 'Llenar con datos de prueba' }).click();
    await page.getByLabel('Concepto').fill(`${'Unconceptosinespacios'.repeat(3)} & más`);
    await page.getByLabel('Referencia').fill('REFERENCIA-'.repeat(5));
    await page.getByRole('button', { name: 'Crear el enlace' }).click();
    await page.getByRole('button', { name: 'Copiar: Dirección del enlace' }).click();
    await page.getByText('Copiado').waitFor();
    await judged('link');
    await page.getByRole('link', { name: 'Cartel con QR' }).click();
    await page.locator('.poster').waitFor();
    await judged('poster');
    await merchant.opens('#/links');
    await page.locator('.rows li').first().waitFor();
    await judged('links');

    const id = desk.place();
    const reference = await desk.start(id);
    await desk.confirm(id, reference);
    await merchant.opens(`#/orders/${id}`);
    await page.getByText('Pago confirmado').first().waitFor();
    await judged('order');
    await page.getByRole('main').getByRole('link', { name: reference }).first().click();
    await page.getByRole('link', { name: 'Devolver' }).click();
    await page.getByLabel('Llave Bre-B').waitFor();
    await judged('return form');
    await merchant.opens('#/review');
    await page.getByRole('heading', { name: 'Por revisar' }).waitFor();
    await page.locator('.empty, .rows, .panel').first().waitFor();
    await judged('review');
    await merchant.opens('#/attempts');
    await page.locator('.rows li').first().waitFor();
    await judged('attempts');
    await merchant.opens('#/reconcile');
    await page.getByRole('button', { name: 'Comparar' }).click();
    await page.getByRole('heading', { name: /comparad/ }).waitFor();
    await judged('reconcile');
    await merchant.opens('#/');
    await page.locator('console-chart canvas[style]').first().waitFor();
    await page.locator('console-chart summary').first().click();
    await judged('overview');
    await merchant.leaves();
  });
});

async function objections(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    const { violations } = await axe.run({ resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${String(target)}`));
  });
}
