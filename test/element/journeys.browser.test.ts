import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import type { PayinAttempt } from '../../src/contract/backend.js';
import { typedForm } from '../../src/element/paying/typed-form.js';
import { TransportError } from '../../src/transport/port.js';
import {
  BANK_URL,
  breb,
  brebMethod,
  keyMethod,
  link,
  linkMethod,
  offer,
  paid,
  pse,
} from '../machine/fixtures.js';
import { Payer, clearPage } from './support/harness.js';

afterEach(clearPage);

/** What a backend says of a payin that the bank refused. */
const declined = (payin: PayinAttempt): PayinAttempt => ({
  ...payin,
  status: 'DECLINED',
  version: `${payin.version}+declined`,
});

describe('a payment with Bre-B', () => {
  it('goes from the offer to the receipt', async () => {
    const payer = Payer.arrives();
    await payer.sees('¿Cómo quieres pagar?');
    await payer.sees('$ 50.000');

    await payer.press('QR Bre-B');
    await payer.press('Pagar con Bre-B');
    await payer.reaches('paying');
    await payer.sees('@tienda123');
    await payer.sees('Envía exactamente');

    payer.backend.tell(paid(payer.element.payin!));
    await payer.sees('Pago aprobado');
    expect(payer.events.map(({ type }) => type)).to.deep.equal([
      'checkout-ready',
      'payin-created',
      'payin-updated',
      'payin-confirmed',
    ]);
  });

  it('can be made with the keyboard alone', async () => {
    const payer = Payer.arrives();
    await payer.sees('¿Cómo quieres pagar?');
    await payer.tabTo('QR Bre-B');
    await payer.tabTo('Pagar con Bre-B');
    await sendKeys({ press: 'Enter' });
    await payer.sees('@tienda123');
    // The code's tools come with the code.
    await payer.sees('Ampliar');

    // The button went with its screen: reading goes on at the title, and the next stop is the code, as on the screen.
    expect(payer.focus).to.equal('Paga desde la app de tu banco');
    await sendKeys({ press: 'Tab' });
    expect(payer.focus).to.match(/^Ampliar/);
    await payer.tabTo('Copiar llave');
    await payer.tabTo('Ya pagué');
    payer.backend.tell(paid(payer.element.payin!));
    await sendKeys({ press: 'Enter' });
    await payer.sees('Pago aprobado');
    await payer.tabTo('Volver a la tienda');
    await sendKeys({ press: 'Enter' });
    await payer.hears('checkout-finished');
  });

  it('says what "ya pagué" found', async () => {
    const payer = Payer.arrives();
    await payer.press('Pagar con Bre-B');
    await payer.press('Ya pagué');
    await payer.sees('Aún no nos llega');
    expect(payer.told).to.contain('Aún no nos llega');
  });

  it('admits that "ya pagué" could not be looked up', async () => {
    const payer = Payer.arrives();
    await payer.press('Pagar con Bre-B');
    await payer.reaches('paying');
    let failures = 0;
    payer.backend.read = () => Promise.reject(new TransportError((failures++, 'NETWORK')));
    while (failures < 3) {
      const before = failures;
      await payer.press('Ya pagué');
      await payer.until(() => failures > before && !payer.text.includes('Consultando'));
      expect(payer.text.split('Nos está costando consultar tu pago'), 'said once').to.have.length(2);
    }
  });

  it('says which kind of key is on its way', async () => {
    for (const [method, words] of [
      [brebMethod, 'Preparando tu pago…'],
      [keyMethod, 'Generando tu llave…'],
    ] as const) {
      const payer = Payer.arrives();
      payer.backend.offered = offer({ methods: [method] });
      await payer.sees('Así vas a pagar');
      payer.backend.hold();
      await payer.press('Pagar con Bre-B');
      await payer.sees(words);
      payer.leaves();
    }
  });

  it('greys out a key that was replaced in another tab, and leads to the new one', async () => {
    const payer = Payer.arrives();
    await payer.press('Pagar con Bre-B');
    await payer.sees('@tienda123');
    const after = { version: 'v2', updatedAt: new Date().toISOString() };
    payer.backend.tell({ ...payer.element.payin!, ...after, replaced: true });
    await payer.sees('Pediste otra llave en otra pestaña');
    const inert = payer.element.shadowRoot!.querySelector('[inert]');
    expect(inert?.textContent).to.include('@tienda123');
    expect(Number(getComputedStyle(inert!).opacity)).to.be.below(1);
    payer.backend.offered = offer({ attempt: breb({ id: 'breb-2' }) });
    await payer.press('Ver la llave nueva');
    await payer.until(() => payer.element.payin?.id === 'breb-2');
    await payer.until(() => !payer.element.shadowRoot!.querySelector('[inert]'));
  });

  it('keeps what was typed when the bank says no, and says nothing of paying twice', async () => {
    const payer = Payer.arrives();
    payer.element.addEventListener('checkout-redirect', (event) => event.preventDefault());
    await payer.goesToBank();
    await payer.reaches('pending');
    payer.backend.tell(pse({ status: 'DECLINED', version: 'v2' }));
    await payer.sees('Pago rechazado');
    await payer.press('Intentar de nuevo');
    await payer.reaches('details');
    await payer.sees('Ir a mi banco');
    const value = (id: string) => payer.element.shadowRoot!.querySelector<HTMLInputElement>(`#${id}`)?.value;
    expect([value('bank'), value('name'), value('phone')]).to.deep.equal([
      'Bancolombia',
      'Ana Gómez',
      '300 123 4567',
    ]);
    expect(payer.text).not.to.include('no pagues otra vez');
    expect(localStorage.length, 'kept on the device').to.equal(0);
  });

  it('keeps watching a key that was given up for another method, and shows when it is paid after all', async () => {
    const payer = Payer.arrives();
    payer.backend.offered = offer({ methods: [...offer().methods, keyMethod] });
    await payer.press('Pagar con Bre-B');
    await payer.reaches('paying');
    const first = payer.element.payin!;
    await payer.press('Pagar de otra forma');
    await payer.sees('no pagues otra vez');

    const second = breb({ id: 'breb-2', createdAt: '2030-01-01T00:00:00.000Z' });
    payer.backend.creates = () => second;
    await payer.press('Bre-B: QR o llave');
    await payer.press('Pagar con Bre-B');
    await payer.reaches('paying');
    expect(payer.backend.created[1]?.body.replaces).to.equal(first.id);

    payer.backend.tell({
      ...second,
      version: 'v2',
      settlement: { state: 'PAID', by: first.id, duplicate: false },
    });
    payer.backend.offered = offer({ attempt: paid(first) });
    await payer.sees('Pago aprobado');
    await payer.sees('El pedido quedó pago con tu intento anterior');
    expect(payer.event('payin-confirmed').payin.id).to.equal(first.id);
  });

  it('can be tried again after it was declined', async () => {
    const payer = Payer.arrives();
    await payer.press('Pagar con Bre-B');
    await payer.reaches('paying');
    payer.backend.tell(declined(payer.element.payin!));
    await payer.sees('Pago rechazado');

    payer.backend.creates = () => breb({ id: 'breb-2' });
    await payer.press('Intentar de nuevo');
    await payer.reaches('paying');
    expect(payer.heard('payin-declined', 'payin-created')).to.deep.equal([
      'payin-created',
      'payin-declined',
      'payin-created',
    ]);
  });
});

