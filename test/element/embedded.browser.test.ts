import { expect } from '@open-wc/testing';
import type { Offer } from '../../src/contract/backend.js';
import { breb, offer } from '../machine/fixtures.js';
import { CannedTransport } from './support/canned-transport.js';
import { Payer, clearPage } from './support/harness.js';

afterEach(clearPage);

/** A checkout whose backend keeps everybody waiting, in a page that brought this along. */
function arrivesWith(text: string): Payer {
  const transport = new CannedTransport();
  transport.hold();
  const box = document.createElement('div');
  const payer = Payer.arrives({ transport }, box);
  const block = document.createElement('script');
  block.type = 'application/json';
  block.textContent = text;
  payer.element.append(block);
  document.body.append(box);
  return payer;
}

const json = (embedded: Offer) => JSON.stringify(embedded);

describe('an offer that came with the page', () => {
  it('is shown without waiting for the backend, which is asked all the same', async () => {
    const payer = arrivesWith(json(offer()));
    await payer.reaches('choosing');
    await payer.until(() => payer.backend.offersAsked.length > 0);
    expect(payer.backend.offersAsked).to.deep.equal(['A-1042']);
    await payer.sees('$ 50.000');
    payer.backend.release();
    await payer.press('Pagar con Bre-B');
    await payer.reaches('paying');
    expect(payer.heard('checkout-ready')).to.have.length(1);
  });

  it('gives way to a newer one, and says so when the price moved', async () => {
    const payer = arrivesWith(json(offer()));
    await payer.reaches('choosing');
    payer.backend.offered = offer({ version: 'newer', amountInCents: 6_000_000 });
    payer.backend.release();
    await payer.sees('$ 60.000');
    await payer.sees('El valor cambió');
  });

  it('gives way to an attempt that the backend knows', async () => {
    const payer = arrivesWith(json(offer()));
    await payer.reaches('choosing');
    payer.backend.offered = offer({ attempt: breb() });
    payer.backend.release();
    await payer.reaches('paying');
  });

  it('is not believed when it has an attempt: a page may be older than what became of it', async () => {
    const payer = arrivesWith(json(offer({ attempt: breb({ status: 'CONFIRMED' }) })));
    await payer.until(() => payer.backend.offersAsked.length === 1);
    expect(payer.element.phase).to.equal('loading');
    payer.backend.release();
    await payer.press('Pagar con Bre-B');
    await payer.reaches('paying');
    expect(payer.heard('payin-confirmed')).to.be.empty;
  });

  for (const [name, text] of [
    ['no JSON', '{'],
    ['nothing', ''],
    ['no offer', '{"amountInCents": "free"}'],
    ['an offer with a price that is none', JSON.stringify({ ...offer(), amountInCents: -1 })],
  ] as const) {
    it(`is left alone when it is ${name}; the backend is asked as always`, async () => {
      const payer = arrivesWith(text);
      await payer.until(() => payer.backend.offersAsked.length === 1);
      expect(payer.element.phase).to.equal('loading');
      payer.backend.release();
      await payer.reaches('choosing');
      expect(payer.heard('checkout-error')).to.deep.equal([]);
    });
  }

  it('is of the order it came with, not of the next', async () => {
    const payer = arrivesWith(json(offer()));
    await payer.reaches('choosing');
    payer.element.order = 'A-1043';
    await payer.until(() => payer.backend.offersAsked.includes('A-1043'));
    expect(payer.element.phase).to.equal('loading');
    payer.backend.release();
    await payer.reaches('choosing');
  });
});

describe('the first screen', () => {
  it('is drawn after the offer was asked for, in another task', async () => {
    const { element, backend } = Payer.arrives();
    backend.hold();
    // Longer than the microtasks of one task go on.
    for (let turn = 0; turn < 100; turn++) await Promise.resolve();
    expect(backend.offersAsked).to.deep.equal(['A-1042']);
    expect(element.shadowRoot?.textContent).to.equal('');
    await element.updateComplete;
    expect(element.shadowRoot?.textContent).to.contain('Cargando tu pago');
  });

  it('is drawn in the same task where the page brought its offer, and the backend is asked after it', async () => {
    const { element, backend } = arrivesWith(json(offer()));
    for (let turn = 0; turn < 100; turn++) await Promise.resolve();
    expect(element.shadowRoot?.textContent).to.contain('¿Cómo quieres pagar?');
    expect(backend.offersAsked).to.deep.equal([]);
  });
});
