import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest';
import { whyWithout } from '../../../scripts/tests/needs.js';
import { findProgram } from '../../../scripts/tests/programs.js';
import { openChromium } from '../../support/chromium.js';
import { isLong } from '../../support/long.js';
import { skipWhen } from '../../support/skip-when.js';
import { type Desk, openDesk } from './desk.js';
import { Merchant, type View } from './merchant.js';
import { scanned } from './scanned.js';
import { openedBy } from './spreadsheet.js';

/** What a shop owner comes to the console for, each on a desktop and on a phone. */

let desk: Desk;
let browser: Browser;

const DAY_MS = 86_400_000;

interface Task {
  readonly name: string;
  /** Where it runs in a quick run too. */
  readonly quick?: View;
  readonly run: (merchant: Merchant, view: View) => Promise<void>;
}

const TASKS: readonly Task[] = [
  {
    name: 'finds a payment by the CUS that its payer quotes',
    quick: 'phone',
    async run(merchant, view) {
      const { page } = merchant;
      const order = desk.place();
      const reference = await desk.start(order, 'PSE');
      await desk.confirm(order, reference);
      const cus = await desk.service.cusOf(reference);
      await merchant.signsIn('#/');
      await merchant.looksFor(cus);
      await page.getByText(`Buscamos «${cus}» en todo lo que entró y salió de tu tienda.`).waitFor();
      await merchant.shows(`1-found-by-cus-${view}`);
      await page.locator('.rows a', { hasText: order }).click();
      await page.getByRole('heading', { name: `Pedido ${order}` }).waitFor();
      await page.getByRole('main').getByRole('link', { name: reference }).first().click();
      await page.locator('.facts').getByText(cus).first().waitFor();
      await merchant.looksFor('no existe');
      await page.getByText('Nada coincide con «no existe»').waitFor();
      await page.getByText('Buscamos en todos los pagos de tu tienda').waitFor();
      await merchant.shows(`1-not-found-${view}`);
    },
  },
  {
    name: 'gives back what a payer paid twice, once',
    async run(merchant, view) {
      const { page } = merchant;
      const order = await paidTwice();
      await merchant.signsIn('#/review');
      await page.locator('.rows a', { hasText: order }).click();
      await page.getByText(/^Llegaron \$\s42\.900 de más: el pedido ya está pagado\.$/).waitFor();
      await merchant.shows(`2-paid-twice-${view}`);
      await page.getByRole('link', { name: 'Devolver' }).click();
      await page.getByLabel('Llave Bre-B').fill('1000000001');
      await page.getByRole('button', { name: 'Consultar la llave' }).click();
      assert.equal(await page.getByLabel('Valor en pesos').inputValue(), '42.900');
      await merchant.typesPerson();
      await page.getByRole('button', { name: 'Continuar' }).click();
      await page.getByText('El documento coincide.').waitFor();
      await merchant.shows(`2-compared-${view}`);
      const payout = /DV-\w{8}-\w{8}/.exec(await page.locator('.facts').first().innerText())?.[0] ?? '';
      await page.getByRole('button', { name: /^Enviar \$/ }).click();
      await page.getByText('Esperamos su webhook con el resultado.').waitFor();
      await desk.service.settle('payouts', payout, 'CONFIRMED');
      await page.getByText('Confirmado: el dinero llegó').waitFor();
      const payin = await page
        .locator('.facts')
        .getByRole('link', { name: 'Ver el cobro' })
        .getAttribute('href');
      await page.locator('.facts').getByRole('link', { name: order }).click();
      await page.getByRole('heading', { name: 'Pago repetido devuelto' }).waitFor();
      await page.getByText(/^Devuelto: \$\s42\.900 · quedan \$\s42\.900$/).waitFor();
      await merchant.shows(`2-given-back-${view}`);
      await page.getByRole('button', { name: 'Marcar resuelto: Pago repetido' }).click();
      await page.getByRole('button', { name: 'Volver a abrir: Pago repetido' }).waitFor();
      // A second refund is refused before a key is asked for.
      await merchant.opens(`#/payouts/new?payin=${payin?.split('/').at(-1) ?? ''}`);
      await page.getByText('No queda nada por devolver.').waitFor();
      assert.equal(await page.getByLabel('Llave Bre-B').count(), 0);
    },
  },
  {
    name: 'asks for what is missing of a payment that came short, and completes its order',
    quick: 'desktop',
    async run(merchant, view) {
      const { page } = merchant;
      const order = await paidShort();
      await merchant.signsIn('#/');
      await merchant.looksFor(order);
      await page.locator('.rows a', { hasText: /38\.610 de .*42\.900 · faltan .*4\.290/ }).click();
      await page.getByText(/^Llegaron \$.* de \$.*: faltan \$.*\.$/).waitFor();
      await merchant.shows(`3-came-short-${view}`);
      await page.getByRole('link', { name: 'Crear enlace por lo que falta' }).click();
      await page.getByText(new RegExp(`lo que falta del pedido ${order}`)).waitFor();
      await page.getByRole('button', { name: 'Crear el enlace' }).click();
      await desk.service.paysLink(await page.locator('.address .text').innerText());
      await page.getByText('Pagado.', { exact: true }).waitFor();
      await merchant.opens(`#/orders/${order}`);
      await page.getByRole('main').getByText('Pagado', { exact: true }).first().waitFor();
      assert.equal(await page.getByRole('link', { name: 'Crear enlace por lo que falta' }).count(), 0);
      // The link's money is there once, and its payin leads to its page.
      assert.equal(await page.getByText(/^Valor confirmado: \$\s4\.290$/).count(), 1);
      assert.equal(await page.getByText(/sobran/).count(), 0);
      await merchant.shows(`3-completed-${view}`);
    },
  },
  {
    name: 'makes no link for an order that cannot be read, and one for what is missing once it can be',
    quick: 'phone',
    async run(merchant, view) {
      const { page } = merchant;
      const order = await paidShort();
      await merchant.signsIn('#/');
      await page.route(`**/api/orders/${order}`, (route) => route.abort());
      await merchant.opens(`#/links/new?order=${order}`);
      const retry = page.getByRole('button', { name: 'Reintentar' });
      await retry.waitFor();
      await page.getByText('Tu servidor no responde.').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Crear el enlace' }).count(), 0);
      await merchant.shows(`3-no-order-${view}`);
      await page.unroute(`**/api/orders/${order}`);
      await retry.click();
      await page.getByText(new RegExp(`lo que falta del pedido ${order}`)).waitFor();
      assert.equal(await retry.count(), 0);
      await page.getByRole('button', { name: 'Crear el enlace' }).waitFor();
    },
  },
  {
    name: 'takes the sales of a month home as a file',
    async run(merchant, view) {
      const { page } = merchant;
      const order = await paid();
      await merchant.signsIn('#/attempts');
      const filters = page.locator('summary', { hasText: 'Filtros' });
      if (!(await page.getByLabel('Desde el día').isVisible())) await filters.click();
      await page.getByLabel('Desde el día').fill('2026-11-01');
      await page.getByLabel('Hasta el día').fill('2026-11-30');
      await page.getByRole('main').getByRole('button', { name: 'Buscar' }).click();
      await page.waitForURL(/from=2026-11-01&to=2026-11-30/);
      await page.locator('.rows a', { hasText: order }).waitFor();
      await merchant.shows(`4-month-${view}`);
      const [, file] = await Promise.all([
        page.getByRole('link', { name: 'Descargar para Excel (CSV)' }).click(),
        page.waitForEvent('download'),
      ]);
      assert.match(file.suggestedFilename(), /^ventas-2026-11-18\.csv$/);
      const rows = readFileSync(await file.path(), 'utf8').split('\r\n');
      assert.match(rows[0] ?? '', /^\uFEFFFecha;Pedido;Referencia;/);
      assert.match(rows.find((row) => row.includes(order)) ?? '', /;42900,00;42900,00;0,00;42900,00;/);
      assert.match(rows.at(-2) ?? '', /^2026-11-11 /, 'the oldest of the month is there');
    },
  },
  {
    name: 'sends a link by WhatsApp and prints its poster',
    async run(merchant, view) {
      const { page } = merchant;
      await merchant.signsIn('#/links');
      await page.getByRole('link', { name: 'Nuevo enlace de pago' }).click();
      await page.getByLabel('Valor en pesos').fill('42.900');
      await page.getByLabel('Concepto').fill('Café & pan <500 g>');
      await merchant.shows(`5-new-link-${view}`);
      await page.getByRole('button', { name: 'Crear el enlace' }).click();
      await page.getByRole('heading', { name: /EN-\w{8}-cafe-pan-500-g$/ }).waitFor();
      const address = await page.locator('.address .text').innerText();
      await merchant.shows(`5-link-${view}`);
      const chat = page.getByRole('link', { name: 'Enviar por WhatsApp' });
      assert.equal(await chat.getAttribute('target'), '_blank');
      assert.match((await chat.getAttribute('rel')) ?? '', /noopener/);
      const message = new URL((await chat.getAttribute('href')) ?? '');
      assert.equal(message.origin + message.pathname, 'https://wa.me/');
      assert.deepEqual(message.searchParams.get('text')?.split('\n').slice(0, 2), [
        'Hola. Con este enlace pagas $\u00a042.900 a Café Andino por Café & pan <500 g>:',
        address,
      ]);
      // The service's page names the merchant, and the concept as far as the reference can.
      const hosted = await (await fetch(address)).text();
      assert.ok(hosted.includes('Café Andino') && hosted.includes('-cafe-pan-500-g'));

      await page.getByRole('link', { name: 'Cartel con QR' }).click();
      // The page before it has a code too.
      await page.getByText('Escanea el código').waitFor();
      await merchant.shows(`5-poster-${view}`);
      await page.emulateMedia({ media: 'print' });
      assert.equal(await scanned(page), address);
      const sheet = await page.locator('body').innerText();
      const parts = ['Café Andino', 'Café & pan <500 g>', '42.900', 'Escanea el código', 'hasta el'];
      for (const part of parts) assert.ok(sheet.includes(part), `${part} is on the poster: ${sheet}`);
      assert.doesNotMatch(sheet, /Imprimir|Resumen/, 'and nothing else');
    },
  },
  {
    name: 'sees what came in today beside yesterday and a week ago',
    async run(merchant, view) {
      const { page } = merchant;
      await paid();
      await merchant.signsIn('#/');
      const today = page.locator('.card', { hasText: 'Hoy' });
      await today.getByText(/Ayer: \$\s20\.000 · hace una semana: \$\s30\.000/).waitFor();
      assert.doesNotMatch(await today.locator('.big').innerText(), /^\$\s0$/);
      await page.locator('console-chart canvas[style]').first().waitFor();
      await merchant.shows(`6-today-${view}`);
      await today.click();
      await page.waitForURL(/days=1$/);
    },
  },
  {
    name: 'resolves a thing with a note, and opens it again',
    async run(merchant, view) {
      const { page } = merchant;
      const order = await paidShort();
      await merchant.signsIn('#/review');
      const listed = page.locator('.rows a', { hasText: order });
      await listed.click();
      await page.getByLabel(/^Nota/).fill('Pagó el resto en efectivo');
      await page.getByRole('button', { name: 'Marcar resuelto: Otro valor' }).click();
      await page.getByText('«Pagó el resto en efectivo»').waitFor();
      await merchant.shows(`7-resolved-${view}`);
      await merchant.opens('#/review');
      await page.getByRole('heading', { name: 'Por revisar' }).waitFor();
      await listed.waitFor({ state: 'detached' });
      await merchant.opens(`#/orders/${order}`);
      await page.getByRole('button', { name: 'Volver a abrir: Otro valor' }).click();
      await page.getByRole('button', { name: 'Marcar resuelto: Otro valor' }).waitFor();
      await merchant.opens('#/review');
      await listed.waitFor();
      await merchant.shows(`7-open-again-${view}`);
    },
  },
  {
    name: 'signs in and out, and is let in by the new secret alone once it was changed',
    quick: 'phone',
    async run(merchant, view) {
      const { page } = merchant;
      const enter = async (secret: string) => {
        await page.getByLabel('Código de entrada').fill(secret);
        await page.getByRole('button', { name: 'Entrar' }).click();
      };
      const isAsked = () => page.getByRole('heading', { name: 'Entra a la consola' }).waitFor();
      const secretOf = () => desk.entry().split('entrada=')[1] ?? '';
      const before = secretOf();
      await page.goto(`${desk.siteUrl}/console/`);
      await isAsked();
      await enter('a guess');
      await page.getByText('Ese código no es.').first().waitFor();
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'field-token');
      await merchant.shows(`8-wrong-code-${view}`);
      await enter(before);
      await page.getByRole('heading', { name: 'Ventas' }).waitFor();
      assert.equal(await page.evaluate(() => document.cookie), '', 'no script reads the session');
      await page.reload();
      await page.getByText('En vivo').waitFor();
      await page.getByRole('button', { name: 'Salir' }).click();
      await isAsked();

      await merchant.signsIn('#/links');
      assert.doesNotMatch(page.url(), /entrada/);
      desk.rotate(`the-secret-after-that-for-a-${view}-of-the-tests`);
      // The session ends by itself, and the old secret opens none.
      await isAsked();
      await enter(before);
      await page.getByText('Ese código no es.').first().waitFor();
      await enter(secretOf());
      await page.getByRole('heading', { name: 'Enlaces' }).waitFor();
    },
  },
];

