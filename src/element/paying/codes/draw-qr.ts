import qrcode from 'qrcode-generator';
import { parseEmvQr } from '../../../contract/qr/emv-qr.js';
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
  // A screen is not torn or stained: the least redundancy gives the largest modules.
  const qr = qrcode(0, 'L');
  // The library writes one byte per character; the checksum of a payload runs over its UTF-8 bytes.
  qr.addData(String.fromCharCode(...new TextEncoder().encode(text)), 'Byte');
  qr.make();
  return codeOf(qr.getModuleCount(), (row, column) => qr.isDark(row, column));
}
