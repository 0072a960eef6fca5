import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { returnIdIn } from '../../src/contract/return-id.js';
import { CUSTOMER, type World, type WorldOptions, openWorld } from '../server/world.js';
import { type Home, Widget, type WidgetOptions } from './widget.js';

const MINUTE_MS = 60_000;

/** A widget's core, the kit and the sandbox, from the click to the outcome. */
async function journey(
  run: (world: World, open: (more?: Partial<WidgetOptions>, home?: Home) => Promise<Widget>) => Promise<void>,
  options: WorldOptions = {},
) {
  const world = await openWorld(options);
  const widgets: Widget[] = [];
  const order = await world.token();
  try {
    await run(world, async (more = {}, home = world) => {
      const widget = new Widget(home, { order, ...more });
      widgets.push(widget);
      await world.pass(100);
      return widget;
    });
  } finally {
    for (const widget of widgets) widget.close();
    await world.close();
  }
}

const payBreb = async (world: World, widget: Widget) => {
  widget.choose('BRE_B');
  await world.pass(1_000);
  assert.equal(widget.phase, 'paying');
  return attemptOf(widget);
};

const submitPse = async (world: World, widget: Widget) => {
  widget.choose('PSE');
  widget.do({
    type: 'submit',
    idempotencyKey: widget.key(),
    choice: {
      kind: 'PAYIN',
      rail: 'PSE',
      bank: 'CO_BANCOLOMBIA',
      personType: 'INDIVIDUAL',
      customer: CUSTOMER,
    },
  });
  await world.pass(15_000);
};

function attemptOf({ state: { screen } }: Widget) {
  assert.ok('attempt' in screen, screen.phase);
  return screen.attempt;
}

/** Where the service would send the payer back to. */
const wayBack = (world: World, reference: string) => {
  const { callbackUrl } = world.payinOf(reference);
  assert.ok(callbackUrl);
  return returnIdIn(callbackUrl);
};

