import { correction, generate } from 'lean-qr';

/** The quiet zone, in modules. */
const QUIET = 4;

export interface QrPicture {
  readonly source: string;
  /** The side in CSS pixels: a whole number for each module, so that its edges are sharp. */
  readonly side: number;
}

/** A picture of a QR code that opens an address, of about this size: dark on white in every theme. */
export function qrPicture(address: string, about: number): QrPicture {
  const code = generate(address, { minCorrectionLevel: correction.M });
  const count = code.size;
  const size = count + 2 * QUIET;
  let path = '';
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++) {
      if (code.get(column, row)) path += `M${column + QUIET} ${row + QUIET}h1v1h-1z`;
    }
  }
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${size}v${size}h-${size}z"/><path d="${path}"/></svg>`;
  return {
    source: `data:image/svg+xml,${encodeURIComponent(svg)}`,
    side: size * Math.max(1, Math.round(about / size)),
  };
}
