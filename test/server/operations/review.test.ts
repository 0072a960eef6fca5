import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { checkoutOf, openWorld, type World, type WorldOptions } from '../world.js';

let world: World | undefined;

const open = async (options?: WorldOptions) => (world = await openWorld(options));

afterEach(async () => {
  await world?.close();
  world = undefined;
});

const DAY_MS = 86_400_000;

test('what needs a person is listed until a person has handled it', async () => {
  const opened = await open({
    orders: { fine: { amountInCents: 500_000 }, twice: { amountInCents: 500_000 } },
  });
  const orders = checkoutOf(opened).orders;
  const pay = async (reference: string) => {
    opened.engine.decide(opened.payinOf(reference).id, 'CONFIRMED');
    await opened.pass(2_000);
  };
  await pay((await opened.startBreb({}, 'fine')).attempt.reference);
  const first = (await opened.startBreb({}, 'twice')).attempt;
  const second = (await opened.startBreb({ replaces: first.id }, 'twice')).attempt;
  await pay(second.reference);
  await pay(first.reference);
  const { orders: listed, next } = await orders.review();
  assert.deepEqual(
    listed.map(({ order, items }) => [order, items.map(({ kind, reference }) => [kind, reference])]),
    [['twice', [['duplicate', first.reference]]]],
  );
  assert.equal(next, null);
  assert.equal(await orders.find(first.reference), 'twice', 'by a reference');
  assert.equal(await orders.find(opened.payinOf(first.reference).id), 'twice', "by the service's id");
  for (const unknown of ['', 'nobody', 'not\0a key', 'x'.repeat(300)])
    assert.equal(await orders.find(unknown), undefined);
  const key = listed[0]?.items[0]?.key ?? '';
  assert.equal(await orders.markHandled('twice', 'no such item'), false);
  assert.equal(await orders.markHandled('twice', key), true);
  assert.deepEqual((await orders.review()).orders, []);
  assert.equal((await orders.show('twice'))?.history.at(-1)?.event, 'review_handled');
});

test('what is opened again leaves what else was handled of the order as it is', async () => {
  const opened = await open();
  const orders = checkoutOf(opened).orders;
  const references: string[] = [];
  for (let replaces: string | undefined; references.length < 3;) {
    const { attempt } = await opened.startBreb(replaces === undefined ? {} : { replaces });
    references.push(attempt.reference);
    replaces = attempt.id;
  }
  for (const reference of references) {
    opened.engine.decide(opened.payinOf(reference).id, 'CONFIRMED');
    await opened.pass(2_000);
  }
  const [one = '', other = ''] = (await orders.show('order-1'))?.review.map(({ key }) => key) ?? [];
  for (const key of [one, other]) assert.equal(await orders.markHandled('order-1', key), true);
  assert.equal(await orders.reopen('order-1', one), true);
  const { review, handled } = (await orders.show('order-1'))!;
  assert.deepEqual([review.map(({ key }) => key), handled.map(({ key }) => key)], [[one], [other]]);
});

test('an event that no read agrees with, a hook that keeps failing and a stuck bank payment need a person in time', async () => {
  const opened = await open({
    work: false,
    orders: {
      forged: { amountInCents: 500_000 },
      untold: { amountInCents: 500_000 },
      bank: { amountInCents: 500_000 },
    },
    options: {
      onConfirmed: () => {
        throw new Error('closed');
      },
    },
  });
  const orders = checkoutOf(opened).orders;
  const forged = (await opened.startBreb({}, 'forged')).attempt;
  await opened.webhook({
    event: 'payin.confirmed',
    resource: 'payin',
    data: opened.payinOf(forged.reference),
  });
  const untold = (await opened.startBreb({}, 'untold')).attempt;
  opened.engine.decide(opened.payinOf(untold.reference).id, 'CONFIRMED');
  await opened.startPse({}, 'bank');
  await opened.passByTicks(4_000, 1_000);
  assert.deepEqual((await orders.review()).orders, [], 'not at once');
  await opened.passByTicks(11 * 60_000, 60_000);
  const kinds = async () =>
    (await orders.review()).orders.map(
      ({ order, items }) => `${order} ${items.map(({ kind }) => kind).join()}`,
    );
  assert.deepEqual(await kinds(), ['forged unverified', 'untold hook_failing']);
  await opened.passByTicks(DAY_MS, 3_600_000);
  assert.ok((await kinds()).includes('bank stuck'));
});

