import { expect } from '@open-wc/testing';
import { TransportError } from '../../src/transport/port.js';
import { breb, brebMethod, offer, pseMethod } from '../machine/fixtures.js';
import { CannedTransport } from './support/canned-transport.js';
import { Payer, clearPage } from './support/harness.js';

afterEach(clearPage);

describe('a reload', () => {
  it('finds the form as it was filled in, which this tab alone keeps', async () => {
    const before = Payer.arrives();
    before.backend.creates = () => new TransportError('TIMEOUT');
    await before.press('PSE');
    await before.press('Continuar');
    await before.reaches('details');
    await before.press('Persona jurídica');
    await before.fill('Banco', 'bancol');
    await before.pick('Bancolombia');
    await before.fill('Razón social', 'Café Andino SAS');
    await before.fill('Celular', '300 123 4567');
    await before.press('Ir a mi banco');
    await before.reaches('failed');
    before.leaves();
    expect(localStorage.length, 'kept on the device').to.equal(0);
    expect(decodeURIComponent(location.href)).not.to.match(/Café|300 123/);

    const after = Payer.arrives();
    await after.press('Continuar');
    await after.reaches('details');
    const field = (selector: string) => after.element.shadowRoot!.querySelector<HTMLInputElement>(selector)!;
    await after.until(() => field('#bank'));
    expect(field('#bank').value).to.equal('Bancolombia');
    expect(field('[name=personType]:checked').labels?.[0]?.textContent?.trim()).to.equal('Persona jurídica');
    expect(field('#name').value).to.equal('Café Andino SAS');
    expect(field('#phone').value).to.equal('300 123 4567');
  });

  it('offers what the order has when the method it remembers is gone', async () => {
    const before = Payer.arrives();
    before.backend.offered = offer({ methods: [brebMethod, pseMethod] });
    await before.press('Pagar con Bre-B');
    await before.reaches('paying');
    before.leaves();

    const backend = new CannedTransport();
    backend.offered = offer({ methods: [pseMethod] });
    await Payer.arrives({ transport: backend }).reaches('details');
  });
});

describe('a create that is not answered', () => {
  it('is shown once the order has it, and is not made again', async () => {
    const payer = Payer.arrives();
    payer.backend.creates = () => {
      payer.backend.offered = offer({ attempt: breb() });
      payer.backend.tell(breb());
      return new TransportError('HTTP', { status: 502 });
    };
    await payer.press('Pagar con Bre-B');
    await payer.sees('@tienda123');

    expect(payer.backend.created).to.have.length(1);
    expect(payer.heard('checkout-error')).to.have.length(1);
  });

  it('is said to take long after three seconds', async () => {
    // Three seconds at once: the page's clock jumps when such a timer is set.
    const { setTimeout: own } = window;
    const { now } = Date;
    let waitsMs = 0;
    window.setTimeout = ((run: () => void, ms?: number) => {
      if (!ms || ms < 2_500 || ms > 3_000) return own(run, ms);
      waitsMs = ms;
      Date.now = () => now() + 3_000;
      return own(run);
    }) as typeof setTimeout;
    try {
      const payer = Payer.arrives();
      await payer.reaches('choosing');
      payer.backend.hold();
      await payer.press('Pagar con Bre-B');
      await payer.sees('Está tardando más de lo normal');
      expect(waitsMs, 'not real time').to.be.above(0);
      expect(payer.told).to.contain('Está tardando más de lo normal');
      expect(payer.can('Atrás'), 'a way out').to.equal(true);
      payer.backend.release();
      await payer.sees('@tienda123');
    } finally {
      window.setTimeout = own;
      Date.now = now;
    }
  });
});
