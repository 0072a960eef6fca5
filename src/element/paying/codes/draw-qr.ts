import { generate, mode } from 'lean-qr';
import { parseEmvQr } from '../../../contract/qr/emv-qr.js';
import { type Code, codeOf } from './code.js';

export { CodeFit } from './fit.js';

/** A chunk of its own: most payers get the service's picture and never need it. */

/** Drawn codes are saved this large or larger; bank apps read small pictures badly. */
const SAVED_PX = 1_024;

/** A code that was drawn here, which can be saved too. */
export interface DrawnCode extends Code {
  toPng(): Promise<Blob>;
}

/** Draws an EMVCo payload for exactly this amount; anything else is not a code a payer should scan. */
export function drawPayment(text: string, amountInCents: number): DrawnCode {
  const parsed = parseEmvQr(text);
  if (!parsed.ok) throw new Error(`Not a payable code: ${parsed.reason}`);
  // A code without an amount lets the payer type it.
  const stated = parsed.qr.amountInCents;
  if (stated !== null && stated !== amountInCents) throw new Error('Not a payable code: another amount');
  return drawQr(text);
}

/** Draws any text as a QR code. */
export function drawQr(text: string): DrawnCode {
  // A screen is not torn or stained: the fewest modules are the largest, with what redundancy they have room for.
  const qr = generate(bytesOf(text));
  const code = codeOf(qr.size, (row, column) => qr.get(column, row));
  return { ...code, toPng: () => rasterize(code) };
}

/** The checksum of a payload runs over its UTF-8 bytes, which not every reader expects to be declared as such. */
export const bytesOf = (text: string) => mode.bytes(new TextEncoder().encode(text));

/** With whole pixels for each module. */
async function rasterize({ modules, path }: Code): Promise<Blob> {
  const scale = Math.ceil(SAVED_PX / modules);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = modules * scale;
  const pen = canvas.getContext('2d');
  if (pen) {
    pen.scale(scale, scale);
    pen.fillStyle = '#fff';
    pen.fillRect(0, 0, modules, modules);
    pen.fillStyle = '#000';
    pen.fill(new Path2D(path));
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('The picture could not be written');
  return blob;
}
