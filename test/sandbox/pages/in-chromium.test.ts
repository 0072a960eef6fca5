import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { buildPage } from '../../../scripts/build/pages.js';
import { whyWithout } from '../../../scripts/tests/needs.js';
import { openChromium } from '../../support/chromium.js';
import { itLong } from '../../support/it-long.js';
import { isLong } from '../../support/long.js';
import { listen, type Listening } from '../../../src/cli/listen.js';
import { pageFiles } from '../../../src/node.js';
import { SCENARIO_NAMES } from '../../../src/sandbox.js';
import { HOSTILE, startPages } from './harness.js';
import { skipWhen } from '../../support/skip-when.js';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const SMALL_TARGETS = `[...document.querySelectorAll(
    'button, .button, input:not([type=hidden], [type=radio]), select, nav a, .rows a',
  )]
  .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 44)
  .map((element) => element.outerHTML)`;

interface AxeReport {
  readonly violations: { readonly id: string; readonly nodes: { readonly html: string }[] }[];
}

describe('the pages in a real browser', skipWhen(whyWithout('chromium')), () => {
  let browser: Browser;
  let server: Listening;
  let started: ReturnType<typeof startPages>;
  let base: string;
  const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-control-'));

  beforeAll(async () => {
    browser = await openChromium();
    await buildPage('control', folder);
    started = startPages({ controlPage: pageFiles('control', folder) });
    server = await listen({ fetch: started.sandbox.fetch, host: '127.0.0.1', port: 0, firstPort: 0 });
    base = `http://127.0.0.1:${server.port}`;
    started.engine.publicUrl = base;
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
    started.sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens a window, works in it, and fails on any breach of the policy or error of a script. */
  async function inWindow(options: BrowserContextOptions, work: (page: Page) => Promise<void>) {
    const context = await browser.newContext({ locale: 'es-CO', reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy|Trusted/.test(message.text())) faults.push(message.text());
    });
    try {
      await work(page);
      assert.deepEqual(faults, []);
    } finally {
      await context.close();
    }
  }

  function visit(path: string, options: BrowserContextOptions, work: (page: Page) => Promise<void>) {
    return inWindow(options, async (page) => {
      await page.goto(base + path);
      await work(page);
    });
  }

  function pages(): Record<string, string> {
    const { brebPayin, psePayin, paymentLink, engine } = started;
    const name = (what: string) => `${HOSTILE} ${what} ${'larga'.repeat(12)} ${engine.revision}`;
    const bank = psePayin({ reference: name('bank') });
    const answered = psePayin({ reference: name('answered') });
    engine.settle(answered.id, 'DECLINED');
    const qr = brebPayin({
      reference: name('qr'),
      breb: { keyType: 'QR_CODE' },
      amountInCents: 999_999_999_999,
    });
    const paid = brebPayin({ reference: name('paid'), callbackUrl: 'https://shop.example/' });
    engine.settle(paid.id, 'CONFIRMED', { confirmedAmountInCents: 1 });
    const hosted = paymentLink({ reference: name('link') });
    const expired = paymentLink({ reference: name('expired') });
    engine.expireLink(expired.id);
    engine.setMishap('webhooks-forged-with-secret', true);
    const [event] = engine.events;
    return {
      bank: bank.path,
      'bank, answered': answered.path,
      checkout: qr.path,
      'checkout, paid': paid.path,
      link: hosted.path,
      'link, expired': expired.path,
      'no such page': '/link/nothing',
      control: '/_/',
      'control, open payin': `/_/?open=${qr.id}`,
      'control, confirmed payin': `/_/?open=${paid.id}`,
      'control, link': `/_/?section=links&open=${hosted.id}`,
      'control, empty': '/_/?section=payouts',
      'control, nothing found': '/_/?q=zzzz',
      'control, event': `/_/?section=events&open=${event?.id}`,
      'control, requests': '/_/?section=requests',
      'control, mishaps': '/_/?section=mishaps',
      'control, connection': '/_/?section=connection',
    };
  }

  // Two visits of each page show both schemes and both layouts. A quick run visits every fourth page in each.
  for (const [colorScheme, width] of [
    ['light', 320],
    ['dark', 1280],
  ] as const) {
    const which = isLong ? 'every page' : 'every fourth page';
    test(`${which} is accessible and fits: ${colorScheme}, ${width} px`, async () => {
      const faults: string[] = [];
      await inWindow({ colorScheme, viewport: { width, height: 800 } }, async (page) => {
        for (const [index, [name, path]] of Object.entries(pages()).entries()) {
          if (!isLong && index % 4 !== (colorScheme === 'light' ? 0 : 2)) continue;
          await page.goto(base + path);
          await page.locator('h1').waitFor();
          const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          if (excess !== 0) faults.push(`${name}: ${excess} px too wide`);
          const small = await page.evaluate<string[]>(SMALL_TARGETS);
          faults.push(...small.map((html) => `${name}: less than 44 px high: ${html}`));
          await page.evaluate(axeSource);
          const report = await page.evaluate<AxeReport>("axe.run({ resultTypes: ['violations'] })");
          faults.push(...report.violations.map(({ id, nodes }) => `${name}: ${id}: ${nodes[0]?.html}`));
        }
      });
      started.engine.setMishap('webhooks-forged-with-secret', false);
      assert.deepEqual(faults, []);
    });
  }

  test('a payer without script pays a link by PSE', async () => {
    const { paymentLink, engine } = started;
    const { id, path } = paymentLink({ reference: 'NO-SCRIPT', callbackUrl: `${base}/_/?section=links` });
    await visit(path, { javaScriptEnabled: false }, async (page) => {
      await page.getByRole('radio', { name: /PSE/ }).check();
      await page.getByLabel('Banco', { exact: true }).selectOption({ label: 'Bancolombia' });
      await page.getByRole('button', { name: 'Continuar' }).click();
      await page.getByRole('button', { name: /Aprobar/ }).click();
      assert.equal(page.url(), `${base}/_/?section=links`);
    });
    assert.equal(engine.readLink(id)?.status, 'COMPLETED');
  });

  itLong('the way back may lead through other hosts', async () => {
    const shop = createServer((request, response) => {
      if (request.url === '/thanks') return void response.end('Gracias');
      response.writeHead(302, { location: `http://localhost:${portOf()}/thanks` }).end();
    });
    const portOf = () => (shop.address() as { port: number }).port;
    await new Promise<void>((resolve) => void shop.listen(0, '127.0.0.1', resolve));
    try {
      const callbackUrl = `http://127.0.0.1:${portOf()}/return`;
      const { path } = started.psePayin({ reference: 'FAR-RETURN', callbackUrl });
      await visit(path, {}, async (page) => {
        await page.getByRole('button', { name: /Aprobar/ }).click();
        await page.getByText('Gracias').waitFor();
      });
    } finally {
      shop.closeAllConnections();
      await new Promise((resolve) => shop.close(resolve));
    }
  });

  test('the checkout page copies the key, and shows the outcome without being reloaded by hand', async () => {
    const { id, path } = started.brebPayin({ reference: 'WATCHED' });
    await visit(path, { permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      await page.getByRole('button', { name: /Copiar Llave/ }).click();
      await page.getByText('Copiado').waitFor();
      const { source } = started.payin(id);
      const copied = await page.evaluate('navigator.clipboard.readText()');
      assert.ok(source.rail === 'BRE_B' && source.keyString === copied);
      started.engine.settle(id, 'CONFIRMED');
      await page.getByText('Pago aprobado').waitFor();
    });
  });

  itLong('a copy that fails does not say that it worked', async () => {
    const { path } = started.brebPayin({ reference: 'NOT-COPIED' });
    await visit(path, {}, async (page) => {
      await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("no"))');
      await page.getByRole('button', { name: /Copiar Llave/ }).click();
      await page.getByText('Cópialo a mano').waitFor();
      assert.equal(await page.getByText('Copiado').count(), 0);
    });
  });

  test('the control page shows what happens elsewhere, and keeps what is being typed', async () => {
    await visit('/_/?section=connection', {}, async (page) => {
      await page.evaluate('window.sameDocument = true');
      const field = page.getByLabel('Dirección', { exact: true });
      await field.fill('http://localhost:3000/half-typed');
      started.brebPayin({ reference: 'FROM-ELSEWHERE' });
      const count = String(started.engine.payins.length);
      await page.getByRole('link', { name: `Cobros ${count}` }).waitFor();
      assert.equal(await field.inputValue(), 'http://localhost:3000/half-typed');
      await page.getByRole('link', { name: /Cobros/ }).click();
      await page.getByRole('link', { name: /FROM-ELSEWHERE/ }).waitFor();
      assert.equal(await page.evaluate('window.sameDocument'), true, 'no reload');
      await page.goBack();
      await field.waitFor();
    });
  });

  test('a payin is found, opened and settled by keyboard alone, without a reload', async () => {
    const { id } = started.brebPayin({ reference: 'BY-KEYBOARD' });
    await visit('/_/', { viewport: { width: 1280, height: 800 } }, async (page) => {
      await page.evaluate('window.sameDocument = true');
      await page.getByRole('searchbox').waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('by-keyboard');
      await page.waitForURL(/q=by-keyboard/);
      const row = page.getByRole('link', { name: /BY-KEYBOARD/ });
      await row.focus();
      await page.keyboard.press('Enter');
      const exact = page.getByRole('button', { name: 'Confirmar exacto' });
      await exact.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Contracargo' }).waitFor();
      assert.equal(started.payin(id).status, 'CONFIRMED');
      await page.keyboard.press('Escape');
      await page.locator('.detail').waitFor({ state: 'detached' });
      assert.equal(await page.evaluate('window.sameDocument'), true);
    });
  });

  itLong(
    'the control page makes a sample, opens it, and settles it with any amount, and only an amount',
    async () => {
      await visit('/_/', { viewport: { width: 1280, height: 800 } }, async (page) => {
        await page.getByRole('button', { name: 'Llave Bre-B' }).click();
        const other = page.getByLabel('Confirmar otro valor, en pesos');
        await other.fill('x');
        await page.getByRole('button', { name: 'Confirmar', exact: true }).click();
        await page.getByRole('alert').getByText('Escribe un valor en pesos').waitFor();
        await other.fill('12.345,67');
        await page.getByRole('button', { name: 'Confirmar', exact: true }).click();
        await page.getByRole('button', { name: 'Contracargo' }).waitFor();
        const id = new URL(page.url()).searchParams.get('open') ?? '';
        assert.equal(started.payin(id).confirmedAmountInCents, 1_234_567);
        await page.getByLabel('settlementStatus').selectOption('SETTLED');
        await page.getByRole('button', { name: 'Cambiar' }).click();
        await page.getByText('SETTLED').last().waitFor();
        await page.getByRole('button', { name: 'Contracargo' }).click();
        await page.getByRole('button', { name: 'Contracargo' }).waitFor({ state: 'detached' });
        assert.notEqual(started.payin(id).chargebackAtMs, null);
      });
    },
  );

  test('a refusal is said in words', async () => {
    const { id } = started.brebPayin({ reference: 'REFUSED' });
    await visit(`/_/?open=${id}`, {}, async (page) => {
      const decline = page.getByRole('button', { name: 'Rechazar' });
      await decline.waitFor();
      // The page has not looked again when the button is pressed.
      await page.route('**/revision*', (route) => route.abort());
      started.engine.settle(id, 'CONFIRMED');
      await decline.click();
      await page.getByRole('alert').getByText('el resultado ya es final').waitFor();
    });
  });

  itLong(
    'every mishap has its switch: for everything, for what comes next, for one payin, and off',
    async () => {
      const { engine, brebPayin, payin } = started;
      await visit('/_/?section=mishaps', {}, async (page) => {
        await page.getByRole('switch').first().waitFor();
        assert.equal(await page.getByRole('switch').count(), SCENARIO_NAMES.length);
        const underpaid = page.getByRole('listitem').filter({ hasText: 'underpaid' });
        await underpaid.getByRole('switch').click();
        const active = page.getByRole('region', { name: 'Percances activos' });
        await active.getByRole('button', { name: /underpaid/ }).waitFor();
        assert.deepEqual(engine.mishaps.everywhere, ['underpaid']);
        const chargeback = page.getByRole('listitem').filter({ hasText: 'chargeback' });
        for (const count of ['Espera 1 creación', 'Espera 2 creaciones']) {
          await chargeback.getByRole('button', { name: 'Próximo' }).click();
          await chargeback.getByText(count).waitFor();
        }
        await active.getByRole('button', { name: 'Apagar todos' }).click();
        await active.waitFor({ state: 'detached' });
        assert.deepEqual(engine.mishaps, { everywhere: [], armed: {} });
      });
      const { id } = brebPayin({ reference: 'ITS-OWN' });
      await visit(`/_/?open=${id}`, {}, async (page) => {
        await page.getByLabel('Elige un percance').selectOption('overpaid');
        await page.getByRole('button', { name: 'Agregar' }).click();
        const own = page.getByRole('button', { name: /overpaid/ });
        await own.waitFor();
        assert.deepEqual(payin(id).mishaps, ['overpaid']);
        await own.click();
        await own.waitFor({ state: 'detached' });
        assert.deepEqual(payin(id).mishaps, []);
      });
    },
  );

  itLong('addresses for events are added, replaced and removed; what is no address is refused', async () => {
    const { engine } = started;
    const before = engine.webhooks;
    engine.setWebhooks([]);
    const target = { url: 'http://localhost:3000/hooks', headerName: 'x-secret', headerValue: 'one' };
    await visit('/_/?section=connection', {}, async (page) => {
      const add = async (wanted: typeof target) => {
        await page.getByLabel('Dirección', { exact: true }).fill(wanted.url);
        await page.getByLabel('Encabezado').fill(wanted.headerName);
        await page.getByLabel('Valor', { exact: true }).fill(wanted.headerValue);
        await page.getByRole('button', { name: 'Agregar' }).click();
      };
      await add(target);
      await page.getByText('x-secret: one').waitFor();
      await add({ ...target, headerValue: 'two' });
      await page.getByText('x-secret: two').waitFor();
      assert.deepEqual(engine.webhooks, [{ ...target, headerValue: 'two' }]);
      for (const wrong of [{ url: 'ftp://localhost/' }, { headerName: 'not a header' }]) {
        await add({ ...target, ...wrong });
        await page.getByRole('alert').getByText('Escribe una dirección http o https').waitFor();
      }
      await page.getByRole('button', { name: `Quitar ${target.url}` }).click();
      await page.getByText('A ninguna parte todavía').waitFor();
      assert.deepEqual(engine.webhooks, []);
    });
    engine.setWebhooks(before);
  });

  itLong('on a phone the panel takes the place of the list, and gives it back', async () => {
    started.brebPayin({ reference: 'ON-A-PHONE' });
    await visit('/_/', { viewport: { width: 390, height: 800 } }, async (page) => {
      const row = page.getByRole('link', { name: /ON-A-PHONE/ });
      await row.click();
      const title = page.getByRole('heading', { name: 'ON-A-PHONE' });
      await title.waitFor();
      assert.equal(await row.isVisible(), false);
      assert.equal(await title.evaluate((element) => element === element.ownerDocument.activeElement), true);
      await page.getByRole('link', { name: 'Volver a la lista' }).click();
      await row.waitFor();
      assert.equal(await row.evaluate((element) => element === element.ownerDocument.activeElement), true);
    });
  });

  test('the control page says so when the sandbox is gone, and comes back with it', async () => {
    await visit('/_/', {}, async (page) => {
      await page.route('**/revision*', (route) => route.abort());
      await page.getByText('Sin conexión con el sandbox').waitFor();
      await page.unroute('**/revision*');
      await page.getByText('En vivo').waitFor();
    });
  });
});
