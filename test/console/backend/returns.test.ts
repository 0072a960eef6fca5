import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { OrderDetail, PayinDetail, PayinReturns } from '../../../src/contract/merchant/console.js';
import type { PayoutView } from '../../../src/contract/merchant/payouts.js';
import { type ConsoleWorld, CUSTOMER, openConsoleWorld, startPayment, type Visitor } from './world.js';

/** Money that goes back: a payout that knows its payin and its order. */

type Payin = PayinDetail & PayinReturns;

async function paidOrder(world: ConsoleWorld): Promise<{ order: string; payin: string; cents: number }> {
  const order = world.place();
  await startPayment(world, order, { inlineCustomer: CUSTOMER });
  const [payin] = world.engine.payins;
  assert.ok(payin);
  world.engine.settle(payin.id, 'CONFIRMED');
  await world.settled();
  return { order, payin: payin.id, cents: payin.amountInCents };
}

async function sends(world: ConsoleWorld, visitor: Visitor, id: string, body = {}): Promise<number> {
  const { status } = await visitor.ask('POST', `/payouts/${id}/send`, { version: 1, ...body });
  await world.settled();
  return status;
}

describe('a return', () => {
  it('is a payout with what the payment knows, and marks its order once the money arrived', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    const { order, payin, cents } = await paidOrder(world);
    const before = await visitor.get<Payin>(`/payins/${payin}`);
    assert.deepEqual([before.order, before.returnableInCents, before.returns], [order, cents, []]);

    const request = { amountInCents: cents, keyString: CUSTOMER.idNumber, returnOf: payin };
    const draft = await visitor.post<PayoutView>('/payouts', request);
    assert.match(draft.reference, /^DV-/);
    assert.deepEqual([draft.payment, draft.order], [payin, order]);
    assert.deepEqual(draft.receiver.typed, { name: 'Per*** de Pru***', document: 'CO_CC •••• 0001' });
    assert.equal(draft.receiver.differs, false);
    assert.equal(await sends(world, visitor, draft.id), 202);
    const [made] = world.engine.payouts;
    const marked = async () =>
      (await visitor.get<OrderDetail>(`/orders/${order}`)).returns.map(({ state }) => state);
    assert.deepEqual(await marked(), ['PROCESSING'], 'nothing has arrived yet');
    world.engine.settle(made?.id ?? '', 'CONFIRMED');
    await world.settled();
    assert.deepEqual(await marked(), ['CONFIRMED']);
    const after = await visitor.get<Payin>(`/payins/${payin}`);
    assert.deepEqual([after.returnableInCents, after.returns[0]?.state], [0, 'CONFIRMED']);
  });

  it('to the key of another person is sent only when that is confirmed', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    const { payin } = await paidOrder(world);
    const draft = await visitor.post<PayoutView>('/payouts', {
      amountInCents: 100,
      keyString: '3001234567',
      returnOf: payin,
    });
    assert.equal(draft.receiver.differs, true);
    assert.equal(await sends(world, visitor, draft.id), 422);
    assert.equal(world.engine.payouts.length, 0);
    assert.equal(await sends(world, visitor, draft.id, { accepted: true }), 202);
    assert.equal(world.engine.payouts.length, 1);
  });

  it('never gives back more than was paid, also by drafts side by side', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    const { payin, cents } = await paidOrder(world);
    const request = { amountInCents: cents, keyString: CUSTOMER.idNumber, returnOf: payin };
    const tooMuch = await visitor.ask('POST', '/payouts', { ...request, amountInCents: cents + 1 });
    assert.equal(tooMuch.status, 422);
    assert.deepEqual(((await tooMuch.json()) as { errors: object[] }).errors, [
      { field: 'amountInCents', code: 'too_large' },
    ]);
    const drafts = [
      await visitor.post<PayoutView>('/payouts', request),
      await visitor.post<PayoutView>('/payouts', request),
    ];
    const statuses = await Promise.all(drafts.map(({ id }) => sends(world, visitor, id)));
    assert.deepEqual(statuses.sort(), [202, 422]);
    assert.equal(world.engine.payouts.length, 1);
    assert.equal((await visitor.ask('POST', '/payouts', request)).status, 422);

    // What did not leave may be given back after all.
    world.engine.settle(world.engine.payouts[0]?.id ?? '', 'DECLINED');
    await world.settled();
    const again = await visitor.post<PayoutView>('/payouts', request);
    assert.equal(await sends(world, visitor, again.id), 202);
  });

  it('is refused for a payin that is unpaid or unknown', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    const open = await world.service.payins.create({
      amountInCents: 10_000,
      currency: 'COP',
      rail: 'BRE_B',
      reference: 'ABIERTO-1',
      breb: { keyType: 'SINGLE_USE' },
    });
    const request = { amountInCents: 100, keyString: CUSTOMER.idNumber, inlineCustomer: CUSTOMER };
    const unknown = await visitor.ask('POST', '/payouts', { ...request, returnOf: 'payin-of-nobody' });
    assert.equal(unknown.status, 404);
    assert.equal((await visitor.ask('POST', '/payouts', { ...request, returnOf: open.id })).status, 422);
    assert.equal(world.engine.payouts.length, 0);
  });
});
