import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { checkoutOf, CUSTOMER } from '../world.js';
import { close, PRICE, KEY, sends, hooks, refusal, paid, refund, outcome } from './refunds-world.js';

/** Money that goes back: drafted with the owner of the key, sent by a second call, never more than came in. */

afterEach(close);

const OTHER_KEY = '3001234567';

test('a refund is drafted with the masked owner of the key, sent by a second call, and notified once it has arrived', async () => {
  const { world: opened, payin } = await paid();
  const { refunds, payouts, orders } = checkoutOf(opened);
  const draft = await refunds.draft({ order: 'order-1', keyString: KEY });
  assert.deepEqual(
    [draft.state, draft.version, draft.amountInCents, draft.returnableInCents, draft.order],
    ['DRAFT', 1, PRICE, PRICE, 'order-1'],
  );
  assert.match(draft.receiver.name, /^Rec\*\*\* de Pru\*\*\* \d{3}$/);
  assert.equal(draft.receiver.differs, false);
  const shown = JSON.stringify([draft, opened.logged]);
  const owner = opened.engine.lookupKey(KEY).details;
  for (const secret of [owner.name, KEY, owner.bankAccountNumber, CUSTOMER.email, CUSTOMER.name])
    assert.ok(!shown.includes(secret ?? '?'), `${secret ?? '?'} stays here`);
  await opened.pass(60_000);
  assert.equal(sends(opened), 0, 'nothing is sent before the second call');

  const sent = await refunds.send(draft.id, { version: draft.version });
  assert.deepEqual([sent.state, sent.returnableInCents], ['PROCESSING', 0]);
  assert.equal(hooks(opened, 'onRefunded').length, 0, 'the answer is never the outcome');
  const [made] = opened.engine.payouts;
  assert.deepEqual([made?.id, made?.reference, made?.amountInCents], [sent.serviceId, sent.reference, PRICE]);
  const stored = JSON.stringify(await opened.store.read('o:order-1'));
  for (const secret of [CUSTOMER.email, CUSTOMER.phone, KEY])
    assert.ok(!stored.includes(secret), `${secret} is forgotten as soon as it was sent`);

  await outcome(opened, sent.serviceId, 'CONFIRMED');
  const notice = hooks(opened, 'onRefunded')[0] as unknown as Record<string, unknown>;
  assert.deepEqual(
    [notice['key'], notice['order'], notice['amountInCents'], notice['refundedInCents'], notice['status']],
    [`refunded.${sent.reference}`, 'order-1', PRICE, PRICE, 'CONFIRMED'],
  );
  await opened.webhook({
    event: 'payout.confirmed',
    resource: 'payout',
    data: { id: sent.serviceId, status: 'CONFIRMED' },
  });
  await opened.pass(2_000);
  assert.equal(hooks(opened, 'onRefunded').length, 1, 'the same event again changes nothing');
  assert.equal((await payouts.find(sent.serviceId ?? ''))?.id, draft.id, 'by either id');
  const { payouts: listed, total } = await payouts.list();
  assert.deepEqual([listed.map(({ id, state }) => [id, state]), total], [[[draft.id, 'CONFIRMED']], 1]);
  assert.deepEqual(
    (await orders.show('order-1'))?.history
      .map(({ event }) => event)
      .filter((each) => /payout|refund/.test(each)),
    ['payout_sent', 'payout_reported', 'refunded', 'payout_reported'],
  );
  assert.equal((await refunds.list('order-1'))[0]?.payment, null);
  assert.equal(await refunds.returnable({ payment: payin }), 0);
});

