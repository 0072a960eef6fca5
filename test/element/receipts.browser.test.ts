import { expect } from '@open-wc/testing';
import type { Attempt } from '../../src/contract/backend.js';
import { breb, keyMethod, merchant, offer, paid, pse } from '../machine/fixtures.js';
import { CannedTransport } from './canned-transport.js';
import { Payer, clearPage } from './harness.js';

async function sees(attempt: Attempt, text: string): Promise<Payer> {
  const transport = new CannedTransport();
  transport.offered = offer({ attempt });
  const payer = Payer.arrives({ transport });
  await payer.sees(text);
  return payer;
}

const withContact = {
  ...merchant,
  name: 'Café Andino',
  taxId: '900.373.913-4',
  supportPhone: '601 555 0101',
};
const bank = {
  bank: 'CO_BANCOLOMBIA',
  bankName: 'Bancolombia',
  pseUrl: 'https://bank.example/pse',
  cus: '90123456',
};

/** The receipt as pairs of what it names and what it says. */
function receipt(payer: Payer): Record<string, string> {
  const rows = [...payer.element.shadowRoot!.querySelectorAll('[part=receipt] > div')];
  const text = (row: Element, name: string) =>
    row.querySelector(name)?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
  return Object.fromEntries(rows.map((row) => [text(row, 'dt'), text(row, 'dd')]));
}

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
    expect(payer.element.shadowRoot!.querySelector('[part=receipt]')).to.equal(null);
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
    expect(receipt(payer)).to.include({ Valor: '$ 40.000 COP', 'Valor del pedido': '$ 50.000 COP' });
    expect(payer.text).not.to.include('Pago aprobado');
    expect(payer.text).to.include('ayuda@shop.example');
  });

  it('of an order that was paid twice says so, with whom to ask', async () => {
    const twice = { ...paid(breb()), settlement: { state: 'PAID' as const, by: 'other', duplicate: true } };
    const payer = await sees(twice, 'Este pedido se pagó dos veces');
    expect(payer.text).not.to.include('Pago aprobado');
    expect(payer.text).to.include('ayuda@shop.example');
  });

  it('links to the merchant by phone and mail, and to nothing else', async () => {
    const odd = { ...withContact, supportPhone: '601 555 0101?x=y', supportEmail: 'a@b.co?cc=z@b.co' };
    const payer = await sees(pse({ status: 'DECLINED', merchant: odd }), 'Pago rechazado');
    const links = [...payer.element.shadowRoot!.querySelectorAll('a')].map((link) =>
      link.getAttribute('href'),
    );
    expect(links).to.deep.equal(['tel:6015550101', 'mailto:a@b.co%3Fcc%3Dz%40b.co']);
  });

  it('shows what a wire says as text, never as markup', async () => {
    const evil = { ...withContact, name: '<img src=x onerror=alert(1)>' };
    const payer = await sees(paid(breb({ merchant: evil, description: '<b>x</b>' })), 'Pago aprobado');
    expect(payer.element.shadowRoot!.querySelector('img, dd b')).to.equal(null);
    expect(receipt(payer)['Descripción']).to.equal('<b>x</b>');
  });

  it('is printed alone, and leaves the page as it was', async () => {
    const own = globalThis.print;
    const sheets = document.adoptedStyleSheets.length;
    let during = 0;
    let marked = '';
    globalThis.print = () => {
      during = document.adoptedStyleSheets.length;
      marked = payer.element.className;
    };
    const payer = await sees(paid(breb()), 'Pago aprobado');
    await payer.press('Imprimir');
    await payer.until(() => marked !== '');
    dispatchEvent(new Event('afterprint'));
    globalThis.print = own;
    expect(during).to.equal(sheets + 1);
    expect(document.adoptedStyleSheets).to.have.length(sheets);
    expect(payer.element.className).to.equal('');
  });

  it('of a refused payment leads on: again, or by another method where there is one', async () => {
    const transport = new CannedTransport();
    transport.offered = offer({ attempt: breb({ status: 'DECLINED' }), methods: [keyMethod] });
    const payer = Payer.arrives({ transport });
    await payer.sees('Intentar de nuevo');
    expect(payer.can('Pagar de otra forma')).to.equal(false);
  });
});
