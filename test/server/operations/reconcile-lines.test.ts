import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import type { Checkout, ReconciledPayment, ReconcilePage } from '../../../src/server.js';
import { asksForPayins, CUSTOMER, KEY_ONLY, openWorld, type World, type WorldOptions } from '../world.js';

/** What a comparison with the service says of each payment. No event arrives, so that there is something to find. */

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const START = Date.parse('2026-01-15T15:00:00Z');
const ALL_DAY = { from: new Date('2026-01-15T00:00:00Z'), to: new Date('2026-01-17T00:00:00Z') };
const iso = (at: number) => new Date(at).toISOString();
const IDS = ['a', 'b', 'c', 'd', 'e'];

interface Listed {
  readonly id: string;
  readonly reference: string;
}
type Page = { readonly data: readonly Listed[]; readonly pageInfo: object };

/** `show` is what the service's list shows instead of a page of it. */
async function open(
  more: WorldOptions & { readonly show?: (page: Page, cursor: string | null) => Page } = {},
) {
  const { show = (page) => page, ...options } = more;
  const opened = await openWorld({
    orders: Object.fromEntries(IDS.map((id) => [id, { amountInCents: 500_000 }])),
    work: false,
    sandbox: { webhooks: [] },
    network: async (request, next) => {
      if (!asksForPayins(request)) return next(request);
      const { origin, searchParams } = new URL(request.url);
      if (more.show === undefined) return next(request);
      const whole = new Request(`${origin}/payins?pageSize=100`, request);
      return Response.json(show((await (await next(whole)).json()) as Page, searchParams.get('cursor')));
    },
    ...options,
  });
  world = opened;
  const [checkout] = opened.checkouts as [Checkout];
  return {
    ...opened,
    checkout,
    /** A payin that the store knows nothing of. */
    payinElsewhere: (reference: string, more: object = {}) =>
      opened.engine.createPayin({
        amountInCents: 70_000,
        currency: 'COP',
        rail: 'BRE_B',
        reference,
        breb: { keyType: 'QR_CODE' },
        ...more,
      }),
    results: async (options: Partial<Parameters<Checkout['reconcile']>[0]> = {}) => {
      const { payments } = await checkout.reconcile({ ...ALL_DAY, ...options });
      return payments.map(({ reference, result }) => [reference, result]);
    },
  };
}

const NOTHING_OUT = { lines: [], outInCents: 0, openInCents: 0 };

test('each line says what both sides have, and the sums add them up', async () => {
  const { checkout, startBreb, startPse, payinElsewhere, payinOf, engine, told } = await open();
  const paid = (await startBreb({}, 'a')).attempt;
  const still = (await startPse({}, 'b')).attempt;
  const declined = (await startBreb({}, 'c')).attempt;
  const foreign = payinElsewhere('another-system-1');
  const lone = payinElsewhere('another-system-2');
  engine.settle(payinOf(paid.reference).id, 'CONFIRMED', { confirmedAmountInCents: 400_000 });
  engine.settle(payinOf(declined.reference).id, 'DECLINED');
  engine.settle(foreign.id, 'CONFIRMED');
  const line = (reference: string, more: Partial<ReconciledPayment>): ReconciledPayment => ({
    createdAt: iso(START),
    reference,
    serviceId: payinOf(reference).id,
    order: null,
    rail: 'BRE_B',
    theirStatus: 'PROCESSING',
    ourStatus: null,
    theirsInCents: 0,
    oursInCents: 0,
    result: 'unknown_order',
    ...more,
  });
  const strangers = [
    line(lone.reference, {}),
    line(foreign.reference, { theirStatus: 'CONFIRMED', theirsInCents: 70_000 }),
  ];
  const open1 = line(still.reference, {
    order: 'b',
    rail: 'PSE',
    theirStatus: 'PENDING',
    ourStatus: 'PENDING',
    result: 'same',
  });
  const ours = {
    declined: { order: 'c', theirStatus: 'DECLINED' },
    paid: { order: 'a', theirStatus: 'CONFIRMED', theirsInCents: 400_000 },
  };
  assert.deepEqual(await checkout.reconcile({ ...ALL_DAY, dryRun: true }), {
    payments: [
      ...strangers,
      line(declined.reference, { ...ours.declined, ourStatus: 'PROCESSING', result: 'differs' }),
      open1,
      line(paid.reference, { ...ours.paid, ourStatus: 'PROCESSING', result: 'differs' }),
    ],
    theirsInCents: 470_000,
    oursInCents: 0,
    moneyOut: NOTHING_OUT,
    netInCents: 0,
    cursor: null,
    stoppedBy: null,
  });
  assert.deepEqual(told, []);
  const settled = [
    line(declined.reference, { ...ours.declined, ourStatus: 'DECLINED', result: 'settled' }),
    open1,
    line(paid.reference, { ...ours.paid, ourStatus: 'CONFIRMED', oursInCents: 400_000, result: 'settled' }),
  ];
  const sums = {
    theirsInCents: 470_000,
    oursInCents: 400_000,
    moneyOut: NOTHING_OUT,
    netInCents: 400_000,
    cursor: null,
    stoppedBy: null,
  };
  assert.deepEqual(await checkout.reconcile(ALL_DAY), { payments: [...strangers, ...settled], ...sums });
  assert.deepEqual(await checkout.reconcile(ALL_DAY), {
    payments: [...strangers, ...settled.map((each) => ({ ...each, result: 'same' }))],
    ...sums,
  });
});

