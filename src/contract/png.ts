const PREFIX = 'data:image/png;base64,';
/** About half a megabyte of image; a QR code is a few kilobytes. */
const LONGEST_DATA_URL = 700_000;
const LARGEST_SIDE = 4_096;
/** What every PNG begins with, to the type of its first chunk; the two sides come next. */
const HEAD = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR';

/**
 * Whether a data URL is a PNG by its bytes, of a size that a code may have. Chunks are walked to the end, so that
 * nothing is missing and nothing follows; pixels and checksums are left to the browser's decoder.
 */
export function isPngDataUrl(text: string): boolean {
  if (text.length > LONGEST_DATA_URL || !text.startsWith(PREFIX)) return false;
  const bytes = decodeBase64(text.slice(PREFIX.length));
  const uint32 = (at: number) =>
    [0, 1, 2, 3].reduce((number, index) => number * 256 + bytes.charCodeAt(at + index), 0);
  const small = [16, 20].every((at) => uint32(at) > 0 && uint32(at) <= LARGEST_SIDE);
  if (!bytes.startsWith(HEAD) || !small) return false;
  let hasPixels = false;
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = uint32(at);
    const type = bytes.slice(at + 4, at + 8);
    at += 12 + length;
    if (type === 'IEND') return hasPixels && length === 0 && at === bytes.length;
    if (type === 'IDAT') hasPixels = true;
  }
  return false;
}

/** Bytes as a binary string, or none. `atob` skips spaces and mends endings: only what it leaves alone is base64. */
function decodeBase64(text: string): string {
  try {
    const bytes = atob(text);
    return btoa(bytes) === text ? bytes : '';
  } catch {
    return '';
  }
}
