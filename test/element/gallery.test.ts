import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type axe from 'axe-core';
import jsqr from 'jsqr';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { type GalleryServer, startGallery } from '../../scripts/tests/gallery-server.js';
import { whyWithout } from '../../scripts/tests/needs.js';
import { isLong } from '../support/long.js';
import { openChromium } from '../support/chromium.js';
import { QR_TEXT } from '../../demo/gallery/codes.js';
import { parseEmvQr } from '../../src/contract/qr/emv-qr.js';
import vectors from '../data/emv-qr-vectors.json' with { type: 'json' };
import { screens } from '../../demo/gallery/screens.js';
import { skipWhen } from '../support/skip-when.js';

/**
 * The gallery in a real browser: everything the payer sees is accessible, and every code can be read. A long run has
 * every combination of looks, a quick one each look once.
 */

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PHONE_URL = 'https://pagos.example/checkout?id=01J9ZK3F&token=c2FtcGxlLXRva2Vu';
const LINK_URL = 'https://pagos.example/l/01J9ZK3FVX8Q';

/** Screens that end a payment, or say why it does not go on. */
const OUTCOMES: readonly string[] = [
  'verifying',
  'pending',
  'lapsed',
  'confirmed',
  'amount-differs',
  'duplicate',
  'declined',
  'canceled',
  'failed',
];
/** What the demo's shop has above the widget on a phone. */
const SHOP_HEADER_PX = 193;

const skip = whyWithout('chromium') ?? false;

