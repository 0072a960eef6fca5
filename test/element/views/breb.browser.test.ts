import { expect } from '@open-wc/testing';
import { QR_PNG } from '../../../demo/gallery/codes.js';
import type { BrebAttempt } from '../../../src/contract/backend.js';
import { buildEmvQr } from '../../../src/contract/qr/emv-build.js';
import { breb, paid, QR_TEXT } from '../../machine/fixtures.js';
import { KEY, atTheKey, inside } from '../support/breb.js';
import { Payer, clearPage, instead } from '../support/harness.js';

/** A dark disc. */
const ROUND_PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIAQAAAADsdIMmAAAAEUlEQVR4nGM4zNDIAAONDIcBFFACifj8ow4AAAAASUVORK5CYII=';

afterEach(clearPage);

describe('copying', () => {
  it('copies the key exactly as it came and the amount as an app takes it, and says so', async () => {
    const copied: string[] = [];
    instead(navigator, 'clipboard', { writeText: (text: string) => Promise.resolve(void copied.push(text)) });
    const payer = await atTheKey();
    const exactly = payer.element.shadowRoot!.querySelector('[part=notice] b');
    expect(exactly?.textContent, 'the amount stands out').to.contain('$\u00a050.000');
    await payer.press('Copiar llave');
    await payer.until(() => payer.told === 'Llave copiada');
    expect(payer.text).to.include('Copiado');
    await payer.press('Copiar valor');
    await payer.until(() => payer.told === 'Valor copiado');
    expect(copied).to.deep.equal([KEY, '50000']);
  });

  it('says nothing before the browser has answered', async () => {
    let answer = () => {};
    instead(navigator, 'clipboard', { writeText: () => new Promise<void>((resolve) => (answer = resolve)) });
    const payer = await atTheKey();
    await payer.press('Copiar llave');
    await payer.element.updateComplete;
    expect(payer.text).not.to.include('Copiado');
    answer();
    await payer.sees('Copiado');
  });

  for (const [name, answer] of [
    ['refuses', () => Promise.reject(new DOMException('', 'NotAllowedError'))],
    ['does not answer within a second and a half', () => new Promise(() => undefined)],
  ] as const) {
    it(`admits failure where the browser ${name}: the text is selected, and the screen says how to copy it`, async () => {
      instead(navigator, 'clipboard', { writeText: answer });
      const { setTimeout: own } = window;
      const waits: unknown[] = [];
      instead(window, 'setTimeout', (run: () => void, ms?: number) => {
        waits.push(ms);
        return own(run, ms === 1_500 ? 0 : ms);
      });
      instead(document, 'execCommand', () => false);
      let selected: unknown[] = [];
      instead(Selection.prototype, 'setBaseAndExtent', (...range: unknown[]) => (selected = range));
      const payer = await atTheKey();
      await payer.press('Copiar llave');
      await payer.sees('No pudimos copiar. El texto quedó seleccionado: cópialo con el teclado.');
      expect(payer.told).to.include('No pudimos copiar');
      expect(payer.text).not.to.include('Copiado');
      expect((selected[0] as Element).textContent).to.equal(KEY);
      expect(waits).to.include(1_500);
    });
  }

  it('works on a page without HTTPS, where there is no clipboard to write to', async () => {
    instead(navigator, 'clipboard', undefined);
    let copied = '';
    instead(document, 'execCommand', () => {
      const field = inside(payer).activeElement as HTMLTextAreaElement;
      copied = field.value.slice(field.selectionStart, field.selectionEnd);
      return true;
    });
    const payer = await atTheKey();
    await payer.press('Copiar llave');
    await payer.sees('Copiado');
    expect(copied).to.equal(KEY);
    expect(inside(payer).querySelector('textarea')).to.be.null;
    expect(payer.focus).to.include('Copiado');
  });
});

