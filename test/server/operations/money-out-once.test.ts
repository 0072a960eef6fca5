import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { checkoutOf, CUSTOMER, type World } from '../world.js';
import { close, hooks, KEY, outcome, paid, PRICE, refund, refusal, sends } from './refunds-world.js';

/** No money goes out a second time, whatever happens around it. */

afterEach(close);

const DAY_MS = 86_400_000;

test('two drafts of one order under one reference: the second is refused once the first was sent', async () => {
  const { world: opened } = await paid();
  const { refunds } = checkoutOf(opened);
  const input = { order: 'order-1', keyString: KEY, amountInCents: 2_000, reference: 'DEV-1' };
  const [first, second] = [await refunds.draft(input), await refunds.draft(input)];
  const { serviceId } = await refunds.send(first.id, { version: first.version });
  assert.equal((await refusal(refunds.send(second.id, { version: second.version }))).code, 'reference_taken');
  await outcome(opened, serviceId, 'CONFIRMED');
  assert.equal(sends(opened), 1);
  assert.deepEqual(
    hooks(opened, 'onRefunded').map(({ key }) => key),
    ['refunded.DEV-1'],
  );
  assert.equal(await refunds.returnable({ order: 'order-1' }), PRICE - 2_000);
});

test('two payouts of no order under one reference: the second is refused once the first was sent', async () => {
  const { world: opened } = await paid();
  const { payouts } = checkoutOf(opened);
  const input = { amountInCents: 2_000, keyString: KEY, customer: CUSTOMER, reference: 'NOMINA-1' };
  const [first, second] = [await payouts.draft(input), await payouts.draft(input)];
  await payouts.send(first.id, { version: first.version });
  assert.equal((await refusal(payouts.send(second.id, { version: second.version }))).code, 'reference_taken');
  assert.equal(sends(opened), 1);
});

test('a lookup of its key that outlasts the lease says nothing of a payout that another instance has begun', async () => {
  for (const late of ['another owner', 'no answer'] as const) {
    let lookups = 0;
    let breakOff = () => {};
    const { world: opened } = await paid({
      instances: 2,
      work: false,
      network: async (request, next) => {
        // The first is the draft's; the next three are one instance's, which tries again when the service is busy.
        if (request.url.includes('/breb/keys/') && [2, 3, 4].includes(++lookups)) {
          const isLast = lookups === 4;
          await new Promise<void>((resolve) => void opened.clock.setTimer(4_900, resolve));
          if (!isLast || late === 'no answer')
            return Response.json({}, { status: 503, headers: { 'retry-after': '10' } });
          const answer = await next(request);
          const { details } = (await answer.json()) as { details: object };
          return Response.json({ details: { ...details, name: 'Otra Persona' } });
        }
        if (request.method === 'POST' && request.url.endsWith('/payouts')) {
          await new Promise<void>((resolve) => (breakOff = resolve));
          throw new TypeError('fetch failed');
        }
        return next(request);
      },
    });
    const { refunds } = checkoutOf(opened);
    const { id, version } = await refunds.draft({ order: 'order-1', keyString: KEY });
    const sending = refunds.send(id, { version });
    await opened.clock.advance(31_000, opened.settle);
    const other = opened.checkouts[1]!.tick();
    await opened.settle();
    assert.equal(sends(opened), 1, 'the other instance has called the service');
    await opened.clock.advance(5_000, opened.settle);
    breakOff();
    await Promise.all([sending, other]);
    assert.equal((await refunds.find(id))?.state, 'UNCLEAR', late);
    assert.equal(hooks(opened, 'onPayoutFailed').length, 0);
    await close();
  }
});

test('a payment of an order that was removed is given back no second time', async () => {
  for (const remove of ['forget', 'retention'] as const) {
    const { world: opened, payin } = await paid({
      work: false,
      options: { chargebackWatchMs: 0, retentionMs: 10 * DAY_MS },
    });
    const { orders, refunds } = checkoutOf(opened);
    await outcomeByTicks(opened, (await refund(opened)).serviceId);
    if (remove === 'forget') assert.equal(await orders.forget('order-1'), 'forgotten');
    for (const days of [11, 11, 40]) {
      await opened.passByTicks(remove === 'forget' && days === 11 ? 60_000 : days * DAY_MS, DAY_MS);
      const again = await refusal(refunds.draft({ payment: payin, keyString: KEY, customer: CUSTOMER }));
      assert.deepEqual([again.code, again.returnableInCents], ['too_large', 0], `${remove}, ${days} days`);
    }
    assert.equal(await opened.store.read('o:order-1'), undefined);
    await close();
  }
});

test('an order is not removed while a refund of it is on its way', async () => {
  const { world: opened } = await paid({
    work: false,
    options: { chargebackWatchMs: 0, retentionMs: DAY_MS },
  });
  const { serviceId } = await refund(opened);
  await opened.passByTicks(5 * DAY_MS, DAY_MS / 4);
  const { orders, refunds } = checkoutOf(opened);
  assert.deepEqual(
    (await refunds.list('order-1')).map(({ state }) => state),
    ['PROCESSING'],
  );
  await outcomeByTicks(opened, serviceId);
  assert.equal(hooks(opened, 'onRefunded').length, 1);
  await opened.passByTicks(3 * DAY_MS, DAY_MS / 4);
  assert.equal(await orders.show('order-1'), undefined);
});

async function outcomeByTicks(opened: World, serviceId: string | null) {
  opened.engine.settle(serviceId ?? '', 'CONFIRMED');
  await opened.idle();
  await opened.passByTicks(4_000, 2_000);
}