describe('a payment with PSE', () => {
  /** A payer at the end of the form. The page takes the redirect for itself, as a test cannot leave. */
  async function atTheForm(settings: Parameters<typeof Payer.arrives>[0] = {}): Promise<Payer> {
    const payer = Payer.arrives(settings);
    payer.element.addEventListener('checkout-redirect', (event) => event.preventDefault());
    await payer.press('PSE');
    await payer.press('Continuar');
    await payer.sees('Débito bancario PSE');
    await payer.fill('Banco', 'bancol');
    await payer.pick('Bancolombia');
    await payer.fill('Nombre completo', 'Ana Gómez');
    await payer.fill('Celular', '300 123 4567');
    return payer;
  }

  it('sends the payer to the bank with what was asked for, once', async () => {
    const payer = await atTheForm();
    payer.backend.hold();
    await payer.press('Ir a mi banco');
    await payer.press('Preparando tu pago');
    payer.backend.release();
    await payer.hears('checkout-redirect');

    expect(payer.event('checkout-redirect').url).to.equal(BANK_URL);
    expect(payer.backend.created).to.have.length(1);
    const { body } = payer.backend.created[0]!;
    expect(body).to.deep.include({ rail: 'PSE', order: 'A-1042' });
    expect(body).to.have.nested.property('pse.bank', 'CO_BANCOLOMBIA');
    expect(body).to.have.nested.property('inlineCustomer.phone');
  });

  it('leaves a way to the bank and a way to ask when the page keeps the redirect', async () => {
    const payer = await atTheForm();
    await payer.press('Ir a mi banco');
    await payer.sees('Aún no tenemos respuesta de tu banco');
    await payer.press('Volver a mi banco');
    expect(payer.heard('checkout-redirect')).to.have.length(2);

    payer.backend.tell(paid(payer.element.payin!));
    await payer.press('Consultar estado');
    await payer.sees('Pago aprobado');
  });

  it('never sends anyone to an address that is not safe', async () => {
    const payer = await atTheForm({ redirectHosts: 'bank.example' });
    const { sourceData } = pse();
    payer.backend.creates = () =>
      pse({ sourceData: { ...sourceData!, pseUrl: 'https://user:pass@bank.example/' } });
    await payer.press('Ir a mi banco');
    await payer.sees('no es segura');

    expect(payer.heard('checkout-redirect')).to.be.empty;
    expect(payer.event('checkout-error').reason).to.equal('unsafe_address');
  });

  it('never sends anyone to a host that the merchant did not allow', async () => {
    const payer = await atTheForm({ redirectHosts: 'pse.example *.bank.test' });
    await payer.press('Ir a mi banco');
    await payer.sees('no es segura');

    expect(payer.heard('checkout-redirect')).to.be.empty;
  });

  it('can be made with the keyboard alone', async () => {
    const payer = Payer.arrives();
    payer.element.addEventListener('checkout-redirect', (event) => event.preventDefault());
    await payer.sees('¿Cómo quieres pagar?');
    await payer.tabTo('QR Bre-B');
    await sendKeys({ press: 'ArrowDown' });
    await payer.tabTo('Continuar');
    await sendKeys({ press: 'Enter' });
    await payer.sees('Débito bancario PSE');
    expect(payer.focus).to.equal('Débito bancario PSE');

    await payer.tabTo('Banco');
    await sendKeys({ type: 'banco' });
    await sendKeys({ press: 'ArrowDown' });
    await sendKeys({ press: 'Enter' });
    await payer.tabTo('Nombre completo');
    await sendKeys({ type: 'Ana Gómez' });
    await payer.tabTo('Celular');
    // No digit twice in a row: WebKit's driver swallows the second.
    await sendKeys({ type: '3102345678' });
    await sendKeys({ press: 'Enter' });
    await payer.hears('checkout-redirect');
    expect(payer.backend.created[0]?.body).to.have.nested.property('pse.bank', 'CO_BANCOLOMBIA');
  });
});