describe('the code', () => {
  const ALT = 'Código QR Bre-B para pagar 50.000 pesos colombianos';

  it('is the service’s picture as it came, with words for those who cannot see it', async () => {
    for (const qrString of [QR_PNG, ROUND_PNG]) {
      const payer = await atTheKey({ qrString });
      const picture = inside(payer).querySelector<HTMLImageElement>('.qr img')!;
      expect(picture.src).to.equal(qrString);
      expect(picture.alt).to.equal(ALT);
      expect(payer.can('Guardar QR')).to.equal(true);
      payer.leaves();
    }
  });

  it('has a whole number of device pixels for each module that is drawn, also in another width and enlarged', async () => {
    const payer = await atTheKey({ qrString: null, qrText: QR_TEXT });
    await payer.until(() => inside(payer).querySelector('.qr svg') !== null);
    const perModule = (code: SVGSVGElement) => (code.getScreenCTM()?.a ?? 0) * devicePixelRatio;
    const isWhole = (code: SVGSVGElement) =>
      perModule(code) >= 1 && Math.abs(perModule(code) - Math.round(perModule(code))) < 0.02;
    const [shown, large] = inside(payer).querySelectorAll<SVGSVGElement>('.qr svg');
    for (const width of ['760px', '351px', '420px']) {
      payer.element.style.inlineSize = width;
      await payer.until(() => isWhole(shown!));
    }
    await payer.press('Ampliar');
    await payer.until(() => isWhole(large!));
  });

  it('is drawn anew when the payer is given another key', async () => {
    const payer = await atTheKey({ qrString: null, qrText: QR_TEXT });
    const drawn = () => inside(payer).querySelector('.qr path')?.getAttribute('d');
    await payer.until(drawn);
    const before = drawn();
    const qrText = buildEmvQr({
      key: { kind: 'ALPHANUMERIC', value: '@another1' },
      amountInCents: 5_000_000,
      merchantName: 'Tienda',
      merchantCity: 'Bogota',
      transactionId: '1234567891',
    });
    const { sourceData } = payer.element.payin as BrebAttempt;
    payer.backend.creates = () => breb({ id: 'breb-2', sourceData: { ...sourceData!, qrText } });
    await payer.press('¿Tu app no acepta la llave?');
    await payer.press('Pedir otra llave');
    await payer.until(() => payer.element.payin?.id === 'breb-2' && drawn());
    expect(drawn()).not.to.equal(before);
  });

  it('is fitted again when the window changes, also in a checkout that was put back', async () => {
    const payer = await atTheKey({ qrString: null, qrText: QR_TEXT });
    const code = () => inside(payer).querySelector<SVGSVGElement>('.qr svg');
    const fitted = () => code()?.style.padding;
    await payer.until(() => fitted());
    const { element } = payer;
    const place = element.parentElement!;
    element.remove();
    place.append(element);
    await payer.until(() => fitted());
    const before = fitted();
    code()!.style.padding = '';
    dispatchEvent(new Event('resize'));
    expect(fitted()).to.equal(before);
  });

  it('is left out when it is no picture; the key remains', async () => {
    for (const qrString of [
      'https://evil.example/qr.png',
      'data:image/svg+xml,<svg/>',
      'data:image/png;base64,AAAA',
    ]) {
      const payer = await atTheKey({ qrString });
      await payer.sees('No pudimos mostrar el QR. La llave funciona igual.');
      expect(inside(payer).querySelector('img')).to.be.null;
      expect(payer.can('Copiar llave')).to.equal(true);
      payer.leaves();
      sessionStorage.clear();
    }
  });

  it('is left out when its text is for another amount or does not add up', async () => {
    for (const [qrText, amountInCents] of [
      [QR_TEXT, 5_000_100],
      ['00020101021163040000', 5_000_000],
      ['https://evil.example', 5_000_000],
    ] as const) {
      const payer = await atTheKey({ qrString: null, qrText }, { amountInCents });
      await payer.sees('No pudimos mostrar el QR. La llave funciona igual.');
      payer.leaves();
      sessionStorage.clear();
    }
  });

  it('is saved as the very bytes that came', async () => {
    let file: Blob | undefined;
    let name = '';
    instead(URL, 'createObjectURL', (blob: Blob) => ((file = blob), 'blob:test'));
    instead(HTMLAnchorElement.prototype, 'click', function (this: HTMLAnchorElement) {
      name = this.download;
    });
    const payer = await atTheKey();
    await payer.press('Guardar QR');
    await payer.until(() => payer.told === 'QR guardado');
    expect(payer.can('QR guardado'), 'the button says what happened').to.equal(true);
    expect(name).to.equal('bre-b-ref-1.png');
    expect(file?.type).to.equal('image/png');
    const bytes = new Uint8Array(await file!.arrayBuffer());
    expect(btoa(String.fromCharCode(...bytes))).to.equal(QR_PNG.slice(QR_PNG.indexOf(',') + 1));
  });

  it('is shared as a PNG where the browser can, and a sheet that is closed is no error', async () => {
    const shared: (ShareData | undefined)[] = [];
    instead(navigator, 'canShare', () => true);
    instead(navigator, 'share', (data?: ShareData) => {
      shared.push(data);
      return Promise.reject(new DOMException('', 'AbortError'));
    });
    const payer = await atTheKey();
    await payer.press('Compartir QR');
    await payer.until(() => shared.length === 1);
    expect(shared[0]?.files?.[0]?.type).to.equal('image/png');
    await payer.sees('Compartir QR');
    expect(`${payer.told} ${payer.text}`).not.to.match(/No pudimos|guardado/);
  });

  it('is saved where it cannot be shared after all', async () => {
    const saved: string[] = [];
    instead(HTMLAnchorElement.prototype, 'click', function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    instead(navigator, 'canShare', () => true);
    instead(navigator, 'share', () => Promise.reject(new DOMException('', 'NotAllowedError')));
    const payer = await atTheKey();
    await payer.press('Compartir QR');
    await payer.until(() => payer.told === 'QR guardado');
    expect(saved).to.deep.equal(['bre-b-ref-1.png']);
  });

  it('admits that it could not be saved', async () => {
    instead(URL, 'createObjectURL', () => {
      throw new Error('refused');
    });
    const payer = await atTheKey();
    await payer.press('Guardar QR');
    await payer.sees('No pudimos guardar el QR. Toma una captura de pantalla.');
    expect(payer.told).to.equal('No pudimos guardar el QR. Toma una captura de pantalla.');
  });

  it('opens large in a dialog with the amount, and closes', async () => {
    const payer = await atTheKey();
    await payer.press('Ampliar');
    expect(payer.inDialog).to.equal(true);
    expect(payer.text).to.include('$ 50.000');
    const [code, amount] = [...payer.dialog.querySelectorAll('.qr, .total .amount')].map((part) => {
      const { left, right } = part.getBoundingClientRect();
      return (left + right) / 2;
    });
    expect(amount, 'the amount is below the middle of the code').to.be.closeTo(code!, 1);
    await payer.press('Cerrar');
    expect(payer.inDialog).to.equal(false);
  });
});

describe('the time left', () => {
  it('goes by the server’s clock, whatever the device’s', async () => {
    const hourAhead = Date.now() + 3_600_000;
    const payer = await atTheKey(
      {},
      { expiresAt: new Date(hourAhead + 600_000).toISOString(), now: new Date(hourAhead).toISOString() },
    );
    await payer.sees(/La llave vence en (10|9) min/);
    expect(inside(payer).querySelector('[role=timer]')!.className, 'not marked yet').to.equal('');
  });

  it('is not shown for a key that does not expire', async () => {
    const payer = await atTheKey();
    expect(payer.text).not.to.include('vence');
  });

  it('is spoken at one minute, and marked from then on', async () => {
    const payer = await atTheKey(
      {},
      { expiresAt: new Date(Date.now() + 61_500).toISOString(), now: new Date().toISOString() },
    );
    const said = new Set<string>();
    const region = inside(payer).querySelector('[role=status]')!;
    const listener = new MutationObserver(() => said.add(payer.told));
    listener.observe(region, { childList: true, characterData: true, subtree: true });
    if (payer.told.includes('vence')) said.add(payer.told);
    await payer.until(() => said.size > 0);
    await payer.sees(/La llave vence en 0:5\d/);
    expect(inside(payer).querySelector('[role=timer]')!.className, 'the last minute is seen').to.equal(
      'soon',
    );
    listener.disconnect();
    expect([...said]).to.deep.equal(['La llave vence en 1 minuto']);
  });
});

describe('the order of things', () => {
  const isBefore = (payer: Payer, first: string, second: string) =>
    inside(payer).querySelector(first)!.compareDocumentPosition(inside(payer).querySelector(second)!) &
    Node.DOCUMENT_POSITION_FOLLOWING;

  it('has the code first where it can be scanned, and says so', async () => {
    const payer = await atTheKey();
    expect(isBefore(payer, '[part=qr]', '[part=copy-row]')).to.be.ok;
    await payer.sees('Escanea el QR con la app de tu banco');
  });

  it('writes a long key on one line', async () => {
    const payer = await atTheKey({ keyString: '@ABCDEFGHJKLMNPQRSTU' });
    payer.element.style.setProperty('inline-size', '340px');
    const [value] = inside(payer).querySelectorAll<HTMLElement>('[part=copy-value]');
    const lines = value!.getBoundingClientRect().height / parseFloat(getComputedStyle(value!).lineHeight);
    expect(Math.round(lines)).to.equal(1);
    expect(value!.scrollWidth).to.be.at.most(value!.clientWidth);
  });

  it('keeps key and button apart, also once it is copied, and within the narrowest card', async () => {
    instead(navigator, 'clipboard', { writeText: () => Promise.resolve() });
    const payer = await atTheKey({ keyString: '@ABCDEFGHJKLMNPQRSTU' });
    await payer.press('Copiar llave');
    await payer.until(() => payer.text.includes('Copiado'));
    for (const width of ['768px', '704px', '340px', '280px']) {
      payer.element.style.setProperty('inline-size', width);
      for (const row of inside(payer).querySelectorAll('.copyrow')) {
        const value = row.querySelector('[part=copy-value]')!;
        const text = document.createRange();
        text.selectNodeContents(value);
        const { right } = text.getBoundingClientRect();
        expect(right, `${width}: ${value.textContent}`).to.be.at.most(
          value.parentElement!.getBoundingClientRect().right + 0.5,
        );
      }
    }
  });

  it('offers another key only to a payer who says that there is a reason', async () => {
    const payer = await atTheKey();
    const reason = inside(payer).querySelector<HTMLDetailsElement>('.trouble')!;
    expect(reason.open).to.equal(false);
    expect(reason.textContent).to.include('La anterior sigue siendo válida');
    reason.open = true;
    const second = breb({ id: 'breb-2', createdAt: '2030-01-01T00:00:00.000Z' });
    payer.backend.creates = () => second;
    await payer.press('Pedir otra llave');
    await payer.until(() => payer.element.payin?.id === 'breb-2');
    expect(payer.backend.created[0]?.body.replaces).to.be.a('string');
    payer.backend.tell(paid(second));
    await payer.sees('ya recibió tu pago');
  });
});

describe('the place of the code', () => {
  it('is the window: the card begins at its top when the code that the payer asked for does not fit', async () => {
    const above = document.createElement('div');
    above.style.blockSize = `${innerHeight - 200}px`;
    document.body.prepend(above);
    try {
      const payer = Payer.arrives();
      await payer.press('Pagar con Bre-B');
      await payer.reaches('paying');
      await payer.until(() => Math.abs(payer.element.getBoundingClientRect().top) < 1);
    } finally {
      above.remove();
    }
  });
});

describe('going on with the phone', () => {
  const checkoutUrl = 'https://pay.example/c?id=1&token=2';

  it('offers a code of the payment’s own page, drawn when it is asked for', async () => {
    const payer = await atTheKey({ checkoutUrl });
    const panel = inside(payer).querySelector<HTMLDetailsElement>('[part=phone]')!;
    expect(panel.querySelector('.qr')).to.be.null;
    panel.open = true;
    await payer.until(() => panel.querySelector('.qr svg') !== null);
    expect(panel.querySelector('.qr svg')?.getAttribute('aria-label')).to.equal(
      'Código QR para abrir este pago en tu celular',
    );
  });

  it('has that code open from the start where there is no payable one', async () => {
    const payer = await atTheKey({ checkoutUrl, qrString: null });
    const panel = inside(payer).querySelector<HTMLDetailsElement>('[part=phone]')!;
    await payer.until(() => panel.querySelector('.qr svg')?.checkVisibility());
    panel.open = false;
    await payer.until(() => panel.querySelector('.qr') === null);
    expect(panel.open, 'the payer’s choice stays').to.equal(false);
  });

  it('is not offered for an unsafe address, nor for a key that can be used again', async () => {
    for (const source of [
      { checkoutUrl: 'javascript:alert(1)' },
      { checkoutUrl, keyType: 'QR_CODE' as const },
    ]) {
      const payer = await atTheKey(source);
      expect(inside(payer).querySelector('[part=phone]')).to.be.null;
      payer.leaves();
      sessionStorage.clear();
    }
  });
});