test('never more goes back than came in less what went back', async () => {
  const { world: opened, payin, reference } = await paid();
  const { refunds } = checkoutOf(opened);
  const named = await refunds.draft({ payment: reference, keyString: KEY });
  assert.deepEqual([named.payment, named.amountInCents], [payin, PRICE], 'by its reference too');
  const tooMuch = await refusal(
    refunds.draft({ order: 'order-1', keyString: KEY, amountInCents: PRICE + 1 }),
  );
  assert.deepEqual([tooMuch.code, tooMuch.returnableInCents], ['too_large', PRICE]);
  const part = await refund(opened, { amountInCents: 3_000_000, payment: payin });
  assert.equal(part.payment, payin);
  assert.equal((await refusal(refund(opened, { amountInCents: 2_000_001 }))).returnableInCents, 2_000_000);
  await outcome(opened, part.serviceId, 'DECLINED');
  assert.deepEqual(
    hooks(opened, 'onPayoutFailed').map(({ key }) => key),
    [`payout-failed.${part.reference}.DECLINED`],
  );
  assert.equal((await refund(opened)).amountInCents, PRICE, 'what did not leave may be given back after all');
  const nothingLeft = await refusal(refund(opened));
  assert.deepEqual([nothingLeft.code, nothingLeft.returnableInCents], ['too_large', 0]);
  assert.equal((await refusal(refunds.draft({ order: 'nobody', keyString: KEY }))).code, 'not_found');
});

test('a draft counts what was sent while the owner of its key was looked up', async () => {
  let meanwhile: (() => Promise<unknown>) | undefined;
  const { world: opened } = await paid({
    network: async (request, next) => {
      if (request.url.includes('/keys/')) {
        const sent = meanwhile?.();
        meanwhile = undefined;
        await sent;
      }
      return next(request);
    },
  });
  meanwhile = () => refund(opened, { amountInCents: 3_000_000 });
  const { code, returnableInCents } = await refusal(refund(opened));
  assert.deepEqual([code, returnableInCents], ['too_large', 2_000_000]);
  const listed = await checkoutOf(opened).refunds.list('order-1');
  assert.deepEqual(
    listed.map(({ amountInCents }) => amountInCents),
    [3_000_000],
  );
});

test('money that the bank has taken back is not given back again, also when that was not recorded yet', async () => {
  const { world: opened, payin } = await paid();
  opened.engine.chargeBack(payin);
  const { code, returnableInCents } = await refusal(refund(opened));
  assert.deepEqual([code, returnableInCents], ['too_large', 0]);
  await opened.pass(2_000);
  assert.equal(hooks(opened, 'onChargeback').length, 1);
  assert.equal(sends(opened), 0);
});

test('nothing goes back while the service does not call the payment paid', async () => {
  let status = 'CONFIRMED';
  const { world: opened } = await paid({
    network: async (request, next) => {
      const answer = await next(request);
      if (request.method !== 'GET' || !request.url.includes('/payins/')) return answer;
      return Response.json({ ...((await answer.json()) as object), status });
    },
  });
  status = 'PROCESSING';
  assert.equal((await refusal(refund(opened))).code, 'service_unavailable');
  assert.equal(sends(opened), 0);
});

test('an unclear refund is never sent again: its event settles it', async () => {
  const { world: opened } = await paid();
  opened.engine.setMishap('error-after-work', true);
  opened.engine.setMishap('webhooks-lost', true);
  const unclear = await refund(opened);
  assert.deepEqual([unclear.state, unclear.reason, unclear.serviceId], ['UNCLEAR', 'unavailable', null]);
  assert.equal((await refusal(refund(opened))).code, 'too_large', 'it counts as gone');
  const { moneyOut } = await checkoutOf(opened).reconcile({
    from: new Date(0),
    to: new Date(opened.clock.now() + 1),
  });
  assert.deepEqual([moneyOut.outInCents, moneyOut.openInCents], [0, PRICE]);
  await opened.pass(3_600_000);
  assert.equal(sends(opened), 1);
  const { items } = (await checkoutOf(opened).orders.review()).orders[0] ?? { items: [] };
  assert.deepEqual(
    items.map(({ kind, reference }) => [kind, reference]),
    [['payout_unclear', unclear.reference]],
  );
  opened.engine.setMishap('webhooks-lost', false);
  await outcome(opened, opened.engine.payouts[0]?.id ?? null, 'CONFIRMED');
  assert.equal((await checkoutOf(opened).refunds.find(unclear.id))?.state, 'CONFIRMED');
  assert.equal(hooks(opened, 'onRefunded').length, 1);
  assert.deepEqual((await checkoutOf(opened).orders.review()).orders, []);
});

