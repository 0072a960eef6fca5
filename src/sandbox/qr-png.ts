import { correction, generate, mode } from 'lean-qr';

/** Wide enough to be read from a screen at the size it is shown. */
const MIN_SIDE_PX = 360;
const QUIET_ZONE_MODULES = 4;
const MAX_REMEMBERED = 256;

const remembered = new Map<string, string>();

/** A QR of the text as a `data:image/png;base64,...` address: black on white, with its quiet zone. */
export function qrPngUrl(text: string): string {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const url = `data:image/png;base64,${base64(png(drawQr(text)))}`;
  // Lists show the same pictures again and again; drawing one takes milliseconds.
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(text, url);
  return url;
}

interface Picture {
  readonly sidePx: number;
  /** One row of packed one-bit pixels for each line. */
  readonly rows: readonly Uint8Array[];
}

function drawQr(text: string): Picture {
  const code = generate(mode.bytes(new TextEncoder().encode(text)), { minCorrectionLevel: correction.M });
  const modules = code.size + 2 * QUIET_ZONE_MODULES;
  const scale = Math.ceil(MIN_SIDE_PX / modules);
  const dark = (row: number, column: number) =>
    code.get(column - QUIET_ZONE_MODULES, row - QUIET_ZONE_MODULES);
  const sidePx = modules * scale;
  const drawRow = (row: number) => {
    const bits = new Uint8Array(Math.ceil(sidePx / 8)).fill(0xff);
    for (let x = 0; x < sidePx; x++) {
      const byte = x >> 3;
      if (dark(row, Math.floor(x / scale))) bits[byte] = (bits[byte] ?? 0) & ~(0x80 >> (x & 7));
    }
    return bits;
  };
  const rows = Array.from({ length: modules }, (_, row) => drawRow(row));
  return { sidePx, rows: rows.flatMap((row) => Array.from({ length: scale }, () => row)) };
}

function png({ sidePx, rows }: Picture): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, sidePx);
  view.setUint32(4, sidePx);
  header.set([1, 0, 0, 0, 0], 8); // one bit, grey, no interlace
  const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  const unfiltered = Uint8Array.of(0);
  return join([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', zlib(join(rows.flatMap((row) => [unfiltered, row])))),
    chunk('IEND', new Uint8Array()),
  ]);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = join([new TextEncoder().encode(type), data]);
  const out = new Uint8Array(body.length + 8);
  const view = new DataView(out.buffer);
  view.setUint32(0, data.length);
  out.set(body, 4);
  view.setUint32(body.length + 4, crc32(body));
  return out;
}

/**
 * A zlib stream that stores its bytes uncompressed: the platform's compressor is asynchronous, and a payin is made at
 * once. One stored block holds 65,535 bytes; the largest QR takes about 38,000.
 */
function zlib(bytes: Uint8Array): Uint8Array {
  const head = Uint8Array.of(0x78, 0x01, 0x01, 0, 0, 0, 0);
  const lengths = new DataView(head.buffer);
  lengths.setUint16(3, bytes.length, true);
  lengths.setUint16(5, ~bytes.length, true);
  const tail = new Uint8Array(4);
  new DataView(tail.buffer).setUint32(0, adler32(bytes));
  return join([head, bytes, tail]);
}

function adler32(bytes: Uint8Array): number {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return ((b << 16) | a) >>> 0;
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb8_8320 : crc >>> 1;
  }
  return (crc ^ 0xffff_ffff) >>> 0;
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    out.set(part, offset);
    offset += part.length;
  }
  return out;
}

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
