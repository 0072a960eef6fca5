import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { CLASSIC_FILE, MODULE_FILE, chunkFile } from '../../scripts/build/cdn.js';

import { type CdnSite, openCdnSite } from './cdn-site.js';
import { whyWithout } from '../../scripts/tests/needs.js';
import { openChromium } from '../support/chromium.js';
import { itLong } from '../support/it-long.js';
import { skipWhen } from '../support/skip-when.js';

/** The files for script tags, built and on a page with a strict policy. */

describe('by script tag', skipWhen(whyWithout('chromium')), () => {
  let site: CdnSite;
  let browser: Browser;

  beforeAll(async () => {
    browser = await openChromium();
    site = await openCdnSite();
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  async function open(head: string, policies = 'pay-checkout') {
    const page = await browser.newPage({ locale: 'es-CO' });
    const said: string[] = [];
    page.on('console', (message) => {
      if (['warning', 'error'].includes(message.type())) said.push(message.text());
    });
    page.on('pageerror', (error) => said.push(String(error)));
    await page.goto(site.page(head, policies));
    return { page, said };
  }

  const hashOf = (name: string) => site.integrity.files[name]?.integrity ?? '';
  const classic = () =>
    `<script src="/${CLASSIC_FILE}" integrity="${hashOf(CLASSIC_FILE)}" crossorigin defer></script>`;
  const asModule = () =>
    `<script type="module" src="/${MODULE_FILE}" integrity="${hashOf(MODULE_FILE)}" crossorigin></script>`;
  const fromNpm = '<script src="/npm.js" defer></script>';
  /** For every part but the entry, as docs/package.md says. */
  const importMap = () => {
    const parts = Object.entries(site.integrity.files).filter(
      ([name]) => name !== CLASSIC_FILE && name !== MODULE_FILE,
    );
    const integrity = Object.fromEntries(parts.map(([name, file]) => [`/${name}`, file.integrity]));
    return `<script type="importmap" nonce="map">${JSON.stringify({ integrity })}</script>`;
  };

  async function pays(page: Page): Promise<void> {
    const widget = page.locator('pay-checkout');
    await widget.getByRole('radio', { name: 'QR Bre-B' }).check();
    await widget.getByRole('button', { name: 'Pagar con Bre-B' }).click();
    await widget.getByRole('img', { name: /Código QR Bre-B/ }).waitFor();
  }

  it('a page says its own words by the names that the documentation has', async () => {
    for (const head of [classic(), importMap() + asModule()]) {
      const { page } = await open(head);
      const widget = page.locator('pay-checkout');
      await widget.evaluate((element: HTMLElementTagNameMap['pay-checkout']) => {
        element.messages = {
          chooseTitle: '¿Con qué pagas?',
          neverAskPassword: 'Sin claves',
        };
      });
      await widget.getByRole('heading', { name: '¿Con qué pagas?' }).waitFor();
      await widget.getByText('Sin claves').waitFor();
      await page.close();
    }
  });

  it('the one file is all a page needs, under the policy that the documentation gives', async () => {
    const { page, said } = await open(classic());
    const fetched: string[] = [];
    page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
    await pays(page);
    await page.locator('pay-checkout').evaluate((element) => element.setAttribute('locale', 'en'));
    await page.locator('pay-checkout').getByText('Waiting for your payment').first().waitFor();
    assert.deepEqual(
      fetched.filter((path) => path.endsWith('.js')),
      [],
      'nothing else is fetched',
    );
    assert.deepEqual(said, []);
    await page.close();
  });

  it('the module fetches its parts, each held to its hash by the import map, and each finds what it takes from others', async () => {
    const { page, said } = await open(importMap() + asModule());
    await pays(page);
    const parts = Object.keys(site.integrity.files).filter((name) => name !== CLASSIC_FILE);
    assert.ok(parts.length >= 4);
    for (const part of parts) await page.evaluate(`import(${JSON.stringify(`/${part}`)})`);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('the module has the form and the banks of PSE in a part of their own', async () => {
    const { page, said } = await open(importMap() + asModule());
    const fetched: string[] = [];
    page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
    const widget = page.locator('pay-checkout');
    await widget.getByRole('radio', { name: 'PSE' }).check();
    await widget.getByRole('button', { name: 'Continuar' }).click();
    await widget.getByRole('combobox', { name: 'Banco' }).fill('davi');
    await widget
      .getByRole('option', { name: /davivienda/i })
      .first()
      .click();
    await widget.getByRole('button', { name: 'Ir a mi banco' }).click();
    await widget.getByText('Completa este campo.').first().waitFor();
    assert.ok(fetched.includes(`/${chunkFile('pse')}`), fetched.join());
    assert.deepEqual(said, []);
    await page.close();
  });

  it('a part that is not the one that was built is refused', async () => {
    const part = Object.keys(site.integrity.files).find((name) => name.endsWith('-en.js'));
    assert.ok(part);
    site.tamper(part);
    const { page, said } = await open(importMap() + asModule());
    await page.locator('pay-checkout').evaluate((element) => element.setAttribute('locale', 'en'));
    // Words that did not come leave the payer with Spanish.
    await pays(page);
    assert.ok(
      said.some((text) => /integrity/i.test(text)),
      said.join('\n'),
    );
    await page.close();
  });

  for (const [name, head, policies] of [
    ['twice', () => classic() + classic(), 'pay-checkout'],
    ['as one file and as a module', () => classic() + asModule(), 'pay-checkout'],
    ['beside the npm build', () => classic() + fromNpm, 'pay-checkout lit-html'],
    ['after the npm build', () => fromNpm + classic(), 'pay-checkout lit-html'],
  ] as const) {
    // Twice itself, and after another's Lit: the others differ from these in who comes first.
    const isQuick = name === 'twice' || name === 'after the npm build';
    (isQuick ? it : itLong)(`loaded ${name}, it warns once and works`, async () => {
      const { page, said } = await open(head(), policies);
      await pays(page);
      const warnings = said.filter((text) => text.includes('already defined'));
      assert.equal(warnings.length, 1, said.join('\n'));
      // The browser itself tells of a policy that a second copy may not make again.
      assert.deepEqual(
        said.filter((text) => !warnings.includes(text) && !/trusted-?types|TrustedTypePolicy/i.test(text)),
        [],
      );
      await page.close();
    });
  }

  it('before it arrives, or when it never does, its place is kept and its fallback is seen', async () => {
    const { page } = await open('<script src="/lost.js" defer></script>');
    assert.ok(await page.getByRole('link', { name: 'Otros medios de pago' }).isVisible());
    const box = await page.locator('pay-checkout').boundingBox();
    assert.ok(box && box.height >= 24 * 16, JSON.stringify(box));
    await page.close();

    const there = await open(classic());
    await there.page.locator('pay-checkout').getByRole('radio', { name: 'QR Bre-B' }).waitFor();
    assert.ok(!(await there.page.getByRole('link', { name: 'Otros medios de pago' }).isVisible()));
    await there.page.close();
  });
});