test('a time runs from its first moment to before its last, and has one', async () => {
  const { checkout, results, payinElsewhere, clock } = await open();
  const from = START + 10_000;
  const to = from + 5_000;
  for (const at of [from - 1, from, to - 1, to]) {
    await clock.advance(at - clock.now());
    payinElsewhere(`at-${at - from}`);
  }
  const span = { from: new Date(from), to: new Date(to) };
  assert.deepEqual(await results(span), [
    ['at-4999', 'unknown_order'],
    ['at-0', 'unknown_order'],
  ]);
  for (const wrong of [{ to: span.from }, { to: new Date(from - 1) }, { from: new Date(Number.NaN) }])
    await assert.rejects(checkout.reconcile({ ...span, ...wrong }), RangeError);
});

test('a list that runs backwards is read until it is past the time, any other to its end', async () => {
  const from = START;
  const cases: readonly (readonly [string, readonly (readonly number[])[], number])[] = [
    ['past with the second page', [[3], [1, -1], [-2]], 2],
    ['made at the same moment', [[1, 1], [-1], [-2]], 2],
    ['the first moment is not past', [[1], [0], [-1], [-2]], 3],
    ['forwards', [[-2, -1], [1], [2]], 3],
    ['in no order', [[1], [2, -1], [1]], 3],
  ];
  for (const [name, pages, asked] of cases) {
    const { results, payinElsewhere, requests, close } = await open({
      show: ({ data: [payin] }, cursor) => {
        const page = Number(cursor ?? 0);
        const isLast = page + 1 === pages.length;
        assert.ok(payin);
        return {
          data: (pages[page] ?? []).map((offset) => ({
            ...payin,
            reference: `at ${offset}`,
            createdAt: iso(from + offset * 1_000),
          })),
          pageInfo: {
            hasNext: !isLast,
            nextCursor: isLast ? null : String(page + 1),
            hasPrevious: false,
            previousCursor: null,
          },
        };
      },
    });
    payinElsewhere('another-system');
    const found = await results({ from: new Date(from) });
    assert.equal(requests.filter((request) => request === 'GET /payins').length, asked, name);
    const within = pages
      .slice(0, asked)
      .flat()
      .filter((offset) => offset >= 0);
    assert.deepEqual(
      found.map(([reference]) => reference),
      within.map((offset) => `at ${offset}`),
      name,
    );
    await close();
    world = undefined;
  }
});

