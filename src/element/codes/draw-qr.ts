import QRCodeStyling from 'qr-code-styling';
import { parseEmvQr } from '../../contract/qr/emv-qr.js';

/** A chunk of its own: most payers get the service's picture and never need it. */

/** A QR code holds at most 177 modules a side, so every module is at least one whole unit of this canvas. */
const CANVAS = 177;
const QUIET_MODULES = 4;

/** Draws an EMVCo payload for exactly this amount; anything else is not a code a payer should scan. */
export async function drawPayment(text: string, amountInCents: number): Promise<string> {
  const parsed = parseEmvQr(text);
  if (!parsed.ok) throw new Error(`Not a payable code: ${parsed.reason}`);
  // A code without an amount lets the payer type it.
  const stated = parsed.qr.amountInCents;
  if (stated !== null && stated !== amountInCents) throw new Error('Not a payable code: another amount');
  return drawQr(text);
}

/**
 * Draws text as a QR code and gives it as the address of a picture: dark on white in every theme, with its quiet zone
 * inside. As a picture it needs no ids in the page, cannot run anything, and is turned into a PNG like any other.
 */
export async function drawQr(text: string): Promise<string> {
  const qr = new QRCodeStyling({
    type: 'svg',
    width: CANVAS,
    height: CANVAS,
    // A screen is not torn or stained: the least redundancy gives the largest modules.
    qrOptions: { errorCorrectionLevel: 'L', mode: 'Byte' },
  });
  let drawn = '';
  qr.applyExtension((svg) => (drawn = onePath(svg)));
  // The library writes one byte per character; the checksum of a payload runs over its UTF-8 bytes.
  qr.update({ data: String.fromCharCode(...new TextEncoder().encode(text)) });
  await qr.getRawData('svg');
  if (drawn === '') throw new Error('The code was not drawn');
  return `data:image/svg+xml,${encodeURIComponent(drawn)}`;
}

/**
 * The library draws thousands of clipped squares, between which some browsers leave hairlines. They are joined into
 * one shape, cut to the code and its quiet zone.
 */
function onePath(svg: SVGElement): string {
  const number = (element: Element, name: string) => Number(element.getAttribute(name));
  const modules = [...svg.querySelectorAll('clipPath:not([id*=background]) rect')];
  const unit = Math.min(...modules.map((each) => number(each, 'width')));
  // The eyes reach the corners of the code.
  const edges = modules.map((each) => number(each, 'x'));
  const start = Math.min(...edges) - QUIET_MODULES * unit;
  const size = Math.max(...edges) + (1 + QUIET_MODULES) * unit - start;
  const path = modules
    .map((each) => `M${number(each, 'x')} ${number(each, 'y')}h${unit}v${unit}h-${unit}z`)
    .join('');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="${start} ${start} ${size} ${size}"` +
    ` shape-rendering="crispEdges"><path fill="#fff" d="M${start} ${start}h${size}v${size}h-${size}z"/>` +
    `<path d="${path}"/></svg>`
  );
}
