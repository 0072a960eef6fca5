import { expect } from '@open-wc/testing';
import { PayCheckoutElement } from '../../src/element/pay-checkout-element.js';
import { type Ledger, openLedger } from './support/ledger.js';
import { STAGES, mount, mountAndRemove, playBackend, until } from './support/mounts.js';

/** `heap.test.ts` has more of them, in one engine. */
const MOUNTS = 200;

describe('a checkout that is removed', () => {
  let ledger: Ledger;
  let stopBackend: () => void;

  beforeEach(async () => {
    stopBackend = playBackend();
    // Once outside the ledger: chunks arrive, and styles are made.
    for (const stage of STAGES) (await mount(stage)).remove();
    ledger = openLedger();
  });

  afterEach(() => {
    ledger.close();
    stopBackend();
    sessionStorage.clear();
  });

  const released = (patienceMs?: number) =>
    until(() => Object.keys(ledger.held()).length === 0, patienceMs).catch(() => undefined);

  for (const stage of STAGES) {
    it(`releases everything: ${stage}`, async () => {
      const element = await mount(stage);
      if (stage === 'paying') {
        await until(() => 'request' in ledger.held());
        expect(ledger.held()).to.include.keys(
          'timer',
          'request',
          'MutationObserver',
          'listener on Window: pageshow',
          'listener on HTMLDocument: visibilitychange',
        );
      }
      element.remove();
      await released();

      expect(ledger.held()).to.deep.equal({});
    });
  }

  it(`leaves nothing behind after ${MOUNTS} mounts`, async function () {
    await mountAndRemove(MOUNTS);
    await released();

    expect(ledger.held()).to.deep.equal({});
    expect(document.querySelector('pay-checkout')).to.be.null;
  });

  it('and releases nothing is noticed', async () => {
    class Forgetful extends PayCheckoutElement {
      override disconnectedCallback(): void {
        // Planted: nobody is told.
      }
    }
    Forgetful.define('forgetful-checkout');
    const element = await mount('paying', 'forgetful-checkout');
    element.remove();
    // It never is: time enough for one that would be.
    await released(500);

    expect(ledger.held()).to.include.keys(
      'timer',
      'request',
      'MutationObserver',
      'listener on Window: online',
    );
    PayCheckoutElement.prototype.disconnectedCallback.call(element);
    await released();
    expect(ledger.held()).to.deep.equal({});
  });

  it('and keeps a lock, a channel, an interval or a listener is noticed', async () => {
    let unlock: (value?: unknown) => void = () => undefined;
    const unlocked = new Promise((resolve) => (unlock = resolve));
    const interval = setInterval(() => undefined, 60_000);
    const listener = () => undefined;
    addEventListener('resize', listener);
    const channel = new BroadcastChannel('planted');
    void navigator.locks.request('planted', () => unlocked);
    expect(ledger.held()).to.deep.equal({
      interval: 1,
      'listener on Window: resize': 1,
      channel: 1,
      lock: 1,
    });

    clearInterval(interval);
    removeEventListener('resize', listener);
    channel.close();
    unlock();
    await until(() => Object.keys(ledger.held()).length === 0);
  });
});
