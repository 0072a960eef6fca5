import { expect } from '@open-wc/testing';
import { CheckoutErrorEvent } from '../../src/element/opening/events.js';
import { CannedTransport } from './support/canned-transport.js';
import { consoleDuring } from './support/console.js';
import { Payer, clearPage } from './support/harness.js';

/** A Basic backend: the service's payins passed through, found by id or by the key that made them; no offers. */
class BasicBackend {
  readonly payins = new Map<string, Record<string, unknown>>();
  readonly asked: string[] = [];
  readonly #original = window.fetch;

  constructor() {
    window.fetch = (input, init) => Promise.resolve(this.#answer(input as string, init));
  }

  stop(): void {
    window.fetch = this.#original;
  }

  #answer(path: string, init: RequestInit = {}): Response {
    this.asked.push(path);
    if (path.endsWith('/banks.json')) return Response.json([{ code: 'CO_BANCOLOMBIA', name: 'Bancolombia' }]);
    if (init.method === 'POST') return Response.json(this.#create(init), { status: 201 });
    const id = /\/payins\/([^?]+)/.exec(path)?.[1] ?? '';
    const payin = this.payins.get(id);
    return payin ? Response.json(payin) : new Response('Not found', { status: 404 });
  }

  #create({ body, headers }: RequestInit): Record<string, unknown> {
    const { order, rail } = JSON.parse(body as string) as { order: string; rail: string };
    const now = new Date().toISOString();
    const payin = {
      id: `payin-${order}`,
      reference: `ref-${order}`,
      status: 'PENDING',
      rail,
      amountInCents: 5_000_000,
      currency: 'COP',
      createdAt: now,
      updatedAt: now,
      sourceData:
        rail === 'PSE'
          ? { bank: 'CO_BANCOLOMBIA', pseUrl: 'https://bank.example/pse' }
          : { keyType: 'QR_CODE', keyString: `@${order}` },
    };
    this.payins.set(payin.id, payin);
    this.payins.set(new Headers(headers).get('Idempotency-Key')!, payin);
    return payin;
  }
}

describe('a checkout of a Basic backend without script', () => {
  let backend: BasicBackend;
  let payer: Payer | undefined;

  beforeEach(() => (backend = new BasicBackend()));
  afterEach(() => {
    clearPage();
    backend.stop();
  });

  function written(attributes: Readonly<Record<string, string>>): Payer {
    const element = document.createElement('pay-checkout');
    payer = new Payer(element, new CannedTransport());
    const all = { order: 'A-1', backend: '/basic', 'amount-in-cents': '5000000', lang: 'es', ...attributes };
    for (const [name, value] of Object.entries(all)) element.setAttribute(name, value);
    document.body.append(element);
    return payer;
  }

  const BANK = '[{"code":"CO_BANCOLOMBIA","name":"Bancolombia"}]';
  for (const [title, banks] of [
    ['as JSON', BANK],
    ['by an address', '/basic/banks.json'],
  ] as const) {
    it(`takes its merchant’s name and its banks ${title}, and asks for no offer`, async () => {
      const errors = await consoleDuring('error', async () => {
        written({ level: 'basic', 'merchant-name': 'Café Andino', banks });
        await payer?.sees('Café Andino');
        await payer?.sees('PSE');
      });
      expect(errors).to.be.empty;
      expect(backend.asked.filter((path) => path.includes('/orders/'))).to.be.empty;
    });
  }

  it('links to the policies that the page names, where it asks for personal data', async () => {
    written({ level: 'basic', 'merchant-name': 'Café', banks: BANK, 'privacy-url': '/a', 'terms-url': '/b' });
    await payer?.press('PSE');
    await payer?.press('Continuar');
    await payer?.sees('Ir a mi banco');
    const links = payer!.element.shadowRoot!.querySelectorAll<HTMLAnchorElement>('[part=policies] a');
    expect([...links].map(({ pathname }) => pathname)).to.deep.equal(['/a', '/b']);
  });

  it('says what is wrong with its attributes, and shows no host as the merchant', async () => {
    const errors = await consoleDuring('error', async () => {
      written({ level: 'basic', banks: '[{"code":"CO_BANCOLOMBIA"}]' });
      await payer?.press('Pagar con Bre-B');
      await payer?.reaches('paying');
      backend.payins.set('payin-A-1', { ...backend.payins.get('payin-A-1'), status: 'CONFIRMED' });
      await payer?.press('Ya pagué');
      await payer?.sees('El comercio ya recibió tu pago');
    });
    expect(errors.join()).to.match(/"merchant-name".*"banks"/s);
    expect(payer?.text).not.to.contain(location.hostname);
  });

  it('is misconfigured without an amount, at a wrong address too, and says so once', async () => {
    for (const attributes of [{ level: 'basic' }, { backend: '/nowhere' }]) {
      const errors = await consoleDuring('error', async () => {
        written({ 'amount-in-cents': '', 'merchant-name': 'Café Andino', ...attributes });
        payer?.element.removeAttribute('amount-in-cents');
        await payer?.sees('El pago no está disponible en esta página');
        payer?.element.reset();
        await payer?.until(() => payer?.heard('checkout-error').length === 2);
      });
      const [event] = (payer?.events ?? []).filter((each) => each instanceof CheckoutErrorEvent);
      expect(event?.reason).to.equal('misconfigured');
      expect(event?.message).to.contain('"amount-in-cents"');
      expect(errors).to.have.length(1);
      expect(errors[0]).to.contain('docs/problems.md');
      clearPage();
    }
  });
});

