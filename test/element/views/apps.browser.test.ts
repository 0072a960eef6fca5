import { expect } from '@open-wc/testing';
import type { BrebApp } from '../../../src/contract/offer.js';
import { brebMethod, pseMethod } from '../../machine/fixtures.js';
import { KEY, atTheKey, inside, withFinger } from '../support/breb.js';
import { type Payer, clearPage, instead } from '../support/harness.js';

const NEQUI: BrebApp = { name: 'Nequi', path: 'Bre-B › Pagar con llave' };
const BANK: BrebApp = { name: 'Mi Banco', path: 'Pagos › Bre-B', url: 'https://app.bank.example/bre-b' };

const withApps = (apps: BrebApp[], settings: Parameters<typeof atTheKey>[2] = {}) =>
  atTheKey({}, {}, settings, { methods: [{ ...brebMethod, apps }, pseMethod] });
const all = (payer: Payer) => [...inside(payer).querySelectorAll<HTMLAnchorElement>('[part=app]')];
const appsIn = (payer: Payer) => all(payer).map(({ textContent }) => textContent.trim());
const app = (payer: Payer, name: string) =>
  all(payer).find(({ textContent }) => textContent.trim() === name)!;

/** What was copied, at the latest before the press was over: the page may be out of sight after it. */
function copiedAtOnce(): string[] {
  const copied: string[] = [];
  instead(navigator, 'clipboard', {
    writeText: () => Promise.reject(new DOMException('', 'NotAllowedError')),
  });
  instead(document, 'execCommand', () => {
    let focused = document.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    copied.push((focused as HTMLTextAreaElement).value);
    return true;
  });
  return copied;
}

/** Keeps the browser here when a link is pressed, and says where it would have gone. */
function opened(payer: Payer): string[] {
  const addresses: string[] = [];
  payer.element.addEventListener('click', (event) => {
    const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement);
    if (!link) return;
    event.preventDefault();
    addresses.push(link.href);
  });
  return addresses;
}

describe('the app that a payer pays with', () => {
  beforeEach(withFinger);
  afterEach(clearPage);

  it('is not needed in the words of a page', async () => {
    const payer = await withApps([NEQUI], { messages: { stepOpen: 'Abre la app de siempre' } });
    expect(payer.text).to.include('Abre la app de siempre');
  });

  it('is asked for where the merchant names some; choosing one copies the key and says the way in it', async () => {
    const copied = copiedAtOnce();
    const payer = await withApps([NEQUI, BANK]);
    await payer.sees('¿Con qué app pagas?');
    expect(appsIn(payer)).to.deep.equal(['Nequi', 'Mi Banco']);
    await payer.sees('Abre la app de tu banco y entra a Bre-B');
    await payer.press('Nequi');
    expect(copied).to.deep.equal([KEY]);
    await payer.sees('Abre Nequi y entra a Bre-B › Pagar con llave');
    await payer.until(() => payer.told === 'Llave copiada');
    await payer.sees('Copiar valor');
    expect(app(payer, 'Nequi').getAttribute('aria-current')).to.equal('true');
  });

  it('is opened by its address, outside of this page, with the key copied before', async () => {
    const copied = copiedAtOnce();
    const payer = await withApps([BANK]);
    const addresses = opened(payer);
    let before: string[] = [];
    payer.element.addEventListener('click', () => (before = [...copied]));
    await payer.press('Mi Banco');
    expect(addresses).to.deep.equal(['https://app.bank.example/bre-b']);
    expect(before, 'while the link is pressed').to.deep.equal([KEY]);
    const { target, rel } = app(payer, 'Mi Banco');
    expect([target, rel]).to.deep.equal(['_blank', 'noreferrer']);
    await payer.sees('Abre Mi Banco y entra a Pagos › Bre-B');
  });

  it('is only explained where its address is not one that a payer may be sent to', async () => {
    for (const [url, redirectHosts] of [
      ['javascript:alert(1)', null],
      ['nequi://bre-b', null],
      ['https://user@bank.example/', null],
      ['https://app.bank.example/bre-b', 'pay.example'],
    ] as const) {
      copiedAtOnce();
      const payer = await withApps([{ ...BANK, url }], { redirectHosts });
      expect(app(payer, 'Mi Banco').localName, url).to.equal('button');
      await payer.press('Mi Banco');
      await payer.sees('Abre Mi Banco y entra a Pagos › Bre-B');
      payer.leaves();
      sessionStorage.clear();
    }
  });

  it('comes first the next time on this device, with its way', async () => {
    copiedAtOnce();
    const first = await withApps([NEQUI, BANK]);
    opened(first);
    await first.press('Mi Banco');
    expect(appsIn(first), 'nothing moves under the finger').to.deep.equal(['Nequi', 'Mi Banco']);
    first.leaves();
    const next = await withApps([NEQUI, BANK]);
    expect(appsIn(next)).to.deep.equal(['Mi Banco', 'Nequi']);
    await next.sees('Abre Mi Banco y entra a Pagos › Bre-B');
    next.leaves();
    const without = await withApps([NEQUI]);
    expect(appsIn(without), 'one that is no longer named').to.deep.equal(['Nequi']);
    await without.sees('Abre la app de tu banco');
  });

  it('is not remembered where the merchant lets nothing be kept on the device', async () => {
    copiedAtOnce();
    const first = await withApps([BANK, NEQUI]);
    await first.press('Nequi');
    first.leaves();
    const payer = await withApps([BANK, NEQUI], { noRemember: true });
    expect(appsIn(payer)).to.deep.equal(['Mi Banco', 'Nequi']);
    await payer.press('Nequi');
    expect(localStorage.length).to.equal(0);
  });

  it('is not asked for where none is named', async () => {
    const payer = await atTheKey();
    expect(payer.text).not.to.include('¿Con qué app pagas?');
  });

  it('is asked for in English too', async () => {
    const payer = await withApps([NEQUI], { locale: 'en' });
    await payer.sees('Which app do you pay with?');
  });
});
