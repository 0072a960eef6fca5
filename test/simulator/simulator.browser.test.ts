import { expect } from '@open-wc/testing';
import { manualClock } from '../../src/sandbox.js';
import type { Simulator } from '../../src/simulator.js';
import { clearStages, Stage } from './stage.js';

/** The widget, the kit and the sandbox in one page, without a server: what a merchant evaluates, and tests with. */

afterEach(clearStages);

async function showKey({ payer }: Stage, name = 'Bre-B: QR o llave'): Promise<void> {
  await payer.press(name);
  await payer.press('Pagar con Bre-B');
  await payer.reaches('paying');
}

async function goToBank({ payer }: Stage): Promise<void> {
  await payer.press('PSE');
  await payer.press('Continuar');
  await payer.fill('Banco', 'bancol');
  await payer.pick('Bancolombia');
  await payer.fill('Nombre completo', 'Ana Gómez');
  await payer.fill('Número', '1020304050');
  await payer.fill('Celular', '300 123 4567');
  await payer.fill('Correo', 'ana@correo.example');
  await payer.press('Ir a mi banco');
}

const finals = ({ payer }: Stage) =>
  payer.heard('payin-confirmed', 'payin-declined', 'payin-canceled', 'payin-lapsed');

describe('a simulated Bre-B payment', function () {
  it('is confirmed by the panel, with its receipt', async () => {
    const stage = new Stage();
    await showKey(stage);
    await stage.payer.until(() => stage.payer.pictures.length === 1);
    await stage.press('Confirmar');
    await stage.payer.reaches('confirmed');
    await stage.payer.sees('$ 125.000');
    expect(finals(stage)).to.deep.equal(['payin-confirmed']);
  });

  it('is confirmed by a key without a QR', async () => {
    const stage = new Stage();
    stage.payer.element.keyType = 'SINGLE_USE';
    await showKey(stage, 'Llave Bre-B');
    await stage.press('Confirmar');
    await stage.payer.reaches('confirmed');
  });

  it('is declined, tried again and canceled', async () => {
    const stage = new Stage();
    await showKey(stage);
    await stage.press('Rechazar');
    await stage.payer.reaches('declined');
    await stage.payer.press('Intentar de nuevo');
    await stage.payer.reaches('paying');
    await stage.press('Cancelar');
    await stage.payer.reaches('canceled');
    expect(finals(stage)).to.deep.equal(['payin-declined', 'payin-canceled']);
  });

  it('is underpaid, and is not called paid', async () => {
    const stage = new Stage();
    await showKey(stage);
    await stage.press('Pagar de menos');
    await stage.payer.reaches('amount-differs');
    await stage.payer.sees('$ 112.500');
    expect(stage.payer.event('payin-confirmed').amountDiffers).to.equal(true);
    await stage.panel.updateComplete;
    const told = stage.panel.shadowRoot?.querySelector('.now')?.textContent.replace(/\s/g, ' ');
    expect(told).to.include('$ 112.500 de $ 125.000');
  });

  it('lapses at its expiry, gets a new key, and the old one still counts', async () => {
    const stage = new Stage();
    await showKey(stage);
    const [old] = stage.simulator.sandbox.engine.payins;
    await stage.press('Vencer');
    await stage.payer.reaches('lapsed');
    await stage.payer.press('Pedir otra llave');
    await stage.payer.reaches('paying');
    expect(stage.simulator.sandbox.engine.payins.length).to.equal(2);
    stage.simulator.sandbox.engine.decide(old!.id, 'CONFIRMED');
    await stage.payer.reaches('confirmed');
  });

  it('survives a reload of the page', async () => {
    const storage = sessionStorage;
    const stage = new Stage({ storage });
    await showKey(stage);
    const { keyString } = keyOf(stage.simulator);
    await stage.end();
    const again = new Stage({ storage });
    await again.payer.reaches('paying');
    await again.payer.sees(keyString);
    await again.press('Confirmar');
    await again.payer.reaches('confirmed');
    expect(again.payer.event('payin-confirmed').resumed).to.equal(false);
  });

  it('loses its network, says so, and goes on when it is back', async () => {
    const stage = new Stage();
    await showKey(stage);
    await stage.press('Sin red');
    stage.simulator.sandbox.engine.decide(stage.simulator.sandbox.engine.payins[0]!.id, 'CONFIRMED');
    await stage.payer.press('Ya pagué');
    await stage.payer.sees('Nos está costando consultar tu pago');
    expect(stage.payer.element.phase).to.equal('paying');
    await stage.press('Sin red');
    await stage.payer.reaches('confirmed');
  });

  it('is made although the network is down at first', async () => {
    const stage = new Stage();
    await stage.payer.reaches('choosing');
    stage.simulator.online = false;
    await stage.payer.press('Pagar con Bre-B');
    await stage.payer.reaches('failed');
    stage.simulator.online = true;
    await stage.payer.press('Reintentar');
    await stage.payer.reaches('paying');
    expect(stage.simulator.sandbox.engine.payins.length).to.equal(1);
  });
});