describe('a payment on the hosted page', () => {
  it('sends the payer there', async () => {
    const payer = Payer.arrives({ hosted: true });
    payer.element.addEventListener('checkout-redirect', (event) => event.preventDefault());
    payer.backend.offered = offer({ methods: [linkMethod] });
    await payer.press('Ir a pagar');
    await payer.hears('checkout-redirect');
    expect(payer.event('checkout-redirect').url).to.equal('https://pay.example/l/1');
  });

  it('shows the link instead where the merchant shares it', async () => {
    const payer = Payer.arrives({ hosted: true, share: true });
    payer.backend.offered = offer({ methods: [linkMethod] });
    await payer.press('Ir a pagar');
    await payer.reaches('link');
    await payer.sees('https://pay.example/l/1');
    await payer.until(() => payer.pictures.length > 0);
    payer.element.addEventListener('checkout-redirect', (event) => event.preventDefault());
    await payer.press('Ir a pagar');
    await payer.hears('checkout-redirect');
    expect(payer.event('checkout-redirect').url).to.equal('https://pay.example/l/1');

    payer.backend.tell(paid(link()));
    await payer.sees('Pago aprobado');
    expect(payer.event('paymentlink-completed').link.id).to.equal('link-1');
    expect(payer.event('paymentlink-completed').resumed).to.be.false;
  });

  it('forgets what was typed for another method once nothing is left to pay', async () => {
    const typed = typedForm((value) => value);
    const payer = Payer.arrives({ hosted: true, share: true });
    payer.backend.offered = offer({ methods: [linkMethod] });
    await payer.press('Ir a pagar');
    await payer.reaches('link');
    typed.remember({ name: 'Ana Restrepo' });
    payer.backend.tell(paid(link()));
    await payer.hears('paymentlink-completed');
    expect(typed.recall()).to.equal(null);
  });
});

