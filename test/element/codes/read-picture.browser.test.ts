import { expect } from '@open-wc/testing';
import { drawQr } from '../../../src/element/paying/codes/draw-qr.js';
import { readPicture } from '../../../src/element/paying/codes/read-picture.js';

const code = drawQr('https://shop.example/pagar');

/** The code as somebody's program may write it: so many pixels a module, in these colours. */
async function picture(unit: number, dark: string, light: string | null): Promise<Blob> {
  const canvas = new OffscreenCanvas(code.modules * unit, code.modules * unit);
  const pen = canvas.getContext('2d')!;
  if (light) {
    pen.fillStyle = light;
    pen.fillRect(0, 0, canvas.width, canvas.height);
  }
  pen.scale(unit, unit);
  pen.fillStyle = dark;
  for (const [, x, y, width] of code.path.matchAll(/M(\d+) (\d+)h(\d+)/g))
    pen.fillRect(Number(x), Number(y), Number(width), 1);
  return canvas.convertToBlob({ type: 'image/png' });
}

describe('the picture of a code', () => {
  for (const [look, dark, light] of [
    ['black on white', '#000', '#fff'],
    ['black on nothing', '#000', null],
    ['dark blue on yellow', '#0000c8', '#ffff00'],
    ['dark green on pink', '#00c800', '#ff00ff'],
    ['dark red on cyan', '#c80000', '#00ffff'],
  ] as const) {
    it(`is read in its colours: ${look}`, async () => {
      expect(await readPicture(await picture(4, dark, light))).to.deep.equal(code);
    });
  }

  it('is left as it came when reading it would take too much memory', async () => {
    const unit = Math.ceil(2_049 / code.modules);
    expect(await readPicture(await picture(unit, '#000', '#fff'))).to.equal(null);
  });

  it('that cannot be read at all is an error, and not a code', async () => {
    let refused = false;
    await readPicture(new Blob(['no picture'], { type: 'image/png' })).catch(() => (refused = true));
    expect(refused).to.equal(true);
  });

  it('of nothing is no code', async () => {
    const canvas = new OffscreenCanvas(40, 40);
    canvas.getContext('2d');
    expect(await readPicture(await canvas.convertToBlob())).to.equal(null);
  });
});
