import { expect } from '@open-wc/testing';
import { TransportError } from '../../src/transport/port.js';
import { breb, offer, paid, pse } from '../machine/fixtures.js';
import { Payer, clearPage } from './support/harness.js';

afterEach(clearPage);

describe('the live region', () => {
  it('is one, polite, and says what each screen is about', async () => {
    const payer = Payer.arrives();
    payer.backend.hold();
    await payer.element.updateComplete;
    expect(payer.told).to.equal('Cargando tu pago…');
    payer.backend.release();
    await payer.sees('¿Cómo quieres pagar?');
    expect(payer.told).to.equal('¿Cómo quieres pagar?');

    await payer.press('Pagar con Bre-B');
    await payer.sees('@tienda123');
    // Its title has the focus, and is read for that.
    expect(payer.focus).to.equal('Paga desde la app de tu banco');
    expect(payer.told).to.match(/^(Escanea|Copia) .*Te avisamos aquí apenas llegue tu pago\.$/);
    expect(payer.regions).to.equal(1);

    payer.backend.tell(paid(payer.element.payin!));
    await payer.sees('Pago aprobado');
    expect(payer.told).to.equal('Tienda ya recibió tu pago. Guarda este comprobante.');
  });

  it('says each change of state once, from the first screen to the receipt', async () => {
    const payer = Payer.arrives();
    const told = payer.listens();
    payer.backend.hold();
    await payer.until(() => told.length === 1);
    payer.backend.release();
    await payer.sees('¿Cómo quieres pagar?');
    payer.backend.hold();
    await payer.press('Pagar con Bre-B');
    await payer.until(() => told.length === 3);
    payer.backend.release();
    await payer.sees('@tienda123');
    payer.backend.tell(breb());
    await payer.press('Ya pagué');
    await payer.sees('Aún no nos llega');
    payer.backend.tell(paid(payer.element.payin!));
    await payer.sees('Pago aprobado');
    await payer.until(() => told.length >= 7);

    expect(told.map((text) => text.split(/[ ,…]/, 2).join(' '))).to.deep.equal([
      'Cargando tu',
      '¿Cómo quieres',
      'Preparando tu',
      told[3]?.startsWith('Escanea') ? 'Escanea el' : 'Copia la',
      'Consultando ',
      'Aún no',
      'Tienda ya',
    ]);
  });

  it('says each step to the bank and back once', async () => {
    const payer = Payer.arrives();
    const told = payer.listens();
    payer.backend.hold();
    payer.backend.offered = offer({ attempt: pse() });
    payer.backend.tell(pse());
    await payer.until(() => told.length === 1);
    payer.backend.release();
    await payer.sees('Aún no tenemos respuesta de tu banco');
    payer.backend.tell(pse({ status: 'DECLINED', version: '9' }));
    await payer.sees('Pago rechazado');
    await payer.until(() => told.length >= 3);

    expect(told.map((text) => text.slice(0, 36))).to.deep.equal([
      'Cargando tu pago…',
      'Aún no tenemos respuesta de tu banco',
      'Pago rechazado. Tu banco no aprobó e',
    ]);
  });

  it('says nothing any more once the page takes the order away', async () => {
    const payer = Payer.arrives();
    await payer.sees('¿Cómo quieres pagar?');
    expect(payer.told).not.to.equal('');
    payer.element.order = null;
    await payer.until(() => payer.told === '');
  });

  it('is empty again in a checkout that the page has put elsewhere', async () => {
    const payer = Payer.arrives();
    await payer.sees('¿Cómo quieres pagar?');
    expect(payer.told).not.to.equal('');
    const place = document.createElement('div');
    document.body.append(place);
    place.append(payer.element);
    expect(payer.told).to.equal('');
    place.remove();
  });

  it('says nothing in Spanish before the page’s own language is here', async () => {
    const payer = Payer.arrives({ locale: 'en' });
    const told = payer.listens();
    await payer.element.updateComplete;
    expect(payer.element.shadowRoot?.textContent).not.to.contain('Cargando');
    await payer.sees('How do you want to pay?');
    await payer.until(() => told.length > 0);

    expect(told.join(' ')).to.match(/^(Loading[^¿]* )?How do you want to pay\?$/);
  });

  it('says amounts in pesos', async () => {
    const payer = Payer.arrives();
    payer.backend.offered = offer({
      attempt: paid(breb(), {
        confirmedAmountInCents: 4_000_000,
        settlement: { state: 'AMOUNT_DIFFERS', by: breb().id, duplicate: false },
      }),
    });
    await payer.sees('Recibimos otro valor');
    expect(payer.told).to.contain('40.000 pesos colombianos').and.not.contain('$');
  });

  it('says the notices of a screen with it', async () => {
    const payer = Payer.arrives();
    payer.backend.creates = () =>
      new TransportError('PROBLEM', {
        problem: {
          code: 'offer_changed',
          status: 409,
          offer: offer({ version: 'o2', amountInCents: 6_000_000 }),
        },
      });
    await payer.press('Pagar con Bre-B');
    await payer.sees('El valor cambió');
    expect(payer.told).to.match(
      /^El valor cambió\. Ahora es 60\.000 pesos colombianos\. ¿Cómo quieres pagar\?$/,
    );
  });

  it('says the same thing again when it happens again', async () => {
    const payer = Payer.arrives();
    await payer.sees('¿Cómo quieres pagar?');
    const said = () => payer.element.shadowRoot?.querySelector('[role=status]')?.textContent;
    payer.element.announce('Copiado');
    await payer.element.updateComplete;
    const first = said();
    payer.element.announce('Copiado');
    await payer.element.updateComplete;

    expect(first).to.equal('Copiado');
    expect(said()).not.to.equal(first);
    expect(said()?.trim()).to.equal(first);
  });

  it('speaks when the connection goes', async () => {
    const payer = Payer.arrives();
    await payer.sees('¿Cómo quieres pagar?');
    dispatchEvent(new Event('offline'));
    await payer.sees('Sin conexión');
    expect(payer.told).to.contain('Sin conexión');
    expect(payer.text, 'there is no key yet').not.to.contain('mientras tanto');

    dispatchEvent(new Event('online'));
    await payer.element.updateComplete;
    expect(payer.text).not.to.contain('Sin conexión');

    await payer.press('Pagar con Bre-B');
    await payer.reaches('paying');
    dispatchEvent(new Event('offline'));
    await payer.sees('puedes pagar con la llave mientras tanto');
  });

  it('is empty again after a while, so that no payer who reads on finds what is no longer true', async () => {
    const { setTimeout } = window;
    let emptied = () => {};
    const held = (run: () => void, delayMs?: number) => {
      if (delayMs !== 10_000) return setTimeout(run, delayMs);
      emptied = run;
      return 0;
    };
    Object.assign(window, { setTimeout: held });
    try {
      const payer = Payer.arrives();
      await payer.sees('¿Cómo quieres pagar?');
      payer.element.announce('Sin conexión');
      await payer.until(() => payer.told === 'Sin conexión');
      emptied();
      expect(payer.told).to.equal('');
    } finally {
      Object.assign(window, { setTimeout });
    }
  });
});

