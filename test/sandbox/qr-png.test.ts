import assert from 'node:assert/strict';
import { test } from 'vitest';
import fc from 'fast-check';
import jsQrModule from 'jsqr';
import { PNG } from 'pngjs';
import { parseEmvQr } from '../../src/contract/qr/emv-qr.js';
import { qrPngUrl } from '../../src/sandbox/qr-png.js';
import { brebPayin, startSandbox } from './harness.js';

type Scanner = typeof jsQrModule;
// The package is CommonJS: under Node its function is the default of its default.
const jsQr = (jsQrModule as Scanner & { default?: Scanner }).default ?? jsQrModule;

/** Reads a picture with a decoder and a QR reader that know nothing of ours. */
function scan(dataUrl: string) {
  const png = PNG.sync.read(Buffer.from(dataUrl.replace(/^data:image\/png;base64,/, ''), 'base64'), {
    checkCRC: true,
  });
  const found = jsQr(new Uint8ClampedArray(png.data), png.width, png.height);
  return { png, text: found === null ? null : Buffer.from(found.binaryData).toString('utf8') };
}

test('an independent reader gets the payable text back from qrString', async () => {
  const { post } = startSandbox();
  const amounts = [1, 99, 5_000_000, 1_155_200_000, 999_999_999_999];
  for (const [index, amountInCents] of amounts.entries()) {
    const body = { ...brebPayin, amountInCents, reference: `R${index}`, breb: { keyType: 'QR_CODE' } };
    const { sourceData } = (await post('/payins', body)).body;
    const { text, png } = scan(sourceData.qrString);
    assert.ok(text !== null);
    const parsed = parseEmvQr(text);
    assert.ok(parsed.ok);
    const { fields } = parsed.qr;
    assert.deepEqual(
      ['01', '53', '58'].map((id) => fields.get(id)),
      ['12', '170', 'CO'],
    );
    assert.ok(fields.get('26')?.endsWith(sourceData.keyString));
    assert.equal(parsed.qr.amountInCents, amountInCents);
    assert.ok(png.width >= 360 && png.width === png.height);
  }
});

test('an amount that no QR payload holds is refused', async () => {
  const body = { ...brebPayin, amountInCents: 1_000_000_000_000, breb: { keyType: 'QR_CODE' } };
  const answer = await startSandbox().post('/payins', body);
  assert.equal(answer.status, 400);
  assert.deepEqual(answer.body.errors, [{ field: 'amountInCents', code: 'too_large' }]);
});

test('the picture has a white quiet zone of four modules', () => {
  const { png } = scan(qrPngUrl('a'));
  const modules = 21 + 8;
  const quietPx = (png.width / modules) * 4;
  for (let y = 0; y < png.height; y++) {
    for (let x = 0; x < png.width; x++) {
      const inside = x >= quietPx && y >= quietPx && x < png.width - quietPx && y < png.height - quietPx;
      if (!inside) assert.equal(png.data[(y * png.width + x) * 4], 255);
    }
  }
});

test('any text of any length comes back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 150 }), (text) => {
      assert.equal(scan(qrPngUrl(text)).text, text);
    }),
    { numRuns: 15 },
  );
});
