import { readFileSync } from 'node:fs';
import jsqrModule from 'jsqr';
import type { Browser, Locator } from 'playwright-core';
import { PNG } from 'pngjs';
import { parseEmvQr } from '../../../src/contract/qr/emv-qr.js';
import { buildEmvQr } from '../../../src/contract/qr/emv-build.js';
import { qrPngUrl } from '../../../src/sandbox/qr-png.js';
import { breb, offer } from '../../machine/fixtures.js';
import { codeWith } from '../../../src/element/paying/codes/styled-qr.js';
import type { QrStyle } from '../../../src/element/properties.js';
import { openShop } from '../../support/shipped-page.js';

/** Whether another program reads the codes of the shipped widget from what Chromium draws. */

type Reader = typeof jsqrModule;
const jsqr = (jsqrModule as Reader & { default?: Reader }).default ?? jsqrModule;

export interface Shown {
  readonly name: string;
  readonly payload: string;
  /** As the service sends it, or drawn by the widget. */
  readonly from: 'picture' | 'text';
  /** What the page asks for by `qr-style`. */
  readonly style?: QrStyle;
}

export interface Look {
  readonly pixelRatio: number;
  readonly theme: 'light' | 'dark';
  /** Of the checkout, in CSS pixels. */
  readonly width: number;
}

export interface Reading {
  readonly shown: Shown;
  readonly look: Look;
  readonly where: 'card' | 'enlarged';
  /** Device pixels of one module that the widget draws; null for a picture. */
  readonly perModule: number | null;
  readonly isRead: boolean;
}

const MOST_LOOKS = 300;
export const isWhole = (count: number | null) => count === null || Math.abs(count - Math.round(count)) < 0.01;

const vectors = JSON.parse(
  readFileSync(new URL('../../data/emv-qr-vectors.json', import.meta.url), 'utf8'),
) as { valid: { name: string; payload: string }[] };

/** The vectors, and payloads as the sandbox builds them for keys and amounts of different lengths. */
const PAYLOADS = [
  ...vectors.valid,
  ...[
    { key: { kind: 'ALPHANUMERIC', value: '@a1' }, amountInCents: 100, merchantName: 'Ñ' } as const,
    {
      key: { kind: 'MOBILE', value: '3001234567' },
      amountInCents: 12_500_000,
      merchantName: 'Café',
    } as const,
    {
      key: { kind: 'EMAIL', value: 'pagos.de.la.tienda@comercio-de-prueba.example' },
      amountInCents: 1_155_200_000,
      merchantName: 'Comercializadora de prueba',
    } as const,
  ].map((content, index) => ({
    name: `sandbox ${index + 1}`,
    payload: buildEmvQr({ ...content, merchantCity: 'Bogotá', transactionId: `12345678901234567${index}` }),
  })),
];

export const CODES: readonly Shown[] = PAYLOADS.flatMap((each) => [
  { ...each, from: 'picture' as const },
  { ...each, from: 'text' as const },
]);

/** Shows a code in the card and enlarged, and reads both from screenshots. */
export async function readCode(
  browser: Browser,
  files: ReadonlyMap<string, string>,
  shown: Shown,
  look: Look,
): Promise<Reading[]> {
  const { payload, from, style } = shown;
  const parsed = parseEmvQr(payload);
  if (!parsed.ok) throw new Error(`${shown.name} is no payload`);
  const base = breb();
  const attempt = breb({
    amountInCents: parsed.qr.amountInCents ?? base.amountInCents,
    sourceData: {
      ...base.sourceData!,
      qrString: from === 'picture' ? qrPngUrl(payload) : null,
      qrText: from === 'text' ? payload : null,
    },
  });
  const page = await openShop(
    browser,
    {
      files,
      head: `<meta name="viewport" content="width=device-width"><style>:root { color-scheme: light dark } pay-checkout { width: ${look.width}px }</style>`,
      body: `<pay-checkout backend="/pagos" order="order-1"${style ? ` qr-style='${JSON.stringify(style)}'` : ''}></pay-checkout>`,
      // A read of the attempt is held, as a backend does that has nothing new.
      answer: (_, path) => (path.startsWith('/orders/') ? offer({ attempt }) : undefined),
    },
    {
      deviceScaleFactor: look.pixelRatio,
      colorScheme: look.theme,
      viewport: { width: Math.max(look.width + 40, 360), height: 800 },
    },
  );
  try {
    const read = async (box: Locator, where: Reading['where']): Promise<Reading> => {
      if (isStyled(shown, look)) await box.locator('svg image').waitFor();
      const code = box.locator(from === 'picture' ? 'img' : 'svg');
      await code.waitFor();
      const seen = async (perModule: number | null): Promise<Reading> => ({
        shown,
        look,
        where,
        perModule,
        isRead: isReadAs(await box.screenshot(), payload),
      });
      if (from === 'picture') return seen(null);
      const measure = () =>
        code.evaluate((svg: SVGSVGElement) => (svg.getScreenCTM()?.a ?? 0) * devicePixelRatio);
      let perModule = await measure();
      // The size follows once the code is there and its place is known.
      for (let looks = 0; looks < MOST_LOOKS && !isWhole(perModule); looks++) {
        await page.evaluate(() => new Promise(requestAnimationFrame));
        perModule = await measure();
      }
      return seen(perModule);
    };
    const inCard = await read(page.locator('pay-checkout .scan > .qr'), 'card');
    await page.locator('pay-checkout .qrtools button').first().click();
    return [inCard, await read(page.locator('pay-checkout dialog .qr'), 'enlarged')];
  } finally {
    await page.context().close();
  }
}

/** Whether the style is used: a module has three whole pixels of the screen or more in a card of 280 CSS pixels. */
function isStyled({ payload, style }: Shown, { pixelRatio }: Look): boolean {
  if (style === undefined || !Number.isInteger(pixelRatio)) return false;
  const modules = codeWith(payload, style.mark === undefined ? 'L' : 'Q', 0).size + 8;
  return 280 * pixelRatio >= 3 * modules;
}

function isReadAs(screenshot: Buffer, payload: string): boolean {
  const { data, width, height } = PNG.sync.read(screenshot);
  // A phone does not invert what it sees: dark on white is all that may be relied on.
  const found = jsqr(new Uint8ClampedArray(data), width, height, { inversionAttempts: 'dontInvert' });
  // The reader takes bytes for Latin-1 where it does not know better: bytes are compared.
  return found !== null && Buffer.from(found.binaryData).toString('utf8') === payload;
}