test('a notice can be delivered again, under the same key and with the same content', async () => {
  const opened = await open();
  const { attempt } = await opened.startBreb();
  opened.engine.decide(opened.payinOf(attempt.reference).id, 'CONFIRMED');
  await opened.pass(2_000);
  const orders = checkoutOf(opened).orders;
  const [notice] = (await orders.show('order-1'))?.notices ?? [];
  assert.equal(notice?.hook, 'onConfirmed');
  assert.notEqual(notice?.deliveredAt, null);
  assert.equal(await orders.repeatNotice('order-1', notice?.key ?? ''), true);
  await opened.pass(1_000);
  assert.equal(opened.told.length, 2);
  assert.deepEqual(opened.told[0], opened.told[1]);
  assert.equal(await orders.repeatNotice('order-1', 'confirmed.nothing'), false);
  assert.equal(await orders.repeatNotice('nobody', 'confirmed.nothing'), false);
});

test('a notice that waits for its next try is delivered at once when a person asks for it', async () => {
  let isBroken = true;
  const opened = await open({
    options: {
      onConfirmed() {
        if (isBroken) throw new Error('the shop is closed');
      },
    },
  });
  const { attempt } = await opened.startBreb();
  opened.engine.decide(opened.payinOf(attempt.reference).id, 'CONFIRMED');
  await opened.pass(600_000);
  isBroken = false;
  const orders = checkoutOf(opened).orders;
  const waiting = async () => (await orders.show('order-1'))?.notices[0];
  assert.equal((await waiting())?.deliveredAt, null);
  assert.equal(await orders.repeatNotice('order-1', (await waiting())?.key ?? ''), true);
  assert.equal((await waiting())?.deliveredAt, new Date(opened.clock.now()).toISOString());
});

test('the review goes on page after page, and each item says since when', async () => {
  const names = ['a', 'b', 'c'];
  const opened = await open({
    work: false,
    orders: Object.fromEntries(names.map((name) => [name, { amountInCents: 500_000 }])),
  });
  const references: string[] = [];
  const payins: string[] = [];
  for (const name of names) {
    const { attempt } = await opened.startBreb({}, name);
    references.push(attempt.reference);
    await opened.clock.advance(10_000);
    const { id } = opened.payinOf(attempt.reference);
    payins.push(id);
    opened.engine.settle(id, 'CONFIRMED', { confirmedAmountInCents: 1_000 });
    await opened.settle();
  }
  const reviewed = names.map((order, index) => {
    const reference = references[index];
    const since = `2026-01-15T15:00:${index + 1}0.000Z`;
    const kind = 'amount_mismatch';
    const key = `${kind}.${reference}.1000`;
    return { order, items: [{ key, kind, reference, payment: payins[index], since, detail: '1000' }] };
  });
  const orders = checkoutOf(opened).orders;
  assert.deepEqual(await orders.review(), { orders: reviewed, next: null });
  assert.deepEqual(await orders.review({ limit: 2 }), { orders: reviewed.slice(0, 2), next: 'o:b' });
  assert.deepEqual(await orders.review({ limit: 2, after: 'o:b' }), {
    orders: reviewed.slice(2),
    next: null,
  });
  assert.deepEqual(await orders.review({ limit: 3, after: 'o:c' }), { orders: [], next: null });
  assert.deepEqual((await orders.show('b'))?.review, reviewed[1]?.items);
});