test('onPage gets each page of a run, and an error that it throws is passed on', async () => {
  const { checkout, payinElsewhere } = await open();
  for (let index = 0; index < 101; index++) payinElsewhere(`another-system-${index}`, KEY_ONLY);
  const pages: ReconcilePage[] = [];
  const { payments } = await checkout.reconcile({ ...ALL_DAY, onPage: (page) => void pages.push(page) });
  assert.equal(payments.length, 101);
  const [first, second, ...more] = pages;
  assert.ok(first && first.cursor !== null);
  assert.deepEqual(first, { payments: payments.slice(0, 100), pages: 1, cursor: first.cursor });
  assert.deepEqual(second, { payments: payments.slice(100), pages: 2, cursor: null });
  assert.deepEqual(more, []);
  const failure = new Error('the file is full');
  const onPage = () => {
    throw failure;
  };
  await assert.rejects(checkout.reconcile({ ...ALL_DAY, onPage }), failure);
});

test('a link that was paid is found by the payin that paid it, and nothing of it is missing there', async () => {
  const { checkout, results, startLink, engine, told } = await open();
  const { link } = await startLink({}, 'a');
  const [made] = engine.links;
  assert.ok(made);
  const payin = engine.payLink(made.id, { rail: 'BRE_B', keyType: 'QR_CODE' });
  assert.deepEqual(await results(), [[link.reference, 'same']], 'begun on both sides');
  engine.settle(payin.id, 'CONFIRMED');
  assert.deepEqual(await results({ dryRun: true }), [[link.reference, 'differs']]);
  const { payments } = await checkout.reconcile(ALL_DAY);
  assert.deepEqual(payments, [
    {
      createdAt: iso(START),
      reference: link.reference,
      serviceId: payin.id,
      order: 'a',
      rail: 'BRE_B',
      theirStatus: 'CONFIRMED',
      ourStatus: 'CONFIRMED',
      theirsInCents: 500_000,
      oursInCents: 500_000,
      result: 'settled',
    },
  ]);
  assert.deepEqual(
    told.map(({ hook, order }) => [hook, order]),
    [['onConfirmed', 'a']],
  );
  assert.deepEqual(await results(), [[link.reference, 'same']]);
});

test('a payin of a link leads to its order also under a reference of its own', async () => {
  const own = 'made-by-the-service';
  const { results, startLink, engine } = await open({
    show: (page) => ({ ...page, data: page.data.map((payin) => ({ ...payin, reference: own })) }),
  });
  await startLink({}, 'a');
  const [made] = engine.links;
  assert.ok(made);
  engine.settle(engine.payLink(made.id, { rail: 'BRE_B', keyType: 'QR_CODE' }).id, 'CONFIRMED');
  assert.deepEqual(await results(), [[own, 'settled']]);
  assert.deepEqual(await results(), [[own, 'same']]);
});

test('a payin of a link that was declined is no difference while the link is open', async () => {
  const { results, startLink, engine } = await open();
  const { link } = await startLink({}, 'a');
  const [made] = engine.links;
  assert.ok(made);
  engine.settle(engine.payLink(made.id, { rail: 'BRE_B', keyType: 'QR_CODE' }).id, 'DECLINED');
  assert.deepEqual(await results(), [[link.reference, 'same']]);
});

test('a link that failed once and was then paid has its money once', async () => {
  const { checkout, startLink, engine } = await open();
  await startLink({}, 'a');
  const [made] = engine.links;
  assert.ok(made);
  const pay = () => engine.payLink(made.id, { rail: 'BRE_B', keyType: 'QR_CODE' }).id;
  engine.settle(pay(), 'DECLINED');
  engine.settle(pay(), 'CONFIRMED');
  for (const result of ['settled', 'same']) {
    const { payments, theirsInCents, oursInCents } = await checkout.reconcile(ALL_DAY);
    assert.deepEqual(
      payments.map((line) => [line.theirStatus, line.theirsInCents, line.oursInCents, line.result]),
      [
        ['CONFIRMED', 500_000, 500_000, result],
        ['DECLINED', 0, 0, 'same'],
      ],
    );
    assert.deepEqual([theirsInCents, oursInCents], [500_000, 500_000]);
  }
});