describe('focus', () => {
  it('goes to the title of the next screen when its button goes', async () => {
    const payer = Payer.arrives();
    await payer.press('Pagar con Bre-B');
    await payer.sees('@tienda123');
    expect(payer.focus).to.equal('Paga desde la app de tu banco');

    await payer.press('Pagar de otra forma');
    await payer.sees('¿Cómo quieres pagar?');
    expect(payer.focus).to.equal('¿Cómo quieres pagar?');
    await payer.press('Atrás');
    await payer.sees('@tienda123');
    expect(payer.focus).to.equal('Paga desde la app de tu banco');
  });

  it('is never taken from the rest of the page', async () => {
    const field = document.createElement('input');
    document.body.append(field);
    const payer = Payer.arrives();
    await payer.press('Pagar con Bre-B');
    await payer.sees('@tienda123');
    field.focus();
    payer.backend.tell(paid(payer.element.payin!));
    await payer.sees('Pago aprobado');

    expect(document.activeElement).to.equal(field);
    field.remove();
  });

  it('stays on a button that is still there', async () => {
    const payer = Payer.arrives();
    payer.backend.offered = offer({ attempt: breb() });
    payer.backend.tell(breb());
    await payer.press('Ya pagué');
    await payer.sees('Aún no nos llega');

    expect(payer.focus).to.equal('Ya pagué');
  });
});
