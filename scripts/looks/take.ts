import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { screens } from '../../demo/gallery/screens.js';
import { shrunk, sideBySide } from './compare.js';

/** Every screen of the gallery as one small sheet: each width in each theme, side by side. */

const WIDTHS = [360, 760] as const;
const THEMES = ['light', 'dark'] as const;
/** Small enough to keep, and too coarse to tell how letters are smoothed. */
const SHRINK = 6;
const GAP = 3;
const FONT = readFileSync('test/data/fonts/inter.woff2').toString('base64');

export interface Looks {
  /** The sheets that are compared, by the screen's name. */
  readonly sheets: ReadonlyMap<string, PNG>;
  /** The same in full size, to look at. */
  readonly large: (id: string) => PNG;
}

export interface Taking {
  /** Names of screens. Default: all. */
  readonly only?: readonly string[];
  /** Styles of the page around the screens: what a test plants. */
  readonly css?: string;
}

export async function takeLooks(
  browser: Browser,
  gallery: string,
  { only, css = '' }: Taking = {},
): Promise<Looks> {
  const ids = only ?? screens.map(({ id }) => id);
  const pictures = new Map<string, PNG[]>(ids.map((id) => [id, []]));
  for (const width of WIDTHS) {
    for (const theme of THEMES) {
      const context = await browser.newContext({
        // Wide, because no browser photographs a page that is taller than 16,384 dots.
        viewport: { width: 12 * 400, height: 1_000 },
        colorScheme: theme,
        reducedMotion: 'reduce',
        locale: 'es-CO',
      });
      const page = await context.newPage();
      await page.addInitScript(dress, { font: FONT, css });
      const query = new URLSearchParams({ width: `${width}`, theme, only: only?.join() ?? '', still: '' });
      await page.goto(`${gallery}?${query}`);
      await page.waitForSelector('html[data-ready]');
      for (const [id, picture] of await takeAll(page)) pictures.get(id)!.push(picture);
      await context.close();
    }
  }
  const sheets = [...pictures].map(([id, each]) => {
    const small = each.map((picture) => shrunk(picture, SHRINK));
    return [id, sideBySide(small, GAP)] as const;
  });
  return { sheets: new Map(sheets), large: (id) => sideBySide(pictures.get(id) ?? [], GAP * SHRINK) };
}

/** Every screen of the page, cut out of one photograph of it. */
async function takeAll(page: Page): Promise<[id: string, picture: PNG][]> {
  const photograph = PNG.sync.read(
    await page.screenshot({ fullPage: true, animations: 'disabled', caret: 'hide' }),
  );
  // The card, not the room below it that the element keeps for taller screens.
  const places = await page.$$eval('figure', (figures) =>
    figures.map(({ id, children }) => {
      const card = children[1]?.shadowRoot?.querySelector('[part=card]')?.getBoundingClientRect();
      const [left, top] = [Math.round((card?.left ?? 0) + scrollX), Math.round((card?.top ?? 0) + scrollY)];
      return { id, left, top, width: Math.ceil(card?.width ?? 0), height: Math.ceil(card?.height ?? 0) };
    }),
  );
  return places.map(({ id, left, top, width, height }) => {
    const picture = new PNG({ width, height });
    PNG.bitblt(photograph, picture, left, top, width, height, 0, 0);
    return [id, picture];
  });
}

/** Runs in the page, before it: one font, whichever are installed. The gallery waits for it. */
function dress({ font, css }: { font: string; css: string }): void {
  const face = new FontFace('Looks', `url(data:font/woff2;base64,${font})`, { weight: '100 900' });
  document.fonts.add(face);
  void face.load();
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`:root { --pay-font: Looks; --pay-font-mono: Looks } ${css}`);
  document.adoptedStyleSheets = [sheet];
}
