import { expect } from '@open-wc/testing';
import { buildEmvQr } from '../../../src/contract/qr/emv-build.js';
import type { Host } from '../../../src/element/host.js';
import type { QrStyle } from '../../../src/element/properties.js';
import { QrPictures } from '../../../src/element/paying/codes/pictures.js';
import { drawStyled } from '../../../src/element/paying/codes/styled-qr.js';
import { breb } from '../../machine/fixtures.js';
import { clearPage, instead } from '../support/harness.js';

afterEach(clearPage);

const TEXT = 'https://shop.example/pagar';
const PAYLOAD = buildEmvQr({
  key: { kind: 'ALPHANUMERIC', value: '@a1' },
  amountInCents: breb().amountInCents,
  merchantName: 'Café',
  merchantCity: 'Bogotá',
  transactionId: '123456789012345678',
});

async function refusal(style: QrStyle | string, text = TEXT): Promise<string | null> {
  return drawStyled(text, style).then(
    () => null,
    (reason: unknown) => String(reason),
  );
}

function square(color: string): string {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 32;
  const pen = canvas.getContext('2d')!;
  pen.fillStyle = color;
  pen.fillRect(0, 0, 32, 32);
  return canvas.toDataURL('image/png');
}

describe('a code in a style', () => {
  it('is an SVG to show and a PNG to save', async () => {
    const { svg, png } = await drawStyled(TEXT, { dots: 'rounded', mark: square('#145a3c') });
    expect(svg).to.match(/^data:image\/svg\+xml,/);
    expect(png).to.match(/^data:image\/png;base64,/);
  });

  /** The colour at a place of the picture, from 0 to 1 in both directions. */
  async function colourAt(place: number, style: QrStyle): Promise<number[]> {
    const bitmap = await createImageBitmap(await (await fetch((await drawStyled(TEXT, style)).png)).blob());
    const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
    pen.drawImage(bitmap, 0, 0);
    return [...pen.getImageData(bitmap.width * place, bitmap.height * place, 1, 1).data.slice(0, 3)];
  }

  it('has the mark in its middle, where there is one', async () => {
    expect(await colourAt(0.5, { mark: square('#145a3c') })).to.deep.equal([0x14, 0x5a, 0x3c]);
    expect(await colourAt(0.5, {})).to.be.deep.oneOf([
      [0, 0, 0],
      [255, 255, 255],
    ]);
  });

  it('has its colours, also in its corners', async () => {
    const { modules } = await drawStyled(TEXT, {});
    const style = { color: '#145a3c', background: '#fff8e7' };
    // After four modules of margin comes a corner: its frame, and its dot from the third module on.
    for (const module of [4, 7]) {
      expect(await colourAt((module + 0.5) / modules, style), `${module}`).to.deep.equal([0x14, 0x5a, 0x3c]);
    }
    expect(await colourAt(0.5 / modules, style)).to.deep.equal([0xff, 0xf8, 0xe7]);
  });

  it('is square where no other shape is asked for', async () => {
    const png = async (style: QrStyle) => (await drawStyled(TEXT, style)).png;
    const square = await png({ dots: 'square', corners: 'square' });
    expect(await png({})).to.equal(square);
    for (const style of [{ dots: 'dots' }, { corners: 'dot' }, { corners: 'extra-rounded' }] as const)
      expect(await png(style), JSON.stringify(style)).not.to.equal(square);
  });

  it('is not drawn in colours that a camera cannot tell apart, nor light on dark', async () => {
    expect(await refusal({ color: '#999999' })).to.contain('contrast');
    expect(await refusal({ color: '#ffffff', background: '#000000' })).to.contain('contrast');
  });

  it('is drawn from the contrast on that text needs', async () => {
    expect(await refusal({ color: '#767676' })).to.equal(null);
    expect(await refusal({ color: '#0a0a0a' }), 'nearly black').to.equal(null);
    expect(await refusal({ color: '#777777' })).to.contain('contrast');
  });

  for (const [column, row] of [
    [10, 0],
    [0, 10],
    [12, 12],
  ] as const) {
    it(`is not shown when a module is not as it must be, such as that in column ${column} of row ${row}`, async () => {
      const { drawImage } = CanvasRenderingContext2D.prototype;
      instead(
        CanvasRenderingContext2D.prototype,
        'drawImage',
        function (this: CanvasRenderingContext2D, ...args: Parameters<typeof drawImage>) {
          drawImage.apply(this, args);
          this.globalCompositeOperation = 'difference';
          this.fillStyle = '#fff';
          // Twelve pixels a module, and four modules of margin.
          this.fillRect((column + 4) * 12, (row + 4) * 12, 12, 12);
        },
      );
      expect(await refusal({ dots: 'rounded' })).to.contain('cannot be read');
    });
  }

  it('is not drawn by what is no style', async () => {
    for (const style of ['{', '7', '{"dots":"stars"}', '{"color":"red"}', '{"image":"https://x.example"}'])
      expect(await refusal(style), style).not.to.equal(null);
    for (const mark of ['https://shop.example/logo.png', 'data:image/svg+xml,<svg/>'])
      expect(await refusal({ mark }), mark).to.match(/^ValiError/);
  });

  it('is not drawn where a setting is misspelt, which is named', async () => {
    expect(await refusal('{"dot":"rounded"}')).to.contain('"dot" is none of its settings');
  });

  it('is not drawn with a mark that no browser can decode', async () => {
    const bytes = atob(square('#000000').split(',')[1]!);
    // Whole by its parts, with seven bits a sample, which no picture has.
    const broken = `data:image/png;base64,${btoa(`${bytes.slice(0, 24)}\x07${bytes.slice(25)}`)}`;
    expect(await refusal({ mark: broken }))
      .to.be.a('string')
      .and.not.match(/^ValiError/);
  });

  it('is not drawn where its modules would be too small', async () => {
    expect(await refusal({ dots: 'dots' }, 'x'.repeat(900))).to.contain('not be sharp');
  });

  it('is not drawn where its modules would end between two pixels', async () => {
    instead(window, 'devicePixelRatio', 1.25);
    expect(await refusal({ dots: 'dots' })).to.contain('not be sharp');
  });
});

describe('the code of a payment', () => {
  async function shown(style: QrStyle) {
    let drawn = () => {};
    const pictures = new QrPictures({ addController() {}, requestUpdate: () => drawn() } as unknown as Host);
    const attempt = breb({ sourceData: { ...breb().sourceData!, qrText: PAYLOAD } });
    const seen = [];
    // The plain code, then the styled one or what came of it.
    for (let draws = 0; draws < 2; draws++) {
      await new Promise<void>((resolve) => {
        drawn = resolve;
        pictures.payment(attempt, style);
      });
      seen.push(pictures.payment(attempt, style));
    }
    return seen;
  }

  it('is plain first and then in the style of the page', async () => {
    const [plain, styled] = await shown({ dots: 'rounded' });
    expect(plain).to.have.nested.property('code.path');
    expect(styled).to.have.nested.property('code.svg');
  });

  it('stays plain where the style cannot be used', async () => {
    const warned: unknown[] = [];
    const { warn } = console;
    console.warn = (text: unknown) => warned.push(text);
    try {
      const [, left] = await shown({ color: '#eeeeee' });
      expect(left).to.have.nested.property('code.path');
      expect(warned).to.have.length(1);
    } finally {
      console.warn = warn;
    }
  });
});
