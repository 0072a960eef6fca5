import { expect } from '@open-wc/testing';
import { paid } from '../machine/fixtures.js';
import { Payer, clearPage } from './harness.js';

describe('a payment with Bre-B', () => {
  afterEach(clearPage);

  it('goes from the offer to the receipt', async () => {
    const payer = Payer.arrives();
    await payer.sees('¿Cómo quieres pagar?');
    await payer.sees('$ 50.000');

    await payer.press('QR Bre-B');
    await payer.press('Ver el QR');
    await payer.reaches('paying');
    await payer.sees('@tienda123');
    await payer.sees('Envía exactamente');

    payer.backend.tell(paid(payer.element.payin!));
    await payer.reaches('confirmed');
    await payer.sees('Pago aprobado');
    expect(payer.events.map(({ type }) => type)).to.deep.equal([
      'checkout-ready',
      'payin-created',
      'payin-updated',
      'payin-confirmed',
    ]);
  });
});
