import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { breb } from '../../machine/fixtures.js';
import { KEY, atTheKey, inside, withFinger } from '../support/breb.js';
import { type Payer, clearPage, instead } from '../support/harness.js';

afterEach(clearPage);

const bar = (payer: Payer) => inside(payer).querySelector<HTMLElement>('[part=wait]')!;
const mainButtons = (payer: Payer) =>
  [...inside(payer).querySelectorAll('.btn:not(.ghost)')].map((button) => button.textContent.trim());

/** What was copied, in order. */
function clipboard(): string[] {
  const copied: string[] = [];
  instead(navigator, 'clipboard', { writeText: (text: string) => Promise.resolve(void copied.push(text)) });
  return copied;
}

function aSecondPasses(): void {
  const real = performance.now.bind(performance);
  instead(performance, 'now', () => real() + 1_000);
}

describe('Bre-B on the phone that has the bank’s app', () => {
  beforeEach(withFinger);

  it('has one main button: copy the key, then the amount, then say that it was paid', async () => {
    const copied = clipboard();
    const payer = await atTheKey();
    expect(mainButtons(payer)).to.deep.equal(['Copiar llave']);
    await payer.press('Copiar llave');
    await payer.until(() => payer.told === 'Llave copiada');
    await payer.until(() => mainButtons(payer).join() === 'Copiar valor');
    expect(payer.can('Copiado'), 'the key can be copied again').to.equal(true);
    aSecondPasses();
    await payer.press('Copiar valor');
    await payer.until(() => mainButtons(payer).join() === 'Ya pagué');
    const main = inside(payer).querySelector('[part=button]')!;
    expect(main.getAttribute('aria-disabled'), 'it can be pressed').to.equal('false');
    expect(copied).to.deep.equal([KEY, '50000']);
    payer.backend.tell(breb({ version: 'v1' }));
    await payer.press('Ya pagué');
    await payer.sees('Aún no nos llega');
  });

  it('does not copy the amount over the key by a second tap within 0.6 seconds', async () => {
    const copied = clipboard();
    // Whole, so that sums and differences are exact.
    const startMs = Math.ceil(performance.now());
    const clockAt = (ms: number) => instead(performance, 'now', () => startMs + ms);
    clockAt(0);
    const payer = await atTheKey();
    await payer.press('Copiar llave');
    await payer.until(() => mainButtons(payer).join() === 'Copiar valor');
    clockAt(599);
    await payer.press('Copiar valor');
    expect(copied).to.deep.equal([KEY]);
    clockAt(600);
    await payer.press('Copiar valor');
    expect(copied).to.deep.equal([KEY, '50000']);
  });

  it('keeps the focus on the button while it becomes the next one', async () => {
    clipboard();
    const payer = await atTheKey();
    await payer.tabTo('Copiar llave');
    await sendKeys({ press: 'Enter' });
    await payer.until(() => payer.focus === 'Copiar valor');
    aSecondPasses();
    await sendKeys({ press: 'Enter' });
    await payer.until(() => payer.focus === 'Ya pagué');
  });

  it('stays on the key when it could not be copied, and always has the button for a payment that was made', async () => {
    instead(navigator, 'clipboard', {
      writeText: () => Promise.reject(new DOMException('', 'NotAllowedError')),
    });
    instead(document, 'execCommand', () => false);
    const payer = await atTheKey();
    await payer.press('Copiar llave');
    await payer.sees('No pudimos copiar. El texto quedó seleccionado: mantenlo presionado');
    expect(mainButtons(payer)).to.deep.equal(['Copiar llave']);
    expect(payer.can('Ya pagué')).to.equal(true);
  });

  it('has its code behind a button, for paying from another device, and speaks of no scanning', async () => {
    const payer = await atTheKey();
    await payer.until(() => payer.can('Ver QR'));
    expect(payer.pictures).to.deep.equal([]);
    expect(payer.text).not.to.match(/escane/i);
    await payer.sees('Pega la llave y escribe el valor exacto.');
    await payer.sees('Vuelve aquí: verás llegar tu pago.');
    await payer.press('Ver QR');
    expect(payer.inDialog).to.equal(true);
    await payer.until(() => payer.pictures.join() === 'Código QR Bre-B para pagar 50.000 pesos colombianos');
  });

  it('keeps no column for the code on a tablet', async () => {
    const payer = await atTheKey();
    payer.element.style.inlineSize = '760px';
    await payer.until(() => payer.can('Ver QR'));
    const boxOf = (part: string) => inside(payer).querySelector(part)!.getBoundingClientRect();
    expect(boxOf('.split').width).to.be.above(600);
    expect(boxOf('.rows').left).to.be.closeTo(boxOf('.split').left, 1);
    expect(boxOf('.how').right).to.be.closeTo(boxOf('.split').right, 1);
  });

  it('offers no code where there is none', async () => {
    const payer = await atTheKey({ qrString: null });
    expect(payer.can('Ver QR')).to.equal(false);
  });

  it('says the same in English', async () => {
    const payer = await atTheKey({}, {}, { locale: 'en' });
    expect(mainButtons(payer)).to.deep.equal(['Copy key']);
    await payer.sees('Come back here: you will see your payment arrive.');
  });
});

describe('the bar of the phone', () => {
  beforeEach(withFinger);

  /** A card that is higher than the window. */
  async function atTheTop(facts = {}): Promise<Payer> {
    const payer = await atTheKey({}, facts);
    payer.element.style.cssText = 'display: block; inline-size: 300px; margin-block-end: 200vh';
    scrollTo(0, payer.card.top + scrollY);
    return payer;
  }

  it('stays in sight with status, time left and the next step, and leaves the window with its card', async () => {
    const payer = await atTheTop({ expiresAt: new Date(Date.now() + 600_000).toISOString() });
    expect(bar(payer).textContent).to.match(/Esperando tu pago\s+La llave vence en/);
    await payer.until(() => Math.round(bar(payer).getBoundingClientRect().bottom) === innerHeight);
    expect(bar(payer).textContent).to.include('Copiar llave');
    expect(payer.card.bottom, 'the card goes on below').to.be.above(innerHeight);
    scrollTo(0, payer.card.bottom + scrollY);
    await payer.until(() => bar(payer).getBoundingClientRect().bottom <= 0);
  });

  it('keeps above the page’s own bar, as high as the page says', async () => {
    const payer = await atTheTop();
    payer.element.style.setProperty('--pay-bottom', '56px');
    await payer.until(() => Math.round(bar(payer).getBoundingClientRect().bottom) === innerHeight - 56);
  });

  it('does not cover what the keyboard reaches', async () => {
    const payer = await atTheTop();
    for (const name of ['Ver QR', 'Pagar de otra forma', '¿Tu app no acepta la llave?']) {
      await payer.tabTo(name);
      const { bottom } = inside(payer).activeElement!.getBoundingClientRect();
      expect(bottom, name).to.be.at.most(bar(payer).getBoundingClientRect().top + 1);
    }
  });
});