test('a refund whose call gets no answer is unclear as soon as the time of the call is over', async () => {
  const { world: opened } = await paid({
    options: { createTimeoutMs: 3_000 },
    network: (request, next) =>
      request.url.endsWith('/payouts') ? new Promise(() => undefined) : next(request),
  });
  const refunding = refund(opened);
  await opened.pass(3_000);
  const [shown] = await checkoutOf(opened).refunds.list('order-1');
  assert.equal(shown?.state, 'UNCLEAR');
  await refunding;
});

test('an answer that is not about the refund, or that its reference is taken, leaves it unclear', async () => {
  const answers: ((made: object) => Response)[] = [
    (made) => Response.json({ ...made, reference: 'another' }, { status: 201 }),
    (made) => Response.json({ ...made, amountInCents: 1, amount: 0.01 }, { status: 201 }),
    () => new Response(null, { status: 409 }),
  ];
  const { world: opened } = await paid({
    network: async (request, next) => {
      const answer = await next(request);
      if (!request.url.endsWith('/payouts')) return answer;
      return answers[sends(opened) - 1]?.((await answer.json()) as object) ?? answer;
    },
  });
  for (const reason of ['answer_differs', 'answer_differs', 'conflict']) {
    const { state, reason: why } = await refund(opened, { amountInCents: 100 });
    assert.deepEqual([state, why], ['UNCLEAR', reason]);
  }
  answers.push((made) => Response.json({ ...made, amountInCents: 100, amount: 1 }, { status: 201 }));
  assert.equal((await refund(opened, { amountInCents: 100 })).state, 'PROCESSING', 'its own amount');
});

test('an event that names only the id of a refund, and comes before the answer, settles the refund', async () => {
  const { world: opened } = await paid({
    network: async (request, next) => {
      const answer = await next(request);
      if (!request.url.endsWith('/payouts')) return answer;
      const { id } = (await answer.clone().json()) as { id: string };
      const data = { id, status: 'CONFIRMED' };
      await opened.webhook({ event: 'payout.confirmed', resource: 'payout', data });
      return answer;
    },
  });
  opened.engine.setMishap('webhooks-lost', true);
  assert.equal((await refund(opened)).state, 'CONFIRMED');
  await opened.pass(2_000);
  assert.equal(hooks(opened, 'onRefunded').length, 1);
});

test('an unclear refund is settled by what a person found out, and a decline that follows is no second failure', async () => {
  let isLost = true;
  const { world: opened } = await paid({
    network: async (request, next) => {
      if (isLost && request.method === 'POST' && request.url.endsWith('/payouts'))
        throw new TypeError('reset');
      return next(request);
    },
  });
  const { payouts } = checkoutOf(opened);
  const { id, state, version, reference } = await refund(opened);
  assert.equal(state, 'UNCLEAR');
  assert.equal((await refusal(payouts.resolve(id, { version: version - 1, sent: false }))).code, 'stale');
  const resolved = await payouts.resolve(id, { version, sent: false });
  assert.deepEqual([resolved.state, resolved.reason], ['REFUSED', 'resolved']);
  await opened.webhook({
    event: 'payout.declined',
    resource: 'payout',
    data: { id: crypto.randomUUID(), reference, status: 'DECLINED' },
  });
  await opened.pass(2_000);
  assert.equal(hooks(opened, 'onPayoutFailed').length, 1);
  const other = await refund(opened, { amountInCents: 100 });
  const { state: found } = await payouts.resolve(other.id, { version: other.version, sent: true });
  assert.equal(found, 'CONFIRMED');
  isLost = false;
  assert.equal((await refund(opened)).state, 'PROCESSING');
  assert.equal(opened.engine.payouts.length, 1);
});

