import { expect } from '@open-wc/testing';
import { breb, paid, pse } from '../../../machine/fixtures.js';
import { CannedTransport } from '../../support/canned-transport.js';
import { Payer, clearPage, instead } from '../../support/harness.js';
import { bank, sees, withContact } from '../../support/outcomes.js';

/** A receipt as it is saved, shared, printed and found again: what engines do each in their own way. */

afterEach(clearPage);

describe('a receipt', () => {
  it('can be kept as a picture that has its rows', async () => {
    const payer = await sees(
      pse({ status: 'DECLINED', sourceData: bank, merchant: withContact }),
      'Guardar imagen',
    );
    const drawn: string[] = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    const { click } = HTMLAnchorElement.prototype;
    const saved: HTMLAnchorElement[] = [];
    CanvasRenderingContext2D.prototype.fillText = function (text) {
      drawn.push(text);
    };
    HTMLAnchorElement.prototype.click = function () {
      saved.push(this);
    };
    try {
      await payer.press('Guardar imagen');
      await payer.until(() => payer.told.includes('Comprobante guardado'));
    } finally {
      Object.assign(CanvasRenderingContext2D.prototype, { fillText });
      Object.assign(HTMLAnchorElement.prototype, { click });
    }
    expect(saved.map(({ download }) => download)).to.deep.equal(['Comprobante-ref-1.png']);
    for (const part of ['Pago rechazado', 'Rechazada', '90123456', 'ref-1', 'Bancolombia'])
      expect(drawn).to.include(part);
    expect(drawn.join(' ')).not.to.include('pesos colombianos');
  });

  it('of an approved payment is a picture worth keeping: who was paid, how much, and for what', async () => {
    const drawn: string[] = [];
    instead(
      CanvasRenderingContext2D.prototype,
      'fillText',
      function (this: CanvasRenderingContext2D, text: string) {
        const [size] = /\d+px/.exec(this.font) ?? [];
        drawn.push(`${size} ${text}`);
      },
    );
    const shared: (ShareData | undefined)[] = [];
    instead(navigator, 'canShare', () => true);
    instead(navigator, 'share', (data?: ShareData) => Promise.resolve(void shared.push(data)));
    const payer = await sees(paid(pse({ sourceData: bank, merchant: withContact })), 'Pago aprobado');
    await payer.press('Compartir');
    await payer.until(() => shared.length === 1);
    expect(shared[0]?.files?.[0]?.type).to.equal('image/png');
    expect(drawn.slice(0, 4)).to.deep.equal([
      '15px CA',
      '15px Café Andino',
      '15px Pago aprobado',
      '34px $ 50.000 COP',
    ]);
    for (const part of ['ref-1', '90123456', 'Zapatos']) expect(drawn).to.include(`15px ${part}`);
  });

  it('begins with a check that is drawn in less than half a second', async () => {
    const payer = await sees(paid(breb()), 'Pago aprobado');
    const check = payer.element.shadowRoot!.querySelector('.positive path')!;
    const { animationName, animationDuration } = getComputedStyle(check);
    expect([animationName, animationDuration]).to.deep.equal(['draw', '0.35s']);
  });

  it('is named by the tab until the payer looks at it', async () => {
    const before = document.title;
    const transport = new CannedTransport();
    const payer = Payer.arrives({ transport });
    await payer.press('Pagar con Bre-B');
    await payer.reaches('paying');
    instead(document, 'visibilityState', 'hidden');
    transport.tell(paid(breb({ version: 'v2' })));
    await payer.reaches('confirmed');
    expect(document.title).to.equal('✓ Pago aprobado');
    instead(document, 'visibilityState', 'visible');
    document.dispatchEvent(new Event('visibilitychange'));
    expect(document.title).to.equal(before);
    document.title = '✓ Pago aprobado';
    document.dispatchEvent(new Event('visibilitychange'));
    expect(document.title, 'the page may say so itself').to.equal('✓ Pago aprobado');
    document.title = before;
  });

  it('leaves the title of a tab that the payer looks at', async () => {
    const before = document.title;
    const transport = new CannedTransport();
    const payer = Payer.arrives({ transport });
    await payer.press('Pagar con Bre-B');
    await payer.reaches('paying');
    transport.tell(paid(breb({ version: 'v2' })));
    await payer.reaches('confirmed');
    expect(document.title).to.equal(before);
  });

  it('has room for what the page wants to say, where the order is paid and only there', async () => {
    const room = ({ element }: Payer) => element.shadowRoot!.querySelector('slot[name=success]');
    expect(room(await sees(paid(breb()), 'Pago aprobado'))).not.to.equal(null);
    expect(room(await sees(pse({ status: 'DECLINED', sourceData: bank }), 'Pago rechazado'))).to.equal(null);
  });

  it('folds what the payer knows anyway, and is whole on paper', async () => {
    const payer = await sees(pse({ status: 'DECLINED', sourceData: bank }), 'Pago rechazado');
    const fold = payer.element.shadowRoot!.querySelector<HTMLDetailsElement>('[part=receipt] details')!;
    const isSeen = () => fold.querySelector('dl')!.checkVisibility();
    expect(isSeen()).to.equal(false);
    for (const opened of [false, true]) {
      fold.open = opened;
      dispatchEvent(new Event('beforeprint'));
      expect(isSeen(), 'while it is printed').to.equal(true);
      dispatchEvent(new Event('afterprint'));
      expect(isSeen(), 'as the payer left it').to.equal(opened);
    }
    payer.leaves();
    fold.open = false;
    dispatchEvent(new Event('beforeprint'));
    expect(fold.open, 'a checkout that is gone').to.equal(false);
  });

  it('is printed alone, and leaves the page as it was', async () => {
    const rest = document.body.appendChild(document.createElement('p'));
    const sheets = document.adoptedStyleSheets.length;
    let during = 0;
    let seen: string[] = [];
    instead(globalThis, 'print', () => {
      during = document.adoptedStyleSheets.length;
      const [onPaper] = document.adoptedStyleSheets.at(-1)!.cssRules;
      (onPaper as CSSMediaRule).media.mediaText = 'all';
      seen = [payer.element, rest].map((each) => getComputedStyle(each).visibility);
    });
    const payer = await sees(paid(breb()), 'Pago aprobado');
    await payer.press('Imprimir');
    await payer.until(() => seen.length > 0);
    dispatchEvent(new Event('afterprint'));
    rest.remove();
    expect(seen).to.deep.equal(['visible', 'hidden']);
    expect(during).to.equal(sheets + 1);
    expect(document.adoptedStyleSheets).to.have.length(sheets);
    expect(payer.element.className).to.equal('');
  });
});
