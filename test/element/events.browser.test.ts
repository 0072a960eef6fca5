import { aTimeout, expect } from '@open-wc/testing';
import {
  CheckoutErrorEvent,
  CheckoutFinishedEvent,
  CheckoutReadyEvent,
  PayinConfirmedEvent,
  PayinEvent,
} from '../../src/index.js';
import { NOON_MS, breb, iso, offer, paid, pse } from '../machine/fixtures.js';
import { consoleDuring } from './support/console.js';
import { Payer, clearPage } from './support/harness.js';

afterEach(clearPage);

async function paying(settings: Parameters<typeof Payer.arrives>[0] = {}): Promise<Payer> {
  const payer = Payer.arrives(settings);
  await payer.press('Pagar con Bre-B');
  await payer.reaches('paying');
  return payer;
}

describe('events', () => {
  it('bubble, cross shadow roots and are subclasses of Event with typed fields', async () => {
    const payer = await paying();
    payer.backend.tell(paid(payer.element.payin!));
    await payer.hears('payin-confirmed');

    expect(payer.events.every(({ bubbles, composed }) => bubbles && composed)).to.be.true;
    expect(payer.event('checkout-ready')).to.be.instanceOf(CheckoutReadyEvent);
    expect(payer.event('checkout-ready').offer?.amountInCents).to.equal(5_000_000);
    expect(payer.event('payin-created')).to.be.instanceOf(PayinEvent);
    const confirmed = payer.event('payin-confirmed');
    expect(confirmed).to.be.instanceOf(PayinConfirmedEvent);
    expect(confirmed.payin.id).to.equal('breb-1');
    expect(confirmed).to.deep.include({
      resumed: false,
      late: false,
      amountDiffers: false,
      duplicate: false,
    });
  });

  it('tell a final state once, however often the backend answers it', async () => {
    const payer = await paying();
    const confirmed = paid(payer.element.payin!);
    payer.backend.tell(confirmed);
    await payer.hears('payin-confirmed');
    payer.backend.offered = offer({ attempt: confirmed });
    payer.element.reset();
    await payer.until(() => payer.backend.offersAsked.length === 2);
    await payer.reaches('confirmed');

    expect(payer.heard('payin-confirmed')).to.have.length(1);
  });

  it('say when the payment was already over on load', async () => {
    const payer = Payer.arrives();
    payer.backend.offered = offer({ attempt: paid(breb()) });
    await payer.sees('Pago aprobado');

    expect(payer.event('payin-confirmed').resumed).to.be.true;
  });

  it('tell of another amount than asked for, never as plain success', async () => {
    const payer = await paying();
    const { id } = payer.element.payin!;
    payer.backend.tell(
      paid(payer.element.payin!, {
        confirmedAmountInCents: 4_000_000,
        settlement: { state: 'AMOUNT_DIFFERS', by: id, duplicate: false },
      }),
    );
    await payer.sees('Recibimos otro valor');

    expect(payer.event('payin-confirmed').amountDiffers).to.be.true;
  });

  it('tell that a key lapsed, and of the money that came all the same', async () => {
    const payer = Payer.arrives();
    const key = breb({ expiresAt: iso(NOON_MS) });
    payer.backend.offered = offer({ attempt: key });
    payer.backend.tell(key);
    await payer.sees('La llave venció');
    expect(payer.event('payin-lapsed').resumed).to.be.true;

    payer.backend.tell(paid(key));
    await payer.sees('Pago aprobado');
    expect(payer.event('payin-confirmed').late).to.be.true;
  });

  it('tell that a payment by PSE lapsed, on a screen that speaks of the bank and of no key', async () => {
    const payer = Payer.arrives();
    const debit = pse({ expiresAt: iso(NOON_MS) });
    payer.backend.offered = offer({ attempt: debit });
    payer.backend.tell(debit);
    await payer.sees('El tiempo para pagar venció');
    expect(payer.event('payin-lapsed').resumed).to.be.true;
    expect(payer.text).not.to.contain('llave');
  });

  it('measure how long it took to be ready, to create, to show and to settle', async () => {
    performance.clearMeasures();
    const payer = await paying();
    const before = performance.now();
    payer.backend.tell(paid(payer.element.payin!));
    await payer.hears('payin-confirmed');

    const measures = performance
      .getEntriesByType('measure')
      .filter(({ name }) => name.startsWith('pay-checkout:'));
    expect(measures.map(({ name }) => name)).to.have.members([
      'pay-checkout:ready',
      'pay-checkout:created',
      'pay-checkout:shown',
      'pay-checkout:settled',
    ]);
    const ends = measures.map(({ name, startTime, duration }) => [name, startTime + duration] as const);
    for (const [name, end] of ends) {
      // Clocks of pages are coarse.
      if (name === 'pay-checkout:settled') expect(end, name).to.be.within(before - 2, performance.now() + 2);
      else expect(end, name).to.be.most(before + 2);
    }
  });
});

