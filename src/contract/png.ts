import { type Parsed, refuse } from './parsed.js';

export type PngRefusal =
  'too_long' | 'not_a_png_data_url' | 'not_base64' | 'not_a_png' | 'invalid_dimensions';

const PREFIX = 'data:image/png;base64,';
/** About half a megabyte of image; a QR code is a few kilobytes. */
const LONGEST_DATA_URL = 700_000;
const LARGEST_SIDE = 4_096;
const SIGNATURE = '\x89PNG\r\n\x1a\n';

/**
 * Checks that a data URL is a PNG by its bytes and gives its size. Chunks are walked to the end, so that nothing
 * is missing and nothing follows; pixels and checksums are left to the browser's decoder.
 */
export function parsePngDataUrl(text: string): Parsed<{ width: number; height: number }, PngRefusal> {
  if (text.length > LONGEST_DATA_URL) return refuse('too_long');
  if (!text.startsWith(PREFIX)) return refuse('not_a_png_data_url');
  const bytes = decodeBase64(text.slice(PREFIX.length));
  if (bytes === null) return refuse('not_base64');
  if (!bytes.startsWith(SIGNATURE)) return refuse('not_a_png');

  const types = chunkTypes(bytes);
  if (types[0] !== 'IHDR' || !types.includes('IDAT') || types.at(-1) !== 'IEND') return refuse('not_a_png');
  const headerLength = uint32(bytes, 8);
  const [width, height] = [uint32(bytes, 16), uint32(bytes, 20)];
  if (headerLength !== 13) return refuse('not_a_png');
  if (width < 1 || height < 1 || width > LARGEST_SIDE || height > LARGEST_SIDE) {
    return refuse('invalid_dimensions');
  }
  return { ok: true, width, height };
}

/** Bytes as a binary string. `atob` skips spaces and ignores stray bits, so both are refused before and after. */
function decodeBase64(text: string): string | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null;
  const last = text.slice(-4);
  return btoa(atob(last)) === last ? atob(text) : null;
}

/** The chunks' types in order, or none when they do not end exactly with the bytes, in an empty IEND. */
function chunkTypes(bytes: string): string[] {
  const types: string[] = [];
  for (let at = SIGNATURE.length; at + 12 <= bytes.length;) {
    const length = uint32(bytes, at);
    const type = bytes.slice(at + 4, at + 8);
    types.push(type);
    at += 12 + length;
    if (type === 'IEND') return length === 0 && at === bytes.length ? types : [];
  }
  return [];
}

function uint32(bytes: string, at: number): number {
  // `>>> 0`, because a first byte over 127 would make the number negative and a walk endless.
  return (
    ((bytes.charCodeAt(at) << 24) |
      (bytes.charCodeAt(at + 1) << 16) |
      (bytes.charCodeAt(at + 2) << 8) |
      bytes.charCodeAt(at + 3)) >>>
    0
  );
}