describe('two checkouts of Basic backends on one page', () => {
  let backend: BasicBackend;

  beforeEach(() => (backend = new BasicBackend()));
  afterEach(() => {
    clearPage();
    backend.stop();
  });

  const arrives = (order: string) =>
    Payer.arrives({
      order,
      transport: null,
      backend: '/basic',
      amountInCents: 5_000_000,
      banks: [{ code: 'CO_BANCOLOMBIA', name: 'Bancolombia' }],
      customer: {
        name: 'Ana Gómez',
        idType: 'CO_CC',
        idNumber: '1020304050',
        phone: '3001234567',
        email: 'ana@correo.example',
      },
    });

  it('are paid each for itself', async () => {
    const one = arrives('A-1');
    const other = arrives('B-2');
    for (const payer of [one, other]) {
      await payer.press('Pagar con Bre-B');
      await payer.reaches('paying');
    }
    await one.sees('@A-1');
    await other.sees('@B-2');
    backend.payins.set('payin-A-1', { ...backend.payins.get('payin-A-1'), status: 'CONFIRMED' });
    await one.press('Ya pagué');
    await one.sees('Pago aprobado');

    expect(other.element.phase).to.equal('paying');
    expect(other.heard('payin-confirmed', 'payin-updated')).to.be.empty;
  });

  it('tell apart whose payer comes back from the bank', async () => {
    const before = arrives('A-1');
    let callback = '';
    before.element.addEventListener('checkout-redirect', (event) => event.preventDefault());
    const fetched = window.fetch;
    window.fetch = (input, init) => {
      if (init?.method === 'POST')
        callback = (JSON.parse(init.body as string) as { callbackUrl: string }).callbackUrl;
      return fetched(input, init);
    };
    await before.press('PSE');
    await before.press('Continuar');
    await before.reaches('details');
    await before.fill('Banco', 'bancol');
    await before.pick('Bancolombia');
    await before.press('Ir a mi banco');
    await before.hears('checkout-redirect');
    before.leaves();

    history.replaceState(null, '', callback);
    expect(location.search).to.contain('pay-return');
    const other = arrives('B-2');
    const one = arrives('A-1');
    await one.sees('¿Terminaste en tu banco?');
    await other.reaches('choosing');
    expect(other.element.payin).to.be.null;
    expect(location.search).not.to.contain('pay-return');
  });
});
