import { type Mask, correction, generate } from 'lean-qr';
import QRCodeStyling from 'qr-code-styling';
import * as v from 'valibot';
import { isPngDataUrl } from '../../../contract/qr/png.js';
import type { QrStyle } from '../../properties.js';
import { QUIET_MODULES } from './code.js';
import { bytesOf } from './draw-qr.js';

/** A chunk of its own, fetched where a merchant sets `qr-style` and the code is drawn from its text. */

/** A styled code: as it is shown, with the modules of its side, margin included; and as it is saved. */
export interface StyledQr {
  readonly modules: number;
  readonly svg: string;
  readonly png: string;
}

/** Device pixels a module in the picture that is checked and saved. */
const MODULE_PX = 12;
/** The side of a payable code in its card, and what each module must have of the screen there to keep its shape. */
const CARD_PX = 280;
const LEAST_DEVICE_PX = 3;
/** What WCAG asks of text; readers of codes are content with less. */
const LEAST_CONTRAST = 4.5;
/** A code is the same text by each of them, and every library chooses one in its own way. */
const MASKS: readonly Mask[] = [0, 1, 2, 3, 4, 5, 6, 7];
/** Of the side of the code: all that a mark may cover of it. */
const MARK_SHARE = 0.36;

const colour = v.pipe(v.string(), v.regex(/^#[\da-f]{6}$/i));

const StyleSchema = v.object({
  dots: v.optional(
    v.picklist(['square', 'dots', 'rounded', 'extra-rounded', 'classy', 'classy-rounded'] as const),
  ),
  corners: v.optional(v.picklist(['square', 'dot', 'extra-rounded'] as const)),
  color: v.optional(colour),
  background: v.optional(colour),
  mark: v.optional(v.pipe(v.string(), v.check(isPngDataUrl))),
});

/** Draws a text in the merchant's style. Throws unless the result was looked at and has every module in its place. */
export async function drawStyled(text: string, written: QrStyle | string): Promise<StyledQr> {
  const given: unknown = typeof written === 'string' ? JSON.parse(written) : written;
  const { dots, corners, mark, color = '#000000', background = '#ffffff' } = v.parse(StyleSchema, given);
  const unknown = Object.keys(given as object).find((name) => !Object.hasOwn(StyleSchema.entries, name));
  if (unknown !== undefined) throw new Error(`"${unknown}" is none of its settings`);
  if (contrast(color, background) < LEAST_CONTRAST) throw new Error('too little contrast, or light on dark');
  // A mark covers modules, which the others must make up for; without one the fewest modules are the largest.
  const level = mark === undefined ? 'L' : 'Q';
  const { size: modules } = codeWith(text, level, 0);
  const side = modules + 2 * QUIET_MODULES;
  // Between two pixels a shape is blurred, and some readers miss it.
  if (!Number.isInteger(devicePixelRatio) || CARD_PX * devicePixelRatio < LEAST_DEVICE_PX * side)
    throw new Error('its shapes would not be sharp on this screen');
  // The library waits for ever for a picture that cannot be decoded.
  if (mark !== undefined) await loaded(mark);
  const size = side * MODULE_PX;
  const drawn = await new QRCodeStyling({
    type: 'svg',
    width: size,
    height: size,
    margin: QUIET_MODULES * MODULE_PX,
    // It writes one byte per character.
    data: String.fromCharCode(...new TextEncoder().encode(text)),
    ...(mark !== undefined && { image: mark }),
    qrOptions: { errorCorrectionLevel: level, mode: 'Byte' },
    // The mark is a data URL already; a strict policy lets nothing fetch one.
    imageOptions: { saveAsBlob: false, imageSize: 0.3, margin: MODULE_PX / 2 },
    dotsOptions: { type: dots ?? 'square', color },
    cornersSquareOptions: { type: corners ?? 'square', color },
    cornersDotOptions: { type: corners === 'square' || !corners ? 'square' : 'dot', color },
    backgroundOptions: { color: background },
  }).getRawData('svg');
  if (!(drawn instanceof Blob)) throw new Error('the library drew nothing');
  const svg = `data:image/svg+xml,${encodeURIComponent(await drawn.text())}`;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size;
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  if (!pen) throw new Error('this browser cannot look at the code');
  pen.drawImage(await loaded(svg), 0, 0, size, size);
  const { data } = pen.getImageData(0, 0, size, size);
  const middle = (luminance(color) + luminance(background)) / 2;
  const isDarkAt = (x: number, y: number) => luminanceOf(data, (y * size + x) * 4) < middle;
  const centre = (module: number) => (module + QUIET_MODULES + 0.5) * MODULE_PX;
  const isMarked = (module: number) => Math.abs((module + 0.5) / modules - 0.5) < MARK_SHARE / 2;
  const isDrawn = (mask: Mask): boolean => {
    const code = codeWith(text, level, mask);
    for (let row = 0; row < modules; row++) {
      for (let column = 0; column < modules; column++) {
        if (mark !== undefined && isMarked(row) && isMarked(column)) continue;
        if (isRoundedOff(row, column, modules)) continue;
        if (isDarkAt(centre(column), centre(row)) !== code.get(column, row)) return false;
      }
    }
    return true;
  };
  if (!MASKS.some(isDrawn)) throw new Error('the drawn code cannot be read');
  return { modules: side, svg, png: canvas.toDataURL('image/png') };
}

/** What a styled code of this text must be, if it was drawn with this mask. */
export function codeWith(text: string, level: 'L' | 'Q', mask: Mask) {
  const [minCorrectionLevel, maxCorrectionLevel] = [correction[level], correction[level]];
  return generate(bytesOf(text), { minCorrectionLevel, maxCorrectionLevel, mask });
}

/** In a corner, beside the two lines through its middle: there is its shape, and readers find it by those lines. */
function isRoundedOff(row: number, column: number, modules: number): boolean {
  const [down, right] = [row, column].map((at) => (at < 7 ? at : at - (modules - 7))) as [number, number];
  const isCorner = row < 7 ? right >= 0 : down >= 0 && column < 7;
  return isCorner && down !== 3 && right !== 3;
}

async function loaded(address: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = address;
  await image.decode();
  return image;
}

/** By WCAG, and 0 where the code would be lighter than what is behind it. */
function contrast(color: string, background: string): number {
  const [dark, light] = [luminance(color), luminance(background)];
  return dark < light ? (light + 0.05) / (dark + 0.05) : 0;
}

const luminance = (color: string): number =>
  luminanceOf(
    [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)),
    0,
  );

/** Relative luminance of the red, green and blue at an index. */
function luminanceOf(channels: ArrayLike<number>, at: number): number {
  const linear = (channel = 0) =>
    channel <= 10 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4;
  return (
    0.2126 * linear(channels[at]) + 0.7152 * linear(channels[at + 1]) + 0.0722 * linear(channels[at + 2])
  );
}
