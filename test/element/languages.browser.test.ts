import { expect } from '@open-wc/testing';
import { Payer, clearPage } from './support/harness.js';
import { offer, paid, breb } from '../machine/fixtures.js';

describe('languages', () => {
  const { lang } = document.documentElement;

  afterEach(() => {
    clearPage();
    document.documentElement.lang = lang;
  });

  it('are Spanish unless the page says another', async () => {
    document.documentElement.lang = '';
    const payer = Payer.arrives({ locale: null });
    await payer.sees('¿Cómo quieres pagar?');
  });

  it('follow the nearest lang, and its changes', async () => {
    document.documentElement.lang = 'en-US';
    const payer = Payer.arrives({ locale: null });
    await payer.sees('How do you want to pay?');
    await payer.sees('COP 50,000');

    document.documentElement.lang = 'es-CO';
    await payer.sees('¿Cómo quieres pagar?');
  });

  it('follow a lang outside of the shadow root that the element lives in', async () => {
    const around = document.createElement('div');
    document.body.append(around);
    around.attachShadow({ mode: 'open' });
    const inner = document.createElement('div');
    around.shadowRoot!.append(inner);
    around.lang = 'en';
    const payer = Payer.arrives({ locale: null }, inner);
    await payer.sees('How do you want to pay?');

    around.lang = 'es';
    await payer.sees('¿Cómo quieres pagar?');
    around.remove();
  });

  it('follow the element to another place', async () => {
    document.documentElement.lang = 'es';
    const english = document.createElement('div');
    english.lang = 'en';
    document.body.append(english);
    const payer = Payer.arrives({ locale: null });
    await payer.sees('¿Cómo quieres pagar?');

    english.append(payer.element);
    await payer.sees('How do you want to pay?');
    english.remove();
  });

  it('are the locale attribute’s before the page’s', async () => {
    document.documentElement.lang = 'es';
    const payer = Payer.arrives({ locale: 'en' });
    await payer.sees('How do you want to pay?');

    payer.element.locale = 'es';
    await payer.sees('¿Cómo quieres pagar?');
  });

  it('fall back to Spanish where we have no words in the one asked for', async () => {
    document.documentElement.lang = 'en';
    const payer = Payer.arrives({ locale: 'pt-BR' });
    await payer.sees('¿Cómo quieres pagar?');
  });

  it('may be replaced word by word, live', async () => {
    const payer = Payer.arrives({ messages: { chooseTitle: '¿Con qué pagas?' } });
    await payer.sees('¿Con qué pagas?');
    await payer.sees('Pagar con Bre-B');

    payer.element.messages = { chooseTitle: 'Elige' };
    await payer.sees('Elige');
  });

  it('are the page’s own from the very first render', async () => {
    const payer = Payer.arrives({ messages: { loading: 'Un momento' } });
    payer.backend.hold();
    await payer.element.updateComplete;
    expect(payer.element.shadowRoot?.textContent).to.contain('Un momento').and.not.contain('Cargando');
  });

  it('change in the middle of a payment', async () => {
    const payer = Payer.arrives();
    await payer.press('Pagar con Bre-B');
    await payer.sees('Paga desde la app de tu banco');
    payer.element.locale = 'en';
    await payer.sees('Pay from your bank');
  });

  it('write dates in the time of Bogotá, whatever the device’s', async () => {
    const payer = Payer.arrives();
    payer.backend.offered = offer({
      attempt: paid(breb(), { resultAt: '2026-03-02T03:30:00.000Z' }),
    });
    await payer.sees(/1 de marzo de 2026.*10:30/);
    payer.element.locale = 'en';
    await payer.sees(/March 1, 2026.*10:30/);
  });
});
