import { openChromium } from '../support/chromium.js';
import { shippedFiles } from '../support/shipped-page.js';
import { CODES, type Look, isWhole, readCode, type Reading } from '../element/codes/readability.js';
import type { Section } from './report.js';
import { row } from './table.js';

const WIDTHS = [360, 760];
const LOOKS: readonly Look[] = [1, 1.25, 1.5, 2, 3].flatMap((pixelRatio) =>
  (['light', 'dark'] as const).flatMap((theme) => WIDTHS.map((width) => ({ pixelRatio, theme, width }))),
);

/** Every code at every ratio of device pixels, read from screenshots by another program. */
export async function benchCodes(): Promise<Section> {
  const browser = await openChromium();
  const readings: Reading[] = [];
  try {
    const files = await shippedFiles();
    for (const look of LOOKS) {
      console.error(`  ${look.pixelRatio} device pixels, ${look.theme}, ${look.width} px`);
      for (const shown of CODES) readings.push(...(await readCode(browser, files, shown, look)));
    }
  } finally {
    await browser.close();
  }
  const cell = (look: Look, where: Reading['where'], from: string) => {
    const these = readings.filter(
      (each) => each.look === look && each.where === where && each.shown.from === from,
    );
    const sizes = these.flatMap(({ perModule }) => (perModule === null ? [] : Math.round(perModule)));
    const read = these.filter(({ isRead }) => isRead).length;
    const range = sizes.length > 0 ? ` (${Math.min(...sizes)} to ${Math.max(...sizes)})` : '';
    return `${read} of ${these.length}${range}`;
  };
  return {
    title: 'Codes, read from the screen',
    about: [
      `Chromium ${browser.version()}. ${CODES.length / 2} payloads (test/data/emv-qr-vectors.json and the sandbox's), each as the service's picture and drawn from its text, in a checkout of ${WIDTHS.join(' and ')} px: screenshots of the code in the card and enlarged, read by jsQR. In brackets the device pixels of one module that is drawn, always a whole number.`,
    ],
    tables: [
      {
        title: 'Codes read',
        columns: [
          'device pixels, theme, width',
          'card, picture',
          'card, text',
          'enlarged, picture',
          'enlarged, text',
        ],
        rows: LOOKS.map((look) =>
          row(
            [
              `${look.pixelRatio}×, ${look.theme}, ${look.width} px`,
              cell(look, 'card', 'picture'),
              cell(look, 'card', 'text'),
              cell(look, 'enlarged', 'picture'),
              cell(look, 'enlarged', 'text'),
            ],
            readings.filter((each) => each.look === look).every(isGood),
          ),
        ),
      },
    ],
  };
}

function isGood({ isRead, perModule }: Reading): boolean {
  return isRead && isWhole(perModule);
}
