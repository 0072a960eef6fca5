import { expect } from '@open-wc/testing';
import { TransportError } from '../../../../src/transport/port.js';
import { breb, brebMethod, keyMethod, offer, pse, pseMethod } from '../../../machine/fixtures.js';
import { Payer, clearPage } from '../../support/harness.js';

afterEach(clearPage);

describe('the sentence for an amount', () => {
  const mainButton = (payer: Payer) =>
    payer.element.shadowRoot!.querySelector('[part=button]')?.textContent.trim();

  for (const [rail, attempt, sentence] of [
    ['PSE', pse, 'límites establecidos en PSE'],
    ['Bre-B', breb, 'supera lo que se puede pagar con Bre-B'],
  ] as const) {
    it(`that was too much is ${rail}’s own`, async () => {
      const payer = Payer.arrives();
      payer.backend.offered = offer({
        attempt: { ...attempt(), status: 'DECLINED', errorCode: 'limit_exceeded' },
      });
      await payer.sees('Pago rechazado');
      await payer.sees(sentence);
      expect(payer.can('Intentar de nuevo'), 'it would be refused again').to.equal(false);
      expect(mainButton(payer)).to.equal('Pagar de otra forma');
      payer.leaves();
      sessionStorage.clear();
      const alone = Payer.arrives();
      alone.backend.offered = offer({
        attempt: { ...attempt(), status: 'DECLINED', errorCode: 'limit_exceeded' },
        methods: [keyMethod],
      });
      await alone.sees('Pago rechazado');
      expect(mainButton(alone)).to.equal('Volver a la tienda');
    });
  }

  for (const [amountInCents, alone] of [
    [2_000_000_000, 'Si tu banco no lo permite, comunícate con el comercio.'],
    [1_000_000_000_000, 'supera lo que se puede pagar con Bre-B. Comunícate con el comercio.'],
  ] as const) {
    it(`of ${amountInCents} cents names another method only where there is one`, async () => {
      const payer = Payer.arrives();
      // Both kinds of key are one method to the payer.
      payer.backend.offered = offer({ amountInCents, methods: [keyMethod, brebMethod] });
      await payer.sees(alone);
      expect(payer.text).not.to.include('otro medio');
      payer.leaves();
      sessionStorage.clear();
      const other = Payer.arrives();
      other.backend.offered = offer({ amountInCents });
      await other.press('QR Bre-B');
      await other.sees('sa otro medio');
    });
  }

  it('is not said, and Bre-B is preselected, where the backend knows of no ceiling', async () => {
    const payer = Payer.arrives();
    const { ceilingInCents: _, ...free } = brebMethod;
    payer.backend.offered = offer({ amountInCents: 2_000_000_000, methods: [free, pseMethod] });
    await payer.sees('Pagar con Bre-B');
    expect(payer.text).not.to.include('tope');
  });

  it('that Bre-B refused does not speak of PSE', async () => {
    const payer = Payer.arrives();
    payer.backend.creates = () =>
      new TransportError('PROBLEM', { problem: { code: 'service_refused' }, status: 422 });
    await payer.press('Pagar con Bre-B');
    await payer.sees('No pudimos pedir este pago por Bre-B');
    expect(payer.text).not.to.include('PSE');
  });

  for (const [amountInCents, shown, notice] of [
    [1, '$ 0,01', null],
    [100, '$ 1', null],
    [1_155_200_000, '$ 11.552.000', null],
    [1_155_200_001, '$ 11.552.000,01', 'suele tener un tope de $ 11.552.000'],
    [999_999_999_999, '$ 9.999.999.999,99', 'suele tener un tope de'],
    [1_000_000_000_000, '$ 10.000.000.000', 'supera lo que se puede pagar con Bre-B'],
  ] as const) {
    it(`of ${shown} is right before paying, for the method that is chosen`, async () => {
      const payer = Payer.arrives();
      payer.backend.offered = offer({ amountInCents });
      await payer.sees(shown);
      const ticked = () => payer.element.shadowRoot!.querySelector(':checked')?.closest('label')?.textContent;
      expect(ticked()).to.match(notice ? /PSE/ : /QR Bre-B/);
      expect(payer.text).not.to.match(/tope|supera/);
      if (!notice) return;
      await payer.press('QR Bre-B');
      await payer.sees(notice);
    });
  }
});
