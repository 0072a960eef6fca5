import QRCodeStyling from 'qr-code-styling';
import { parseEmvQr } from '../../contract/qr/emv-qr.js';
import { type Code, codeOf } from './code.js';

/** A chunk of its own: most payers get the service's picture and never need it. */

/** Draws an EMVCo payload for exactly this amount; anything else is not a code a payer should scan. */
export function drawPayment(text: string, amountInCents: number): Code {
  const parsed = parseEmvQr(text);
  if (!parsed.ok) throw new Error(`Not a payable code: ${parsed.reason}`);
  // A code without an amount lets the payer type it.
  const stated = parsed.qr.amountInCents;
  if (stated !== null && stated !== amountInCents) throw new Error('Not a payable code: another amount');
  return drawQr(text);
}

/** Draws any text as a QR code. */
export function drawQr(text: string): Code {
  const qr = new Matrix({
    type: 'svg',
    // A screen is not torn or stained: the least redundancy gives the largest modules.
    qrOptions: { errorCorrectionLevel: 'L', mode: 'Byte' },
  });
  // The library writes one byte per character; the checksum of a payload runs over its UTF-8 bytes.
  qr.update({ data: String.fromCharCode(...new TextEncoder().encode(text)) });
  const matrix = qr._qr;
  if (!matrix) throw new Error('The code was not made');
  return codeOf(matrix.getModuleCount(), (row, column) => matrix.isDark(row, column));
}

/** The library's modules without its drawing: it makes an element for each, which takes a cheap phone half a second. */
class Matrix extends QRCodeStyling {
  override _setupSvg(): void {}
}