describe('a simulated PSE payment', function () {
  it('is approved at the bank, which is a dialog here', async () => {
    const stage = new Stage();
    await goToBank(stage);
    await stage.press('Aprobar');
    await stage.payer.reaches('confirmed');
    expect(stage.played).to.be.null;
    expect(stage.payer.heard('checkout-redirect', 'payin-confirmed')).to.deep.equal([
      'checkout-redirect',
      'payin-confirmed',
    ]);
    expect(location.search).not.to.contain('pay-return');
  });

  it('is rejected, and another method is offered', async () => {
    const stage = new Stage();
    await goToBank(stage);
    await stage.press('Rechazar');
    await stage.payer.reaches('declined');
    await stage.payer.press('Pagar de otra forma');
    await stage.payer.reaches('choosing');
  });

  it('is canceled at the bank', async () => {
    const stage = new Stage();
    await goToBank(stage);
    await stage.press('Cancelar');
    await stage.payer.reaches('canceled');
  });

  it('stays pending at the bank and is approved later', async () => {
    const stage = new Stage();
    await goToBank(stage);
    await stage.press('Dejar pendiente');
    await stage.payer.reaches('verifying');
    await stage.press('Confirmar');
    await stage.payer.reaches('confirmed');
  });

  it('can be gone back to when its dialog was closed', async () => {
    const stage = new Stage();
    await goToBank(stage);
    await stage.press('Cerrar');
    await stage.payer.reaches('pending');
    await stage.payer.press('Volver a mi banco');
    await stage.press('Aprobar');
    await stage.payer.reaches('confirmed');
  });
});