test('of a link that several payins have paid, each has what it brought, and one that is not listed is missing there', async () => {
  let isHidden = false;
  const { checkout, startLink, engine } = await open({
    show: (page) => (isHidden ? { ...page, data: page.data.slice(0, 1) } : page),
  });
  const { link } = await startLink({}, 'a');
  const [made] = engine.links;
  assert.ok(made);
  const pay = () => engine.payLink(made.id, { rail: 'BRE_B', keyType: 'QR_CODE' }).id;
  const [first, second] = [pay(), pay()];
  engine.settle(first, 'CONFIRMED', { confirmedAmountInCents: 300_000 });
  engine.settle(second, 'CONFIRMED', { confirmedAmountInCents: 200_000 });
  const lines = async () => {
    const { payments, theirsInCents, oursInCents } = await checkout.reconcile(ALL_DAY);
    for (const { reference } of payments) assert.equal(reference, link.reference);
    const all = payments.map((line) => [line.theirsInCents, line.oursInCents, line.result]);
    return [...all, [theirsInCents, oursInCents]];
  };
  assert.deepEqual(await lines(), [
    [200_000, 200_000, 'settled'],
    [300_000, 300_000, 'settled'],
    [500_000, 500_000],
  ]);
  isHidden = true;
  assert.deepEqual(await lines(), [
    [200_000, 200_000, 'same'],
    [0, 300_000, 'missing_there'],
    [200_000, 500_000],
  ]);
});

test('what is paid on both sides must be the same money, where the service says how much', async () => {
  let shown: object = {};
  const { checkout, startBreb, engine, payinOf, requests } = await open({
    show: (page) => ({ ...page, data: page.data.map((payin) => ({ ...payin, ...shown })) }),
  });
  const { attempt } = await startBreb({}, 'a');
  engine.settle(payinOf(attempt.reference).id, 'CONFIRMED');
  await checkout.reconcile(ALL_DAY);
  const compare = async (more: object) => {
    shown = more;
    const {
      payments: [line],
      theirsInCents,
      oursInCents,
    } = await checkout.reconcile(ALL_DAY);
    return [line?.result, theirsInCents, oursInCents];
  };
  assert.deepEqual(await compare({}), ['same', 500_000, 500_000]);
  const renamed = { reference: 'renamed-by-the-service' };
  assert.deepEqual(await compare(renamed), ['same', 500_000, 500_000], 'its id tells which it is');
  assert.deepEqual(await compare({ confirmedAmountInCents: null }), ['same', 500_000, 500_000]);
  assert.deepEqual(await compare({ confirmedAmountInCents: 400_000 }), ['differs', 400_000, 500_000]);
  const unsaid = { amountInCents: null, confirmedAmountInCents: null };
  assert.deepEqual(await compare(unsaid), ['same', 0, 500_000]);
  const asked = requests.length;
  assert.deepEqual(await compare({ status: 'PROCESSING' }), ['differs', 0, 500_000]);
  assert.deepEqual(requests.slice(asked), ['GET /payins'], 'what has no outcome there is not read');
  assert.deepEqual(await compare({ status: 'DECLINED' }), ['differs', 0, 500_000]);
});

test('an end without money is the same by any name, and not the same as none', async () => {
  let status = 'DECLINED';
  const { results, startBreb, engine, payinOf, clock } = await open({
    show: (page) => ({ ...page, data: page.data.map((payin) => ({ ...payin, status })) }),
  });
  const { reference } = (await startBreb({}, 'a')).attempt;
  assert.deepEqual(await results(), [[reference, 'differs']], 'a read says that it is open');
  engine.settle(payinOf(reference).id, 'DECLINED');
  await clock.advance(60_000);
  assert.deepEqual(await results(), [[reference, 'settled']]);
  status = 'CANCELED';
  assert.deepEqual(await results(), [[reference, 'same']]);
  status = 'PROCESSING';
  assert.deepEqual(await results(), [[reference, 'differs']]);
});

const BREB = 'a-AP9GX8NJ-2222222A';
const PSE = 'b-S7YPE8XG-2222222B';

