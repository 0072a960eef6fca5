import { expect } from '@open-wc/testing';
import { type TemplateResult, html, render } from 'lit';
import { receiptPicture } from '../../../src/element/paying/outcomes/receipt-picture.js';

type Words = string | TemplateResult;
type Row = readonly [name: string, value: Words];

/** What was written with a pen, and with which. */
interface Written {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly font: string;
  readonly colour: string;
}

/** A picture that came out, pixel by pixel. */
class Drawn {
  readonly file: File;
  readonly written: readonly Written[];
  readonly #pixels: ImageData;

  private constructor(file: File, written: readonly Written[], pixels: ImageData) {
    this.file = file;
    this.written = written;
    this.#pixels = pixels;
  }

  static async of(title: Words, rows: readonly Row[], head?: TemplateResult): Promise<Drawn> {
    const written: Written[] = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
      written.push({ text, x, y, font: this.font, colour: String(this.fillStyle) });
      fillText.call(this, text, x, y);
    };
    try {
      const file = await receiptPicture(receipt(title, rows, head), 'Comprobante-A 10/42');
      const bitmap = await createImageBitmap(file);
      const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
      pen.drawImage(bitmap, 0, 0);
      return new Drawn(file, written, pen.getImageData(0, 0, bitmap.width, bitmap.height));
    } finally {
      Object.assign(CanvasRenderingContext2D.prototype, { fillText });
    }
  }

  get height(): number {
    return this.#pixels.height;
  }

  /** How far from each edge something is drawn. */
  get margins(): { left: number; right: number; top: number; bottom: number } {
    const { width, height } = this.#pixels;
    const columns = Array.from({ length: width }, (_, x) => x).filter((x) => this.#hasInk(x, 0, 1, height));
    const rows = Array.from({ length: height }, (_, y) => y).filter((y) => this.#hasInk(0, y, width, 1));
    return {
      left: columns[0] ?? width,
      right: width - 1 - (columns.at(-1) ?? 0),
      top: rows[0] ?? height,
      bottom: height - 1 - (rows.at(-1) ?? 0),
    };
  }

  /** Where each line across the picture begins, from above. */
  get rules(): number[] {
    const { width, height } = this.#pixels;
    // Letters reach a little beyond their place, so that the ends of a line are not looked at.
    const end = Math.round(width / 8);
    const isRule = (y: number) =>
      Array.from({ length: width - 2 * end }, (_, index) => end + index).every((x) => this.#isInk(x, y));
    return Array.from({ length: height }, (_, y) => y).filter((y) => isRule(y) && !isRule(y - 1));
  }

  /** Whether the column of the picture holds nothing but the lines across it. */
  isFree(x: number): boolean {
    const { height } = this.#pixels;
    const rules = new Set(this.rules.flatMap((y) => [y, y + 1]));
    return Array.from({ length: height }, (_, y) => y).every((y) => rules.has(y) || !this.#isInk(x, y));
  }

  #hasInk(left: number, top: number, width: number, height: number): boolean {
    for (let y = top; y < top + height; y++)
      for (let x = left; x < left + width; x++) if (this.#isInk(x, y)) return true;
    return false;
  }

  #isInk(x: number, y: number): boolean {
    const at = 4 * (y * this.#pixels.width + x);
    return this.#pixels.data.slice(at, at + 4).some((part) => part !== 255);
  }
}

const LONG = 'm'.repeat(90);

function receipt(title: Words, rows: readonly Row[], head: TemplateResult | undefined): Element {
  const root = document.createElement('div');
  const list = rows.map(
    ([name, value]) =>
      html`<div>
        <dt>${name}</dt>
        <dd>${value}</dd>
      </div>`,
  );
  render(
    html`<section part="card" style="font-family: serif">
      ${head}
      <h2 part="title">${title}</h2>
      <div class="receipt"><dl>${list}</dl></div>
    </section>`,
    root,
  );
  document.body.append(root);
  return root;
}

describe('the picture of a receipt', () => {
  afterEach(() => document.body.replaceChildren());

  it('is a PNG under a name that every system takes', async () => {
    const { file } = await Drawn.of('Pago aprobado', [['Valor', '$ 50.000']]);
    expect(file.type).to.equal('image/png');
    expect(file.name).to.equal('Comprobante-A-10-42.png');
  });

  it('says what is seen, in order and in the page’s own type, and not what is only heard', async () => {
    const { written } = await Drawn.of(html`Pago <br />aprobado`, [
      ['Valor', html`<span aria-hidden="true">$ 50.000</span><span class="sr">50.000 pesos</span>`],
      ['Comercio', html`Café<small>NIT 900</small>`],
    ]);
    expect(written.map(({ text }) => text)).to.deep.equal([
      'Pago aprobado',
      'Valor',
      '$ 50.000',
      'Comercio',
      'Café NIT 900',
    ]);
    const [title, name, value] = written;
    expect(title?.font).to.match(/^(600|bold) 15px serif$/);
    expect(value?.font).to.equal('15px serif');
    expect(title?.x).to.equal(name?.x);
    expect(value?.x).to.be.greaterThan(name!.x);
    expect([title, name, value].map((each) => each?.colour)).to.deep.equal(['#14171f', '#5a6272', '#14171f']);
  });

  it('has the merchant, the title, what was paid and the rows below each other', async () => {
    const head = html`<i part="logo">C</i><b part="merchant">Café</b>
      <p class="positive" part="amount">$ 50.000</p>`;
    const { written, rules } = await Drawn.of('Pago aprobado', [['Estado', 'Aprobada']], head);
    const [logo, merchant, title, amount, name] = written;
    expect([logo, merchant, title, amount, name].map((each) => each?.text)).to.deep.equal([
      'C',
      'Café',
      'Pago aprobado',
      '$ 50.000',
      'Estado',
    ]);
    expect(merchant!.y - logo!.y, 'beside the letters of the logo').to.be.within(-2, 2);
    expect(title!.y - merchant!.y).to.be.greaterThan(20);
    expect(amount!.y - title!.y).to.be.within(15, 40);
    expect(name!.y - amount!.y).to.be.greaterThan(30);
    expect(rules, 'a line above the row').to.have.length(1);
    expect(amount!.x).to.equal(title!.x);
  });

  it('keeps the same margins left and right, and nothing runs into them or into its neighbour', async () => {
    const picture = await Drawn.of('Pago', [
      [LONG, LONG],
      [LONG, 'corto'],
    ]);
    const { left, right, top, bottom } = picture.margins;
    expect(left).to.be.greaterThan(30);
    // A letter may reach a pixel or two beyond its place.
    for (const margin of [right, top, bottom]) expect(margin).to.be.at.least(left - 2);
    expect(right).to.be.at.most(left + 2);
    const scale = Math.round(left / picture.written[0]!.x);
    const values = picture.written.at(-1)!.x * scale;
    for (const x of [values - 6, values - 12, values - 18]) expect(picture.isFree(x), `${x}`).to.equal(true);
  });

  it('gives each row a line above it and as much room as its longer side has lines', async () => {
    const of = (name: string, value: string) =>
      Drawn.of('Pago aprobado', [
        ['Estado', 'Aprobada'],
        [name, value],
        ['Valor', '$ 1'],
      ]);
    const short = await of('Fecha', 'hoy');
    const [first = 0, second = 0, third = 0] = short.rules;
    expect(short.rules).to.have.length(3);
    expect(third - second, 'rows of one line are alike').to.equal(second - first);
    expect(short.height - third, 'the last one too, with the margin below').to.be.greaterThan(second - first);

    const named = await of('Fecha de la operación del banco', 'hoy');
    const names = named.written.length - short.written.length;
    const line = (named.height - short.height) / names;
    expect(line, 'room for one more line of a name').to.be.greaterThan(20);
    const both = await of('Fecha de la operación del banco', 'm '.repeat(60));
    const lines = both.written.filter(({ text }) => /^[m ]+$/.test(text));
    expect(lines.length, 'more lines than its name').to.be.greaterThan(names + 1);
    expect(both.height - short.height).to.equal(line * (lines.length - 1));
    expect(lines.map(({ text }) => text).join(' ')).to.equal('m '.repeat(60).trim());
  });

  it('gives a long title its lines', async () => {
    const one = await Drawn.of('Pago', [['Valor', '$ 1']]);
    const two = await Drawn.of('Pago de la matrícula del segundo semestre del año', [['Valor', '$ 1']]);
    expect(two.written.filter(({ font }) => /^(600|bold)/.test(font))).to.have.length(2);
    expect(two.rules[0]! - one.rules[0]!).to.equal(two.height - one.height);
    expect(two.height).to.be.greaterThan(one.height);
    const { left, right } = (await Drawn.of(LONG, [])).margins;
    expect(right, 'a title of one long word').to.be.at.least(left - 2);
  });

  it('breaks a word that is too long, and fills each line before the next', async () => {
    const { written } = await Drawn.of('Pago', [['Referencia', `de ${LONG}`]]);
    const [first, ...rest] = written.slice(2).map(({ text }) => text);
    expect(first).to.equal('de');
    expect(rest.join('')).to.equal(LONG);
    const lengths = rest.slice(0, -1).map(({ length }) => length);
    expect(new Set(lengths).size, `full lines: ${lengths.join()}`).to.equal(1);
    expect(rest.at(-1)!.length).to.be.at.most(lengths[0]!).and.at.least(1);
  });
});
