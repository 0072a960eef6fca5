import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { PNG } from 'pngjs';
import qrcode from 'qrcode-generator';
import { codeOf, crispWidth } from '../../../src/element/paying/codes/code.js';
import { modulesOf } from '../../../src/element/paying/codes/read-picture.js';
import { qrPngUrl } from '../../../src/sandbox/qr-png.js';

const vectors = JSON.parse(
  readFileSync(new URL('../../data/emv-qr-vectors.json', import.meta.url), 'utf8'),
) as { valid: { name: string; payload: string }[] };

type IsDark = (x: number, y: number) => boolean;

/** What the code itself says, drawn without a picture in between. */
function expected(text: string) {
  const code = qrcode(0, 'M');
  code.addData(String.fromCharCode(...new TextEncoder().encode(text)), 'Byte');
  code.make();
  return { code, drawn: codeOf(code.getModuleCount(), (row, column) => code.isDark(row, column)) };
}

function bitmapOf(png: Buffer) {
  const { width, height, data } = PNG.sync.read(png);
  const isDark: IsDark = (x, y) => (data[(y * width + x) * 4] ?? 255) < 128;
  return { width, height, isDark };
}

/** A code as somebody's program may draw it: any size of module, any margin. */
function painted(text: string, unit: number, margin: number) {
  const { code } = expected(text);
  const side = code.getModuleCount();
  const size = Math.round(side * unit) + 2 * margin;
  const module = (pixel: number) => Math.floor((pixel - margin + 0.5) / unit);
  const isDark: IsDark = (x, y) => {
    const [row, column] = [module(y), module(x)];
    const isInside = row >= 0 && column >= 0 && row < side && column < side;
    return isInside && code.isDark(row, column);
  };
  return { width: size, height: size, isDark };
}

describe('reading a code from its picture', () => {
  for (const { name, payload } of vectors.valid) {
    it(`finds the modules of the sandbox's own picture: ${name}`, () => {
      const png = Buffer.from(qrPngUrl(payload).split(',')[1] ?? '', 'base64');
      assert.deepEqual(modulesOf(bitmapOf(png)), expected(payload).drawn);
    });

    it(`finds them at any size and with any margin: ${name}`, () => {
      for (const [unit, margin] of [
        [1, 4],
        [2, 0],
        [6, 25],
      ] as const) {
        const found = modulesOf(painted(payload, unit, margin));
        assert.deepEqual(found, expected(payload).drawn, `${unit} pixels a module`);
      }
    });
  }

  const [{ payload } = { payload: '' }] = vectors.valid;

  it('leaves a code with something on it as it came', () => {
    const bitmap = painted(payload, 4, 16);
    const middle = bitmap.width / 2;
    const isDark: IsDark = (x, y) =>
      Math.hypot(x - middle, y - middle) < 20 ? (x + y) % 3 === 0 : bitmap.isDark(x, y);
    assert.equal(modulesOf({ ...bitmap, isDark }), null);
  });

  it('leaves modules that are no whole number of pixels as they came', () => {
    for (const unit of [1.5, 3.37, 4.5]) assert.equal(modulesOf(painted(payload, unit, 12)), null);
  });

  it('leaves round dots as they came', () => {
    const bitmap = painted(payload, 6, 24);
    const isDark: IsDark = (x, y) => bitmap.isDark(x, y) && Math.hypot((x % 6) - 2.5, (y % 6) - 2.5) < 3;
    assert.equal(modulesOf({ ...bitmap, isDark }), null);
  });

  it('leaves what is no code as it came: nothing, or all dark', () => {
    const square = { width: 84, height: 84 };
    assert.equal(modulesOf({ ...square, isDark: () => false }), null);
    assert.equal(modulesOf({ ...square, isDark: () => true }), null);
  });

  it('leaves a code with words below or beside it as it came', () => {
    const bitmap = painted(payload, 4, 16);
    const edge = bitmap.width - 3;
    for (const isWord of [(_: number, y: number) => y === edge, (x: number) => x === edge]) {
      const isDark: IsDark = (x, y) => bitmap.isDark(x, y) || (isWord(x, y) && (x + y) % 2 === 0);
      assert.equal(modulesOf({ ...bitmap, isDark }), null);
    }
  });

  it('reads the sizes that a code can have, and no other', () => {
    /** As much of a code as says how large it is: a finder pattern and its last corners. */
    const sized = (side: number) => ({
      width: side,
      height: side,
      isDark: (x: number, y: number) => (y === 0 && x < 7) || (x === 0 && y === side - 1) || x === side - 1,
    });
    for (const side of [21, 25, 57, 173, 177]) assert.equal(modulesOf(sized(side))?.modules, side + 8);
    for (const side of [13, 17, 20, 22, 23, 24, 58, 178, 181]) assert.equal(modulesOf(sized(side)), null);
  });

  it('leaves a code with light and dark exchanged as it came', () => {
    const bitmap = painted(payload, 4, 16);
    assert.equal(modulesOf({ ...bitmap, isDark: (x, y) => !bitmap.isDark(x, y) }), null);
  });
});

describe('a drawn code', () => {
  it('has a quiet zone of four modules, and one rectangle for what touches in a row', () => {
    const rows = ['##.', '...', '#.#'];
    assert.deepEqual(
      codeOf(3, (row, column) => rows[row]?.[column] === '#'),
      { modules: 11, path: 'M4 4h2v1h-2zM4 6h1v1h-1zM6 6h1v1h-1z' },
    );
  });
});

describe('the width of a code in its box', () => {
  it('is the most that gives each module whole device pixels', () => {
    assert.equal(crispWidth(97, 334, 1), 291);
    assert.equal(crispWidth(97, 334, 1.25), 310.4);
    assert.equal(crispWidth(97, 334, 2), 291);
    assert.equal(crispWidth(97, 388, 1), 388);
  });

  it('fills a box that has less than one for each', () => {
    assert.equal(crispWidth(97, 60, 1), 60);
  });
});
