import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Demo } from '../../../scripts/demo.js';
import { SANDBOX_DEFAULTS } from '../../../src/sandbox.js';
import { createServiceClient } from '../../../src/service.js';

/** What a browser reports about a visitor who is not signed in, or while a server that it asks is away. */
const EXPECTED = [/Failed to load resource/, /\[vite\]/, /WebSocket/, /ERR_INCOMPLETE_CHUNKED_ENCODING/];

/** Somebody who runs the shop: signed in to the console, with the sandbox within reach. */
export class Merchant {
  readonly page: Page;
  readonly #demo: Demo;
  readonly #context: BrowserContext;
  readonly #troubles: string[] = [];
  readonly #answers: Promise<string>[] = [];

  private constructor(page: Page, demo: Demo, context: BrowserContext) {
    this.page = page;
    this.#demo = demo;
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

  static async arrive(browser: Browser, demo: Demo, { axe = false } = {}): Promise<Merchant> {
    const context = await browser.newContext({
      locale: 'es-CO',
      viewport: { width: 1200, height: 900 },
      ignoreHTTPSErrors: true,
      permissions: ['clipboard-read', 'clipboard-write'],
      // Only axe itself needs it.
      bypassCSP: axe,
    });
    if (axe) await context.addInitScript(readFileSync('node_modules/axe-core/axe.min.js', 'utf8'));
    return new Merchant(await context.newPage(), demo, context);
  }

  /** By the link that the terminal shows. */
  async signsIn(): Promise<void> {
    await this.page.goto(entryOf(this.#demo));
    await this.page.getByText('En vivo').waitFor();
    await this.opens('#/payins');
  }

  async opens(hash: string): Promise<void> {
    await this.page.evaluate((next) => (location.hash = next), hash);
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

/** The console's address with its token, as the terminal shows it. */
export function entryOf(demo: Demo): string {
  const found = /Console +(\S+#entrada=\S+)/.exec(demo.output())?.[1];
  assert.ok(found, 'the terminal shows the way into the console');
  return found;
}

const { apiKey: API_KEY } = SANDBOX_DEFAULTS;

/** The payment service as programs see it. */
export class Service {
  readonly #url: string;

  constructor(demo: Demo) {
    this.#url = demo.sandboxUrl;
  }

  /** Several at a time, so in no particular order. */
  async createPayins(count: number, prefix: string): Promise<void> {
    const references = Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`);
    const work = async () => {
      for (let reference = references.shift(); reference; reference = references.shift()) {
        await this.#post('/payins', {
          amountInCents: 4_290_000,
          currency: 'COP',
          rail: 'BRE_B',
          reference,
          breb: { keyType: 'SINGLE_USE' },
        });
      }
    };
    await Promise.all(Array.from({ length: 10 }, work));
  }

  /** All of them, newest first. */
  async references(): Promise<string[]> {
    const client = createServiceClient({ baseUrl: this.#url, apiKey: API_KEY });
    const found: string[] = [];
    for await (const { reference } of client.payins.list({ pageSize: 100 })) found.push(reference);
    return found;
  }

  async settle(
    kind: 'payins' | 'payouts',
    reference: string,
    outcome: 'CONFIRMED' | 'DECLINED',
  ): Promise<void> {
    const found = (await this.state())[kind].find((record) => record.reference === reference);
    assert.ok(found, `${kind} with the reference ${reference}`);
    await this.#post(`/_/api/${kind}/${found.id}/settle`, { outcome });
  }

  /** Somebody pays a link on the service's own page. */
  async paysLink(address: string): Promise<void> {
    const id = address.split('/').at(-1) ?? '';
    await this.#post(`/_/api/links/${id}/pay`, { rail: 'BRE_B', keyType: 'QR_CODE' });
    const payin = (await this.state()).payins.find(({ paymentLinkId }) => paymentLinkId === id);
    await this.#post(`/_/api/payins/${payin?.id ?? ''}/settle`, { outcome: 'CONFIRMED' });
  }

  /** What goes wrong with the next thing that is created. */
  async arms(...scenarios: readonly string[]): Promise<void> {
    for (const scenario of scenarios)
      await this.#post('/_/api/mishaps', { scope: 'next', scenario, count: 1 });
  }

  async state() {
    return (await (await fetch(`${this.#url}/_/api/state`)).json()) as {
      payins: { id: string; reference: string; paymentLinkId: string | null }[];
      payouts: { id: string; reference: string; amountInCents: number }[];
      links: { id: string; rail: string | null; bank: string | null; inlineCustomer: object | null }[];
    };
  }

  async #post(path: string, body: object): Promise<void> {
    const response = await fetch(`${this.#url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': API_KEY },
      body: JSON.stringify(body),
    });
    assert.ok(response.ok, `${path}: ${response.status}`);
  }
}