describe('the widget’s core with the kit', () => {
  it('pays with Bre-B, and shows it within a second', async () => {
    await journey(async (world, open) => {
      const widget = await open();
      const { reference } = await payBreb(world, widget);
      await world.pass(3 * MINUTE_MS);
      world.engine.decide(world.payinOf(reference).id, 'CONFIRMED');
      await world.pass(1_000);
      assert.equal(widget.phase, 'confirmed');
      assert.deepEqual(widget.told, ['checkout-ready', 'payin-created', 'payin-confirmed']);
      assert.deepEqual(
        world.told.map(({ hook }) => hook),
        ['onConfirmed'],
      );
    });
  });

  it('asks at most 40 times in a quarter of an hour', async () => {
    await journey(async (world, open) => {
      const widget = await open();
      await payBreb(world, widget);
      await world.pass(15 * MINUTE_MS - 2_000);
      assert.ok(widget.requests.length <= 40, String(widget.requests.length));
      assert.equal(widget.phase, 'paying');
    });
  });

  it('does not call an underpayment a success', async () => {
    await journey(async (world, open) => {
      const widget = await open();
      const { reference } = await payBreb(world, widget);
      world.engine.settle(world.payinOf(reference).id, 'CONFIRMED', { confirmedAmountInCents: 1_000 });
      await world.pass(5_000);
      assert.equal(widget.phase, 'amount-differs');
    });
  });

  it('shows the same payment after a reload, without creating another', async () => {
    await journey(async (world, open) => {
      const first = await open();
      const { id, reference } = await payBreb(world, first);
      first.close();
      const second = await open({ hint: first.hint });
      assert.equal(second.phase, 'paying');
      assert.equal(attemptOf(second).id, id);
      world.engine.decide(world.payinOf(reference).id, 'DECLINED');
      await world.pass(3_000);
      assert.equal(second.phase, 'declined');
      second.close();
      const third = await open();
      assert.equal(third.phase, 'declined');
      const declined = third.events.find(({ type }) => type === 'payin-declined');
      assert.ok(declined?.type === 'payin-declined' && declined.resumed);
      assert.equal(world.engine.payins.length, 1);
    });
  });

  it('lapses by the server’s clock, makes a new key, and recognises a payment of the old one', async () => {
    await journey(async (world, open) => {
      const { checkouts, clock } = world;
      const behind = { now: () => clock.now() - 5 * MINUTE_MS, setTimer: clock.setTimer };
      const widget = await open({}, { checkouts, clock: behind });
      const old = await payBreb(world, widget);
      await world.pass(15 * MINUTE_MS + 2_000);
      assert.equal(widget.phase, 'lapsed');
      assert.ok(widget.told.includes('payin-lapsed'));
      widget.do({ type: 'renew', idempotencyKey: widget.key() });
      await world.pass(1_000);
      assert.equal(widget.phase, 'paying');
      assert.notEqual(attemptOf(widget).id, old.id);
      world.engine.decide(world.payinOf(old.reference).id, 'CONFIRMED');
      await world.pass(5_000);
      assert.equal(widget.phase, 'confirmed');
      assert.equal(attemptOf(widget).id, old.id);
    });
  });

  it('says when both keys were paid', async () => {
    await journey(async (world, open) => {
      const widget = await open();
      const first = await payBreb(world, widget);
      widget.do({ type: 'renew', idempotencyKey: widget.key() });
      await world.pass(1_000);
      const second = attemptOf(widget);
      world.engine.decide(world.payinOf(second.reference).id, 'CONFIRMED');
      await world.pass(5_000);
      assert.equal(widget.phase, 'confirmed');
      world.engine.decide(world.payinOf(first.reference).id, 'CONFIRMED');
      await world.pass(30_000);
      assert.equal(widget.phase, 'duplicate');
      assert.deepEqual(
        world.told.map(({ hook }) => hook),
        ['onConfirmed', 'onDuplicatePayment'],
      );
    });
  });

  it('goes to the bank once, and shows the outcome to the payer who comes back with the id', async () => {
    await journey(async (world, open) => {
      const widget = await open();
      await submitPse(world, widget);
      assert.equal(widget.phase, 'redirecting');
      assert.equal(widget.redirects.length, 1);
      const { reference } = attemptOf(widget);
      const returned = wayBack(world, reference);
      assert.ok(returned);
      widget.close();

      const back = await open({ order: null, returned });
      assert.equal(back.phase, 'verifying');
      assert.equal(back.cleaned, true);
      world.engine.decide(world.payinOf(reference).id, 'CONFIRMED');
      await world.pass(3_000);
      assert.equal(back.phase, 'confirmed');
      back.close();

      const replayed = await open({ returned });
      assert.equal(replayed.phase, 'confirmed');
    });
  });

  it('shows the payment of a paid order to a payer who comes back from an attempt that did not pay it', async () => {
    await journey(async (world, open) => {
      const widget = await open();
      await submitPse(world, widget);
      const returned = wayBack(world, attemptOf(widget).reference);
      assert.ok(returned);
      widget.do({ type: 'page-restored' }, { type: 'another-method' });
      widget.choose('BRE_B');
      await world.pass(1_000);
      widget.do({ type: 'override', idempotencyKey: widget.key() });
      await world.pass(1_000);
      const { id, reference } = attemptOf(widget);
      world.engine.decide(world.payinOf(reference).id, 'CONFIRMED');
      await world.pass(3_000);

      const back = await open({ order: null, returned });
      await world.pass(1_000);
      assert.equal(back.phase, 'confirmed');
      assert.equal(attemptOf(back).id, id);
      const confirmed = back.events.find(({ type }) => type === 'payin-confirmed');
      assert.ok(confirmed?.type === 'payin-confirmed' && confirmed.resumed);
    });
  });

  it('shows the payment of the old key when the new one is asked for once more', async () => {
    await journey(async (world, open) => {
      const widget = await open();
      const old = await payBreb(world, widget);
      widget.network = async (request, next) => {
        await next(request);
        throw new TypeError('Failed to fetch');
      };
      widget.do({ type: 'renew', idempotencyKey: widget.key() });
      await world.pass(1_000);
      assert.equal(widget.phase, 'failed');
      world.engine.decide(world.payinOf(old.reference).id, 'CONFIRMED');
      await world.pass(1_000);
      widget.network = (request, next) => next(request);
      widget.do({ type: 'retry', idempotencyKey: widget.key() });
      await world.pass(2_000);
      assert.equal(widget.phase, 'confirmed');
      assert.equal(attemptOf(widget).id, old.id);
    });
  });

  it('keeps the bank’s payment closed to another method until the payer says it was not authorised', async () => {
    await journey(async (world, open) => {
      const elsewhere = await open();
      await submitPse(world, await open());
      elsewhere.choose('BRE_B');
      await world.pass(1_000);
      const { screen } = elsewhere.state;
      assert.ok(screen.phase === 'pending' && screen.alreadyInProgress);
      assert.equal(world.engine.payins.length, 1);
      elsewhere.do({ type: 'another-method' });
      elsewhere.choose('BRE_B');
      await world.pass(1_000);
      assert.equal(elsewhere.phase, 'paying');
    });
  });

  it('takes another method at once from a payer who came back and said so before choosing', async () => {
    await journey(async (world, open) => {
      const widget = await open();
      await submitPse(world, widget);
      widget.do({ type: 'page-restored' }, { type: 'another-method' });
      widget.choose('BRE_B');
      await world.pass(1_000);
      assert.equal(widget.phase, 'paying');
      assert.equal(world.engine.payins.length, 2);
    });
  });

  it('finds its payment again when the answer to the create was lost', async () => {
    await journey(async (world, open) => {
      const widget = await open();
      widget.network = async (request, next) => {
        await next(request);
        throw new TypeError('Failed to fetch');
      };
      widget.choose('BRE_B');
      await world.pass(1_000);
      assert.equal(widget.phase, 'failed');
      widget.network = (request, next) => next(request);
      widget.do({ type: 'retry', idempotencyKey: widget.key() });
      await world.pass(1_000);
      assert.equal(widget.phase, 'paying');
      assert.equal(world.engine.payins.length, 1);
    });
  });

  it('goes on by itself within a minute after the network was gone', async () => {
    await journey(async (world, open) => {
      const widget = await open();
      const { reference } = await payBreb(world, widget);
      widget.network = () => Promise.reject(new TypeError('Failed to fetch'));
      widget.wake();
      await world.pass(30_000);
      assert.equal(widget.state.connection, 'TROUBLE');
      assert.equal(widget.phase, 'paying');
      world.engine.decide(world.payinOf(reference).id, 'CONFIRMED');
      widget.network = (request, next) => next(request);
      await world.pass(MINUTE_MS);
      assert.equal(widget.phase, 'confirmed');
      assert.equal(widget.state.connection, 'OK');
    });
  });

  it('gives up a create that is not answered in half a minute', async () => {
    await journey(async (world, open) => {
      const widget = await open();
      widget.network = () => new Promise(() => {});
      widget.choose('BRE_B');
      await world.pass(29_000);
      assert.equal(widget.phase, 'creating');
      await world.pass(1_000);
      assert.equal(widget.phase, 'failed');
    });
  });

  it('follows a link to its end', async () => {
    await journey(async (world, open) => {
      const widget = await open({ config: { hosted: true, linkMode: 'SHOW' } });
      widget.choose(null);
      await world.pass(1_000);
      assert.equal(widget.phase, 'link');
      const [made] = world.engine.links;
      assert.ok(made);
      const payin = world.engine.payLink(made.id, {
        rail: 'BRE_B',
        keyType: 'QR_CODE',
        inlineCustomer: CUSTOMER,
      });
      world.engine.decide(payin.id, 'CONFIRMED');
      await world.pass(5_000);
      assert.equal(widget.phase, 'confirmed');
      assert.equal(widget.told.at(-1), 'paymentlink-completed');
    });
  });

  it('lets a link expire', async () => {
    await journey(async (world, open) => {
      const widget = await open({ config: { hosted: true, linkMode: 'SHOW' } });
      widget.choose(null);
      await world.pass(61 * MINUTE_MS);
      assert.equal(widget.phase, 'lapsed');
      assert.equal(widget.told.at(-1), 'paymentlink-expired');
      widget.do({ type: 'renew', idempotencyKey: widget.key() });
      await world.pass(1_000);
      assert.equal(widget.phase, 'link');
    });
  });

  it('takes a new price before anything is created', async () => {
    await journey(async (world, open) => {
      const widget = await open();
      world.orders.set('order-1', { amountInCents: 7_000_000 });
      widget.choose('BRE_B');
      await world.pass(1_000);
      const { screen } = widget.state;
      assert.ok(screen.phase === 'choosing');
      assert.deepEqual(screen.changed, { previousAmountInCents: 5_000_000 });
      assert.equal(world.engine.payins.length, 0);
    });
  });

  it('says that an order does not exist', async () => {
    await journey(async (_, open) => {
      const widget = await open({ order: 'no-such-token' });
      const { screen } = widget.state;
      assert.ok(screen.phase === 'failed');
      assert.equal(screen.reason, 'not_found');
    });
  });
});
