import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';

/** What a browser reports about a visitor who is not signed in, or while a server that it asks is away. */
const EXPECTED = [/Failed to load resource/, /\[vite\]/, /WebSocket/, /ERR_INCOMPLETE_CHUNKED_ENCODING/];

/** What somebody looks at the console with. */
export const VIEWS = {
  desktop: { viewport: { width: 1200, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} as const;
export type View = keyof typeof VIEWS;

/** Where the pictures of `shows` go; none are taken when it is not set. */
const PICTURES = process.env['PAY_CHECKOUT_PICTURES'];

/** Somebody who runs the shop: signed in to the console. */
export class Merchant {
  readonly page: Page;
  readonly #entry: () => string;
  readonly #context: BrowserContext;
  readonly #troubles: string[] = [];
  readonly #answers: Promise<string>[] = [];

  private constructor(page: Page, entry: () => string, context: BrowserContext) {
    this.page = page;
    this.#entry = entry;
    this.#context = context;
    page.on('pageerror', (error) => this.#troubles.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') this.#troubles.push(message.text());
    });
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (!pathname.startsWith('/console/api/') || pathname.endsWith('/live')) return;
      this.#answers.push(response.text().catch(() => ''));
    });
  }

  /** `entry` gives the address that signs in. */
  static async arrive(
    browser: Browser,
    entry: () => string,
    { axe = false, view = 'desktop' }: { axe?: boolean; view?: View } = {},
  ): Promise<Merchant> {
    const context = await browser.newContext({
      ...VIEWS[view],
      locale: 'es-CO',
      ignoreHTTPSErrors: true,
      permissions: ['clipboard-read', 'clipboard-write'],
      // Only axe itself needs it.
      bypassCSP: axe,
    });
    if (axe) await context.addInitScript(readFileSync('node_modules/axe-core/axe.min.js', 'utf8'));
    return new Merchant(await context.newPage(), entry, context);
  }

  async signsIn(hash = '#/payins'): Promise<void> {
    await this.page.goto(this.#entry());
    await this.page.getByText('En vivo').waitFor();
    await this.opens(hash);
  }

  async opens(hash: string): Promise<void> {
    await this.page.evaluate((next) => (location.hash = next), hash);
  }

  /** Types what a customer reads out into the box that every page has. */
  async looksFor(text: string): Promise<void> {
    await this.page.getByLabel('Buscar un pago').fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Nothing is wider than the window; keeps a picture of it where pictures are wanted. */
  async shows(name: string): Promise<void> {
    const width = await this.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(width <= 0, `${name} is ${width} px too wide`);
    if (PICTURES !== undefined)
      await this.page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled' });
  }

  /** Whom the money is for, where the payment does not say: the owner of the sandbox's key 1000000001. */
  async typesPerson(): Promise<void> {
    const person = {
      'Nombre completo': 'Persona de Prueba',
      'Número de documento': '1000000001',
      Celular: '300 123 4567',
      'Correo electrónico': 'persona@correo.example',
    };
    for (const [label, typed] of Object.entries(person)) await this.page.getByLabel(label).fill(typed);
  }

  /** Presses Tab until the focus is where it should be, as somebody without a mouse does. */
  async tabsTo(
    role: 'link' | 'button' | 'textbox' | 'combobox' | 'checkbox',
    name: string | RegExp,
  ): Promise<void> {
    const wanted = this.page.getByRole(role, { name }).first();
    await wanted.waitFor();
    for (let presses = 0; presses < 80; presses++) {
      await this.page.keyboard.press('Tab');
      if (await wanted.evaluate((element) => element === document.activeElement)) return;
    }
    assert.fail(`The keyboard does not reach ${String(name)}`);
  }

  /** Closes the window; fails if a page reported an error that nobody caused, or an answer held a credential. */
  async leaves(): Promise<void> {
    const answers = await Promise.all(this.#answers);
    await this.#context.close();
    for (const answer of answers) {
      assert.doesNotMatch(answer, /sandbox-api-key|sandbox-access-token/);
    }
    const unexpected = this.#troubles.filter((trouble) => !EXPECTED.some((known) => known.test(trouble)));
    assert.deepEqual(unexpected, []);
  }
}
