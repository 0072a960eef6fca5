import { expect } from '@open-wc/testing';
import { Payer, clearPage } from '../support/harness.js';

/** Files of the second act that were asked for. A page asks once, so this file has a page of its own and one test. */
const asked = () =>
  performance.getEntriesByType('resource').filter(({ name }) => /\/paying-[\w-]+\.js/.test(name)).length;

function device(network: 'online' | 'offline'): void {
  Object.defineProperty(navigator, 'onLine', { configurable: true, value: network === 'online' });
  dispatchEvent(new Event(network));
}

describe('what paying needs', () => {
  afterEach(() => {
    Reflect.deleteProperty(navigator, 'onLine');
    clearPage();
  });

  it('is fetched while the payer reads the first screen, but not in vain while the device is offline', async () => {
    device('offline');
    const payer = Payer.arrives();
    await payer.sees('¿Cómo quieres pagar?');
    device('offline');
    await payer.sees('Sin conexión');
    expect(payer.told).to.contain('Sin conexión');
    // By the time of this answer a file that was asked for before would be here.
    await fetch(location.href);
    expect(asked()).to.equal(0);

    device('online');
    await payer.until(() => asked() === 1);
    await payer.press('Pagar con Bre-B');
    await payer.reaches('paying');
    expect(asked()).to.equal(1);
  });
});
