import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type {} from '../../../src/index.js';
import type { Demo } from '../../../scripts/demo.js';

declare global {
  interface Window {
    /** The sum of layout shifts of the page. */
    shifted: number;
  }
}

const OFFER = '**/checkout/orders/*';

/** Somebody in Colombia with a browser: buys in the shop, pays in the sandbox, reads what the screens say. */
export class Shopper {
  readonly page: Page;
  readonly #demo: Demo;
  readonly #context: BrowserContext;
  readonly #troubles: string[] = [];

  private constructor(page: Page, demo: Demo, context: BrowserContext) {
    this.page = page;
    this.#demo = demo;
    this.#context = context;
    this.#watch(page);
  }

  static async arrive(browser: Browser, demo: Demo): Promise<Shopper> {
    const context = await browser.newContext({
      locale: 'es-CO',
      viewport: { width: 1200, height: 900 },
      ignoreHTTPSErrors: true,
    });
    await context.addInitScript(() => {
      window.shifted = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.shifted += (entry as { value?: number }).value ?? 0;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    return new Shopper(await context.newPage(), demo, context);
  }

  /** Closes the browser's window, and fails if a page reported an error that nobody caused. */
  async leave({ despite = [] }: { despite?: readonly RegExp[] } = {}): Promise<void> {
    await this.#context.close();
    const unexpected = this.#troubles.filter((trouble) => !despite.some((known) => known.test(trouble)));
    assert.deepEqual(unexpected, []);
  }

  #watch(page: Page): void {
    page.on('pageerror', (error) => this.#troubles.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') this.#troubles.push(message.text());
    });
  }

  get widget(): Locator {
    return this.page.locator('pay-checkout');
  }

  /** Puts a coffee in the cart and goes to the checkout page; the order's number. */
  async buysCoffee(): Promise<string> {
    await this.page.goto(`${this.#demo.siteUrl}/shop/`);
    await this.page.getByRole('button', { name: 'Agregar Café de origen' }).waitFor();
    assert.ok((await this.#shift()) < 0.02, 'what is in sight moves while the products come');
    await this.page.getByRole('button', { name: 'Agregar Café de origen' }).click();
    await this.page.getByRole('button', { name: 'Ir a pagar' }).click();
    await this.page.waitForURL(/checkout\.html/);
    return new URL(this.page.url()).searchParams.get('pedido') ?? '';
  }

  /** How much of what is in sight has moved since the page was opened. */
  #shift(): Promise<number> {
    return this.page.evaluate(async () => {
      // real time: shifts are reported after the frame that made them
      const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      for (let frames = 0; frames < 3; frames++) await frame();
      return window.shifted;
    });
  }

  /** Keeps the question for the offer from the backend. Returns what lets it go on, once it was asked. */
  async holdsOffer(): Promise<() => Promise<void>> {
    const asked = this.page.waitForRequest(OFFER);
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await this.page.route(OFFER, async (route) => {
      await released;
      await route.continue();
    });
    return async () => {
      const answered = asked.then((request) => request.response());
      release();
      await answered;
    };
  }

  async chooses(method: 'Bre-B' | 'PSE'): Promise<void> {
    await this.widget.getByRole('radio', { name: method }).check();
  }

  async presses(name: string | RegExp): Promise<void> {
    await this.widget.getByRole('button', { name }).click();
  }

  /** Waits until the widget shows these words, without touching anything. */
  async sees(words: string): Promise<void> {
    await this.widget.getByText(words).first().waitFor();
  }

  async asksForQr(): Promise<void> {
    await this.chooses('Bre-B');
    await this.presses('Pagar con Bre-B');
    try {
      await this.widget.getByRole('img', { name: /Código QR Bre-B/ }).waitFor();
    } catch (cause) {
      const shown = await this.widget.evaluate(({ shadowRoot }) => shadowRoot?.textContent);
      throw new Error(`saw no code but: ${shown?.replace(/\s+/g, ' ')} ${this.#troubles.join()}`, { cause });
    }
  }

  async fillsInPse(document: string): Promise<void> {
    await this.chooses('PSE');
    await this.presses('Continuar');
    const bank = this.widget.getByRole('combobox', { name: 'Banco' });
    await bank.fill('bancolomb');
    await this.widget.getByRole('option', { name: 'Bancolombia' }).click();
    await this.widget.getByLabel('Número').fill(document);
    await this.widget.getByLabel('Nombre completo').fill('Persona de Prueba');
    await this.widget.getByLabel('Celular').fill('300 123 4567');
    await this.widget.getByLabel('Correo electrónico').fill('persona@correo.example');
  }

  /** What the widget holds, as the page's own scripts can read it. */
  async payin(): Promise<{ reference: string; checkoutUrl: string }> {
    return this.widget.evaluate((element) => {
      const { payin } = element as HTMLElementTagNameMap['pay-checkout'];
      const source = payin?.rail === 'BRE_B' ? payin.sourceData : null;
      return { reference: payin?.reference ?? '', checkoutUrl: source?.checkoutUrl ?? '' };
    });
  }

  /** Finds the payment on the sandbox's control page, in another tab, and decides it there. */
  async decidesInSandbox(action: 'Confirmar exacto' | 'Rechazar'): Promise<void> {
    const { reference } = await this.payin();
    const control = await this.#tab(`${this.#demo.sandboxUrl}/_/`);
    await control.getByRole('link', { name: reference }).first().click();
    await control.getByRole('button', { name: action }).click();
    await control.getByText('Ya terminó').or(control.getByText('settlementStatus')).first().waitFor();
    await control.close();
  }

  /** Throws a switch on the control page. */
  async setsMishap(name: string, on: boolean): Promise<void> {
    const control = await this.#tab(`${this.#demo.sandboxUrl}/_/?section=mishaps`);
    const row = control.getByRole('listitem').filter({ has: control.locator(`#mishap-${name}`) });
    await row.getByRole('switch', { checked: !on }).click();
    await row.getByRole('switch', { checked: on }).waitFor();
    await control.close();
  }

  /** Opens the payment where "continúa en tu celular" leads, on a screen as small as a phone's, and pays. */
  async paysOnPhone(): Promise<void> {
    const { checkoutUrl } = await this.payin();
    assert.ok(checkoutUrl.startsWith(this.#demo.sandboxUrl), checkoutUrl);
    const phone = await this.#tab(checkoutUrl);
    await phone.setViewportSize({ width: 390, height: 800 });
    await phone.getByRole('button', { name: /^Pagar \$/ }).click();
    await phone.getByText('Pago aprobado').first().waitFor();
    await phone.close();
  }

  /** Leaves through the widget's last button and reads the order's own page. */
  async findsOrderPaid(order: string): Promise<void> {
    await this.presses('Volver a la tienda');
    await this.page.waitForURL(/order\.html/);
    await this.page.getByRole('heading', { name: 'Tu pedido está pago' }).waitFor();
    assert.equal(new URL(this.page.url()).searchParams.get('pedido'), order);
    await this.page.getByText(`Pedido ${order}`).waitFor();
    assert.equal(await this.page.title(), `Pedido ${order} · Café Andino`);
  }

  async #tab(url: string): Promise<Page> {
    const page = await this.#context.newPage();
    this.#watch(page);
    await page.goto(url);
    return page;
  }
}
