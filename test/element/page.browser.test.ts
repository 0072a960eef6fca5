import { expect } from '@open-wc/testing';
import { NOON_MS, breb, iso, linkMethod, offer, paid } from '../machine/fixtures.js';
import { CannedTransport } from './support/canned-transport.js';
import { consoleDuring } from './support/console.js';
import { Payer, clearPage } from './support/harness.js';

/** What a checkout does with the page it stands in, and what the page’s code does with it. */

afterEach(clearPage);

describe('a page’s code', () => {
  it('may call what it likes before the element is on the page', () => {
    const element = document.createElement('pay-checkout');
    element.refresh();
    element.start();
    element.reset();
    element.show();
    element.close();
    expect(element.phase).to.equal('idle');
    expect(element.attempt).to.be.null;
  });

  it('may call what it likes as soon as the element is on the page, and once it is gone', async () => {
    const payer = Payer.arrives();
    payer.element.reset();
    await payer.reaches('choosing');
    payer.element.remove();
    await Promise.resolve();
    payer.element.reset();
    payer.element.refresh();
    expect(payer.element.phase).to.equal('idle');
    expect(payer.backend.offersAsked).to.have.length(1);
  });

  it('starts a closed checkout once, however often it says so', async () => {
    const payer = Payer.arrives({ modal: true });
    await payer.element.updateComplete;
    payer.element.start();
    payer.element.start();
    await payer.reaches('choosing');
    payer.element.start();
    payer.element.show();
    await payer.sees('¿Cómo quieres pagar?');
    expect(payer.backend.offersAsked).to.have.length(1);
  });

  it('may give it another way to the backend', async () => {
    const payer = Payer.arrives();
    await payer.reaches('choosing');
    const other = new CannedTransport();
    payer.element.transport = other;
    await payer.until(() => other.offersAsked.length === 1);
    await payer.reaches('choosing');
    expect(payer.backend.offersAsked).to.have.length(1);
  });

  it('may give it another backend', async () => {
    const asked: string[] = [];
    const original = window.fetch;
    window.fetch = (input) => {
      asked.push(new URL(input as string, location.href).pathname);
      return Promise.resolve(Response.json(offer()));
    };
    try {
      const payer = Payer.arrives({ transport: null, backend: '/one' });
      await payer.reaches('choosing');
      payer.element.backend = '/two';
      await payer.until(() => asked.length === 2);
      await payer.reaches('choosing');
    } finally {
      window.fetch = original;
    }
    expect(asked).to.deep.equal(['/one/orders/A-1042', '/two/orders/A-1042']);
  });

  it('opens and closes nothing that is no dialog', async () => {
    const payer = Payer.arrives();
    await payer.reaches('choosing');
    payer.element.show();
    await payer.element.updateComplete;
    payer.element.close();
    await payer.element.updateComplete;
    expect(payer.heard('checkout-closed')).to.be.empty;
    await payer.sees('¿Cómo quieres pagar?');
    expect(payer.backend.offersAsked).to.have.length(1);
  });

  it('hears of a mistake once, also when the order is another', async () => {
    const errors = await consoleDuring('error', async () => {
      const payer = Payer.arrives({ rails: 'BRE_B NEQUI' });
      await payer.reaches('choosing');
      payer.element.order = 'B-7';
      await payer.until(() => payer.backend.offersAsked.length === 2);
      await payer.reaches('choosing');
      expect(payer.heard('checkout-error')).to.have.length(1);
      expect(payer.event('checkout-error').reason).to.equal('misconfigured');
    });
    expect(errors).to.have.length(1);
  });

  it('finds the payment link of the screen as its attempt, and no payin', async () => {
    const payer = Payer.arrives({ hosted: true, share: true });
    payer.backend.offered = offer({ methods: [linkMethod] });
    await payer.press('Ir a pagar');
    await payer.reaches('link');
    expect(payer.element.attempt?.id).to.equal('link-1');
    expect(payer.element.payin).to.be.null;
  });
});

describe('the page’s own way to its backend', () => {
  /** The first offer fails with this. */
  async function failing(error: unknown): Promise<Payer> {
    const transport = new CannedTransport();
    const answer = transport.offer.bind(transport);
    let asked = 0;
    transport.offer = async (order, options) => {
      if (asked++ === 0) throw error;
      return answer(order, options);
    };
    const payer = Payer.arrives({ transport });
    await payer.reaches('failed');
    return payer;
  }

  it('may throw what it likes: the payer tries again, the engineer reads why', async () => {
    const errors = await consoleDuring('error', async () => {
      const payer = await failing(new Error('socket closed'));
      expect(payer.event('checkout-error')).to.include({ reason: 'network', message: 'socket closed' });
      await payer.press('Reintentar');
      await payer.reaches('choosing');
      const other = await failing('socket closed');
      expect(other.event('checkout-error')).to.include({ reason: 'network', message: 'network' });
    });
    expect(errors).to.deep.equal([
      '<pay-checkout> socket closed (network: docs/problems.md)',
      '<pay-checkout> network (network: docs/problems.md)',
    ]);
  });
});

describe('the clock of the page', () => {
  it('is asked for no moment further off than its timers reach', async () => {
    const longest = 2 ** 31 - 1;
    const delays: number[] = [];
    const original = window.setTimeout;
    window.setTimeout = ((run: () => void, delay = 0) => {
      if (delay > 86_400_000) delays.push(delay);
      return original(run, delay);
    }) as typeof setTimeout;
    try {
      const payer = Payer.arrives();
      const now = iso(Date.now());
      payer.backend.offered = offer({
        now,
        attempt: breb({ now, expiresAt: iso(Date.now() + 2 * longest) }),
      });
      await payer.reaches('paying');
    } finally {
      window.setTimeout = original;
    }
    expect(delays).to.deep.equal([longest]);
  });

  it('is read from where the checkout began, for what is measured', async () => {
    performance.clearMeasures();
    const before = performance.now();
    const payer = Payer.arrives();
    payer.backend.offered = offer({ attempt: paid(breb({ expiresAt: iso(NOON_MS) })) });
    await payer.element.updateComplete;
    const begun = performance.now();
    await payer.hears('payin-confirmed');
    const measures = performance.getEntriesByType('measure').filter(({ name }) => name.startsWith('pay-'));
    expect(measures.map(({ name }) => name)).to.deep.equal(['pay-checkout:ready', 'pay-checkout:settled']);
    // Clocks of pages are coarse.
    for (const { startTime } of measures) expect(startTime).to.be.within(before - 2, begun + 2);
  });
});