describe('a shop owner', skipWhen(whyWithout('chromium')), () => {
  beforeAll(async () => {
    browser = await openChromium();
    desk = await openDesk();
    await paid(3_000_000);
    desk.clock.skip(6 * DAY_MS);
    await paid(2_000_000);
    desk.clock.skip(DAY_MS);
  });
  // Nobody signs in twenty times a minute.
  beforeEach(() => desk.clock.skip(60_000));
  afterAll(async () => {
    await browser.close();
    await desk.stop();
  });

  for (const { name, quick, run } of TASKS) {
    for (const view of ['desktop', 'phone'] as const) {
      if (!isLong && view !== quick) continue;
      it(`${name}, on a ${view}`, async () => {
        const merchant = await Merchant.arrive(browser, desk.entry, { view });
        await run(merchant, view);
        await merchant.leaves();
      });
    }
  }

  if (!isLong) return;
  const office = findProgram('soffice');
  const left = office === undefined && 'LibreOffice (soffice) is not installed: the file was not opened';
  it(
    'opens the file in a spreadsheet, each thing in its column and amounts as numbers',
    skipWhen(left),
    async () => {
      const order = desk.place(4_290_050);
      const reference = await desk.start(order, 'PSE');
      await desk.confirm(order, reference);
      const merchant = await Merchant.arrive(browser, desk.entry);
      await merchant.signsIn('#/attempts');
      const [, file] = await Promise.all([
        merchant.page.getByRole('link', { name: 'Descargar para Excel (CSV)' }).click(),
        merchant.page.waitForEvent('download'),
      ]);
      const [names = [], ...rows] = openedBy(office ?? '', await file.path());
      const row = rows.find((cells) => cells[1] === order) ?? [];
      const cells = row.map((cell) => (cell instanceof Date ? cell.toISOString().slice(0, 10) : cell));
      assert.deepEqual(Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])), {
        Fecha: '2026-11-18',
        Pedido: order,
        Referencia: reference,
        'Medio de pago': 'PSE',
        Estado: 'Confirmado',
        Valor: 42_900.5,
        Recibido: 42_900.5,
        'Devuelto o enviado': 0,
        Neto: 42_900.5,
        'Fecha de pago': '2026-11-18',
        CUS: Number(await desk.service.cusOf(reference)),
        Banco: 'Bancolombia',
        Motivo: '',
        Código: '',
      });
      await merchant.leaves();
    },
  );
});

/** An order that was paid, by its id. */
async function paid(amountInCents?: number): Promise<string> {
  const order = desk.place(amountInCents);
  await desk.confirm(order, await desk.start(order));
  return order;
}

async function paidTwice(): Promise<string> {
  const order = desk.place();
  const references = [await desk.start(order), await desk.start(order)];
  for (const reference of references) await desk.confirm(order, reference);
  return order;
}

async function paidShort(): Promise<string> {
  const order = desk.place();
  await desk.service.arms('underpaid');
  await desk.confirm(order, await desk.start(order));
  return order;
}