test('what a person did is a line of the log without their words, and their note has 500 characters at most', async () => {
  const opened = await open({ work: false, options: { onChargeback: undefined } as object });
  const orders = checkoutOf(opened).orders;
  const { attempt } = await opened.startBreb();
  await opened.clock.advance(10_000);
  opened.engine.settle(opened.payinOf(attempt.reference).id, 'CONFIRMED', { confirmedAmountInCents: 1_000 });
  await opened.settle();
  opened.logged.length = 0;
  const item = `amount_mismatch.${attempt.reference}.1000`;
  assert.equal(await orders.markHandled('order-1', item, { note: `${'x'.repeat(500)}y` }), true);
  const at = new Date(opened.clock.now()).toISOString();
  const note = 'x'.repeat(500);
  const told = { event: 'review_handled', detail: item };
  assert.deepEqual((await orders.show('order-1'))?.history.at(-1), { at, ...told, note });
  assert.equal(await orders.resetAttempts('order-1'), true);
  assert.equal(await orders.forget('order-1', { evenIfOpen: true }), 'forgotten');
  assert.deepEqual(opened.logged, [
    { level: 'info', ...told, order: 'order-1' },
    { level: 'info', event: 'attempts_reset', order: 'order-1', detail: 'order-1' },
    { level: 'info', event: 'order_forgotten' },
  ]);
});

test('what is handled without a note leaves none, and what was handled before stays handled', async () => {
  const opened = await open({ work: false, orders: { twice: { amountInCents: 500_000 } } });
  const orders = checkoutOf(opened).orders;
  const attempts = [(await opened.startBreb({}, 'twice')).attempt];
  for (let more = 0; more < 2; more++)
    attempts.push((await opened.startBreb({ replaces: attempts.at(-1)?.id }, 'twice')).attempt);
  await opened.clock.advance(10_000);
  for (const { reference } of attempts) {
    opened.engine.settle(opened.payinOf(reference).id, 'CONFIRMED');
    await opened.pass(1_000);
  }
  const kept = async () => (await orders.show('twice'))?.review.map(({ key }) => key);
  const items = (await kept()) ?? [];
  assert.equal(items.length, 2);
  for (const [index, item] of items.entries()) {
    assert.equal(await orders.markHandled('twice', item), true);
    assert.deepEqual(await kept(), items.slice(index + 1));
    assert.ok(!('note' in ((await orders.show('twice'))?.history.at(-1) ?? {})));
  }
});

test('the count of what needs a person is the length of the list, also when the hook for payouts fails', async () => {
  const opened = await open({
    work: false,
    options: {
      onPayout() {
        throw new Error('closed');
      },
    },
  });
  const { attempt } = await opened.startBreb();
  opened.engine.settle(opened.payinOf(attempt.reference).id, 'CONFIRMED', { confirmedAmountInCents: 1_000 });
  await opened.webhook({
    event: 'payout.confirmed',
    resource: 'payout',
    data: { id: 'b2c3', reference: 'payout-1', status: 'CONFIRMED', amount: 1000 },
  });
  await opened.passByTicks(11 * 60_000, 60_000);
  const { store } = (await opened.checkouts[0]?.status()) ?? {};
  assert.equal(store?.waitingNotices, 1);
  const { orders } = await checkoutOf(opened).orders.review();
  assert.deepEqual(
    orders.map(({ order, items }) => [order, items.map(({ kind }) => kind)]),
    [
      ['order-1', ['amount_mismatch']],
      [null, ['hook_failing']],
    ],
  );
  assert.equal(store?.review, orders.length);
});

test('a notice that goes on failing after it was called resolved needs a person again', async () => {
  const opened = await open({
    work: false,
    options: {
      onConfirmed() {
        throw new Error('closed');
      },
    },
  });
  const orders = checkoutOf(opened).orders;
  const { attempt } = await opened.startBreb();
  opened.engine.settle(opened.payinOf(attempt.reference).id, 'CONFIRMED');
  await opened.passByTicks(11 * 60_000, 60_000);
  const [item] = (await orders.show('order-1'))?.review ?? [];
  assert.equal(item?.kind, 'hook_failing');
  assert.equal(await orders.markHandled('order-1', item?.key ?? ''), true);
  assert.deepEqual((await orders.review()).orders, []);
  await opened.passByTicks(DAY_MS, 3_600_000);
  assert.equal((await orders.review()).orders.length, 1);
});
