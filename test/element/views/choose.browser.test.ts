import { expect } from '@open-wc/testing';
import type { Method } from '../../../src/contract/offer.js';
import { brebMethod, offer, pseMethod } from '../../machine/fixtures.js';
import { CannedTransport } from '../support/canned-transport.js';
import { Payer, clearPage } from '../support/harness.js';

afterEach(clearPage);

interface Case {
  readonly name: string;
  readonly method: Method;
  /** What it says that the payer will be asked for. */
  readonly asks: string | null;
  readonly button: string;
}

describe('a method to choose', () => {
  const METHODS: readonly Case[] = [
    { name: 'a code', method: brebMethod, asks: null, button: 'Pagar con Bre-B' },
    {
      name: 'a code for which the merchant wants to know the payer',
      method: { ...brebMethod, requires: ['idType', 'idNumber', 'email'] },
      asks: 'Te pediremos: documento, correo',
      button: 'Continuar',
    },
    {
      name: 'PSE',
      method: pseMethod,
      asks: 'Te pediremos: banco, nombre completo, celular',
      button: 'Continuar',
    },
    {
      name: 'PSE where the merchant knows the payer',
      method: {
        kind: 'PAYIN',
        rail: 'PSE',
        banks: [{ code: 'CO_BANCOLOMBIA', name: 'Bancolombia' }],
        requires: [],
      },
      asks: 'Te pediremos: banco',
      button: 'Continuar',
    },
  ];
  for (const { name, method, asks, button } of METHODS) {
    it(`says what it will ask for, and its button where it leads: ${name}`, async () => {
      const transport = new CannedTransport();
      // The other is over its ceiling, so that the one in question is ticked.
      transport.offered = offer({ methods: [{ ...brebMethod, ceilingInCents: 1 }, method] });
      const payer = Payer.arrives({ transport });
      await payer.sees('¿Cómo quieres pagar?');
      const [, asked] = payer.element.shadowRoot!.querySelectorAll('[part=method]');
      const words = asked?.textContent ?? '';
      if (asks === null) expect(words).not.to.contain('Te pediremos');
      else expect(words).to.contain(asks);
      expect(payer.can(button)).to.equal(true);
    });
  }
});

describe('the card', () => {
  it('is busy while the offer is awaited, and not while the payer chooses', async () => {
    const transport = new CannedTransport();
    transport.hold();
    const payer = Payer.arrives({ transport });
    const busy = () => payer.element.shadowRoot!.querySelector('[part=card]')?.getAttribute('aria-busy');
    await payer.until(() => busy() === 'true');
    transport.release();
    await payer.reaches('choosing');
    expect(busy()).to.equal('false');
  });
});
