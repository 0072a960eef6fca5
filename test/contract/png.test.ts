import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { PNG } from 'pngjs';
import { parsePngDataUrl } from '../../src/contract/png.js';
import { hostileText } from './hostile-text.js';

const PREFIX = 'data:image/png;base64,';
const dataUrl = (bytes: Uint8Array) => PREFIX + Buffer.from(bytes).toString('base64');
const png = (width: number, height: number) => PNG.sync.write(new PNG({ width, height }));
const refused = (reason: string) => ({ ok: false, reason });

/** The same image after a change to its bytes. */
function altered(change: (bytes: Buffer) => void): string {
  const bytes = Buffer.from(png(8, 8));
  change(bytes);
  return dataUrl(bytes);
}

describe('parsePngDataUrl', () => {
  it('gives the size of a real image', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 80 }), fc.integer({ min: 1, max: 80 }), (width, height) => {
        assert.deepEqual(parsePngDataUrl(dataUrl(png(width, height))), { ok: true, width, height });
      }),
      { numRuns: 30 },
    );
  });

  it('refuses what only claims to be a PNG', () => {
    const gif = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');
    assert.deepEqual(parsePngDataUrl(dataUrl(gif)), refused('not_a_png'));
    assert.deepEqual(parsePngDataUrl(dataUrl(Buffer.from('<svg onload="alert(1)"/>'))), refused('not_a_png'));
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
      assert.deepEqual(parsePngDataUrl(text), refused('not_a_png_data_url'));
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
      `${PREFIX}AB==`,
      `${PREFIX}A===`,
    ]) {
      assert.deepEqual(parsePngDataUrl(text), refused('not_base64'), text.slice(0, 60));
    }
  });

  it('refuses an image that is cut short or has something after its end', () => {
    const bytes = png(8, 8);
    for (let length = 8; length < bytes.length; length++) {
      assert.deepEqual(parsePngDataUrl(dataUrl(bytes.subarray(0, length))), refused('not_a_png'));
    }
    assert.deepEqual(parsePngDataUrl(dataUrl(Buffer.concat([bytes, bytes]))), refused('not_a_png'));
  });

  it('refuses chunks that lie about their length', () => {
    assert.deepEqual(
      parsePngDataUrl(altered((bytes) => bytes.writeUInt32BE(0xffff_fff4, 8))),
      refused('not_a_png'),
    );
    assert.deepEqual(parsePngDataUrl(altered((bytes) => bytes.writeUInt32BE(0, 8))), refused('not_a_png'));
  });

  it('refuses sizes that no QR has', () => {
    for (const [at, side] of [
      [16, 0],
      [20, 0],
      [16, 4_097],
      [20, 0xffff_ffff],
    ] as const) {
      assert.deepEqual(
        parsePngDataUrl(altered((bytes) => bytes.writeUInt32BE(side, at))),
        refused('invalid_dimensions'),
      );
    }
  });

  it('bounds the length before decoding', () => {
    assert.deepEqual(parsePngDataUrl(PREFIX + 'A'.repeat(700_000)), refused('too_long'));
  });

  it('answers any text and any bytes without throwing', () => {
    const signature = png(1, 1).subarray(0, 8);
    fc.assert(
      fc.property(hostileText, fc.uint8Array({ maxLength: 200 }), (text, bytes) => {
        for (const input of [text, PREFIX + text, dataUrl(Buffer.concat([signature, bytes]))]) {
          assert.equal(parsePngDataUrl(input).ok, false);
        }
      }),
      { numRuns: 500 },
    );
  });
});
