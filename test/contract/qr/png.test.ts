import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import * as fc from 'fast-check';
import { PNG } from 'pngjs';
import { isPngDataUrl } from '../../../src/contract/qr/png.js';
import { hostileText } from '../hostile-text.js';

const PREFIX = 'data:image/png;base64,';
const dataUrl = (bytes: Uint8Array) => PREFIX + Buffer.from(bytes).toString('base64');
const png = (width: number, height: number) => PNG.sync.write(new PNG({ width, height }));

/** The same image after a change to its bytes. */
function altered(change: (bytes: Buffer) => void): string {
  const bytes = Buffer.from(png(8, 8));
  change(bytes);
  return dataUrl(bytes);
}

/** A chunk of that type, of zeros; its checksum is not read. */
function chunk(type: string, length: number): Buffer {
  const bytes = Buffer.alloc(12 + length);
  bytes.writeUInt32BE(length);
  bytes.write(type, 4);
  return bytes;
}

/** What stands before the pixels: the signature and the size. */
const head = png(8, 8).subarray(0, 33);
const made = (...chunks: Buffer[]) => dataUrl(Buffer.concat([head, ...chunks]));

describe('isPngDataUrl', () => {
  it('takes a real image', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 80 }), fc.integer({ min: 1, max: 80 }), (width, height) => {
        assert.equal(isPngDataUrl(dataUrl(png(width, height))), true);
      }),
      { numRuns: 30 },
    );
  });

  it('refuses what only claims to be a PNG', () => {
    const gif = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');
    assert.equal(isPngDataUrl(dataUrl(gif)), false);
    assert.equal(isPngDataUrl(dataUrl(Buffer.from('<svg onload="alert(1)"/>'))), false);
  });

  it('refuses other addresses', () => {
    const base64 = png(1, 1).toString('base64');
    for (const text of [
      '',
      'https://x.co/qr.png',
      base64,
      `data:image/svg+xml;base64,${base64}`,
      `data:image/png,${base64}`,
      ` ${PREFIX}${base64}`,
    ]) {
      assert.equal(isPngDataUrl(text), false);
    }
  });

  it('refuses base64 that decoders would repair', () => {
    const whole = dataUrl(png(8, 8));
    for (const text of [
      PREFIX,
      `${whole}\n`,
      `${whole}AAA`,
      `${PREFIX} ${whole.slice(PREFIX.length)}`,
      `${PREFIX}iVB-`,
      `${PREFIX}====`,
      `${PREFIX}A===`,
    ]) {
      assert.equal(isPngDataUrl(text), false, text.slice(0, 60));
    }
    // Three bytes are four letters: of one byte more, the second letter says two bits and the padding nothing.
    const padded = made(chunk('IDAT', 1), chunk('IEND', 0));
    assert.equal(padded.endsWith('A=='), true);
    assert.equal(isPngDataUrl(padded), true);
    assert.equal(isPngDataUrl(padded.slice(0, -2)), false);
    assert.equal(isPngDataUrl(padded.replace(/A==$/, 'B==')), false);
  });

  it('refuses an image without pixels, one with two ends, and an end with something in it', () => {
    const [pixels, end] = [chunk('IDAT', 4), chunk('IEND', 0)];
    assert.equal(isPngDataUrl(made(chunk('tEXt', 9), pixels, pixels, end)), true);
    assert.equal(isPngDataUrl(made(end)), false);
    assert.equal(isPngDataUrl(made(pixels, end, pixels, end)), false);
    assert.equal(isPngDataUrl(made(pixels, chunk('IEND', 4))), false);
  });

  it('refuses an image that is cut short or has something after its end', () => {
    const bytes = png(8, 8);
    for (let length = 8; length < bytes.length; length++) {
      assert.equal(isPngDataUrl(dataUrl(bytes.subarray(0, length))), false);
    }
    assert.equal(isPngDataUrl(dataUrl(Buffer.concat([bytes, bytes]))), false);
  });

  it('refuses chunks that lie about their length', () => {
    assert.equal(isPngDataUrl(altered((bytes) => bytes.writeUInt32BE(0xffff_fff4, 8))), false);
    assert.equal(isPngDataUrl(altered((bytes) => bytes.writeUInt32BE(0, 8))), false);
  });

  it('refuses sizes that no QR has', () => {
    assert.equal(isPngDataUrl(altered((bytes) => bytes.writeUInt32BE(4_096, 16))), true);
    for (const [at, side] of [
      [16, 0],
      [20, 0],
      [16, 4_097],
      [20, 0xffff_ffff],
    ] as const) {
      assert.equal(isPngDataUrl(altered((bytes) => bytes.writeUInt32BE(side, at))), false);
    }
  });

  it('bounds the length', () => {
    const ofBytes = (length: number) => made(chunk('IDAT', length), chunk('IEND', 0));
    assert.equal(isPngDataUrl(ofBytes(524_000)), true);
    assert.equal(isPngDataUrl(ofBytes(525_000)), false);
  });

  it('answers any text and any bytes without throwing', () => {
    const signature = png(1, 1).subarray(0, 8);
    fc.assert(
      fc.property(hostileText, fc.uint8Array({ maxLength: 200 }), (text, bytes) => {
        for (const input of [text, PREFIX + text, dataUrl(Buffer.concat([signature, bytes]))]) {
          assert.equal(isPngDataUrl(input), false);
        }
      }),
      { numRuns: 500 },
    );
  });
});
