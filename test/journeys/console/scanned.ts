import jsQR from 'jsqr';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';

/** What the QR on the screen says to a phone that is held in front of it. */
export async function scanned(page: Page): Promise<string | undefined> {
  const picture = PNG.sync.read(await page.getByRole('img', { name: /QR/ }).screenshot());
  return jsQR(new Uint8ClampedArray(picture.data), picture.width, picture.height)?.data;
}