describe('the gallery', skipWhen(skip), () => {
  let gallery: GalleryServer;
  let browser: Browser;

  beforeAll(async () => {
    gallery = await startGallery({
      draw: new URL('../../src/element/paying/codes/draw-qr.ts', import.meta.url),
    });
    browser = await openChromium();
  });

  afterAll(async () => {
    await browser?.close();
    await gallery?.close();
  });

  async function open(query: Record<string, string>, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width: 1_000, height: 900 },
      // Fifty screens that breathe cost more than all that is asked of them.
      reducedMotion: 'reduce',
      ...options,
    });
    const page = await context.newPage();
    const failures: string[] = [];
    page.on('pageerror', (error) => failures.push(String(error)));
    await page.goto(`${gallery.url}?${new URLSearchParams(query)}`);
    await page.waitForSelector('html[data-ready]');
    assert.deepEqual(failures, []);
    return page;
  }

  const close = (page: Page) => page.context().close();

  for (const lang of isLong ? ['es', 'en'] : ['es']) {
    for (const theme of isLong ? (['light', 'dark'] as const) : (['light'] as const)) {
      describe(`with every screen, in ${lang}, ${theme}`, () => {
        let wall: Page;
        beforeAll(async () => {
          wall = await open({ lang, theme, width: '440' }, { colorScheme: theme, bypassCSP: true });
        });
        afterAll(() => close(wall));

        it('has no accessibility violation', async () => {
          const phases = await wall.$$eval('figure', (figures) =>
            figures.map(({ id, dataset }) => [id, dataset['phase']]),
          );
          assert.deepEqual(
            phases,
            screens.map(({ id, phase }) => [id, phase]),
          );
          await wall.addScriptTag({ content: AXE });
          const { violations, passes } = await wall.evaluate(() =>
            (globalThis as unknown as { axe: typeof axe }).axe.run('#wall', { resultTypes: ['violations'] }),
          );
          assert.ok(passes.length > 20, 'axe has looked at something');
          assert.deepEqual(await outOfOrder(wall), []);
          assert.deepEqual(
            violations.map(
              ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
            ),
            [],
          );
        });

        it('gives every control a target of 44 px, and fits into 280 px, also with text twice as large at 320', async () => {
          await wall.selectOption('select[name=width]', '360');
          const small = await wall.$$eval('pay-checkout', (elements) =>
            elements.flatMap((element) =>
              [
                ...element.shadowRoot!.querySelectorAll(
                  'button, select, input, summary, [role=option], a.btn',
                ),
              ]
                .map((control) => control.closest('label') ?? control)
                .filter((control) => {
                  const { width, height } = control.getBoundingClientRect();
                  return control.checkVisibility() && Math.min(width, height) < 43.9;
                })
                .map(
                  (control) =>
                    `${element.parentElement!.id}: ${control.localName} ${control.textContent?.trim()}`,
                ),
            ),
          );
          assert.deepEqual(small, []);
          for (const [width, large] of [
            ['280', false],
            ['320', true],
          ] as const) {
            await wall.selectOption('select[name=width]', width);
            if (large) await wall.addStyleTag({ content: 'html { font-size: 200% }' });
            const wide = await wall.$$eval('figure', (figures) =>
              figures
                .filter((figure) => {
                  const card = figure.querySelector('pay-checkout')!.shadowRoot!.querySelector('.card')!;
                  return card.scrollWidth > card.clientWidth + 1;
                })
                .map(({ id }) => id),
            );
            assert.deepEqual(wide, [], `in ${width} px`);
            assert.deepEqual(await outOfOrder(wall), [], `in ${width} px`);
          }
        });
      });
    }
  }

  for (const colorScheme of isLong ? (['light', 'dark'] as const) : (['light'] as const)) {
    // Modules of whole pixels are hardest where a pixel of the page is not a whole one of the device.
    for (const deviceScaleFactor of isLong ? [1, 1.25, 2] : [1, 1.25]) {
      const where = `${colorScheme}, at ${deviceScaleFactor} device pixels`;

      it(`shows only codes that another decoder reads, ${where}`, async () => {
        const only = 'breb,breb-drawn,breb-phone,breb-nothing-yet,link';
        const page = await open(
          { theme: colorScheme, width: '760', only },
          { colorScheme, deviceScaleFactor },
        );
        const codes = await readAll(page, 'pay-checkout .qr:visible');
        assert.deepEqual(codes, [QR_TEXT, QR_TEXT, QR_TEXT, PHONE_URL, QR_TEXT, LINK_URL]);
        await close(page);
      });

      if (!isLong && deviceScaleFactor !== 1) continue;

      // Whole device pixels come before size: one more for each module may not fit into a narrow card.
      const cards = [
        ['440', 280],
        ['340', 250],
      ] as const;
      for (const [width, least] of isLong ? cards : cards.slice(1)) {
        it(`shows a readable code of ${least} px or more in a card of ${width} px, ${where}`, async () => {
          const page = await open(
            { theme: colorScheme, width, only: 'breb,breb-drawn' },
            { colorScheme, deviceScaleFactor },
          );
          assert.deepEqual(await readAll(page, 'pay-checkout .qr:visible'), [QR_TEXT, QR_TEXT]);
          for (const picture of await page.locator('pay-checkout .qr:visible :is(svg, img)').all()) {
            assert.ok(((await picture.boundingBox())?.width ?? 0) >= least);
          }
          await close(page);
        });
      }

      it(`shows the code full screen where the card is narrower, ${where}`, async () => {
        for (const only of ['breb', 'breb-drawn']) {
          const page = await open(
            { theme: colorScheme, width: '320', only },
            { colorScheme, deviceScaleFactor, viewport: { width: 320, height: 640 } },
          );
          assert.equal(await page.locator('pay-checkout .qr:visible').count(), 0);
          await page.locator('pay-checkout').getByRole('button', { name: 'Ver QR' }).click();
          const dialog = page.locator('pay-checkout dialog[open]');
          assert.ok(((await dialog.locator('.qr :is(svg, img)').boundingBox())?.width ?? 0) >= 250);
          assert.equal(decode(await dialog.screenshot()), QR_TEXT);
          await close(page);
        }
      });
    }
  }

  it('works on a touch device, and does not scroll by itself', async () => {
    const only = 'choose-again,details-errors,breb,breb-phone,breb-again,redirecting,pending-blocked';
    const page = await open({ only, width: '360' }, { hasTouch: true, isMobile: true });
    const phases = await page.$$eval('figure', (figures) =>
      figures.map(({ id, dataset }) => [id, dataset['phase']]),
    );
    assert.deepEqual(
      phases,
      screens.filter(({ id }) => only.split(',').includes(id)).map(({ id, phase }) => [id, phase]),
    );
    assert.equal(await page.evaluate(() => scrollY), 0);
    await close(page);
  });

  it('stands still for who asks for less motion', async () => {
    const only = 'loading,breb,pending';
    const moving = (page: Page) =>
      page.$$eval('pay-checkout', (elements) =>
        elements
          .flatMap(({ shadowRoot }) => shadowRoot?.getAnimations() ?? [])
          .map((animation) => (animation as CSSAnimation).animationName),
      );
    const usual = await open({ only }, { reducedMotion: 'no-preference' });
    assert.ok((await moving(usual)).includes('breathe'), 'something moves for others');
    await close(usual);
    const still = await open({ only });
    assert.deepEqual(await moving(still), []);
    await close(still);
  });

  it('draws every payload of the vectors so that its bytes are read back, and refuses what is none', async () => {
    const page = await open({ only: 'loading' });
    // As text: vitest would turn an import inside a function into one of its own, which the page does not have.
    await page.evaluate(
      `import(${JSON.stringify(gallery.module('draw'))}).then(({ drawPayment }) => Object.assign(window, { drawPayment }))`,
    );
    const draw = (payload: string, amountInCents: number) =>
      page.evaluate(
        ([text, amount]) => {
          const { drawPayment } =
            window as unknown as typeof import('../../src/element/paying/codes/draw-qr.js');
          try {
            return drawPayment(text, amount);
          } catch {
            return null;
          }
        },
        [payload, amountInCents] as const,
      );
    for (const { name, payload } of vectors.valid) {
      const parsed = parseEmvQr(payload);
      assert.ok(parsed.ok, name);
      const amountInCents = parsed.qr.amountInCents ?? 5_000_000;
      const code = await draw(payload, amountInCents);
      assert.ok(code, name);
      const box = `0 0 ${code.modules} ${code.modules}`;
      await page.setContent(`<svg width="680" viewBox="${box}"><path d="${code.path}"></path></svg>`);
      // The decoder reads bytes as Latin-1 where it does not know better: compare bytes.
      const read = decodeBytes(await page.locator('svg').screenshot());
      assert.equal(Buffer.from(read ?? []).toString('utf8'), payload, name);
      assert.equal(
        parsed.qr.amountInCents === null ? null : await draw(payload, amountInCents + 1),
        null,
        name,
      );
    }
    for (const { name, payload } of vectors.invalid) assert.equal(await draw(payload, 5_000_000), null, name);
    await close(page);
  });

  it('says what happened and what to do next above the fold of a phone', async () => {
    const ends = screens.filter(({ phase }) => OUTCOMES.includes(phase)).map(({ id }) => id);
    const page = await open({ only: ends.join(), still: '' }, { hasTouch: true, isMobile: true });
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 360, height: 640 },
    ]) {
      await page.setViewportSize(viewport);
      const places = await page.$$eval('pay-checkout', (elements) =>
        elements.map((element) => {
          const bottom = ['title', 'lead', 'button'].map(
            (part) =>
              element.shadowRoot!.querySelector(`[part=${part}]`)?.getBoundingClientRect().bottom ?? NaN,
          );
          return {
            id: element.parentElement!.id,
            inOrder: bottom[0]! < bottom[1]! && bottom[1]! < bottom[2]!,
            needs: Math.ceil(bottom[2]! - element.getBoundingClientRect().top),
          };
        }),
      );
      assert.deepEqual(
        places.map(({ id }) => id),
        ends,
      );
      const room = viewport.height - SHOP_HEADER_PX;
      assert.deepEqual(
        places.filter(({ inOrder, needs }) => !inOrder || needs > room),
        [],
        `there are ${room} px of ${viewport.height}`,
      );
    }
    await close(page);
  });

  it('keeps the way to the bank on one line in 320 px', async () => {
    const page = await open({ width: '320', only: 'details-pse' }, { viewport: { width: 320, height: 700 } });
    const button = page.locator('pay-checkout').getByRole('button', { name: 'Ir a mi banco' });
    const lines = await button.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    });
    assert.equal(lines, 1);
    await close(page);
  });

  it('has code, amount and status together on a laptop of 640 px, from the top of the card', async () => {
    const page = await open({ width: '760', only: 'breb' }, { viewport: { width: 1_366, height: 640 } });
    const [amount, code, exact, wait] = await page.$eval('pay-checkout', (element) => {
      element.style.setProperty('--pay-bottom', '0px');
      element.scrollIntoView({ block: 'start' });
      const parts = ['[part=amount]', '[part=qr]', '[part=copy-row] + [part=copy-row]', '[part=wait]'];
      return parts.map((part) => {
        const { top, bottom } = element.shadowRoot!.querySelector(part)!.getBoundingClientRect();
        return { top, bottom };
      });
    });
    assert.ok(wait!.bottom <= 640, `the status ends at ${wait!.bottom}`);
    for (const { top, bottom } of [amount!, code!, exact!])
      assert.ok(top >= 0 && bottom <= wait!.top, `${top} to ${bottom}`);
    await close(page);
  });

  /** Rows of buttons that are seen in another order than they are read and reached in. */
  const outOfOrder = (page: Page) =>
    page.$$eval('pay-checkout', (elements) =>
      elements
        .filter(({ shadowRoot }) =>
          [...shadowRoot!.querySelectorAll('.row, .also')].some((row) => {
            const places = [...row.children].map((child) => child.getBoundingClientRect());
            return places.some(({ top, left }, index) => {
              const before = places[index - 1];
              return before && (top < before.top || (top === before.top && left < before.left));
            });
          }),
        )
        .map((element) => element.parentElement!.id),
    );

  async function readAll(page: Page, selector: string): Promise<(string | undefined)[]> {
    const codes: (string | undefined)[] = [];
    for (const box of await page.locator(selector).all()) codes.push(decode(await box.screenshot()));
    return codes;
  }
});

function decode(png: Buffer): string | undefined {
  return read(png)?.data;
}

function decodeBytes(png: Buffer): number[] | undefined {
  return read(png)?.binaryData;
}

function read(png: Buffer) {
  const { data, width, height } = PNG.sync.read(png);
  // A phone does not invert what it sees: dark on white is all that may be relied on.
  return jsqr(new Uint8ClampedArray(data), width, height, { inversionAttempts: 'dontInvert' });
}
