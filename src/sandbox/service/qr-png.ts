import qrcode from 'qrcode-generator';

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
  /** Each distinct row of packed one-bit pixels, and how often it is repeated. */
  readonly rows: readonly Uint8Array[];
  readonly repeat: number;
}

function drawQr(text: string): Picture {
  const code = qrcode(0, 'M');
  // The library takes one byte per character, so the UTF-8 bytes are handed over as such.
  code.addData(String.fromCharCode(...new TextEncoder().encode(text)), 'Byte');
  code.make();
  const modules = code.getModuleCount() + 2 * QUIET_ZONE_MODULES;
  const scale = Math.ceil(MIN_SIDE_PX / modules);
  const dark = (row: number, column: number) => {
    const [y, x] = [row - QUIET_ZONE_MODULES, column - QUIET_ZONE_MODULES];
    const inside = y >= 0 && x >= 0 && y < code.getModuleCount() && x < code.getModuleCount();
    return inside && code.isDark(y, x);
  };
  const sidePx = modules * scale;
  const rows = Array.from({ length: modules }, (_, row) => {
    const bits = new Uint8Array(Math.ceil(sidePx / 8)).fill(0xff);
    for (let x = 0; x < sidePx; x++) {
      const byte = x >> 3;
      if (dark(row, Math.floor(x / scale))) bits[byte] = (bits[byte] ?? 0) & ~(0x80 >> (x & 7));
    }
    return bits;
  });
  return { sidePx, rows, repeat: scale };
}

function png({ sidePx, rows, repeat }: Picture): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, sidePx);
  view.setUint32(4, sidePx);
  header.set([1, 0, 0, 0, 0], 8); // one bit, grey, no interlace
  const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  return join([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', zlib(rows, repeat)),
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
 * Rows as a zlib stream of one block with fixed codes: each distinct row in full, its repetitions as one copy of
 * what came before. Written here because the platform's compressor is asynchronous and a payin is made at once.
 */
function zlib(rows: readonly Uint8Array[], repeat: number): Uint8Array {
  const bits = createBitWriter();
  let checksum = { a: 1, b: 0 };
  bits.write(1, 1); // the last block
  bits.write(1, 2); // with fixed codes
  for (const row of rows) {
    const line = join([Uint8Array.of(0), row]); // filter: none
    for (const byte of line) literal(bits, byte);
    let missing = line.length * (repeat - 1);
    while (missing > 0) {
      // A copy is 3 to 258 bytes long; never leave a rest that is too short for the next one.
      const length = missing > 258 && missing < 261 ? 255 : Math.min(missing, 258);
      copy(bits, length, line.length);
      missing -= length;
    }
    for (let time = 0; time < repeat; time++) checksum = adler32(checksum, line);
  }
  huffman(bits, 0, 7); // end of block
  const tail = new Uint8Array(4);
  new DataView(tail.buffer).setUint32(0, ((checksum.b << 16) | checksum.a) >>> 0);
  return join([Uint8Array.of(0x78, 0x01), bits.finish(), tail]);
}

interface BitWriter {
  write(value: number, count: number): void;
  finish(): Uint8Array;
}

function createBitWriter(): BitWriter {
  const bytes: number[] = [];
  let pending = 0;
  let used = 0;
  return {
    write(value, count) {
      pending |= value << used;
      used += count;
      while (used >= 8) {
        bytes.push(pending & 0xff);
        pending >>>= 8;
        used -= 8;
      }
    },
    finish() {
      if (used > 0) bytes.push(pending & 0xff);
      return Uint8Array.from(bytes);
    },
  };
}

/** Huffman codes are written from their highest bit, everything else from its lowest. */
function huffman(bits: BitWriter, code: number, length: number): void {
  for (let bit = length - 1; bit >= 0; bit--) bits.write((code >> bit) & 1, 1);
}

function literal(bits: BitWriter, byte: number): void {
  if (byte < 144) huffman(bits, 0x30 + byte, 8);
  else huffman(bits, 0x190 + byte - 144, 9);
}

function copy(bits: BitWriter, length: number, distance: number): void {
  const { symbol, extraBits, extra } = lengthCode(length);
  if (symbol < 280) huffman(bits, symbol - 256, 7);
  else huffman(bits, 0xc0 + symbol - 280, 8);
  bits.write(extra, extraBits);
  const far = distanceCode(distance);
  huffman(bits, far.symbol, 5);
  bits.write(far.extra, far.extraBits);
}

interface Code {
  readonly symbol: number;
  readonly extraBits: number;
  readonly extra: number;
}

function lengthCode(length: number): Code {
  if (length === 258) return { symbol: 285, extraBits: 0, extra: 0 };
  if (length < 11) return { symbol: 254 + length, extraBits: 0, extra: 0 };
  const extraBits = Math.floor(Math.log2(length - 3)) - 2;
  const step = (length - 3) >> extraBits;
  return { symbol: 257 + 4 * extraBits + step, extraBits, extra: (length - 3) & ((1 << extraBits) - 1) };
}

function distanceCode(distance: number): Code {
  if (distance < 5) return { symbol: distance - 1, extraBits: 0, extra: 0 };
  const extraBits = Math.floor(Math.log2(distance - 1)) - 1;
  const step = (distance - 1) >> extraBits;
  return { symbol: 2 * extraBits + step, extraBits, extra: (distance - 1) & ((1 << extraBits) - 1) };
}

function adler32({ a, b }: { a: number; b: number }, bytes: Uint8Array): { a: number; b: number } {
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return { a, b };
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
