import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { openChromium } from '../test/support/chromium.js';
import { type Demo, startDemo } from './demo.js';
import { startGallery } from './tests/gallery-server.js';
import { DIFFERENCES, acceptLooks, checkLooks } from './looks/check.js';
import { takeLooks } from './looks/take.js';
import { stopAll, stopAllOnSignals } from './tests/processes.js';
import { smallPng } from './docs/small-png.js';

/**
 * `npm run screenshots [-- NAME…]`: the pictures of docs/screenshots, from the demo as it is now.
 *
 * `npm run screenshots -- --check` compares every screen of the gallery with how it was accepted, and shows what
 * differs; `-- --accept` accepts what it looks like now.
 */

const FOLDER = 'docs/screenshots';
const LARGEST_BYTES = 150_000;

interface Shot {
  readonly name: string;
  readonly screen: 'wide' | 'phone';
  readonly scheme: 'light' | 'dark';
  readonly take: (page: Page, demo: Demo) => Promise<void>;
}

const SCREENS = {
  wide: { viewport: { width: 1200, height: 860 }, deviceScaleFactor: 1 },
  phone: { viewport: { width: 390, height: 780 }, deviceScaleFactor: 1.5, hasTouch: true, isMobile: true },
} as const;

const SHOTS: readonly Shot[] = [
  { name: 'bre-b', screen: 'wide', scheme: 'light', take: payWithBreb },
  { name: 'bre-b-dark', screen: 'wide', scheme: 'dark', take: payWithBreb },
  { name: 'bre-b-phone', screen: 'phone', scheme: 'light', take: payWithBreb },
  { name: 'themed', screen: 'wide', scheme: 'light', take: payInTheShopsColours },
  { name: 'pse-phone', screen: 'phone', scheme: 'dark', take: fillInPse },
  { name: 'console', screen: 'wide', scheme: 'light', take: openConsole },
  { name: 'console-payout-phone', screen: 'phone', scheme: 'dark', take: confirmPayout },
];

async function openShop(page: Page, demo: Demo): Promise<void> {
  await page.goto(`${demo.siteUrl}/shop/`);
  await page.getByRole('button', { name: 'Agregar Mermelada de uchuva' }).waitFor();
  await page.waitForLoadState('networkidle');
}

async function checkOut(page: Page, demo: Demo): Promise<void> {
  await openShop(page, demo);
  await page.getByRole('button', { name: 'Agregar Café de origen' }).click();
  await page.getByRole('button', { name: 'Agregar uno' }).click();
  await page.getByRole('button', { name: 'Ir a pagar' }).click();
  await page.waitForURL(/checkout\.html/);
}

async function payWithBreb(page: Page, demo: Demo): Promise<void> {
  await checkOut(page, demo);
  await page.locator('pay-checkout').getByRole('button', { name: 'Pagar con Bre-B' }).click();
  await page.locator('pay-checkout').getByText('Esperando tu pago').first().waitFor();
  await showWidget(page);
}

/** With the rule that docs/theming.md shows. */
async function payInTheShopsColours(page: Page, demo: Demo): Promise<void> {
  const [, rule = ''] = /```css\n([\s\S]*?)```/.exec(readFileSync('docs/theming.md', 'utf8')) ?? [];
  await payWithBreb(page, demo);
  await page.addStyleTag({ content: rule });
}

async function fillInPse(page: Page, demo: Demo): Promise<void> {
  await checkOut(page, demo);
  const widget = page.locator('pay-checkout');
  await widget.getByRole('radio', { name: 'PSE' }).check();
  await widget.getByRole('button', { name: 'Continuar' }).click();
  await widget.getByRole('combobox', { name: 'Banco' }).fill('bancolomb');
  await widget.getByRole('option', { name: 'Bancolombia' }).click();
  await widget.getByLabel('Número').fill('1000000001');
  await widget.getByLabel('Nombre completo').fill('Persona de Prueba');
  await widget.getByLabel('Celular').fill('300 123 4567');
  await showWidget(page);
}

