import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { attemptsOf, type AttemptOperations } from '../../../src/console.js';
import { sqliteStore } from '../../../src/server.js';
import { sqliteFile } from '../../support/sqlite.js';
import { checkoutOf, CUSTOMER, openWorld, type World, type WorldOptions } from '../../server/world.js';

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld(options));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const listsOf = ({ store, clock }: World) => attemptsOf(store, () => clock.now());

const sums = (paid: number, paidInCents: number) => ({
  paid,
  paidInCents,
  returnedInCents: 0,
  netInCents: paidInCents,
  averageInCents: paidInCents / paid,
});

test('a day is one of Colombia', async () => {
  const opened = await open({ work: false });
  const attempts = listsOf(opened);
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
  const { attempts } = await listsOf(opened).list();
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
    const [listed] = (await listsOf(opened).list()).attempts;
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
  const attempts = listsOf(opened);
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
  assert.deepEqual(today, sums(1, 500_000));
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

const ASKED: Readonly<Record<string, (attempts: AttemptOperations) => Promise<unknown>>> = {
  list: (attempts) => attempts.list(),
  totals: (attempts) => attempts.totals(),
  collected: (attempts) => attempts.collected(),
  overview: (attempts) => attempts.overview(7),
};
for (const [name, ask] of Object.entries(ASKED)) {
  test(`${name}, asked first of all, makes the tables that it needs`, async (t) => {
    const opened = await open({ store: sqliteStore(sqliteFile(t).open()), work: false });
    await assert.doesNotReject(ask(listsOf(opened)));
  });
}

/** Ten seconds later, that is. */
const paidSoon = async (opened: World, order: string) => {
  const { attempt } = await opened.startBreb({}, order);
  await opened.clock.advance(10_000);
  opened.engine.settle(opened.payinOf(attempt.reference).id, 'CONFIRMED');
  await opened.settle();
  return attempt;
};

test('a day begins with Colombian midnight, to the millisecond', async () => {
  const opened = await open({ work: false });
  const attempts = listsOf(opened);
  await opened.clock.advance(Date.parse('2026-01-16T04:59:49.999Z') - opened.clock.now());
  await paidSoon(opened, 'order-1');
  const days = async () => (await attempts.overview(2)).days.map(({ date, paid }) => [date, paid]);
  assert.deepEqual(await days(), [
    ['2026-01-14', 0],
    ['2026-01-15', 1],
  ]);
  await opened.clock.advance(1);
  assert.deepEqual(await days(), [
    ['2026-01-15', 1],
    ['2026-01-16', 0],
  ]);
});

test('money that arrives at Colombian midnight is money of the day that begins', async () => {
  const opened = await open({
    work: false,
    orders: { 'order-1': { amountInCents: 5_000_000 }, 'order-2': { amountInCents: 5_000_000 } },
  });
  await opened.clock.advance(Date.parse('2026-01-16T04:59:50.000Z') - opened.clock.now());
  await paidSoon(opened, 'order-1');
  const attempts = listsOf(opened);
  const { days } = await attempts.overview(1);
  assert.deepEqual(days, [{ date: '2026-01-16', paid: 1, paidInCents: 5_000_000, returnedInCents: 0 }]);
  await opened.startBreb({}, 'order-2');
  const { methods } = await attempts.overview(1);
  assert.equal(methods[0]?.started, 1, 'what began this very moment counts');
});

test('a week is today and the six days before it, a month today and the twenty-nine before it', async () => {
  const amounts = { 30: 100, 29: 1_000, 7: 10_000, 6: 100_000, 1: 1_000_000, 0: 10_000_000 };
  const opened = await open({
    work: false,
    orders: Object.fromEntries(
      Object.entries(amounts).map(([ago, amountInCents]) => [`${ago} days ago`, { amountInCents }]),
    ),
  });
  for (let ago = 30; ago >= 0; ago--) {
    if (ago in amounts) await paidSoon(opened, `${ago} days ago`);
    if (ago > 0) await opened.clock.advance(86_400_000);
  }
  assert.deepEqual(await listsOf(opened).collected(), {
    today: sums(1, 10_000_000),
    yesterday: sums(1, 1_000_000),
    weekAgo: sums(1, 10_000),
    week: sums(3, 11_100_000),
    month: sums(5, 11_111_000),
  });
});

test('a list can be asked for by time, method, state and part of a name', async () => {
  const opened = await open({
    work: false,
    orders: Object.fromEntries(['Ana-1', 'ana-2', 'berta'].map((id) => [id, { amountInCents: 500_000 }])),
  });
  const attempts = listsOf(opened);
  const first = await paidSoon(opened, 'Ana-1');
  await opened.clock.advance(1_000);
  const second = (await opened.startPse({}, 'ana-2')).attempt;
  await opened.clock.advance(1_000);
  const third = (await opened.startLink({}, 'berta')).link;
  const all = ['berta', 'ana-2', 'Ana-1'];
  const [startedFirst, startedSecond, startedThird] = [first, second, third].map(
    ({ createdAt }) => new Date(createdAt),
  );
  assert.ok(startedFirst && startedSecond && startedThird);
  const cases: readonly (readonly [Parameters<typeof attempts.totals>[0], readonly string[]])[] = [
    [{}, all],
    [{ from: startedSecond }, ['berta', 'ana-2']],
    [{ until: startedThird }, ['ana-2', 'Ana-1']],
    [{ from: startedSecond, until: startedThird }, ['ana-2']],
    [{ rail: 'PSE' }, ['ana-2']],
    [{ rail: 'PAYMENT_LINK' }, ['berta']],
    [{ state: 'paid' }, ['Ana-1']],
    [{ state: 'open' }, ['berta', 'ana-2']],
    [{ state: 'declined' }, []],
    [{ search: 'ANA' }, ['ana-2', 'Ana-1']],
    [{ search: first.reference }, ['Ana-1']],
    [{ search: 'ana', state: 'open' }, ['ana-2']],
  ];
  for (const [query, orders] of cases) {
    const page = await attempts.list(query);
    assert.deepEqual(
      [page.attempts.map(({ order }) => order), page.next],
      [orders, null],
      JSON.stringify(query),
    );
    assert.equal((await attempts.totals(query)).count, orders.length, JSON.stringify(query));
  }
});

test('a payment is found by what a customer has at hand', async () => {
  const opened = await open({
    orders: { 'A-1': { amountInCents: 4_290_000 }, 'A-2': { amountInCents: 4_290_050 } },
  });
  const attempts = listsOf(opened);
  const breb = (await opened.startBreb({}, 'A-1')).attempt;
  const pse = (await opened.startPse({}, 'A-2')).attempt;
  // The bank's address takes a moment, and the CUS comes with it.
  await opened.pass(10_000);
  opened.engine.settle(opened.payinOf(pse.reference).id, 'CONFIRMED');
  await opened.pass(10_000);
  const [paid] = (await attempts.list({ search: 'A-2' })).attempts;
  assert.ok(paid?.cus);
  assert.equal(paid.bank, 'Bancolombia');
  const key = breb.sourceData && 'keyString' in breb.sourceData ? breb.sourceData.keyString : '';
  assert.ok(key);
  const today = new Date(opened.clock.now() - 5 * 3_600_000).toISOString().slice(0, 10);
  const cases: Readonly<Record<string, readonly string[]>> = {
    [paid.cus]: ['A-2'],
    [key]: ['A-1'],
    [CUSTOMER.idNumber.slice(-4)]: ['A-2'],
    '42.900': ['A-1'],
    '$ 42.900': ['A-1'],
    '42900': ['A-1'],
    '42,900.50': ['A-2'],
    '42.900,50': ['A-2'],
    [today]: ['A-1', 'A-2'],
    [today.split('-').toReversed().join('/')]: ['A-1', 'A-2'],
    '1/1/2020': [],
    '99.999': [],
    [pse.reference]: ['A-2'],
  };
  for (const [search, orders] of Object.entries(cases)) {
    const found = (await attempts.list({ search })).attempts.map(({ order }) => order).sort();
    assert.deepEqual(found, orders, search);
    assert.equal((await attempts.totals({ search })).count, orders.length, search);
  }
});

test('an attempt is listed with all that is known of it', async () => {
  const opened = await open({
    work: false,
    network: async (request, next) =>
      request.method === 'POST' && (await request.clone().text()).includes('"refused-')
        ? Response.json({ code: 'AMOUNT_NOT_ALLOWED' }, { status: 400 })
        : next(request),
    orders: { paid: { amountInCents: 500_000 }, refused: { amountInCents: 300_000 } },
  });
  const startedAt = new Date(opened.clock.now()).toISOString();
  const paid = (await opened.startBreb({}, 'paid')).attempt;
  const refused = (await opened.startBreb({}, 'refused')).problem.attempt;
  await opened.clock.advance(5_000);
  opened.engine.settle(opened.payinOf(paid.reference).id, 'CONFIRMED');
  await opened.settle();
  const { attempts } = await listsOf(opened).list();
  assert.deepEqual(
    attempts.toSorted((left, right) => left.order.localeCompare(right.order)),
    [
      {
        id: paid.id,
        order: 'paid',
        reference: paid.reference,
        rail: 'BRE_B',
        status: 'CONFIRMED',
        amountInCents: 500_000,
        paidInCents: 500_000,
        startedAt,
        shownAt: startedAt,
        paidAt: new Date(opened.clock.now()).toISOString(),
        reason: null,
        cus: null,
        bank: null,
      },
      {
        id: refused?.id,
        order: 'refused',
        reference: refused?.reference,
        rail: 'BRE_B',
        status: 'DECLINED',
        amountInCents: 300_000,
        paidInCents: 0,
        startedAt,
        shownAt: null,
        paidAt: null,
        reason: 'AMOUNT_NOT_ALLOWED',
        cus: null,
        bank: null,
      },
    ],
  );
});
