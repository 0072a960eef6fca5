import { expect } from '@open-wc/testing';
import type { Settlement } from '../../../../src/contract/backend.js';
import { withReturnId } from '../../../../src/contract/return-address.js';
import { breb, keyMethod, merchant, offer, paid, pse } from '../../../machine/fixtures.js';
import { CannedTransport } from '../../support/canned-transport.js';
import { Payer, clearPage } from '../../support/harness.js';
import { bank, sees, withContact } from '../../support/outcomes.js';

/** The receipt as pairs of what it names and what it says. */
function receipt(payer: Payer): Record<string, string> {
  const rows = [...payer.element.shadowRoot!.querySelectorAll('[part=receipt] dl > div')];
  const text = (row: Element, name: string) => {
    const copy = row.querySelector(name)!.cloneNode(true) as Element;
    for (const spoken of copy.querySelectorAll('.sr')) spoken.remove();
    return copy.textContent.replace(/\s+/g, ' ').trim();
  };
  return Object.fromEntries(rows.map((row) => [text(row, 'dt'), text(row, 'dd')]));
}

/** Those of its rows that are sums of money, where there is more to say than one amount. */
function payments(payer: Payer): string[][] {
  return [...payer.element.shadowRoot!.querySelectorAll('[part=payments] > div:has(.amount)')].map((row) => [
    (row.querySelector('dt b') ?? row.querySelector('dt'))!.textContent.trim(),
    row.querySelector('dd .amount')!.textContent.replace('\u00a0', ' '),
  ]);
}

/** What a backend says of an order of 50.000 that got these payments. */
const settledBy = (amounts: readonly number[], state: Settlement['state'], duplicate = false) => ({
  state,
  by: 'breb-1',
  duplicate,
  paidInCents: amounts.reduce((sum, each) => sum + each, 0),
  orderAmountInCents: 5_000_000,
  payments: amounts.map((amountInCents, index) => ({
    reference: `ref-${index + 1}`,
    amountInCents,
    at: '2026-03-23T22:28:00Z',
  })),
});

afterEach(clearPage);