async function openConsole(page: Page, demo: Demo): Promise<void> {
  const post = async (url: string, body: object, headers: Record<string, string> = {}) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
    return (await (await fetch(url, { ...init, body: JSON.stringify(body) })).json()) as Record<
      string,
      string
    >;
  };
  const outcomes = ['CONFIRMED', 'CONFIRMED', 'DECLINED', 'CONFIRMED', null, 'CANCELED', 'CONFIRMED', null];
  for (const [index, outcome] of outcomes.entries()) {
    const lines = [{ product: 'panela', quantity: 1 + (index % 4) }];
    const { token } = await post(`${demo.siteUrl}/api/orders`, { lines });
    const body = { order: token, rail: 'BRE_B', breb: { keyType: 'QR_CODE' }, callbackUrl: demo.siteUrl };
    const headers = { origin: demo.siteUrl, 'idempotency-key': `screenshot-of-console-${index}` };
    const { reference } = await post(`${demo.siteUrl}/checkout/payins`, body, headers);
    if (outcome === null) continue;
    const { payins } = (await (await fetch(`${demo.sandboxUrl}/_/api/state`)).json()) as {
      payins: { id: string; reference: string }[];
    };
    const id = payins.find((payin) => payin.reference === reference)?.id ?? '';
    await fetch(`${demo.sandboxUrl}/_/api/payins/${id}/settle`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ outcome }),
    });
  }
  await page.goto(demo.consoleUrl);
  await page.getByText('En vivo').waitFor();
  await page.goto(`${demo.siteUrl}/console/#/attempts`);
  await page.locator('.rows .chip.good').nth(3).waitFor();
}

async function confirmPayout(page: Page, demo: Demo): Promise<void> {
  await page.goto(demo.consoleUrl);
  await page.getByText('En vivo').waitFor();
  await page.goto(`${demo.siteUrl}/console/#/payouts/new`);
  await page.getByRole('button', { name: 'Llenar con datos de prueba' }).click();
  await page.getByRole('button', { name: 'Consultar la llave' }).click();
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByRole('button', { name: /^Enviar \$/ }).waitFor();
  await page.locator('.back').evaluate((way) => way.scrollIntoView());
}

/** A phone's screen is all widget; a wide one keeps the page around it, as tall as it is. */
async function showWidget(page: Page): Promise<void> {
  // Pointers and carets blink and hover differently each time.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const { width } = page.viewportSize() ?? { width: 0 };
  if (width < 500) await page.locator('pay-checkout').evaluate((element) => element.scrollIntoView());
  else {
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({ width, height: Math.min(height, 1100) });
  }
}

async function take(
  browser: Browser,
  demo: Demo,
  { name, screen, scheme, take: prepare }: Shot,
): Promise<void> {
  const context = await browser.newContext({
    ...SCREENS[screen],
    locale: 'es-CO',
    colorScheme: scheme,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await prepare(page, demo);
  await page.evaluate(() => document.fonts.ready);
  const png = smallPng(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
  if (png.length > LARGEST_BYTES) throw new Error(`${name}.png has ${png.length} bytes: too large to ship`);
  writeFileSync(join(FOLDER, `${name}.png`), png);
  console.log(`✓ ${name}.png (${Math.round(png.length / 1_000)} kB)`);
  await context.close();
}

async function takePictures(browser: Browser, wanted: readonly string[]): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const demo = await startDemo();
  try {
    for (const shot of SHOTS) {
      if (wanted.length === 0 || wanted.includes(shot.name)) await take(browser, demo, shot);
    }
  } finally {
    await demo.stop();
  }
}

async function judgeLooks(browser: Browser, accepts: boolean): Promise<void> {
  const gallery = await startGallery();
  try {
    const looks = await takeLooks(browser, gallery.url);
    const findings = accepts ? acceptLooks(looks) : checkLooks(looks);
    for (const { id, dots } of findings)
      console.log(`${accepts ? '✓ accepted' : '✗'} ${id}: ${dots} dots differ`);
    console.log(`${looks.sheets.size} screens, ${findings.length} look different`);
    if (accepts || findings.length === 0) return;
    console.log(`See ${DIFFERENCES}/; npm run screenshots -- --accept accepts them`);
    process.exitCode = 1;
  } finally {
    await gallery.close();
  }
}

stopAllOnSignals();
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean' }, accept: { type: 'boolean' } },
});
const browser = await openChromium();
try {
  if (values.check || values.accept) await judgeLooks(browser, values.accept ?? false);
  else await takePictures(browser, positionals);
} finally {
  await browser.close();
  await stopAll();
}
