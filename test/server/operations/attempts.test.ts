import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { type Checkout, sqliteStore } from '../../../src/server.js';
import { sqliteFile } from '../../support/sqlite.js';
import { openWorld, type World, type WorldOptions } from '../world.js';

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld(options));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const checkoutOf = ({ checkouts: [checkout] }: World) => {
  if (checkout === undefined) throw new Error('A world has a checkout');
  return checkout;
};

test('a day is one of Colombia', async () => {
  const opened = await open({ work: false });
  const { attempts } = checkoutOf(opened);
  // Ten in the morning there; ten in the evening is the next day in Greenwich.
  await opened.clock.advance(12 * 3_600_000);
  const { attempt } = await opened.startBreb();
  opened.engine.decide(opened.payinOf(attempt.reference).id, 'CONFIRMED');
  await opened.passByTicks(1_000, 1_000);
  const { days } = await attempts.overview(2);
  assert.deepEqual(
    days.map(({ date, paid }) => [date, paid]),
    [
      ['2026-01-14', 0],
      ['2026-01-15', 1],
    ],
  );
});

test('each attempt of an order has the moments of its own', async () => {
  const opened = await open({ work: false });
  const first = (await opened.startBreb()).attempt;
  await opened.clock.advance(60_000);
  const second = (await opened.startBreb({ replaces: first.id })).attempt;
  const { attempts } = await checkoutOf(opened).attempts.list();
  assert.deepEqual(
    attempts.map(({ reference, startedAt, shownAt }) => [reference, startedAt, shownAt]),
    [second, first].map(({ reference, createdAt }) => [reference, createdAt, createdAt]),
  );
});

test('money that arrived before it was asked for, or later than now, arrived when it was read', async () => {
  for (const resultAt of ['2020-01-01T00:00:00Z', '2030-01-01T00:00:00Z', null]) {
    const opened = await open({
      work: false,
      network: async (request, next) => {
        const answer = await next(request);
        if (request.method !== 'GET' || !answer.ok) return answer;
        return Response.json({ ...((await answer.json()) as object), resultAt });
      },
    });
    const { attempt } = await opened.startBreb();
    await opened.clock.advance(10_000);
    opened.engine.decide(opened.payinOf(attempt.reference).id, 'CONFIRMED');
    await opened.settle();
    const [listed] = (await checkoutOf(opened).attempts.list()).attempts;
    assert.equal(listed?.paidAt, new Date(opened.clock.now()).toISOString(), `${resultAt}`);
    await opened.close();
    world = undefined;
  }
});

test('attempts are listed and added up from their first moment to their money', async (t) => {
  const opened = await open({
    store: sqliteStore(sqliteFile(t).open()),
    orders: {
      one: { amountInCents: 500_000 },
      two: { amountInCents: 300_000 },
      three: { amountInCents: 100_000 },
    },
  });
  const { attempts } = checkoutOf(opened);
  const paid = (await opened.startBreb({}, 'one')).attempt;
  const declined = (await opened.startBreb({}, 'two')).attempt;
  await opened.startBreb({}, 'three');
  await opened.pass(40_000);
  opened.engine.decide(opened.payinOf(paid.reference).id, 'CONFIRMED');
  opened.engine.decide(opened.payinOf(declined.reference).id, 'DECLINED');
  await opened.pass(10_000);

  const listed = await attempts.list();
  assert.deepEqual(
    listed.attempts.map(({ order, status, paidInCents }) => [order, status, paidInCents]).sort(),
    [
      ['one', 'CONFIRMED', 500_000],
      ['three', 'PROCESSING', 0],
      ['two', 'DECLINED', 0],
    ],
  );
  assert.equal(listed.next, null);
  const [first, second] = [await attempts.list({ limit: 2 }), listed.attempts];
  assert.deepEqual(first.attempts, second.slice(0, 2));
  const rest = await attempts.list({ limit: 2, after: first.next ?? '' });
  assert.deepEqual(rest.attempts, second.slice(2));
  await assert.rejects(attempts.list({ after: 'elsewhere' }), RangeError);
  assert.deepEqual(
    (await attempts.list({ state: 'paid' })).attempts.map(({ order }) => order),
    ['one'],
  );
  assert.deepEqual(await attempts.totals({ search: 'two' }), {
    count: 1,
    amountInCents: 300_000,
    paid: 0,
    paidInCents: 0,
  });

  const overview = await attempts.overview(7);
  assert.equal(overview.days.length, 7);
  assert.deepEqual(
    [overview.paid, overview.paidInCents, overview.averageInCents, overview.days.at(-1)?.paidInCents],
    [1, 500_000, 500_000, 500_000],
  );
  assert.deepEqual(overview.methods, [
    { rail: 'BRE_B', started: 3, shown: 3, paid: 1, declined: 1, open: 1, failed: 0 },
  ]);
  const [wait] = overview.waits;
  assert.ok(wait && wait.medianMs >= 39_000 && wait.medianMs <= 50_000, String(wait?.medianMs));
  assert.equal(overview.reasons.length, 1);
  assert.deepEqual(
    overview.reasons.map(({ rail, count }) => [rail, count]),
    [['BRE_B', 1]],
  );

  const { today, month } = await attempts.collected();
  assert.deepEqual(today, { paid: 1, paidInCents: 500_000, averageInCents: 500_000 });
  assert.deepEqual(month, today);
});

test('a payment that arrives after its time needs a person, whose note stays with the order', async () => {
  const opened = await open({ options: { payinLifetimeMs: { BRE_B: 60_000 } } });
  const { orders } = checkoutOf(opened);
  const { attempt } = await opened.startBreb();
  await opened.pass(120_000);
  opened.engine.decide(opened.payinOf(attempt.reference).id, 'CONFIRMED');
  await opened.pass(60_000);
  const [reviewed] = (await orders.review()).orders;
  assert.deepEqual(
    reviewed?.items.map(({ kind, reference, detail }) => [kind, reference, detail]),
    [['late', attempt.reference, '5000000']],
  );
  const note = 'Había existencias: se despachó.';
  assert.ok(await orders.markHandled('order-1', reviewed?.items[0]?.key ?? '', { note }));
  assert.deepEqual((await orders.review()).orders, []);
  assert.equal((await orders.show('order-1'))?.history.at(-1)?.note, note);
  assert.ok(!JSON.stringify(opened.logged).includes('existencias'), 'the log has no notes');
});

const ASKED: Readonly<Record<string, (attempts: Checkout['attempts']) => Promise<unknown>>> = {
  list: (attempts) => attempts.list(),
  totals: (attempts) => attempts.totals(),
  collected: (attempts) => attempts.collected(),
  overview: (attempts) => attempts.overview(7),
};
for (const [name, ask] of Object.entries(ASKED)) {
  test(`${name}, asked first of all, makes the tables that it needs`, async (t) => {
    const opened = await open({ store: sqliteStore(sqliteFile(t).open()), work: false });
    await assert.doesNotReject(ask(checkoutOf(opened).attempts));
  });
}