test('a payin whose reference names an order is given to it, and a dry run only looks', async () => {
  const { checkout, results, payinElsewhere, offer, engine, told, clock, token } = await open();
  const made = payinElsewhere(BREB, { amountInCents: 500_000 });
  payinElsewhere(PSE, {
    amountInCents: 500_000,
    rail: 'PSE',
    breb: undefined,
    pse: { bank: 'CO_BBVA', personType: 'INDIVIDUAL' },
    inlineCustomer: CUSTOMER,
  });
  await clock.advance(60_000);
  assert.deepEqual(await results({ dryRun: true }), [
    [PSE, 'unknown_order'],
    [BREB, 'unknown_order'],
  ]);
  assert.equal(await checkout.orders.show('a'), undefined);
  assert.deepEqual(await results(), [
    [PSE, 'adopted'],
    [BREB, 'adopted'],
  ]);
  const common = { kind: 'PAYIN', amountInCents: 500_000, createdAt: iso(START) };
  const seen = async (order: string) => {
    const { attempt } = (await offer(order)).offer;
    assert.ok(attempt?.kind === 'PAYIN');
    const { kind, status, amountInCents, createdAt, expiresAt, reference, rail, merchant } = attempt;
    assert.match(attempt.id, /^[\w-]{20,}$/);
    assert.equal(attempt.order, await token(order));
    assert.equal(merchant.name, 'Tienda');
    return { kind, status, amountInCents, createdAt, expiresAt, reference, rail };
  };
  assert.deepEqual(await seen('a'), {
    ...common,
    status: 'PROCESSING',
    expiresAt: iso(START + 15 * 60_000),
    reference: BREB,
    rail: 'BRE_B',
  });
  assert.deepEqual(await seen('b'), {
    ...common,
    status: 'PENDING',
    expiresAt: null,
    reference: PSE,
    rail: 'PSE',
  });
  engine.settle(made.id, 'CONFIRMED');
  assert.deepEqual(await results(), [
    [PSE, 'same'],
    [BREB, 'settled'],
  ]);
  assert.deepEqual(
    told.map(({ hook, order, orderAmountInCents }) => [hook, order, orderAmountInCents]),
    [['onConfirmed', 'a', 500_000]],
  );
});

test('a payin that was given to its order shows the key or the bank that the payer had chosen', async () => {
  const { checkout, payinElsewhere } = await open({
    // The merchant's own sign-in decides, so that orders go by their ids.
    options: { orderSecret: undefined, authorize: () => true } as object,
  });
  const asked = { amountInCents: 500_000 };
  payinElsewhere('a-AP9GX8NJ-2222222A', asked);
  payinElsewhere('b-S7YPE8XG-2222222B', { ...asked, breb: { keyType: 'SINGLE_USE' } });
  payinElsewhere('c-7Z6AVVPE-2222222C', {
    ...asked,
    rail: 'PSE',
    breb: undefined,
    pse: { bank: 'CO_BBVA', personType: 'INDIVIDUAL' },
    inlineCustomer: CUSTOMER,
  });
  await checkout.reconcile(ALL_DAY);
  const shown = async (order: string) => {
    const { attempt } = (await checkout.offer(order)) ?? {};
    assert.ok(attempt?.kind === 'PAYIN' && attempt.sourceData !== null);
    const { sourceData } = attempt;
    return [attempt.order, 'keyType' in sourceData ? sourceData.keyType : sourceData.bank];
  };
  assert.deepEqual(await shown('a'), ['a', 'QR_CODE']);
  assert.deepEqual(await shown('b'), ['b', 'SINGLE_USE']);
  assert.deepEqual(await shown('c'), ['c', 'CO_BBVA']);
});

test('a payin is given to no order that the merchant does not know, nor when it is of a link or of another rail', async () => {
  const { checkout, results, payinElsewhere, engine } = await open({
    show: (page) => ({
      ...page,
      data: page.data.map((payin) => (payin.reference === PSE ? { ...payin, rail: 'CARD' } : payin)),
    }),
  });
  payinElsewhere(PSE);
  payinElsewhere('unheard-of-RY89N6P6-2222222C');
  const link = engine.createLink({
    amountType: 'FIXED',
    amountInCents: 500_000,
    reference: BREB,
    callbackUrl: 'https://shop.test/gracias',
  });
  engine.payLink(link.id, { rail: 'BRE_B', keyType: 'QR_CODE' });
  assert.deepEqual(await results(), [
    [BREB, 'unknown_order'],
    ['unheard-of-RY89N6P6-2222222C', 'unknown_order'],
    [PSE, 'unknown_order'],
  ]);
  for (const order of ['a', 'b', 'unheard-of']) assert.equal(await checkout.orders.show(order), undefined);
});

