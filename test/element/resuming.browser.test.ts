import { expect } from '@open-wc/testing';
import { withReturnId } from '../../src/contract/return-address.js';
import { TransportError } from '../../src/transport/port.js';
import { breb, offer, paid, pse } from '../machine/fixtures.js';
import { CannedTransport } from './support/canned-transport.js';
import { consoleDuring } from './support/console.js';
import { Payer, clearPage } from './support/harness.js';

afterEach(clearPage);

/** As a reload does: the page forgets everything, the tab remembers what it remembers. */
function reload(payer: Payer, backend = payer.backend): Payer {
  payer.leaves();
  return Payer.arrives({ transport: backend });
}

/** Puts something else in the place of the tab's storage. */
async function withStorage(storage: () => Storage, run: () => Promise<void>): Promise<void> {
  const original = Object.getOwnPropertyDescriptor(window, 'sessionStorage')!;
  Object.defineProperty(window, 'sessionStorage', { configurable: true, get: storage });
  try {
    await run();
  } finally {
    Object.defineProperty(window, 'sessionStorage', original);
  }
}

describe('a tab that cannot remember', () => {
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('', 'QuotaExceededError');
    },
  } as unknown as Storage;
  const storages: Record<string, () => Storage> = {
    'has no storage': () => undefined as unknown as Storage,
    'has a full one': () => full,
    'may not look at it': () => {
      throw new DOMException('', 'SecurityError');
    },
  };
  for (const [why, storage] of Object.entries(storages)) {
    it(`pays and comes back all the same when it ${why}`, async () => {
      const errors = await consoleDuring('error', () =>
        withStorage(storage, async () => {
          const payer = Payer.arrives();
          await payer.press('Pagar con Bre-B');
          await payer.reaches('paying');
          const payin = payer.element.payin!;
          payer.backend.offered = offer({ attempt: payin });
          const again = reload(payer);
          await again.sees('@tienda123');
          again.backend.tell(paid(payin));
          await again.sees('Pago aprobado');
          expect(again.backend.created).to.have.length(1);
        }),
      );
      expect(errors).to.be.empty;
    });
  }
});

describe('the address that a bank sends a payer back to', () => {
  const comeBack = (id: string, tail = '') =>
    history.replaceState({ router: 1 }, '', withReturnId(location.href, { kind: 'PAYIN', id }) + tail);
  let before: string;
  beforeEach(() => (before = location.href));
  afterEach(() => history.replaceState(null, '', before));

  it('may have a route after its hash, which stays as it is', async () => {
    const backend = new CannedTransport();
    backend.tell(paid(pse({ id: 'pse-9' })));
    comeBack('pse-9', '#/pagar?paso=2&pay-return=mine');
    const payer = Payer.arrives({ transport: backend });
    await payer.sees('Pago aprobado');
    expect(location.hash).to.equal('#/pagar?paso=2&pay-return=mine');
    expect(location.search).not.to.contain('pay-return');
    expect(history.state).to.deep.equal({ router: 1 });
  });

  it('only shows again what is known when it is opened again', async () => {
    const backend = new CannedTransport();
    backend.tell(paid(pse({ id: 'pse-9' })));
    comeBack('pse-9');
    const first = Payer.arrives({ transport: backend });
    await first.sees('Pago aprobado');
    comeBack('pse-9');
    const again = reload(first);
    await again.sees('Pago aprobado');
    expect(again.event('payin-confirmed').resumed).to.be.true;
    expect(backend.created).to.be.empty;
  });

  it('offers the order when the backend does not know the attempt that it names', async () => {
    comeBack('made-up');
    const payer = Payer.arrives();
    await payer.sees('¿Cómo quieres pagar?');
    expect(location.search).not.to.contain('pay-return');
    expect(payer.heard('payin-confirmed')).to.be.empty;
  });

  it('says so when the backend does not know the attempt and the page has no order', async () => {
    comeBack('made-up');
    const payer = Payer.arrives({ order: null });
    await payer.sees('No encontramos este pedido');
    expect(location.search).not.to.contain('pay-return');
  });

  it('leads to the attempt that this tab has made, also on a page without an order', async () => {
    const payer = Payer.arrives();
    await payer.press('Pagar con Bre-B');
    await payer.reaches('paying');
    comeBack(payer.element.payin!.id);
    payer.leaves();
    const again = Payer.arrives({ transport: payer.backend, order: null });
    await again.sees('@tienda123');
  });

  it('leads to the offer by the attempt’s own order where the page has none', async () => {
    const backend = new CannedTransport();
    backend.tell({ ...pse({ id: 'pse-9', order: 'A-7' }), status: 'DECLINED' });
    comeBack('pse-9');
    const payer = Payer.arrives({ transport: backend, order: null });
    await payer.sees('Pago rechazado');
    await payer.press('Pagar de otra forma');
    await payer.reaches('choosing');
    expect(backend.offersAsked).to.deep.equal(['A-7']);
  });
});