describe('a checkout that cannot go on', () => {
  it('says so calmly, and goes on when the payer tries again', async () => {
    const payer = Payer.arrives();
    payer.backend.offered = new TransportError('NETWORK');
    await payer.sees('No pudimos continuar');
    expect(payer.event('checkout-error').reason).to.equal('network');
    const header = () => payer.element.shadowRoot!.querySelector('[part=header]');
    expect(header(), 'no place is kept for an order that nobody knows').to.be.null;

    payer.backend.offered = offer();
    await payer.press('Reintentar');
    await payer.sees('¿Cómo quieres pagar?');
    expect(header()).not.to.be.null;
  });

  it('says why, and offers to try again only where that can help', async () => {
    for (const [code, why, canHelp] of [
      ['not_found', 'No encontramos este pedido', false],
      ['too_many_attempts', 'Este pedido ya tuvo muchos intentos', false],
      ['rate_limited', 'Hay muchas solicitudes', true],
      ['service_unavailable', 'El servicio de pagos no responde', true],
      ['store_unavailable', 'El servicio de pagos no responde', true],
      ['service_refused', 'No se pudo crear la transacción', true],
      ['origin_not_allowed', 'El pago no está disponible en esta página', true],
      ['internal_error', 'Algo no salió como esperábamos', true],
    ] as const) {
      const payer = Payer.arrives();
      payer.backend.offered = new TransportError('PROBLEM', { problem: { code }, status: 400 });
      await payer.sees(why);
      expect([payer.can('Reintentar'), payer.can('Volver a la tienda')], code).to.deep.equal([
        canHelp,
        !canHelp,
      ]);
      if (!canHelp) {
        await payer.press('Volver a la tienda');
        await payer.sees('Ya puedes cerrar esta página');
        expect(payer.can('Volver a la tienda'), 'a page that does nothing with it').to.equal(false);
      }
      payer.leaves();
    }
  });

  it('sends the same create again when it is unknown whether it arrived', async () => {
    const payer = Payer.arrives();
    payer.backend.creates = () => new TransportError('TIMEOUT');
    await payer.press('Pagar con Bre-B');
    await payer.sees('No pudimos continuar');
    payer.backend.creates = () => breb();
    await payer.press('Reintentar');
    await payer.reaches('paying');

    const [one, other] = payer.backend.created;
    expect(one?.idempotencyKey).to.match(/^[0-9a-f]{32}$/);
    expect(other?.idempotencyKey).to.equal(one?.idempotencyKey);
  });
});
