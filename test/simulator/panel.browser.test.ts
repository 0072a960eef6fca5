import { expect } from '@open-wc/testing';
import { createSimulator, type PayCheckoutSimulatorElement } from '../../src/simulator.js';
import { clearStages, Stage } from './stage.js';

/** What the panel says, and that nobody can take a simulation for the real thing. */

afterEach(async () => {
  await clearStages();
  for (const panel of document.querySelectorAll('pay-checkout-simulator')) panel.remove();
});

const textOf = (panel: PayCheckoutSimulatorElement) =>
  panel.shadowRoot?.textContent.replaceAll(/\s+/g, ' ') ?? '';

describe('the announcement', function () {
  it('is on the page as soon as there is a simulator, in sight and in words', async () => {
    const stage = new Stage();
    await stage.panel.updateComplete;
    expect(textOf(stage.panel)).to.contain('Simulador: no se mueve dinero');
    const { width, height, bottom } = stage.panel.getBoundingClientRect();
    expect(width).to.be.greaterThan(150);
    expect(height).to.be.at.least(44);
    expect(bottom).to.be.at.most(innerHeight);
  });

  it('comes back when a page takes it away and goes on simulating', async () => {
    const stage = new Stage();
    await stage.payer.reaches('choosing');
    stage.panel.remove();
    await stage.payer.press('Pagar con Bre-B');
    await stage.payer.reaches('paying');
    expect(stage.panel.isConnected).to.equal(true);
  });

  it('is in one place: where the page put the panel, or else in the corner', async () => {
    const stage = new Stage();
    await stage.payer.reaches('choosing');
    const placed = document.createElement('pay-checkout-simulator');
    placed.simulator = stage.simulator;
    document.body.append(placed);
    await stage.payer.press('Pagar con Bre-B');
    await stage.payer.reaches('paying');
    expect([...document.querySelectorAll('pay-checkout-simulator')]).to.deep.equal([placed]);
    expect(getComputedStyle(placed).position).to.equal('static');
  });

  it('is on every page it plays', async () => {
    const stage = new Stage({ order: { amountInCents: 500_000 } }, { hosted: true });
    await stage.payer.press('Ir a pagar');
    await stage.payer.until(() => stage.played !== null);
    expect(stage.played?.textContent).to.contain('Simulador: no se mueve dinero');
  });

  it('ends with the simulation', async () => {
    const simulator = createSimulator();
    expect(document.querySelector('pay-checkout-simulator')).not.to.be.null;
    await simulator.close();
    expect(document.querySelector('pay-checkout-simulator')).to.be.null;
  });

  it('stands apart from that of another simulation on the page', async () => {
    const [one, other] = [new Stage(), new Stage()];
    await one.payer.reaches('choosing');
    await other.payer.reaches('choosing');
    const tops = [...document.querySelectorAll('pay-checkout-simulator')].map(
      (panel) => panel.getBoundingClientRect().top,
    );
    expect(tops.length).to.equal(2);
    expect(Math.abs(tops[0]! - tops[1]!)).to.be.at.least(44);
  });
});

describe('the panel', function () {
  it('has nothing to decide until there is a payment, and nothing more once it is over', async () => {
    const stage = new Stage();
    await stage.payer.reaches('choosing');
    expect(stage.can('Confirmar')).to.equal(false);
    expect(textOf(stage.panel)).to.contain('Todavía no hay ningún pago');
    await stage.payer.press('Pagar con Bre-B');
    await stage.payer.reaches('paying');
    await stage.press('Confirmar');
    await stage.payer.reaches('confirmed');
    expect(stage.can('Confirmar')).to.equal(false);
    expect(textOf(stage.panel)).to.contain('Confirmado');
  });

  it('speaks the page’s language', async () => {
    document.documentElement.lang = 'en';
    try {
      const stage = new Stage();
      await stage.panel.updateComplete;
      expect(textOf(stage.panel)).to.contain('Simulator: no money moves');
    } finally {
      document.documentElement.lang = 'es';
    }
  });

  it('chooses a scenario by the names of the sandbox', async () => {
    const stage = new Stage();
    await stage.payer.reaches('choosing');
    const select = stage.panel.shadowRoot!.querySelector('select')!;
    select.value = 'declined';
    select.dispatchEvent(new Event('change'));
    expect(stage.simulator.scenario).to.equal('declined');
    await stage.panel.updateComplete;
    expect(textOf(stage.panel)).to.contain('El banco rechaza el pago');
    await stage.payer.press('Pagar con Bre-B');
    await stage.payer.reaches('declined');
  });

  it('slows the service down, and the widget asks the payer to wait', async () => {
    const stage = new Stage();
    await stage.payer.reaches('choosing');
    await stage.press('Respuestas lentas');
    expect(stage.simulator.sandbox.engine.applies('slow-answers')).to.equal(true);
    await stage.payer.press('Pagar con Bre-B');
    await stage.payer.sees('Preparando');
    await stage.payer.reaches('paying');
  });

  it('has no accessibility violation, closed, open, and over each page it plays', async () => {
    const stage = new Stage({ order: { amountInCents: 500_000 } }, { hosted: true });
    await stage.payer.reaches('choosing');
    await expect(stage.panel).to.be.accessible();
    const details = stage.panel.shadowRoot!.querySelector('details')!;
    details.open = true;
    await expect(stage.panel).to.be.accessible();
    await stage.payer.press('Ir a pagar');
    await stage.payer.until(() => stage.played !== null);
    await expect(stage.panel).to.be.accessible();
    await stage.end();

    const bank = new Stage({
      order: {
        amountInCents: 500_000,
        customer: {
          name: 'Ana Gómez',
          idType: 'CO_CC',
          idNumber: '1020304050',
          phone: '3001234567',
          email: 'ana@correo.example',
        },
      },
      methods: [{ rail: 'PSE' }],
    });
    await bank.payer.fill('Banco', 'bancol');
    await bank.payer.pick('Bancolombia');
    await bank.payer.press('Ir a mi banco');
    await bank.payer.until(() => bank.played !== null);
    await expect(bank.panel).to.be.accessible();
  });
});