describe('the back button at the bank', () => {
  it('leaves no screen that goes on for ever: the payer continues, asks or takes another method', async () => {
    const payer = Payer.arrives();
    // An address of this very page, so that going there leaves the test where it is.
    const bank = `${location.href}#banco`;
    payer.backend.creates = () => pse({ sourceData: { ...pse().sourceData!, pseUrl: bank } });
    await payer.goesToBank();
    await payer.reaches('redirecting');

    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await payer.reaches('pending');
    await payer.sees('Volver a mi banco');
    expect(payer.can('Consultar estado')).to.be.true;
    await payer.until(() => payer.backend.reads.length > 0);
    await payer.press('No autoricé: usar otro medio');
    await payer.sees('Sigue solo si no autorizaste el pago en tu banco');
    await payer.press('QR Bre-B');
    await payer.press('Pagar con Bre-B');
    await payer.until(() => payer.backend.created.length === 2);
    expect(payer.backend.created.at(-1)?.body).to.include({ replaces: 'pse-1', override: true });
    history.replaceState(null, '', location.href.split('#')[0]);
  });
});

describe('a create that was interrupted', () => {
  it('is found as the order’s attempt, and nothing is created again', async () => {
    const payer = Payer.arrives();
    await payer.reaches('choosing');
    payer.backend.hold();
    await payer.press('Pagar con Bre-B');
    await payer.reaches('creating');
    const backend = new CannedTransport();
    backend.offered = offer({ attempt: breb() });
    backend.tell(breb());
    const again = reload(payer, backend);
    await again.sees('@tienda123');
    expect(backend.created).to.be.empty;
  });

  it('is begun again by the payer, with the same choice, as the same one', async () => {
    const payer = Payer.arrives();
    await payer.reaches('choosing');
    payer.backend.hold();
    await payer.press('Pagar con Bre-B');
    await payer.until(() => payer.backend.created.length === 1);
    const [first] = payer.backend.created;
    const backend = new CannedTransport();
    const again = reload(payer, backend);
    await again.reaches('choosing');
    expect(backend.created, 'by itself').to.be.empty;
    await again.press('Pagar con Bre-B');
    await again.reaches('paying');
    expect(backend.created[0]?.idempotencyKey).to.equal(first?.idempotencyKey);
  });

  it('is one more when the payer chooses otherwise', async () => {
    const payer = Payer.arrives();
    payer.backend.creates = () => new TransportError('NETWORK');
    await payer.press('Pagar con Bre-B');
    await payer.reaches('failed');
    const [first] = payer.backend.created;
    payer.backend.creates = () => pse();
    payer.element.addEventListener('checkout-redirect', (event) => event.preventDefault());
    await payer.press('Pagar de otra forma');
    await payer.goesToBank();
    await payer.reaches('pending');
    expect(payer.backend.created[1]?.idempotencyKey).not.to.equal(first?.idempotencyKey);
  });
});

describe('a moment that is waited for', () => {
  it('is not missed when a timer fires before it', async () => {
    const payer = Payer.arrives();
    const soon = new Date(Date.now() + 1_500).toISOString();
    payer.backend.creates = () => breb({ expiresAt: soon, now: new Date().toISOString() });
    const later = window.setTimeout;
    // Every timer is early, as those of days are: they cannot be set for longer than 25.
    window.setTimeout = ((run: () => void, ms: number) => later(run, ms / 4)) as typeof setTimeout;
    try {
      await payer.press('Pagar con Bre-B');
      await payer.reaches('paying');
      await payer.reaches('lapsed');
    } finally {
      window.setTimeout = later;
    }
  });
});