test('a payin that was adopted without its amount has the price of its order', async () => {
  const { checkout, results, payinElsewhere, engine } = await open();
  engine.setMishap('amount-in-cents-omitted', true);
  payinElsewhere(BREB, { amountInCents: 500_000 });
  assert.deepEqual(await results(), [[BREB, 'adopted']]);
  assert.equal((await checkout.orders.show('a'))?.attempts[0]?.amountInCents, 500_000);
});

test('what is paid here and in no list there is missing, however many orders there are', async () => {
  const names = Array.from({ length: 202 }, (_, index) => `o${String(index).padStart(3, '0')}`);
  let hidden: readonly string[] = [];
  const { checkout, startBreb, startLink, engine, payinOf } = await open({
    orders: Object.fromEntries(names.map((name) => [name, { amountInCents: 500_000 }])),
    show: (page) => ({ ...page, data: page.data.filter(({ reference }) => !hidden.includes(reference)) }),
  });
  const paidOnes = ['o000', 'o198', 'o199', 'o200'];
  const references: string[] = [];
  for (const name of names) {
    if (!paidOnes.includes(name)) await startLink({}, name);
    else references.push((await startBreb({}, name)).attempt.reference);
  }
  for (const reference of references) engine.settle(payinOf(reference).id, 'CONFIRMED');
  await checkout.reconcile(ALL_DAY);
  hidden = references;
  const { payments, theirsInCents, oursInCents } = await checkout.reconcile(ALL_DAY);
  assert.deepEqual(
    payments,
    references.map((reference, index) => ({
      createdAt: iso(START),
      reference,
      serviceId: payinOf(reference).id,
      order: paidOnes[index],
      rail: 'BRE_B',
      theirStatus: null,
      ourStatus: 'CONFIRMED',
      theirsInCents: 0,
      oursInCents: 500_000,
      result: 'missing_there',
    })),
  );
  assert.deepEqual([theirsInCents, oursInCents], [0, 2_000_000]);
  const missingIn = async (from: number, to: number) =>
    (await checkout.reconcile({ from: new Date(from), to: new Date(to) })).payments.length;
  assert.deepEqual(
    [
      await missingIn(START - 1, START),
      await missingIn(START, START + 1),
      await missingIn(START + 1, START + 2),
    ],
    [0, 4, 0],
  );
});

test('a payin is given only to the order that its reference proves, not to one that looks the same', async () => {
  const orders = { 'A/1': { amountInCents: 500_000 }, 'A-1': { amountInCents: 500_000 } };
  const { checkout, results, startBreb, payinElsewhere, payinOf, engine, told } = await open({ orders });
  const { reference } = (await startBreb({}, 'A/1')).attempt;
  engine.settle(payinOf(reference).id, 'CONFIRMED');
  // As after a restore from a backup: the store knows nothing of it.
  assert.equal(await checkout.orders.forget('A/1', { evenIfOpen: true }), 'forgotten');
  payinElsewhere('A-1-22222222222A', { amountInCents: 500_000 });
  assert.deepEqual(await results(), [
    ['A-1-22222222222A', 'unknown_order'],
    [reference, 'unknown_order'],
  ]);
  assert.equal(await checkout.orders.show('A-1'), undefined);
  assert.deepEqual(told, []);
});

