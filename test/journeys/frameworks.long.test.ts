import assert from 'node:assert/strict';
import { type TestContext, afterAll, beforeAll, describe, it } from 'vitest';
import { engines } from '../../scripts/tests/browsers.js';
import { findBrowsers } from '../../scripts/tests/needs.js';
import { type Demo, startDemo } from '../../scripts/demo.js';
import { cleanup } from '../support/cleanup.js';
import { Service } from './console/service.js';
import { type RunningBrowser, startBrowser } from './paying/engines.js';
import { Payer } from './paying/payer.js';
import { buildAgent } from './paying/builds.js';
import { skipWhen } from '../support/skip-when.js';

/**
 * The pages for developers to copy: each sells, and loses no payment when its visitor goes elsewhere and comes back, in
 * every engine.
 */
const { found, missing } = findBrowsers(engines);

const pages = ['react', 'vue', 'cdn'] as const;

let demo: Demo;
let agent: string;
beforeAll(async () => {
  agent = await buildAgent();
  demo = await startDemo({ built: true });
});
afterAll(() => demo.stop());

for (const { engine, reason } of missing) it(`the framework pages in ${engine}`, skipWhen(reason), () => {});

it('the framework pages are linked from the index', async () => {
  const index = await (await fetch(`${demo.siteUrl}/`)).text();
  for (const name of pages) assert.ok(index.includes(`href="./${name}/"`), name);
});

for (const installed of found) {
  describe(`the framework pages in ${installed.engine}`, () => {
    let browser: RunningBrowser;
    beforeAll(async () => {
      browser = await startBrowser(installed);
    });
    afterAll(() => browser.close());

    for (const name of pages) {
      it(`${name}: pays with Bre-B after the visitor has gone elsewhere and come back`, async (t) => {
        const visitor = await visit(t, browser, name);
        await visitor.presses('Comprar');
        await visitor.presses('Bre-B: QR o llave');
        await visitor.presses('Pagar con Bre-B');
        const key = await visitor.seesKey();

        // Elsewhere in the application: the element is gone from the page, and with it everything it held.
        await visitor.follows('Producto');
        await visitor.seesProduct();
        await visitor.follows('Pago');
        assert.deepEqual(await visitor.seesKey(), key);

        // And with the browser's own buttons, and a reload between.
        if (installed.engine !== 'webkit') {
          await visitor.tab.back();
          await visitor.seesProduct();
          await visitor.reloads();
          await visitor.seesProduct();
          await visitor.tab.evaluate('void setTimeout(() => history.forward())');
        } else {
          // Its driver may not come back from the back button.
          await visitor.reloads();
        }
        assert.deepEqual(await visitor.seesKey(), key);

        await new Service(demo.sandboxUrl).settle('payins', key?.reference ?? '', 'CONFIRMED');
        await visitor.sees('Pago aprobado');
        await visitor.presses('Volver a la tienda');
        await visitor.seesProduct();
        assert.deepEqual(await visitor.links(), ['Producto'], 'nothing is left to pay');
        assert.equal(await visitor.trouble(), null);
      });

      it(`${name}: takes back who returns from the bank`, async (t) => {
        const visitor = await visit(t, browser, name);
        await visitor.presses('Comprar');
        await visitor.fillsInPse();
        await visitor.presses('Ir a mi banco');
        await visitor.atBank('approve');
        await visitor.sees('Pago aprobado');
        const { url } = await visitor.facts();
        assert.ok(url.startsWith(`${demo.siteUrl}/${name}/?view=pay`), url);
      });
    }
  });
}

async function visit(t: TestContext, browser: RunningBrowser, page: string): Promise<Visitor> {
  const tab = await browser.open();
  cleanup(t, () => tab.close());
  const visitor = new Visitor(tab, agent);
  await tab.goto(`${demo.siteUrl}/${page}/`);
  await visitor.watches();
  return visitor;
}

const TROUBLE = 'trouble of the page';
const LINKS = `[...document.querySelectorAll('.tabs a')].filter((link) => !link.hidden)`;

/** Somebody who pays, and walks about in the application around the checkout. */
class Visitor extends Payer {
  /** Remembers an error that nobody caught, also beyond a reload. */
  async watches(): Promise<void> {
    const keep = `(text) => sessionStorage.setItem('${TROUBLE}', String(text))`;
    await this.tab.evaluate(`void [
      addEventListener('error', ({ message }) => (${keep})(message)),
      addEventListener('unhandledrejection', ({ reason }) => (${keep})(reason)),
    ]`);
  }

  async trouble(): Promise<unknown> {
    return this.tab.evaluate(`sessionStorage.getItem('${TROUBLE}')`);
  }

  async reloads(): Promise<void> {
    await this.tab.reload();
    await this.watches();
  }

  async links(): Promise<unknown> {
    return this.tab.evaluate(`${LINKS}.map((link) => link.textContent.trim())`);
  }

  async follows(name: string): Promise<void> {
    const link = `${LINKS}.find((link) => link.textContent.trim() === '${name}')`;
    await this.tab.evaluate(`${link}.click()`);
  }

  async seesProduct(): Promise<void> {
    await this.sees('Comprar');
    assert.equal((await this.facts()).phase, null, 'there is no checkout on this page');
  }

  async seesKey() {
    await this.sees('Esperando tu pago');
    return (await this.facts()).payin;
  }
}