test('a service that certainly did nothing is called again after 1 and 2 seconds, and given up after 15 minutes', async () => {
  let calls = 0;
  const { world: opened } = await paid({
    network: async (request, next) => {
      if (!request.url.endsWith('/payouts')) return next(request);
      calls += 1;
      if (calls === 3) return next(request);
      throw Object.assign(new TypeError('fetch failed'), {
        cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' }),
      });
    },
  });
  const waiting = await refund(opened, { amountInCents: 100 });
  assert.equal(waiting.state, 'SENDING');
  const callsAfter = async (durationMs: number) => {
    await opened.pass(durationMs);
    return calls;
  };
  assert.deepEqual(
    [await callsAfter(999), await callsAfter(1), await callsAfter(1_999), await callsAfter(1)],
    [1, 2, 2, 3],
  );
  assert.equal((await checkoutOf(opened).refunds.find(waiting.id))?.state, 'PROCESSING');
  assert.equal(opened.engine.payouts.length, 1);
  const { id } = await refund(opened, { amountInCents: 100 });
  const found = async () => {
    const { state, reason } = (await checkoutOf(opened).refunds.find(id)) ?? {};
    return [state, reason];
  };
  await opened.pass(15 * 60_000 - 1);
  assert.deepEqual(await found(), ['SENDING', null]);
  await opened.pass(1);
  assert.deepEqual(await found(), ['REFUSED', 'unavailable']);
  assert.equal(opened.engine.payouts.length, 1);
});

test('the key of another person is paid only when that is accepted, and never when its owner has changed since', async () => {
  let renamed = false;
  const { world: opened } = await paid({
    network: async (request, next) => {
      const answer = await next(request);
      if (!renamed || !request.url.includes('/breb/keys/')) return answer;
      const { details } = (await answer.json()) as { details: object };
      return Response.json({ details: { ...details, name: 'Otra Persona' } });
    },
  });
  const { refunds } = checkoutOf(opened);
  const draft = await refunds.draft({ order: 'order-1', keyString: OTHER_KEY, amountInCents: 100 });
  assert.equal(draft.receiver.differs, true);
  assert.equal((await refusal(refunds.send(draft.id, { version: 1 }))).code, 'receiver_differs');
  assert.equal(sends(opened), 0);
  assert.equal((await refunds.send(draft.id, { version: 1, receiverAccepted: true })).state, 'PROCESSING');

  const stale = await refunds.draft({ order: 'order-1', keyString: KEY, amountInCents: 100 });
  renamed = true;
  const { state, reason } = await refunds.send(stale.id, { version: 1 });
  assert.deepEqual([state, reason], ['REFUSED', 'receiver_not_confirmed']);
  assert.equal(sends(opened), 1);
});

test('a draft lapses after 15 minutes with the data in it, and can be discarded before', async () => {
  const { world: opened } = await paid();
  const { refunds } = checkoutOf(opened);
  const lapsing = await refunds.draft({ order: 'order-1', keyString: KEY });
  const discarded = await refunds.draft({ order: 'order-1', keyString: KEY });
  const isKept = async () => JSON.stringify(await opened.store.read('o:order-1')).includes(CUSTOMER.email);
  await refunds.discard(discarded.id);
  assert.equal(await refunds.find(discarded.id), undefined);
  await opened.pass(15 * 60_000 - 1);
  assert.deepEqual([(await refunds.find(lapsing.id))?.state, await isKept()], ['DRAFT', true]);
  await opened.pass(1);
  for (const { id } of [lapsing, discarded]) {
    assert.equal(await refunds.find(id), undefined);
    assert.equal((await refusal(refunds.send(id, { version: 1 }))).code, 'not_found');
  }
  assert.equal(await isKept(), false);
});

test('an event after the outcome never takes it back; a second payout of one reference is kept for a person', async () => {
  const { world: opened } = await paid();
  const sent = await refund(opened);
  const event = (status: string, id = sent.serviceId) =>
    opened.webhook({
      event: `payout.${status.toLowerCase()}`,
      resource: 'payout',
      data: { id, reference: sent.reference, status },
    });
  await event('DECLINED');
  await event('CONFIRMED');
  await event('DECLINED');
  await opened.pass(2_000);
  assert.equal(
    (await checkoutOf(opened).refunds.find(sent.id))?.state,
    'CONFIRMED',
    'money that left has left',
  );
  const kinds = async () =>
    (await checkoutOf(opened).orders.review()).orders.flatMap(({ items }) =>
      items.map(({ kind, detail }) => [kind, detail]),
    );
  assert.deepEqual(await kinds(), [['payout_contradicted', 'DECLINED']]);
  await event('CONFIRMED', 'b2c3d4e5-0000-4000-8000-000000000000');
  await opened.pass(2_000);
  assert.deepEqual(await kinds(), [['payout_contradicted', 'second_payout']]);
});