test('a second payment under one reference does not hide behind the first: it is adopted and reported as a duplicate', async () => {
  const { checkout, startBreb, payinElsewhere, payinOf, engine, told, requests } = await open();
  const { reference } = (await startBreb({}, 'a')).attempt;
  const first = payinOf(reference);
  engine.settle(first.id, 'CONFIRMED');
  // The service has carried out the creation twice.
  engine.setMishap('repeated-references', true);
  const second = payinElsewhere(reference, { amountInCents: 500_000 });
  engine.settle(second.id, 'CONFIRMED');
  const run = async (options: object = {}) => {
    const { payments, theirsInCents, oursInCents } = await checkout.reconcile({ ...ALL_DAY, ...options });
    const byId = new Map(payments.map(({ serviceId, order, result }) => [serviceId, `${order} ${result}`]));
    return [byId.get(first.id), byId.get(second.id), theirsInCents, oursInCents];
  };
  assert.deepEqual(await run({ dryRun: true }), ['a differs', 'a differs', 1_000_000, 0]);
  const asked = requests.length;
  assert.deepEqual(await run(), ['a settled', 'a adopted', 1_000_000, 1_000_000]);
  assert.ok(requests.slice(asked).includes(`GET /payins/${second.id}`), 'it was read');
  assert.deepEqual(
    told.map(({ hook, reference: told }) => [hook, told]),
    [
      ['onConfirmed', reference],
      ['onDuplicatePayment', reference],
    ],
  );
  assert.deepEqual(await run(), ['a same', 'a same', 1_000_000, 1_000_000]);
  assert.deepEqual(
    (await checkout.orders.show('a'))?.review.map(({ kind }) => kind),
    ['duplicate'],
  );
});

test('a payment under the reference of one that failed completes its order, and one that failed too is no difference', async () => {
  const { results, startBreb, payinElsewhere, payinOf, engine, told, get, checkout } = await open();
  const { reference, id } = (await startBreb({}, 'a')).attempt;
  engine.settle(payinOf(reference).id, 'DECLINED');
  assert.deepEqual(await results(), [[reference, 'settled']]);
  engine.setMishap('repeated-references', true);
  const failed = payinElsewhere(reference, { amountInCents: 500_000 });
  engine.settle(failed.id, 'DECLINED');
  assert.deepEqual(await results(), [
    [reference, 'same'],
    [reference, 'same'],
  ]);
  const paid = payinElsewhere(reference, { amountInCents: 500_000 });
  assert.deepEqual((await results())[0], [reference, 'adopted'], 'it is open, and watched from now on');
  engine.settle(paid.id, 'CONFIRMED');
  assert.deepEqual((await results())[0], [reference, 'settled']);
  assert.deepEqual(
    told.map(({ hook, order }) => [hook, order]),
    [
      ['onDeclined', 'a'],
      ['onConfirmed', 'a'],
    ],
  );
  const { attempt } = await get(`/payins/${id}`);
  assert.deepEqual(
    [attempt.status, attempt.reference, attempt.settlement.state],
    ['CONFIRMED', reference, 'PAID'],
  );
  const other = payinElsewhere(reference, { amountInCents: 70_000 });
  engine.settle(other.id, 'CONFIRMED');
  assert.deepEqual(
    (await results())[0],
    [reference, 'differs'],
    'of another amount: nothing of it is believed',
  );
  assert.deepEqual(
    (await checkout.orders.show('a'))?.review.map(({ kind }) => kind),
    ['late', 'quarantined'],
  );
});

test('a chargeback that is not recorded here is a difference, of a direct payin or of a link’s', async () => {
  const { results, checkout, startBreb, startLink, payinOf, engine, told } = await open({
    // Otherwise it is read every day, and found by that.
    options: { chargebackWatchMs: 0 },
  });
  const { reference } = (await startBreb({}, 'a')).attempt;
  const direct = payinOf(reference);
  const { link } = await startLink({}, 'b');
  const [made] = engine.links;
  assert.ok(made);
  const through = engine.payLink(made.id, { rail: 'BRE_B', keyType: 'QR_CODE' });
  for (const { id } of [direct, through]) engine.settle(id, 'CONFIRMED');
  assert.deepEqual(
    (await results()).map(([, result]) => result),
    ['settled', 'settled'],
  );
  for (const { id } of [direct, through]) engine.chargeBack(id);
  assert.deepEqual(
    (await results({ dryRun: true })).map(([, result]) => result),
    ['differs', 'differs'],
  );
  assert.deepEqual(
    (await results()).map(([, result]) => result),
    ['settled', 'settled'],
  );
  assert.deepEqual(
    told
      .filter(({ hook }) => hook === 'onChargeback')
      .map((each) => each.reference)
      .sort(),
    [...[reference, link.reference].sort()],
  );
  assert.deepEqual(
    (await results()).map(([, result]) => result),
    ['same', 'same'],
  );
  assert.equal((await checkout.orders.show('b'))?.review[0]?.kind, 'chargeback');
});
