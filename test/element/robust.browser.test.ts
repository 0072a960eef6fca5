import { aTimeout, expect } from '@open-wc/testing';
import { withReturnId } from '../../src/contract/return-address.js';
import { Chunk } from '../../src/element/opening/chunk.js';
import { PayingChunk } from '../../src/element/opening/chunks.js';
import { PayCheckoutElement } from '../../src/element/pay-checkout-element.js';
import { breb, offer, paid, pse } from '../machine/fixtures.js';
import { TransportError } from '../../src/transport/port.js';
import { CannedTransport } from './support/canned-transport.js';
import { consoleDuring } from './support/console.js';
import { Payer, clearPage, instead } from './support/harness.js';

afterEach(clearPage);

/** What the tab keeps of a payment that it left for the bank. */
const hint = {
  attempt: { kind: 'PAYIN', id: 'pse-9' },
  idempotencyKey: 'key-0000000000000001',
  answered: true,
  choice: { kind: 'PAYIN', rail: 'PSE', bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' },
} as const;

async function paying(settings: Parameters<typeof Payer.arrives>[0] = {}): Promise<Payer> {
  const payer = Payer.arrives(settings);
  await payer.press('Pagar con Bre-B');
  await payer.reaches('paying');
  await payer.sees('@tienda123');
  return payer;
}

describe('attributes that change', () => {
  it('start a checkout that had no order, and the fallback content makes room', async () => {
    const payer = Payer.arrives({ order: null });
    payer.element.textContent = 'Paga por teléfono';
    await payer.element.updateComplete;
    const { height } = payer.element.getBoundingClientRect();
    expect(height).to.be.above(0);
    expect(payer.backend.offersAsked).to.be.empty;

    payer.element.setAttribute('order', 'B-7');
    await payer.reaches('choosing');
    expect(payer.backend.offersAsked).to.deep.equal(['B-7']);
    expect(payer.element.shadowRoot?.querySelector('slot:not([name])')).to.be.null;
  });

  it('make another checkout when the order is another', async () => {
    const payer = await paying();
    payer.element.order = 'B-7';
    await payer.reaches('choosing');

    expect(payer.backend.offersAsked).to.deep.equal(['A-1042', 'B-7']);
    expect(payer.element.payin).to.be.null;
  });

  it('ignore the answers to an order that is no longer asked for', async () => {
    const payer = Payer.arrives();
    payer.backend.hold();
    payer.element.order = 'B-7';
    await payer.element.updateComplete;
    payer.element.order = null;
    await payer.element.updateComplete;
    payer.backend.release();
    // real time: one turn, in which a late answer would arrive
    await aTimeout(0);

    expect(payer.element.phase).to.equal('idle');
    expect(payer.heard('checkout-ready')).to.be.empty;
  });

  it('offer only the rails and keys that are asked for', async () => {
    const payer = Payer.arrives({ rails: 'PSE BRE_B' });
    await payer.sees(/PSE.*QR Bre-B/);
    payer.element.rails = 'BRE_B';
    await payer.sees('Así vas a pagar');
    payer.element.keyType = 'SINGLE_USE';
    await payer.sees('no se puede pagar aquí');
  });

  it('make no other checkout when they are set again to what they were, nor do headers and customer', async () => {
    const payer = Payer.arrives({ banks: [{ code: 'CO_BANK', name: 'Bank' }] });
    await payer.reaches('choosing');
    payer.element.banks = [{ code: 'CO_BANK', name: 'Bank' }];
    payer.element.order = 'A-1042';
    payer.element.headers = { 'X-Token': 'other' };
    payer.element.customer = { name: 'Ana' };
    await payer.element.updateComplete;

    expect(payer.backend.offersAsked).to.have.length(1);
  });

  it('reach the backend with the headers and credentials of the moment', async () => {
    const asked: Request[] = [];
    const original = window.fetch;
    window.fetch = (input, init) => {
      asked.push(new Request(new URL(input as string, location.href), init));
      return Promise.resolve(Response.json(offer()));
    };
    try {
      const payer = Payer.arrives({ transport: null, backend: '/checkout' });
      payer.element.headers = { 'X-Token': 'one' };
      payer.element.credentials = 'include';
      await payer.reaches('choosing');
      payer.element.headers = { 'X-Token': 'two' };
      payer.element.credentials = 'omit';
      payer.element.refresh();
      await payer.until(() => asked.length === 2);
    } finally {
      window.fetch = original;
    }

    expect(asked.map(({ url }) => new URL(url).pathname)).to.deep.equal([
      '/checkout/orders/A-1042',
      '/checkout/orders/A-1042',
    ]);
    expect(asked.map(({ headers }) => headers.get('X-Token'))).to.deep.equal(['one', 'two']);
    expect(asked.map(({ credentials }) => credentials)).to.deep.equal(['include', 'omit']);
  });
});

describe('wrong attributes', () => {
  it('are reported once, clearly, in the console and as an event, and do not frighten the payer', async () => {
    let payer!: Payer;
    const errors = await consoleDuring('error', async () => {
      payer = Payer.arrives({ transport: null });
      await payer.sees('El pago no está disponible en esta página');
      await payer.until(() => payer.events.some((event) => 'message' in event && event.message !== ''));
      payer.element.rails = 'PSE';
      await payer.element.updateComplete;
      // real time: one turn, in which it would be said again
      await aTimeout(0);
    });

    expect(errors).to.have.length(1);
    expect(errors[0]).to.match(/^<pay-checkout> Set the "backend" attribute/);
    const [first] = payer.events;
    expect(first).to.include({ type: 'checkout-error', reason: 'misconfigured' });
    expect(payer.text).not.to.contain('backend');
  });

  it('are left out where the payer can pay without them', async () => {
    let payer!: Payer;
    const errors = await consoleDuring('error', async () => {
      payer = Payer.arrives({ rails: 'BRE_B NEQUI', keyType: 'LONG', callbackUrl: 'javascript:1' });
      await payer.reaches('choosing');
      await payer.until(() => payer.heard('checkout-error').length === 3);
    });

    expect(errors.join()).to.match(/NEQUI.*LONG.*callback-url/s);
    await payer.press('Pagar con Bre-B');
    await payer.reaches('paying');
    expect(payer.backend.created[0]?.body.callbackUrl).to.equal(location.href);
  });
});

describe('a checkout that moves', () => {
  it('goes on undisturbed within the page', async () => {
    const payer = await paying();
    const place = document.createElement('div');
    document.body.append(place);
    place.append(payer.element);
    payer.backend.tell(paid(payer.element.payin!));
    await payer.sees('Pago aprobado');

    expect(payer.backend.offersAsked).to.have.length(1);
    place.remove();
  });

  it('lets go of everything when it is removed', async () => {
    const payer = await paying();
    await payer.until(() => payer.backend.inFlight === 1);
    payer.element.remove();
    await payer.until(() => payer.backend.inFlight === 0);

    payer.backend.tell(paid(breb()));
    // real time: one turn, in which a late answer would arrive
    await aTimeout(0);
    expect(payer.heard('payin-confirmed')).to.be.empty;
    expect(payer.element.phase).to.equal('idle');
  });

  it('takes up where it was when it is put back', async () => {
    const payer = await paying();
    const before = payer.element.payin!;
    payer.element.remove();
    await payer.until(() => payer.element.phase === 'idle');
    payer.backend.offered = offer({ attempt: before });
    document.body.append(payer.element);
    await payer.sees('@tienda123');

    payer.backend.tell(paid(before));
    await payer.sees('Pago aprobado');
    expect(payer.heard('payin-created', 'payin-confirmed')).to.deep.equal([
      'payin-created',
      'payin-confirmed',
    ]);
  });
});

describe('several checkouts on a page', () => {
  it('do not disturb each other', async () => {
    const one = await paying({ order: 'A-1' });
    const transport = new CannedTransport();
    transport.creates = () => breb({ id: 'breb-2' });
    const other = await paying({ order: 'B-2', transport });
    one.backend.tell(paid(one.element.payin!));
    await one.sees('Pago aprobado');

    expect(other.element.phase).to.equal('paying');
    expect(other.heard('payin-confirmed')).to.be.empty;
  });

  for (const [modal, remembered] of [
    [false, false],
    [false, true],
    [true, false],
    [true, true],
  ] as const) {
    const which = modal ? 'a closed' : 'an open';
    const where = remembered ? 'in the tab that left' : 'in another tab';
    it(`leave ${which} one alone that the payer does not come back to, ${where}`, async () => {
      const ours = pse({ id: 'pse-9', order: 'A-1' });
      if (remembered) sessionStorage.setItem('pay-checkout A-1', JSON.stringify(hint));
      const backend = new CannedTransport();
      backend.tell(ours);
      history.replaceState(null, '', withReturnId(location.href, { kind: 'PAYIN', id: ours.id }));
      const other = Payer.arrives({ order: 'B-2', modal, transport: backend });
      const one = Payer.arrives({ order: 'A-1', modal, transport: backend });
      await one.sees('¿Terminaste en tu banco?');
      await other.reaches('choosing');

      expect(one.element.open).to.equal(modal);
      expect(other.inDialog).to.be.false;
      expect(location.search).not.to.contain('pay-return');
    });
  }
});

describe('back from the bank', () => {
  it('asks for the outcome before anything is offered, and cleans the address', async () => {
    const payin = pse({ id: 'pse-9' });
    const backend = new CannedTransport();
    backend.tell(payin);
    history.replaceState({ mine: 1 }, '', withReturnId(location.href, { kind: 'PAYIN', id: payin.id }));
    const payer = Payer.arrives({ transport: backend });
    await payer.sees('¿Terminaste en tu banco?');
    expect(backend.offersAsked).to.be.empty;
    expect(location.search).not.to.contain('pay-return');
    expect(history.state).to.deep.equal({ mine: 1 });

    backend.tell(paid(payin));
    await payer.sees('Pago aprobado');
    expect(payer.event('payin-confirmed').resumed).to.be.false;
  });

  it('leads back to the payment where the other ways to pay cannot be read', async () => {
    const payin = pse({ id: 'pse-9' });
    const backend = new CannedTransport();
    backend.tell(payin);
    backend.offered = new TransportError('NETWORK');
    history.replaceState(null, '', withReturnId(location.href, { kind: 'PAYIN', id: payin.id }));
    const payer = Payer.arrives({ transport: backend });
    await payer.sees('¿Terminaste en tu banco?');
    await payer.press('No autoricé: usar otro medio');
    await payer.reaches('failed');
    await payer.press('Atrás');
    await payer.until(() => payer.element.phase !== 'failed');
    expect(payer.element.payin?.id).to.equal('pse-9');
  });

  it('opens the dialog that this tab left, before anything is answered', async () => {
    sessionStorage.setItem('pay-checkout A-1042', JSON.stringify(hint));
    history.replaceState(null, '', withReturnId(location.href, hint.attempt));
    const payer = Payer.arrives({ modal: true });
    await payer.element.updateComplete;
    expect(payer.element.phase).to.equal('returning');
    expect(payer.element.open).to.be.true;
  });

  for (const modal of [false, true]) {
    it(`finds the payment where the ${modal ? 'dialog' : 'page'} has a new token of the same order`, async () => {
      const payin = pse({ id: 'pse-9', order: 'A-1042.yesterday' });
      const backend = new CannedTransport();
      backend.tell(payin);
      backend.offered = offer({ attempt: payin });
      sessionStorage.setItem('pay-checkout A-1042.yesterday', JSON.stringify(hint));
      history.replaceState(null, '', withReturnId(location.href, hint.attempt));
      const payer = Payer.arrives({ order: 'A-1042.today', modal, transport: backend });
      await payer.sees('¿Terminaste en tu banco?');

      expect(payer.inDialog).to.equal(modal);
      expect(location.search).not.to.contain('pay-return');
    });
  }

  it('speaks in a dialog that the page opens before the rest of the widget has arrived, and tells when it closes', async () => {
    const payin = pse({ id: 'pse-9' });
    const backend = new CannedTransport();
    backend.tell(payin);
    const { load } = Chunk.prototype;
    let arrive = () => {};
    const arrival = new Promise<void>((resolve) => (arrive = resolve));
    instead(Chunk.prototype, 'load', function (this: Chunk<object>) {
      return this instanceof PayingChunk ? arrival.then(() => load.call(this)) : load.call(this);
    });
    history.replaceState(null, '', withReturnId(location.href, { kind: 'PAYIN', id: payin.id }));
    const payer = Payer.arrives({ transport: backend, modal: true });
    await payer.reaches('returning');
    payer.element.show();
    await payer.until(() => payer.inDialog);
    arrive();
    await payer.sees('¿Terminaste en tu banco?');
    backend.tell(paid(payin));
    await payer.sees('Pago aprobado');
    await payer.until(() => /Pago aprobado|recibió tu pago/.test(payer.told));
    payer.element.close();
    await payer.hears('checkout-closed');
  });

  it('needs no order, as on a page that only shows outcomes', async () => {
    const payin = paid(pse({ id: 'pse-9' }));
    const backend = new CannedTransport();
    backend.tell(payin);
    history.replaceState(null, '', withReturnId(location.href, { kind: 'PAYIN', id: payin.id }));
    const payer = Payer.arrives({ transport: backend, order: null });
    await payer.sees('Pago aprobado');

    expect(payer.event('payin-confirmed').resumed).to.be.true;
  });
});

describe('a backend that gives no answer of use', () => {
  it('is one whose transport throws before it promises anything: the payer tries again', async () => {
    const backend = new CannedTransport();
    const fails = () => {
      throw new TypeError('The client is not ready');
    };
    backend.offer = fails;
    const payer = Payer.arrives({ transport: backend });
    await payer.sees('No pudimos continuar');
    Reflect.deleteProperty(backend, 'offer');
    await payer.press('Reintentar');
    await payer.reaches('choosing');

    backend.createPayin = fails;
    await payer.press('Pagar con Bre-B');
    await payer.sees('No pudimos continuar');
    Reflect.deleteProperty(backend, 'createPayin');
    await payer.press('Reintentar');
    await payer.reaches('paying');
    expect(payer.event('payin-created').payin.id).to.equal('breb-1');
  });

  it('is one that knows nothing of the payment on the screen: the payer reads that its status cannot be read', async () => {
    const payer = await paying();
    payer.backend.read = () => Promise.reject(new TransportError('HTTP', { status: 404 }));
    await payer.press('Ya pagué');
    await payer.sees('Nos está costando consultar tu pago');
    expect(payer.can('Ya pagué')).to.be.true;
  });
});

describe('registration', () => {
  it('a second time, by another copy of the package, is harmless and says so', async () => {
    class Copy extends PayCheckoutElement {}
    const warnings = await consoleDuring('warn', () => {
      PayCheckoutElement.define();
      expect(() => Copy.define()).not.to.throw();
    });

    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.contain('<pay-checkout> is already defined');
    expect(customElements.get('pay-checkout')).to.equal(PayCheckoutElement);
  });

  it('may be under another name, and takes properties that were set before it', async () => {
    class Late extends PayCheckoutElement {}
    const element = document.createElement('late-checkout') as PayCheckoutElement;
    element.textContent = 'Paga por teléfono';
    document.body.append(element);
    const payer = new Payer(element, new CannedTransport());
    Object.assign(element, { order: 'A-1042', transport: payer.backend });
    expect(element.getBoundingClientRect().width).to.be.above(0);

    Late.define('late-checkout');
    await payer.sees('¿Cómo quieres pagar?');
  });
});
