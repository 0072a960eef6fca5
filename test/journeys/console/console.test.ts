import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { whyWithout } from '../../../scripts/tests/needs.js';
import { openChromium } from '../../support/chromium.js';
import { skipWhen } from '../../support/skip-when.js';
import { type Desk, openDesk } from './desk.js';
import { Merchant } from './merchant.js';

/** Money that goes out, on the console's page. */

let desk: Desk;
let browser: Browser;

describe('the merchant console', skipWhen(whyWithout('chromium')), () => {
  beforeAll(async () => {
    browser = await openChromium();
    desk = await openDesk();
  });
  afterAll(async () => {
    await browser.close();
    await desk.stop();
  });

  it('sends a payout by keyboard, from the lookup to payout.confirmed', async () => {
    const merchant = await Merchant.arrive(browser, desk.entry);
    const { page } = merchant;
    await merchant.signsIn();
    await merchant.tabsTo('link', 'Devoluciones y pagos');
    await page.keyboard.press('Enter');
    await merchant.tabsTo('link', 'Enviar un pago');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Enviar un pago' }).waitFor();

    // The key comes first: there is nothing else to type before its owner is known.
    await merchant.tabsTo('textbox', 'Llave Bre-B');
    await page.keyboard.type('@noexiste');
    await page.keyboard.press('Enter');
    await page.getByText('Nadie tiene esa llave.').waitFor();
    assert.equal(await page.getByLabel('Valor en pesos').isVisible(), false);
    // The focus is where the mistake is.
    await page.keyboard.press('Control+A');
    await page.keyboard.type('3001234567');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'De quién es la llave' }).waitFor();
    assert.match(await page.locator('.found').innerText(), /Rec\*\*\* de Pru\*\*\* \d{3}/);

    const answers: [role: 'textbox' | 'combobox', name: string | RegExp, typed: string][] = [
      ['textbox', 'Valor en pesos', '150.000'],
      ['textbox', /^Referencia/, 'con "comillas"'],
      ['textbox', /^Nota/, 'Primera quincena'],
      ['textbox', 'Nombre completo', 'Persona de Prueba'],
      ['textbox', 'Número de documento', '1000000001'],
      ['textbox', 'Celular', '300 123 4567'],
      ['textbox', 'Correo electrónico', 'persona@correo.example'],
    ];
    for (const [role, name, typed] of answers) {
      await merchant.tabsTo(role, name);
      await page.keyboard.type(typed);
    }
    await page.keyboard.press('Enter');
    await page.getByText('Solo letras sin tilde, números, - y _.').waitFor();
    assert.equal(
      await page.getByLabel('Nombre completo').inputValue(),
      'Persona de Prueba',
      'nothing is lost',
    );
    const reference = `NOMINA-${Date.now()}`;
    await page.keyboard.press('Control+A');
    await page.keyboard.type(reference);
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: '¿Es esta persona?' }).waitFor();
    const shown = await page.locator('.facts').innerText();
    assert.match(shown, /Rec\*\*\* de Pru\*\*\* \d{3}/);
    assert.ok(shown.includes(reference) && shown.includes('Primera quincena'), shown);
    const sent = async () =>
      (await desk.service.state()).payouts.filter((payout) => payout.reference === reference);
    assert.deepEqual(await sent(), [], 'nothing was sent');
    // The key is not of the person who was typed.
    await page.getByText('La llave es de otra persona.').waitFor();
    assert.ok(await page.getByRole('button', { name: /^Enviar/ }).isDisabled());
    await merchant.tabsTo('checkbox', /^Sé que no es la misma persona/);
    await page.keyboard.press('Space');
    await merchant.tabsTo('button', /^Enviar \$\s150\.000$/);
    await page.keyboard.press('Enter');
    // A second time, by name, and nothing is sent before.
    await page.getByText(/^Vas a enviar el dinero a Rec\*\*\* de Pru\*\*\*/).waitFor();
    assert.deepEqual(await sent(), []);
    await merchant.tabsTo('button', /^Sí, enviar a Rec/);
    await page.keyboard.press('Enter');
    await page.getByText('Esperamos su webhook con el resultado.').waitFor();
    assert.deepEqual(
      (await sent()).map(({ amountInCents }) => amountInCents),
      [15_000_000],
    );

    await desk.service.settle('payouts', reference, 'CONFIRMED');
    await page.getByText('Webhook: el dinero llegó').waitFor();
    await page.getByText('Confirmado: el dinero llegó, según el webhook del servicio.').waitFor();
    await merchant.leaves();
  });

  it('shows a payout of unclear outcome as waiting for its event, through a reload', async () => {
    const merchant = await Merchant.arrive(browser, desk.entry);
    const { page } = merchant;
    await merchant.signsIn();
    // The service does the work and loses both the answer and the first event.
    await desk.service.arms('error-after-work', 'webhooks-lost');
    const before = (await desk.service.state()).payouts.length;
    await merchant.opens('#/payouts/new');
    await page.getByRole('button', { name: 'Llenar con datos de prueba' }).click();
    await page.getByRole('button', { name: 'Consultar la llave' }).click();
    await page.getByRole('button', { name: 'Continuar' }).click();
    await page.getByRole('button', { name: /^Enviar/ }).dblclick();
    await page.getByText('No lo enviamos otra vez').waitFor();
    await page.reload();
    await page.getByText('No lo enviamos otra vez').waitFor();
    assert.equal(await page.getByRole('button', { name: /^Enviar/ }).count(), 0);
    assert.equal((await desk.service.state()).payouts.length, before + 1);
    await merchant.leaves();
  });

  it('leads to the webhooks that the sandbox sent', async () => {
    const merchant = await Merchant.arrive(browser, desk.entry);
    await merchant.signsIn();
    await merchant.opens('#/payins');
    const webhooks = merchant.page.getByRole('link', { name: 'Webhooks' });
    assert.equal(await webhooks.getAttribute('href'), `${desk.sandboxUrl}/_/?section=events`);
    await merchant.leaves();
  });
});
