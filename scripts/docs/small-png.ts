import { crc32, deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';

/** A palette has room for this many. */
const MOST_COLOURS = 256;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * A screenshot written small: an opaque picture with a palette of its most used colours. Large areas keep their exact
 * colour; the shades at the edges of letters become the nearest one there is.
 */
export function smallPng(screenshot: Buffer): Buffer {
  const { width, height, data } = PNG.sync.read(screenshot);
  const colourAt = (pixel: number) => data.readUIntBE(pixel * 4, 3);
  const uses = new Map<number, number>();
  for (let pixel = 0; pixel < width * height; pixel++) {
    uses.set(colourAt(pixel), (uses.get(colourAt(pixel)) ?? 0) + 1);
  }
  const palette = [...uses]
    .sort(([, left], [, right]) => right - left)
    .slice(0, MOST_COLOURS)
    .map(([colour]) => colour);
  const places = new Map([...uses.keys()].map((colour) => [colour, nearest(colour, palette)]));
  // Each row begins with the number of its filter, which is none.
  const rows = Buffer.alloc((width + 1) * height);
  for (let pixel = 0; pixel < width * height; pixel++) {
    rows[pixel + Math.floor(pixel / width) + 1] = places.get(colourAt(pixel)) ?? 0;
  }
  return encode(width, height, palette, rows);
}

function nearest(colour: number, palette: readonly number[]): number {
  const distances = palette.map((candidate) =>
    [16, 8, 0].reduce(
      (sum, shift) => sum + (((colour >> shift) & 255) - ((candidate >> shift) & 255)) ** 2,
      0,
    ),
  );
  return distances.indexOf(Math.min(...distances));
}

function encode(width: number, height: number, palette: readonly number[], rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.alloc(palette.length * 3);
  palette.forEach((colour, index) => colours.writeUIntBE(colour, index * 3, 3));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(content.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