describe('a receipt', () => {
  it('has every field that PSE asks for, in every state', async () => {
    const resultAt = '2026-03-23T22:28:00Z';
    for (const [status, state, title] of [
      ['CONFIRMED', 'Aprobada', 'Pago aprobado'],
      ['DECLINED', 'Rechazada', 'Pago rechazado'],
      ['CANCELED', 'Cancelada', 'Pago cancelado'],
      ['PROCESSING', 'Pendiente', 'Aún no tenemos respuesta de tu banco'],
    ] as const) {
      const payer = await sees(pse({ status, resultAt, sourceData: bank, merchant: withContact }), title);
      const { Fecha: date, ...rest } = receipt(payer);
      expect(date).to.match(/23 de marzo de 2026.*5:28/);
      expect(rest).to.deep.equal({
        Estado: state,
        Valor: '$ 50.000 COP',
        Medio: 'PSE',
        Banco: 'Bancolombia',
        Referencia: 'ref-1',
        CUS: '90123456',
        Comercio: 'Café AndinoNIT 900.373.913-4',
        Descripción: 'Zapatos',
      });
      expect(payer.can('Imprimir') && payer.can('Volver a la tienda')).to.equal(true);
      payer.leaves();
      sessionStorage.clear();
    }
  });

  it('of a pending payment says what PSE prescribes, with whom to ask', async () => {
    const payer = await sees(pse({ sourceData: bank, merchant: withContact }), 'Consultar estado');
    expect(payer.text).to.include(
      'En este momento su #ref-1 presenta un proceso de pago cuya transacción se encuentra PENDIENTE de recibir confirmación por parte de su entidad financiera, por favor espere unos minutos y vuelva a consultar más tarde para verificar si su pago fue confirmado de forma exitosa. Si desea mayor información sobre el estado actual de su operación puede comunicarse a nuestras líneas de atención al cliente 601 555 0101 o enviar un correo electrónico a ayuda@shop.example y preguntar por el estado de la transacción: 90123456',
    );
    expect(payer.text).to.include('Por favor verificar si el débito fue realizado en el banco');
  });

  it('is not given for a payment that was never started, and no bank is blamed', async () => {
    const payer = await sees(pse({ status: 'CANCELED', started: false }), 'No pudimos iniciar tu pago');
    expect(payer.text).to.include('pedir tu pago con PSE');
    expect(payer.text).not.to.match(/rechaz|tu banco no aprobó/i);
    expect(payer.element.shadowRoot!.querySelector('[part=receipt]')).to.be.null;
    expect(payer.can('Intentar de nuevo')).to.equal(true);
  });

  it('tells what the order has got from what it costs now, when the price changed', async () => {
    const attempt = {
      ...paid(breb()),
      settlement: {
        state: 'AMOUNT_DIFFERS' as const,
        by: 'breb-1',
        duplicate: false,
        paidInCents: 5_000_000,
        orderAmountInCents: 9_000_000,
      },
    };
    const payer = await sees(attempt, 'Recibimos otro valor');
    expect(payer.text).to.match(/Llegaron \$.50\.000 y el pedido es de \$.90\.000/);
  });

  it('tells what arrived from what was asked, as a difference', async () => {
    const differs = { ...paid(breb()), confirmedAmountInCents: 4_000_000 };
    const payer = await sees(differs, 'Recibimos otro valor');
    expect(receipt(payer)).to.include({ 'Valor del pedido': '$ 50.000 COP', Falta: '$ 10.000 COP' });
    expect(receipt(payer)).to.include({ Estado: 'Aprobada por otro valor' });
    expect(payments(payer)).to.deep.equal([
      ['ref-1', '$ 40.000'],
      ['Valor del pedido', '$ 50.000'],
      ['Falta', '$ 10.000'],
    ]);
    expect(payer.text).not.to.include('Pago aprobado');
    expect(payer.text).to.include('ayuda@shop.example');
    // This backend does not add payments up, so nobody may ask for the rest.
    expect(payer.can('pesos colombianos')).to.equal(false);
  });

  it('of an order that was paid twice lists every payment, with whom to ask', async () => {
    const twice = { ...paid(breb()), settlement: settledBy([5_000_000, 5_000_000], 'PAID', true) };
    const payer = await sees(twice, 'Este pedido se pagó dos veces');
    expect(payments(payer)).to.deep.equal([
      ['ref-1', '$ 50.000'],
      ['ref-2', '$ 50.000'],
      ['Total recibido', '$ 100.000'],
      ['Valor del pedido', '$ 50.000'],
      ['Sobra', '$ 50.000'],
    ]);
    expect(receipt(payer)).to.include({ Estado: 'Aprobada, con más de un pago' });
    expect(receipt(payer), 'what is listed is not said twice').not.to.have.any.keys('Valor', 'Referencia');
    expect(payer.text).not.to.include('Pago aprobado');
    expect(payer.text).to.include('ayuda@shop.example');
  });

  it('of too little offers to pay the rest, and the whole then is one approved payment', async () => {
    const transport = new CannedTransport();
    const part = {
      ...paid(breb()),
      confirmedAmountInCents: 3_000_000,
      settlement: settledBy([3_000_000], 'AMOUNT_DIFFERS'),
    };
    transport.offered = offer({ attempt: part, amountInCents: 2_000_000 });
    const payer = Payer.arrives({ transport });
    await payer.press('Pagar 20.000 pesos colombianos');
    await payer.sees(/Ya recibimos \$ 30\.000 ?\. Este pago es por lo que falta/);
    const spoken = payer.element.shadowRoot!.querySelector('[part=notice] .sr')!;
    expect(spoken.textContent).to.equal('30.000 pesos colombianos');
    const rest = breb({
      id: 'breb-2',
      reference: 'ref-2',
      amountInCents: 2_000_000,
      settlement: settledBy([3_000_000], 'OPEN'),
    });
    transport.creates = () => rest;
    await payer.press('Pagar con Bre-B');
    await payer.reaches('paying');
    expect(payer.text, 'still said beside the key').to.include('Este pago es por lo que falta');
    expect(transport.created[0]!.body.replaces, 'nothing is replaced').to.equal(undefined);
    transport.tell(
      paid(rest, { settlement: { ...settledBy([3_000_000, 2_000_000], 'PAID'), by: 'breb-2' } }),
    );
    await payer.sees('Pago aprobado');
    expect(payments(payer)).to.deep.equal([
      ['ref-1', '$ 30.000'],
      ['ref-2', '$ 20.000'],
      ['Total recibido', '$ 50.000'],
      ['Valor del pedido', '$ 50.000'],
    ]);
    expect(receipt(payer), 'the rest is not the order’s amount').not.to.have.any.keys('Valor');
    const header = payer.element.shadowRoot!.querySelector('[part=amount]')!;
    expect(header.textContent).to.include('50.000').and.not.to.include('20.000');
  });

  it('of too little is shown to who comes back to a page without the order, with the way to pay the rest', async () => {
    const part = {
      ...paid(breb()),
      confirmedAmountInCents: 3_000_000,
      settlement: settledBy([3_000_000], 'AMOUNT_DIFFERS'),
    };
    const transport = new CannedTransport();
    transport.tell(part);
    history.replaceState(null, '', withReturnId(location.href, { kind: 'PAYIN', id: part.id }));
    const payer = Payer.arrives({ transport, order: null });
    await payer.sees('Recibimos otro valor');
    expect(payer.can('Pagar 20.000 pesos colombianos')).to.equal(true);
  });

  it('of a second payment that this backend does not list promises no other reference', async () => {
    const payer = await sees(
      { ...paid(breb()), settlement: { state: 'PAID', by: 'breb-1', duplicate: true } },
      'Este pedido se pagó dos veces',
    );
    expect(payer.text).to.include('comunícate para la devolución con este comprobante');
    expect(payer.text).not.to.include('referencias');
    expect(receipt(payer)).to.include({ Referencia: 'ref-1', Valor: '$ 50.000 COP' });
  });

  it('of too much says how much comes back, and asks for nothing', async () => {
    const more = {
      ...paid(breb()),
      confirmedAmountInCents: 6_000_000,
      settlement: settledBy([6_000_000], 'AMOUNT_DIFFERS'),
    };
    const payer = await sees(more, 'comunícate para la devolución de $ 10.000');
    expect(payer.can('pesos colombianos')).to.equal(false);
  });

  it('has what happened and what to do next before its rows', async () => {
    for (const [attempt, title, action] of [
      [paid(breb()), 'Pago aprobado', 'Volver a la tienda'],
      [pse({ status: 'DECLINED', sourceData: bank }), 'Pago rechazado', 'Intentar de nuevo'],
      [pse({ sourceData: bank }), 'Aún no tenemos respuesta', 'Consultar estado'],
    ] as const) {
      const payer = await sees(attempt, title);
      expect(payer.text.indexOf(action), action).to.be.greaterThan(0);
      expect(payer.text.indexOf(action), action).to.be.lessThan(payer.text.indexOf('Estado'));
      payer.leaves();
      sessionStorage.clear();
    }
  });

  it('links to the merchant by WhatsApp, phone and mail, and to nothing else', async () => {
    const odd = {
      ...withContact,
      supportWhatsapp: '300 555 0101/../x',
      supportPhone: '601 555 0101?x=y',
      supportEmail: 'a@b.co?cc=z@b.co',
    };
    const payer = await sees(pse({ status: 'DECLINED', merchant: odd }), 'Pago rechazado');
    const links = [...payer.element.shadowRoot!.querySelectorAll('a')].map((link) =>
      link.getAttribute('href'),
    );
    expect(links).to.deep.equal([
      'https://wa.me/573005550101?text=ref-1',
      'tel:6015550101',
      'mailto:a@b.co%3Fcc%3Dz%40b.co',
    ]);
  });

  it('says how to reach the merchant by whatever there is, and nothing where there is nothing', async () => {
    for (const [supportPhone, supportEmail, shown] of [
      ['601 555 0101', null, '601 555 0101'],
      [null, 'ayuda@shop.example', 'ayuda@shop.example'],
      ['601 555 0101', 'ayuda@shop.example', '601 555 0101 · ayuda@shop.example'],
      [null, null, undefined],
    ] as const) {
      const reachable = { ...merchant, supportPhone, supportEmail };
      const payer = await sees(pse({ status: 'DECLINED', merchant: reachable }), 'Pago rechazado');
      const words = payer.element.shadowRoot!.querySelector('[part=help]')?.textContent.replace(/\s+/g, ' ');
      if (shown) expect(words).to.include(` ${shown} `);
      else expect(words).to.equal(undefined);
      payer.leaves();
      sessionStorage.clear();
    }
  });

  it('of a refused payment leads on: again, or by another method where there is one', async () => {
    for (const [methods, others] of [
      [[keyMethod], false],
      [offer().methods, true],
    ] as const) {
      const transport = new CannedTransport();
      transport.offered = offer({ attempt: breb({ status: 'DECLINED' }), methods: [...methods] });
      const payer = Payer.arrives({ transport });
      await payer.sees('Tu banco no aprobó el pago. Puedes intentar de nuevo');
      expect(payer.can('Intentar de nuevo')).to.equal(true);
      expect(payer.can('Pagar de otra forma')).to.equal(others);
      payer.leaves();
      sessionStorage.clear();
    }
  });
});
