import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import jsQR from 'jsqr';
import { PNG } from 'pngjs';
import type { Browser, Page } from 'playwright-core';
import { type Demo, startDemo } from '../../../scripts/demo.js';
import { entryOf, Merchant, Service } from './merchant.js';
import { Shopper } from '../first-run/shopper.js';
import { whyWithout } from '../../../scripts/tests/needs.js';
import { openChromium } from '../../support/chromium.js';
import { itLong } from '../../support/it-long.js';
import { skipWhen } from '../../support/skip-when.js';

/** The merchant's console in a real browser, against the processes that `npm start` starts. */

let demo: Demo;
let browser: Browser;
let service: Service;

const rows = (page: Page) => page.locator('.rows li .main').allInnerTexts();

/** What the QR on the screen says to a phone that is held in front of it. */
async function scanned(page: Page): Promise<string | undefined> {
  const picture = PNG.sync.read(await page.getByRole('img', { name: /QR/ }).screenshot());
  return jsQR(new Uint8ClampedArray(picture.data), picture.width, picture.height)?.data;
}

describe('the merchant console', skipWhen(whyWithout('chromium')), () => {
  beforeAll(async () => {
    browser = await openChromium();
    demo = await startDemo({ built: true });
    service = new Service(demo);
  });
  afterAll(async () => {
    await browser.close();
    await demo.stop();
  });

  it('lets in who has the code of the terminal, and keeps it out of the address', async () => {
    const merchant = await Merchant.arrive(browser, demo);
    const { page } = merchant;
    await page.goto(`${demo.siteUrl}/`);
    await page.getByRole('link', { name: 'Consola' }).click();
    await page.getByRole('heading', { name: 'Entra a la consola' }).waitFor();
    const code = page.getByLabel('Código de entrada');
    await code.fill('guess');
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.getByText('Ese código no es.').first().waitFor();
    assert.ok(await code.evaluate((field) => field === document.activeElement));
    await code.fill(entryOf(demo).split('entrada=')[1] ?? '');
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.getByRole('heading', { name: 'Ventas' }).waitFor();
    await page.getByRole('button', { name: 'Salir' }).click();
    await page.getByRole('heading', { name: 'Entra a la consola' }).waitFor();

    await merchant.signsIn();
    assert.doesNotMatch(page.url(), /entrada/);
    await page.reload();
    await page.getByText('En vivo').waitFor();
    assert.equal(await page.evaluate(() => document.cookie), '', 'no script reads the session');

    // The link once more, in another tab: the first one goes on with the new session.
    const other = await page.context().newPage();
    await other.goto(entryOf(demo));
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

  it('sends a payout by keyboard, from the lookup to payout.confirmed', async () => {
    const merchant = await Merchant.arrive(browser, demo);
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
      (await service.state()).payouts.filter((payout) => payout.reference === reference);
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

    await service.settle('payouts', reference, 'CONFIRMED');
    await page.getByText('Webhook: el dinero llegó').waitFor();
    await page.getByText('Confirmado: el dinero llegó, según el webhook del servicio.').waitFor();
    await merchant.leaves();
  });

  it('shows a payout nobody can be sure of as waiting for its event, through a reload', async () => {
    const merchant = await Merchant.arrive(browser, demo);
    const { page } = merchant;
    await merchant.signsIn();
    // Everything is done and nothing is told: neither the answer nor the first event.
    await service.arms('error-after-work', 'webhooks-lost');
    const before = (await service.state()).payouts.length;
    await merchant.opens('#/payouts/new');
    await page.getByRole('button', { name: 'Llenar con datos de prueba' }).click();
    await page.getByRole('button', { name: 'Consultar la llave' }).click();
    await page.getByRole('button', { name: 'Continuar' }).click();
    await page.getByRole('button', { name: /^Enviar/ }).dblclick();
    await page.getByText('No lo enviamos otra vez').waitFor();
    await page.reload();
    await page.getByText('No lo enviamos otra vez').waitFor();
    assert.equal(await page.getByRole('button', { name: /^Enviar/ }).count(), 0);
    assert.equal((await service.state()).payouts.length, before + 1);
    await merchant.leaves();
  });

  itLong(
    'pages through 250 payins forward and back without a gap or a repeat while new ones arrive',
    async () => {
      const merchant = await Merchant.arrive(browser, demo);
      const { page } = merchant;
      await service.createPayins(250, 'LISTA');
      const isOurs = (reference: string) => /^(?:LISTA|LLEGA)-/.test(reference);
      const ours = async () => (await service.references()).filter(isOurs);
      const expected = await ours();
      await merchant.signsIn();
      await page.locator('.rows li').nth(24).waitFor();

      const turn = async (name: 'Más antiguos' | 'Más nuevos', before: readonly string[]) => {
        await page.getByRole('link', { name }).click();
        // Not the same page with what has just arrived at its head.
        await page.waitForFunction((left) => {
          const shown = [...document.querySelectorAll('.rows .main')].map((row) => row.textContent);
          return shown.length > 0 && !shown.some((reference) => left.includes(reference));
        }, before);
        return rows(page);
      };
      let arrived = 0;
      const arrives = async () => service.createPayins(1, `LLEGA-${String(++arrived)}`);

      await arrives();
      await page.locator('.rows .main', { hasText: 'LLEGA-1-1' }).waitFor();
      const forward = [await rows(page)];
      while (await page.getByRole('link', { name: 'Más antiguos' }).isVisible()) {
        await arrives();
        forward.push(await turn('Más antiguos', forward.at(-1) ?? []));
      }
      assert.deepEqual(forward.flat().filter(isOurs), ['LLEGA-1-1', ...expected]);

      const backward = [forward.at(-1) ?? []];
      while (await page.getByRole('link', { name: 'Más nuevos' }).isVisible()) {
        if (arrived < 15) await arrives();
        backward.unshift(await turn('Más nuevos', backward[0] ?? []));
      }
      assert.equal(expected.length, 250);
      assert.deepEqual(backward.flat().filter(isOurs), await ours());

      // The head takes what arrives, and its end stays where it was.
      await page.getByRole('link', { name: 'Ir a lo último' }).click();
      await page.waitForURL((url) => !url.hash.includes('cursor'));
      await arrives();
      await page.locator('.rows .main', { hasText: `LLEGA-${arrived}-1` }).waitFor();
      await service.settle('payins', `LLEGA-${arrived}-1`, 'DECLINED');
      await page
        .locator('.rows a', { hasText: `LLEGA-${arrived}-1` })
        .getByText('Rechazado')
        .waitFor();
      await page.locator('.rows a', { hasText: `LLEGA-${arrived}-1` }).click();
      await page.locator('.events b', { hasText: 'Cobro rechazado' }).waitFor();
      await merchant.leaves();
    },
  );

  itLong('creates payment links in each of the five flows, to copy, to scan and to follow', async () => {
    const merchant = await Merchant.arrive(browser, demo);
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
      const made = (await service.state()).links.find(({ id }) => address.endsWith(id));
      assert.deepEqual(
        made && { rail: made.rail, bank: made.bank, customer: made.inlineCustomer !== null },
        expected,
        label,
      );
      assert.equal((await fetch(address)).status, 200);
    }
    // The last one expires while somebody looks at it: it is not offered any more.
    const [last] = (await service.state()).links;
    await fetch(`${demo.sandboxUrl}/_/api/links/${last?.id ?? ''}/expire`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    await page.getByText('Venció sin pago.').waitFor();
    assert.equal(await page.locator('.address').count(), 0);
    await page.locator('.events b', { hasText: 'Enlace vencido' }).waitFor();
    await merchant.leaves();
  });

  itLong(
    'sends a link by WhatsApp, prints it as a poster, makes another like it and follows it to its payin',
    async () => {
      const merchant = await Merchant.arrive(browser, demo);
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

      const chat = page.getByRole('link', { name: 'Enviar por WhatsApp' });
      assert.equal(await chat.getAttribute('target'), '_blank');
      assert.match((await chat.getAttribute('rel')) ?? '', /noopener/);
      const message = new URL((await chat.getAttribute('href')) ?? '');
      assert.equal(message.origin + message.pathname, 'https://wa.me/');
      assert.deepEqual(message.searchParams.get('text')?.split('\n').slice(0, 3), [
        'Hola. Con este enlace pagas $\u00a042.900 a Café Andino por Café & pan <500 g>:',
        address,
        `Referencia: ${reference}`,
      ]);

      await page.getByRole('link', { name: 'Cartel con QR' }).click();
      // The page before it has a code too.
      await page.getByText('Escanea el código').waitFor();
      await page.emulateMedia({ media: 'print' });
      assert.equal(await scanned(page), address);
      const sheet = await page.locator('body').innerText();
      for (const part of [
        'Café Andino',
        'Café & pan <500 g>',
        '42.900',
        'Escanea el código',
        reference,
        'hasta el',
      ])
        assert.ok(sheet.includes(part), `${part} is on the poster: ${sheet}`);
      assert.doesNotMatch(sheet, /viernes|Imprimir|Resumen/, 'and nothing else');
      await page.emulateMedia({ media: 'screen' });
      await page.goto(own);

      await page.getByRole('link', { name: 'Crear otro igual' }).click();
      const value = page.getByLabel('Valor en pesos');
      await value.waitFor();
      assert.equal(await value.inputValue(), '42.900');
      assert.equal(await page.getByLabel('Concepto').inputValue(), 'Café & pan <500 g>');
      assert.equal(await page.getByLabel('Referencia').inputValue(), '', 'a new one');
      await page.getByRole('button', { name: 'Crear el enlace' }).click();
      await page.getByRole('heading', { name: /Enlace de pago EN-/ }).waitFor();

      // A note can be changed later. Somebody pays the first one: link, payin and webhook lead to each other.
      await page.goto(own);
      await note.fill('Lo recoge el sábado');
      await page.getByRole('button', { name: 'Guardar la nota' }).click();
      await page.getByText('La nota quedó guardada.').first().waitFor();
      await page.reload();
      await note.waitFor();
      assert.equal(await note.inputValue(), 'Lo recoge el sábado');
      await page.getByText('Nadie ha empezado a pagarlo.').waitFor();
      await service.paysLink(address);
      await page.getByText('Pagado.', { exact: true }).waitFor();
      await page.getByRole('main').getByRole('link', { name: 'Bre-B' }).click();
      await page.getByRole('heading', { name: `Cobro ${reference}` }).waitFor();
      await page.locator('.events summary', { hasText: 'Enlace pagado' }).click();
      await page.locator('.events').getByRole('link', { name: reference }).click();
      await page.getByRole('heading', { name: `Enlace de pago ${reference}` }).waitFor();
      await merchant.leaves();
    },
  );

  it('sends a webhook again and shows the attempt, without a reload', async () => {
    const merchant = await Merchant.arrive(browser, demo);
    const { page } = merchant;
    await merchant.signsIn();
    await service.createPayins(1, 'AVISO');
    await merchant.opens('#/webhooks');
    const event = page.locator('.events li').filter({ hasText: 'AVISO-1' }).first();
    await event.locator('summary').click();
    await event.getByText('respondió 200').waitFor();
    await event.getByRole('button', { name: /^Enviar otra vez: Cobro en proceso/ }).click();
    await event.getByText('2 intentos de entrega').waitFor();
    assert.equal(await event.getByText('respondió 200').count(), 2);
    await page.getByText('Se envió otra vez.').waitFor();
    // What goes wrong is the sandbox's business.
    const mishaps = page.getByRole('link', { name: 'Provocar un percance en el sandbox' });
    assert.equal(await mishaps.getAttribute('href'), `${demo.sandboxUrl}/_/?section=mishaps`);
    assert.equal(await page.getByRole('switch').count(), 0);
    await merchant.leaves();
  });

  it('shows an order as paid as soon as it is, with what the shop was told', async () => {
    const merchant = await Merchant.arrive(browser, demo);
    const { page } = merchant;
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
    // From the order to its webhook, to the payin, and back.
    await page.locator('.events summary', { hasText: 'Cobro confirmado' }).click();
    await page.locator('.events').getByRole('link', { name: reference }).first().click();
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

  it('finds what a customer asks about, asks for what is missing, and resolves and reopens it', async () => {
    const merchant = await Merchant.arrive(browser, demo);
    const { page } = merchant;
    await merchant.signsIn();
    const shopper = await Shopper.arrive(browser, demo);
    const order = await shopper.buysCoffee();
    await service.arms('underpaid');
    await shopper.asksForQr();
    const { reference } = await shopper.payin();
    await service.settle('payins', reference, 'CONFIRMED');
    // From whatever page, by what the customer reads out.
    await page.getByLabel('Buscar un pago').fill(reference);
    await page.keyboard.press('Enter');
    await page.getByText(`Buscamos «${reference}» en todo lo que entró y salió de tu tienda.`).waitFor();
    await page.locator('.rows a', { hasText: /de .*faltan/ }).click();
    await page.getByRole('heading', { name: `Pedido ${order}` }).waitFor();
    await page.getByText(/^Llegaron \$.* de \$.*: faltan \$.*\.$/).waitFor();

    await page.getByRole('button', { name: 'Marcar resuelto: Otro valor' }).click();
    await page.getByRole('button', { name: 'Volver a abrir: Otro valor' }).click();
    await page.getByRole('link', { name: 'Crear enlace por lo que falta' }).click();
    await page.getByText(new RegExp(`lo que falta del pedido ${order}`)).waitFor();
    await page.getByRole('button', { name: 'Crear el enlace' }).click();
    const address = await page.locator('.address .text').innerText();
    await service.paysLink(address);
    await page.getByText('Pagado.', { exact: true }).waitFor();
    await merchant.opens(`#/orders/${order}`);
    await page.getByRole('main').getByText('Pagado', { exact: true }).first().waitFor();
    assert.equal(await page.getByRole('link', { name: 'Crear enlace por lo que falta' }).count(), 0);

    await page.getByLabel('Buscar un pago').fill('no existe');
    await page.keyboard.press('Enter');
    await page.getByText('Nada coincide con «no existe»').waitFor();
    await shopper.leave();
    await merchant.leaves();
  });

  itLong('turns the pages of links, forward and back, and says where it is', async () => {
    const merchant = await Merchant.arrive(browser, demo);
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

  itLong('gives a payment back: from the order to the payin, the payout and the order again', async () => {
    const merchant = await Merchant.arrive(browser, demo);
    const { page } = merchant;
    await merchant.signsIn();
    const shopper = await Shopper.arrive(browser, demo);
    const order = await shopper.buysCoffee();
    await shopper.asksForQr();
    const { reference } = await shopper.payin();
    await service.settle('payins', reference, 'CONFIRMED');
    await merchant.opens(`#/orders/${order}`);
    await page.getByRole('main').getByRole('link', { name: reference }).first().click();
    await page.getByRole('heading', { name: `Cobro ${reference}` }).waitFor();
    await page.getByRole('link', { name: 'Devolver' }).click();
    await page.getByRole('heading', { name: `Devolver el cobro ${reference}` }).waitFor();
    await page.getByLabel('Llave Bre-B').fill('1000000001');
    await page.getByRole('button', { name: 'Consultar la llave' }).click();
    const value = page.getByLabel('Valor en pesos');
    await value.waitFor();
    const whole = await value.inputValue();
    const person = {
      'Nombre completo': 'Persona de Prueba',
      'Número de documento': '1000000001',
      Celular: '300 123 4567',
      'Correo electrónico': 'persona@correo.example',
    };
    for (const [label, typed] of Object.entries(person)) await page.getByLabel(label).fill(typed);
    await value.fill('999.999.999');
    await page.getByRole('button', { name: 'Continuar' }).click();
    await page.getByText('Es más de lo que queda por devolver.').waitFor();
    await value.fill(whole);
    await page.getByRole('button', { name: 'Continuar' }).click();
    await page.getByText('El documento coincide.').waitFor();
    const payout = /DV-\w{8}-\w{8}/.exec(await page.locator('.facts').first().innerText())?.[0] ?? '';
    await page.getByRole('button', { name: /^Enviar/ }).click();
    await page.getByText('Esperamos su webhook con el resultado.').waitFor();
    await service.settle('payouts', payout, 'CONFIRMED');
    await page.getByText('Confirmado: el dinero llegó').waitFor();
    // Nothing is left to give back: that is said before a key is asked for.
    const given = await page
      .locator('.facts')
      .getByRole('link', { name: 'Ver el cobro' })
      .getAttribute('href');
    const own = page.url();
    await merchant.opens(`#/payouts/new?payin=${given?.split('/').at(-1) ?? ''}`);
    await page.getByText('No queda nada por devolver.').waitFor();
    assert.equal(await page.getByLabel('Llave Bre-B').count(), 0);
    await page.goto(own);
    await page.locator('.facts').getByRole('link', { name: order }).click();
    await page.getByText(new RegExp(`^Devuelto: \\$\\s${whole.replaceAll('.', '\\.')}$`)).waitFor();
    await page.getByRole('link', { name: payout }).waitFor();
    await shopper.leave();
    await merchant.leaves();
  });

  it('says when it is not live, comes back by itself and shows what it missed', async () => {
    const merchant = await Merchant.arrive(browser, demo);
    const { page } = merchant;
    await merchant.signsIn();
    process.kill(demo.pid('merchant backend'), 'SIGKILL');
    await page.getByText('Reconectando…').waitFor();
    await service.createPayins(1, 'MIENTRAS');
    await page.getByText('En vivo').waitFor();
    await page.locator('.rows .main', { hasText: 'MIENTRAS-1' }).waitFor();
    process.kill(demo.pid('payment service'), 'SIGKILL');
    await page.getByText('El servicio de pagos no responde.').first().waitFor();
    await page.getByText('El servicio de pagos no responde.').first().waitFor({ state: 'detached' });
    await page.locator('.rows .main', { hasText: 'MIENTRAS-1' }).waitFor();
    await merchant.leaves();
  });
});