describe('what the element says of itself', () => {
  it('is its phase and its payin, as properties and as a state for stylesheets', async () => {
    const payer = await paying();

    expect(payer.element.phase).to.equal('paying');
    expect(payer.element.payin?.reference).to.equal('ref-1');
    expect(payer.element.matches(':state(paying)')).to.be.true;
    expect(payer.element.matches(':state(choosing)')).to.be.false;
  });
});

describe('the last button', () => {
  async function confirmed(settings: Parameters<typeof Payer.arrives>[0]): Promise<Payer> {
    const payer = Payer.arrives(settings);
    payer.backend.offered = offer({ attempt: paid(breb()) });
    await payer.sees('Pago aprobado');
    return payer;
  }

  it('tells the page, with the attempt', async () => {
    const payer = await confirmed({});
    await payer.press('Volver a la tienda');
    const finished = payer.event('checkout-finished');

    expect(finished).to.be.instanceOf(CheckoutFinishedEvent);
    expect(finished.cancelable).to.be.true;
    expect(finished.attempt?.id).to.equal('breb-1');
  });

  it('leaves no dead button where the page does nothing with it', async () => {
    const payer = await confirmed({});
    await payer.press('Volver a la tienda');
    await payer.sees('Ya puedes cerrar esta página.');
    expect(payer.can('Volver a la tienda')).to.equal(false);
  });

  it('is there again for a payment that is approved after the payer was done with the screen', async () => {
    const payer = Payer.arrives();
    payer.backend.offered = offer({ attempt: pse() });
    payer.backend.tell(pse());
    await payer.press('Volver a la tienda');
    await payer.sees('Ya puedes cerrar esta página.');
    payer.backend.tell(paid(pse()));
    await payer.sees('Pago aprobado');
    await payer.press('Volver a la tienda');

    expect(payer.heard('checkout-finished')).to.have.length(2);
  });

  it('follows finish-url', async () => {
    const payer = await confirmed({ finishUrl: '#gracias' });
    await payer.press('Volver a la tienda');

    expect(location.hash).to.equal('#gracias');
  });

  it('does not follow finish-url when the page says so', async () => {
    const payer = await confirmed({ finishUrl: '#gracias' });
    payer.element.addEventListener('checkout-finished', (event) => event.preventDefault());
    await payer.press('Volver a la tienda');

    expect(location.hash).to.equal('');
  });

  it('of a dialog closes it, and follows finish-url', async () => {
    const payer = await confirmed({ modal: true, open: true, finishUrl: '#gracias' });
    await payer.press('Volver a la tienda');
    await payer.hears('checkout-closed');
    expect(location.hash).to.equal('#gracias');
    expect(payer.element.open).to.be.false;
  });

  it('of a dialog stays for who opens it again', async () => {
    const payer = await confirmed({ modal: true, open: true });
    await payer.press('Volver a la tienda');
    await payer.hears('checkout-closed');
    payer.element.show();
    await payer.press('Volver a la tienda');
    expect(payer.heard('checkout-finished')).to.have.length(2);
  });

  it('reports a finish-url that is no web address, and follows nothing', async () => {
    const payer = await confirmed({ finishUrl: 'javascript:void (globalThis.wasFollowed = 1)' });
    const errors = await consoleDuring('error', async () => {
      await payer.press('Volver a la tienda');
      await payer.hears('checkout-error');
      // real time: one turn, in which the browser would follow it
      await aTimeout(0);
    });
    expect('wasFollowed' in globalThis).to.be.false;

    expect(payer.event('checkout-error')).to.be.instanceOf(CheckoutErrorEvent);
    expect(payer.event('checkout-error').message).to.contain('finish-url');
    expect(errors.join()).to.contain('finish-url');
  });
});
