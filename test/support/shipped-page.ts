import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { buildModule, MODULE_FILE } from '../../scripts/build/cdn.js';

const SHOP = 'https://shop.example';
const SCRIPT = { contentType: 'text/javascript' };

/** The widget as pages without a bundler load it, by file. */
export async function shippedFiles(): Promise<ReadonlyMap<string, string>> {
  return new Map((await buildModule()).map(({ name, code }) => [name, code]));
}

export interface ShopPage {
  readonly files: ReadonlyMap<string, string>;
  readonly head?: string;
  readonly body: string;
  /** What the shop's backend answers below `/pagos`; undefined for a request that it leaves open. */
  readonly answer: (method: string, path: string) => object | undefined;
  /** How long its answers take. */
  readonly slowMs?: number;
}

/** A shop's page with the shipped widget on it. Nothing of it leaves the browser. */
export async function openShop(
  browser: Browser,
  { files, head = '', body, answer, slowMs = 0 }: ShopPage,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext(options);
  await context.route('**/*', async (route) => {
    const { pathname } = new URL(route.request().url());
    const file = files.get(pathname.slice(1));
    if (file !== undefined) return route.fulfill({ ...SCRIPT, body: file });
    if (pathname === '/') {
      const script = `<script type="module" src="/${MODULE_FILE}"></script>`;
      const html = `<!doctype html><html lang="es"><head><meta charset="utf-8">${head}${script}</head><body>${body}</body></html>`;
      return route.fulfill({ contentType: 'text/html', body: html });
    }
    if (!pathname.startsWith('/pagos/')) return route.fulfill({ status: 404, body: '' });
    // real time: a slow line
    if (slowMs > 0) await new Promise((resolve) => setTimeout(resolve, slowMs));
    const given = answer(route.request().method(), pathname.slice('/pagos'.length));
    if (given) await route.fulfill({ json: given });
  });
  const page = await context.newPage();
  await page.goto(SHOP);
  return page;
}