describe('a simulated payment link', function () {
  const hosted = { hosted: true };
  const customer = {
    name: 'Ana Gómez',
    idType: 'CO_CC',
    idNumber: '1020304050',
    phone: '3001234567',
    email: 'ana@correo.example',
  } as const;
  const order = { amountInCents: 12_500_000, customer };

  it('is paid on the page it leads to, and the shop hears only of the link', async () => {
    const stage = new Stage({ order }, hosted);
    await stage.payer.press('Ir a pagar');
    await stage.press('QR Bre-B');
    await stage.press('Aprobar');
    await stage.payer.reaches('confirmed');
    expect(stage.payer.heard('paymentlink-completed', 'payin-confirmed', 'payin-created')).to.deep.equal([
      'paymentlink-completed',
    ]);
    const told = stage.simulator.sandbox.engine.events.map(({ event }) => event);
    expect(told).to.deep.equal(['paymentlink.completed']);
  });

  it('is paid by PSE with the bank that the shop chose, and back at the shop', async () => {
    const stage = new Stage({ order }, { ...hosted, rails: 'PSE', bank: 'CO_BANCOLOMBIA' });
    await stage.payer.press('Ir a pagar');
    await stage.payer.until(() => stage.can('PSE'));
    expect(stage.can('QR Bre-B')).to.equal(false);
    await stage.press('PSE');
    expect(stage.played?.textContent).to.contain('Bancolombia');
    await stage.press('Aprobar');
    await stage.payer.reaches('confirmed');
    expect(stage.payer.heard('paymentlink-completed')).to.deep.equal(['paymentlink-completed']);
  });

  it('is left without paying, and waits', async () => {
    const stage = new Stage({ order }, hosted);
    await stage.payer.press('Ir a pagar');
    await stage.press('Volver sin pagar');
    await stage.payer.reaches('verifying');
    expect(stage.payer.heard('paymentlink-completed', 'paymentlink-expired')).to.deep.equal([]);
  });

  it('is shared, opened by another payer, and paid', async () => {
    const stage = new Stage({ order }, { ...hosted, share: true });
    // A seller's phone: the payer scans it.
    stage.payer.element.style.inlineSize = '320px';
    await stage.payer.press('Ir a pagar');
    await stage.payer.reaches('link');
    await stage.payer.until(() => stage.payer.pictures.length === 1);
    await stage.payer.sees(stage.simulator.sandbox.engine.links[0]!.id);
    expect(stage.payer.can('Copiar enlace')).to.equal(true);
    await stage.press('Abrir el enlace');
    await stage.press('Llave Bre-B');
    await stage.press('Dejar pendiente');
    await stage.press('Confirmar');
    await stage.payer.reaches('confirmed');
  });

  it('expires, is never offered again, and another is made on request', async () => {
    const stage = new Stage({ order }, { ...hosted, share: true });
    await stage.payer.press('Ir a pagar');
    await stage.payer.reaches('link');
    await stage.press('Vencer');
    await stage.payer.reaches('lapsed');
    expect(stage.payer.can('Ir a pagar')).to.equal(false);
    await stage.payer.press('Crear otro enlace');
    await stage.payer.reaches('link');
    expect(stage.payer.heard('paymentlink-expired', 'paymentlink-created')).to.deep.equal([
      'paymentlink-created',
      'paymentlink-expired',
      'paymentlink-created',
    ]);
    expect(stage.simulator.sandbox.engine.links.length).to.equal(2);
  });
});

describe('scenarios', function () {
  for (const [scenario, phase] of [
    ['confirmed', 'confirmed'],
    ['declined', 'declined'],
    ['canceled', 'canceled'],
    ['underpaid', 'amount-differs'],
    ['webhooks-lost', 'confirmed'],
  ] as const) {
    it(`${scenario} needs no click`, async () => {
      const stage = new Stage({ scenario });
      await stage.payer.press('Pagar con Bre-B');
      await stage.payer.reaches(phase);
    });
  }

  it('confirmed answers for the bank too', async () => {
    const stage = new Stage({ scenario: 'confirmed' });
    await goToBank(stage);
    await stage.payer.reaches('confirmed');
    expect(stage.played).to.be.null;
  });

  it('pending leaves it to the panel', async () => {
    const clock = manualClock(Date.now());
    const stage = new Stage({ scenario: 'pending', clock });
    await showKey(stage);
    await clock.advance(60_000);
    await stage.panel.updateComplete;
    expect(stage.can('Confirmar')).to.equal(true);
    expect(stage.payer.element.phase).to.equal('paying');
  });

  it('expired lets a key lapse', async () => {
    const stage = new Stage({ scenario: 'expired' });
    await stage.payer.press('Pagar con Bre-B');
    await stage.payer.reaches('paying');
    stage.simulator.skip(10_000);
    await stage.payer.reaches('lapsed');
  });

  it('can be changed while the page is open', async () => {
    const stage = new Stage();
    await stage.payer.reaches('choosing');
    stage.simulator.scenario = 'declined';
    await stage.payer.press('Pagar con Bre-B');
    await stage.payer.reaches('declined');
    stage.simulator.scenario = null;
    expect(stage.simulator.sandbox.engine.mishaps.everywhere).to.deep.equal([]);
  });
});

function keyOf({ sandbox }: Simulator) {
  const source = sandbox.engine.payins[0]?.source;
  if (source?.rail !== 'BRE_B') throw new Error('There is no key');
  return source;
}
