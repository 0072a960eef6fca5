import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { attemptsOf } from '../../../src/console.js';
import { csvFile } from '../../../src/console/backend/csv.js';
import { asksForPayins, checkoutOf, CUSTOMER, emptyPage } from '../world.js';
import { close, PRICE, hooks, KEY, sends, refusal, paid, refund, outcome, open } from './refunds-world.js';

afterEach(close);

test('a payin that is no order’s can be given back too, once', async () => {
  const { world: opened } = await paid();
  const { refunds } = checkoutOf(opened);
  const { id: payin } = opened.engine.createPayin({
    amountInCents: 10_000,
    currency: 'COP',
    rail: 'BRE_B',
    reference: 'POSTER-1',
    breb: { keyType: 'SINGLE_USE' },
    inlineCustomer: CUSTOMER,
  });
  assert.equal((await refusal(refunds.draft({ payment: payin, keyString: KEY }))).returnableInCents, 0);
  opened.engine.settle(payin, 'CONFIRMED');
  const drafts = [
    await refunds.draft({ payment: payin, keyString: KEY }),
    await refunds.draft({ payment: payin, keyString: KEY }),
  ];
  const sent = await Promise.allSettled(drafts.map(({ id }) => refunds.send(id, { version: 1 })));
  assert.deepEqual(sent.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  assert.equal(sends(opened), 1);
  await outcome(opened, opened.engine.payouts[0]?.id ?? '', 'CONFIRMED');
  assert.equal(hooks(opened, 'onRefunded')[0]?.order, null);
  assert.equal((await refusal(refunds.draft({ payment: 'of-nobody', keyString: KEY }))).code, 'not_found');
});

test('nothing is drafted while the service cannot be asked about a payment or a key, and that is said', async () => {
  let lost = '';
  const { world: opened } = await paid({
    network: (request, next) =>
      lost !== '' && request.url.includes(lost)
        ? Promise.reject(new TypeError('fetch failed'))
        : next(request),
  });
  const { refunds } = checkoutOf(opened);
  const ofNobody = crypto.randomUUID();
  const code = async (input: Parameters<typeof refunds.draft>[0]) =>
    (await refusal(refunds.draft(input))).code;
  assert.equal(await code({ payment: ofNobody, keyString: KEY }), 'not_found');
  for (const [path, input] of [
    ['/payins/', { payment: ofNobody, keyString: KEY }],
    ['/breb/keys/', { order: 'order-1', keyString: KEY }],
  ] as const) {
    lost = path;
    const [said] = await Promise.all([code(input), opened.pass(60_000)]);
    assert.equal(said, 'service_unavailable', path);
  }
  assert.deepEqual(await refunds.list('order-1'), []);
});

test('of a payment that its order has not recorded yet nothing is given back', async () => {
  const opened = await open({ work: false, sandbox: { webhooks: [] } });
  const { id: payment } = opened.payinOf((await opened.startBreb()).attempt.reference);
  opened.engine.settle(payment, 'CONFIRMED');
  const { code, returnableInCents } = await refusal(
    checkoutOf(opened).refunds.draft({ payment, keyString: KEY, customer: CUSTOMER }),
  );
  assert.deepEqual([code, returnableInCents], ['too_large', 0]);
});

test('a payout belongs to no order: sent once, notified by its events, found and listed', async () => {
  const opened = await open();
  const { payouts } = checkoutOf(opened);
  const input = {
    amountInCents: 700_000,
    keyString: KEY,
    customer: CUSTOMER,
    reference: 'NOMINA-11',
    note: 'Ana',
  };
  const draft = await payouts.draft(input);
  assert.deepEqual([draft.returnableInCents, draft.order, draft.note], [null, null, 'Ana']);
  assert.equal((await payouts.list()).total, 0, 'a draft is not in the list');
  const sent = await payouts.send(draft.id, { version: draft.version });
  assert.equal((await refusal(payouts.draft(input))).code, 'reference_taken');
  await payouts.setNote(draft.id, 'Corregida');
  await outcome(opened, sent.serviceId, 'CONFIRMED');
  const [found] = (await payouts.list()).payouts;
  assert.deepEqual([found?.id, found?.state, found?.note], [draft.id, 'CONFIRMED', 'Corregida']);
  assert.deepEqual(
    opened.told.map(({ hook, status }) => [hook, status]),
    [
      ['onPayout', 'PROCESSING'],
      ['onPayout', 'CONFIRMED'],
    ],
  );
  await payouts.setNote(draft.id, `${'x'.repeat(500)}y`);
  assert.equal((await payouts.find(draft.id))?.note, 'x'.repeat(500), 'as much as is kept of one');
  await payouts.setNote(draft.id, null);
  assert.equal((await payouts.find(draft.id))?.note, null);
  assert.equal((await attemptsOf(opened.store).list()).attempts.length, 0, 'it is no attempt to pay');
});

test('reconcile and the list for the accountant have what went out, and the net', async () => {
  // Without reads for chargebacks the order is at rest once it is paid.
  const { world: opened } = await paid({ options: { chargebackWatchMs: 0 } });
  const { reconcile, orders, payouts } = checkoutOf(opened);
  const attempts = attemptsOf(opened.store, () => opened.clock.now());
  const time = {
    from: new Date(opened.clock.now() - 86_400_000),
    to: new Date(opened.clock.now() + 86_400_000),
  };
  const sent = await refund(opened, { amountInCents: 2_000_000 });
  assert.equal(await orders.forget('order-1'), 'open', 'money is on its way');
  const open = await reconcile(time);
  assert.deepEqual(
    [open.moneyOut.outInCents, open.moneyOut.openInCents, open.netInCents],
    [0, 2_000_000, PRICE],
  );
  await outcome(opened, sent.serviceId, 'CONFIRMED');
  const { id, version } = await payouts.draft({ amountInCents: 100, keyString: KEY, customer: CUSTOMER });
  const payout = await payouts.send(id, { version });
  await outcome(opened, payout.serviceId, 'CONFIRMED');
  const { oursInCents, moneyOut, netInCents } = await reconcile(time);
  assert.deepEqual([oursInCents, moneyOut.outInCents, netInCents], [PRICE, 2_000_100, PRICE - 2_000_100]);
  assert.deepEqual(moneyOut.lines.map(({ kind, order, reference }) => [kind, order, reference]).sort(), [
    ['PAYOUT', null, payout.reference],
    ['REFUND', 'order-1', sent.reference],
  ]);
  const listed = async (withMoneyOut: boolean) =>
    (await attempts.list({ withMoneyOut })).attempts.map(({ rail }) => rail).sort();
  assert.deepEqual(await listed(false), ['BRE_B']);
  assert.deepEqual(await listed(true), ['BRE_B', 'PAYOUT', 'REFUND']);
  assert.equal((await attempts.collected()).today.paidInCents, PRICE, 'what came in stays what came in');
});

test('a chargeback goes out too', async () => {
  const { world: opened, payin } = await paid();
  opened.engine.chargeBack(payin);
  await opened.pass(60_000);
  const time = { from: new Date(0), to: new Date(opened.clock.now() + 86_400_000) };
  const { moneyOut, netInCents } = await checkoutOf(opened).reconcile(time);
  assert.deepEqual(
    [moneyOut.lines.map(({ kind, order }) => [kind, order]), netInCents],
    [[['CHARGEBACK', 'order-1']], 0],
  );
});

test('a chargeback is in the accountant’s file of what was paid, and neither in the list nor in its totals', async () => {
  const { world: opened, payin } = await paid();
  opened.engine.chargeBack(payin);
  await opened.passByTicks(86_400_000, 3_600_000);
  const attempts = attemptsOf(opened.store, () => opened.clock.now());
  const file = await new Response(csvFile(attempts, { state: 'paid' })).text();
  const rows = file
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((row) => row.split(';'));
  assert.deepEqual(rows.map((cells) => [cells[3], cells[4], cells[8]]).sort(), [
    ['Bre-B', 'Confirmado', '50000,00'],
    ['Contracargo', 'Reversado', '-50000,00'],
  ]);
  const listed = await attempts.list({ state: 'paid' });
  assert.deepEqual(
    listed.attempts.map(({ rail }) => rail),
    ['BRE_B'],
  );
  const { count, paidInCents } = await attempts.totals({ state: 'paid' });
  assert.deepEqual([count, paidInCents], [1, PRICE]);
});

test('what went out is in the run that began, and not again in one that goes on', async () => {
  const { world: opened, payin } = await paid({
    network: async (request, next) =>
      asksForPayins(request) && request.url.includes('cursor=further') ? emptyPage(null) : next(request),
  });
  opened.engine.chargeBack(payin);
  const { reconcile } = checkoutOf(opened);
  const time = { from: new Date(0), to: new Date(opened.clock.now() + 86_400_000) };
  const began = await reconcile(time);
  assert.deepEqual([began.moneyOut.lines.length, began.netInCents], [1, 0]);
  const rest = await reconcile({ ...time, cursor: 'further' });
  assert.deepEqual([rest.moneyOut, rest.netInCents], [{ lines: [], outInCents: 0, openInCents: 0 }, 0]);
});

test('what is wrong with a draft is said by field', async () => {
  const { world: opened } = await paid();
  const faults = async (more: object) => {
    const { code, errors } = await refusal(refund(opened, more));
    assert.equal(code, 'invalid_input');
    return errors;
  };
  assert.deepEqual(await faults({ keyString: '@noexiste' }), [
    { field: 'breb.keyString', code: 'not_allowed' },
  ]);
  assert.deepEqual(await faults({ keyString: 'no key' }), [{ field: 'breb.keyString', code: 'format' }]);
  assert.deepEqual(await faults({ amountInCents: 0.5 }), [{ field: 'amountInCents', code: 'wrong_type' }]);
  assert.deepEqual(await faults({ reference: 'a|b', note: 'x'.repeat(501) }), [
    { field: 'reference', code: 'format' },
    { field: 'note', code: 'too_long' },
  ]);
});
