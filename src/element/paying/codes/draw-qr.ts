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
  const qr = matrixOf(text, 'L');
  return codeOf(qr.getModuleCount(), (row, column) => qr.isDark(row, column));
}

/** The modules of a text. */
export function matrixOf(text: string, level: 'L' | 'Q') {
  const qr = qrcode(0, level);
  qr.addData(oneCharacterPerByte(text), 'Byte');
  qr.make();
  return qr;
}

/** Libraries write one byte per character; the checksum of a payload runs over its UTF-8 bytes. */
export const oneCharacterPerByte = (text: string): string =>
  String.fromCharCode(...new TextEncoder().encode(text));
