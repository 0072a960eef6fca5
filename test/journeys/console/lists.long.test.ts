import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { whyWithout } from '../../../scripts/tests/needs.js';
import { openChromium } from '../../support/chromium.js';
import { skipWhen } from '../../support/skip-when.js';
import { type Desk, openDesk } from './desk.js';
import { Merchant } from './merchant.js';
import { scanned } from './scanned.js';

/** Long lists and the five kinds of links on the console's page. */

let desk: Desk;
let browser: Browser;

const rows = (page: Page) => page.locator('.rows li .main').allInnerTexts();

describe('the lists of the merchant console', skipWhen(whyWithout('chromium')), () => {
  beforeAll(async () => {
    browser = await openChromium();
    desk = await openDesk();
  });
  afterAll(async () => {
    await browser.close();
    await desk.stop();
  });

  it('pages through 250 payins without a gap or a repeat while new ones arrive, and goes back to the newest', async () => {
    const merchant = await Merchant.arrive(browser, desk.entry);
    const { page } = merchant;
    await desk.service.createPayins(250, 'LISTA');
    const isOurs = (reference: string) => /^(?:LISTA|LLEGA)-/.test(reference);
    const expected = (await desk.service.references()).filter(isOurs);
    assert.equal(expected.length, 250);
    await merchant.signsIn();
    await page.locator('.rows li').nth(24).waitFor();

    const pages = [await rows(page)];
    const older = page.getByRole('link', { name: 'Más antiguos' });
    for (let arrived = 1; await older.isVisible(); arrived++) {
      const before = pages.at(-1) ?? [];
      await older.click();
      await page.waitForFunction((left) => {
        const shown = [...document.querySelectorAll('.rows .main')].map((row) => row.textContent);
        return shown.length > 0 && !shown.some((reference) => left.includes(reference));
      }, before);
      pages.push(await rows(page));
      await desk.service.createPayins(1, `LLEGA-${String(arrived)}`);
    }
    assert.deepEqual(pages.flat().filter(isOurs), expected);

    await page.getByRole('link', { name: 'Ir a lo último' }).click();
    await page.waitForURL((url) => !url.hash.includes('cursor'));
    await page.locator('.rows .main', { hasText: 'LLEGA-1-1' }).waitFor();
    await desk.service.settle('payins', 'LLEGA-1-1', 'DECLINED');
    // No order knows it, so nothing notifies the page: it looks again by itself.
    await page.locator('.rows a', { hasText: 'LLEGA-1-1' }).getByText('Rechazado').waitFor();
    await merchant.leaves();
  });

  it('creates payment links in each of the five flows, to copy, to scan and to follow', async () => {
    const merchant = await Merchant.arrive(browser, desk.entry);
    const { page } = merchant;
    await merchant.signsIn();
    const flows: [label: string, more: () => Promise<void>, expected: object][] = [
      ['Abierto', async () => undefined, { rail: null, bank: null, customer: false }],
      [
        'Un solo medio de pago Solo puede',
        async () => void (await page.getByLabel('Medio de pago', { exact: true }).selectOption('BRE_B')),
        { rail: 'BRE_B', bank: null, customer: false },
      ],
      [
        'PSE con el banco elegido',
        async () => void (await page.getByLabel('Banco', { exact: true }).selectOption('Bancolombia')),
        { rail: 'PSE', bank: 'CO_BANCOLOMBIA', customer: false },
      ],
      [
        'Con los datos de quien paga Elige',
        async () => undefined,
        { rail: null, bank: null, customer: true },
      ],
      [
        'Un solo medio de pago, con los datos',
        async () => void (await page.getByLabel('Medio de pago', { exact: true }).selectOption('PSE')),
        { rail: 'PSE', bank: null, customer: true },
      ],
    ];
    for (const [label, more, expected] of flows) {
      await merchant.opens('#/links/new');
      await page.getByText('Más opciones').click();
      await page.getByRole('radio', { name: label }).check();
      await page.getByRole('button', { name: 'Llenar con datos de prueba' }).click();
      await more();
      await page.getByRole('button', { name: 'Crear el enlace' }).click();
      const address = await page.locator('.address .text').innerText();
      await page.getByRole('button', { name: 'Copiar: Dirección del enlace' }).click();
      await page.getByText('Copiado').waitFor();
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), address);
      assert.equal(await scanned(page), address);
      const made = (await desk.service.state()).links.find(({ id }) => address.endsWith(id));
      assert.deepEqual(
        made && { rail: made.rail, bank: made.bank, customer: made.inlineCustomer !== null },
        expected,
        label,
      );
      assert.equal((await fetch(address)).status, 200);
    }
    // The last one expires while somebody looks at it: it is not offered any more.
    const [last] = (await desk.service.state()).links;
    await fetch(`${desk.sandboxUrl}/_/api/links/${last?.id ?? ''}/expire`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    await page.getByText('Venció sin pago.').waitFor();
    assert.equal(await page.locator('.address').count(), 0);
    await merchant.leaves();
  });

  it('makes another link like one, keeps a note on it and follows it to its payin', async () => {
    const merchant = await Merchant.arrive(browser, desk.entry);
    const { page } = merchant;
    await merchant.signsIn();
    const reference = `MESA-${Date.now()}`;
    await merchant.opens('#/links/new');
    await page.getByLabel('Valor en pesos').fill('42.900');
    await page.getByLabel('Concepto').fill('Café & pan <500 g>');
    await page.getByText('Más opciones').click();
    await page.getByLabel('Referencia').fill('MESA|4');
    await page.getByLabel('Nota').fill('Lo recoge el viernes');
    await page.getByRole('button', { name: 'Crear el enlace' }).click();
    await page.getByText('Solo letras sin tilde, números, - y _.').waitFor();
    assert.equal(await page.getByLabel('Concepto').inputValue(), 'Café & pan <500 g>', 'nothing is lost');
    await page.getByLabel('Referencia').fill(reference);
    await page.getByRole('button', { name: 'Crear el enlace' }).click();
    const note = page.getByLabel('Nota');
    assert.equal(await note.inputValue(), 'Lo recoge el viernes');
    const address = await page.locator('.address .text').innerText();
    const own = page.url();

    await page.getByRole('link', { name: 'Crear otro igual' }).click();
    const value = page.getByLabel('Valor en pesos');
    await value.waitFor();
    assert.equal(await value.inputValue(), '42.900');
    assert.equal(await page.getByLabel('Concepto').inputValue(), 'Café & pan <500 g>');
    assert.equal(await page.getByLabel('Referencia').inputValue(), '', 'a new one');
    await page.getByRole('button', { name: 'Crear el enlace' }).click();
    await page.getByRole('heading', { name: /Enlace de pago EN-/ }).waitFor();

    // A note can be changed later. Somebody pays the first one: link and payin lead to each other.
    await page.goto(own);
    await note.fill('Lo recoge el sábado');
    await page.getByRole('button', { name: 'Guardar la nota' }).click();
    await page.getByText('La nota quedó guardada.').first().waitFor();
    await page.reload();
    await note.waitFor();
    assert.equal(await note.inputValue(), 'Lo recoge el sábado');
    await page.getByText('Nadie ha empezado a pagarlo.').waitFor();
    await desk.service.paysLink(address);
    await page.getByText('Pagado.', { exact: true }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Bre-B' }).click();
    await page.getByRole('heading', { name: `Cobro ${reference}` }).waitFor();
    await page.locator('.facts a[href^="#/links/"]').click();
    await page.getByRole('heading', { name: `Enlace de pago ${reference}` }).waitFor();
    await merchant.leaves();
  });

  it('turns the pages of links, forward and back, and says where it is', async () => {
    const merchant = await Merchant.arrive(browser, desk.entry);
    const { page } = merchant;
    await merchant.signsIn();
    // A page that does not look again with every link.
    await merchant.opens('#/reconcile');
    await page.evaluate(async () => {
      const { csrf } = (await (await fetch('/console/api/session')).json()) as { csrf: string };
      const headers = { 'content-type': 'application/json', 'x-console-csrf': csrf };
      const body = JSON.stringify({ flow: 'open', amountInCents: 100_000, callbackUrl: location.origin });
      const create = async () => {
        const answer = await fetch('/console/api/links', { method: 'POST', headers, body });
        // The merchant reads every answer at the end, and one that the page left unread would never come.
        await answer.text();
        if (!answer.ok) throw new Error(`A link was not made: ${answer.status}`);
      };
      for (let made = 0; made < 105; made += 5) await Promise.all([1, 2, 3, 4, 5].map(create));
    });
    await merchant.opens('#/links');
    const turns = page.getByRole('navigation', { name: 'Páginas' });
    await turns.getByText(/^1 a 100 de \d+$/).waitFor();
    const first = await rows(page);
    await turns.getByRole('link', { name: 'Más antiguos' }).click();
    await turns.getByText(/^101 a (\d+) de \1$/).waitFor();
    assert.equal((await rows(page)).filter((row) => first.includes(row)).length, 0);
    assert.equal(await turns.getByRole('link').count(), 1, 'nothing is older');
    await turns.getByRole('link', { name: 'Más nuevos' }).click();
    await turns.getByText(/^1 a 100 de/).waitFor();
    assert.deepEqual(await rows(page), first);
    // An address from a time when there were more.
    await merchant.opens('#/links?from=900');
    await turns.getByText(/^101 a (\d+) de \1$/).waitFor();
    await merchant.leaves();
  });
});
