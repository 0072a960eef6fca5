import assert from 'node:assert/strict';
import { afterAll, test } from 'vitest';
import { PSE_BANKS } from '../../../src/contract/payer/bank-list.js';
import { sortBanks } from '../../../src/contract/payer/banks.js';
import { CUSTOMER, openWorld } from '../world.js';

/** What the merchant's order becomes when it is offered. */

const world = await openWorld({ work: false });
afterAll(() => world.close());
let orders = 0;
const newOrder = (order: object) => {
  const id = `order-of-${++orders}`;
  world.orders.set(id, { amountInCents: 100_000, ...order });
  return id;
};
const offerOf = async (order: object) => (await world.offer(newOrder(order))).offer;

test('a description is one line of at most 255 characters, or null', async () => {
  const x = (length: number) => 'x'.repeat(length);
  for (const [given, shown] of [
    [undefined, null],
    [null, null],
    [7, null],
    ['', null],
    [' \n\t ', null],
    ['a', 'a'],
    [' dos\n\nlíneas\ty\u0000 más ', 'dos líneas y más'],
    ['half \ud83d of a pair', 'half of a pair'],
    ['🛒 whole', '🛒 whole'],
    [x(255), x(255)],
    [` ${x(255)} `, x(255)],
    [x(256), `${x(254)}…`],
    [x(3_000), `${x(254)}…`],
    // A pair is not cut in two.
    [`${x(253)}🛒y`, `${x(253)}…`],
    [`${x(252)}🛒yy`, `${x(252)}🛒…`],
  ] as const)
    assert.equal((await offerOf({ description: given })).description, shown, String(given).slice(0, 40));
});

test('an order may have ways to pay of its own, each offered with all that belongs to it', async () => {
  const banks = [
    { code: 'CO_NEQUI', name: 'Nequi', aliases: ['neki'], color: 'pink' },
    { code: 'CO_BBVA', name: 'BBVA' },
    { code: 'CO_NU', name: 'Nu', first: 1 },
  ];
  const methods = [
    { rail: 'BRE_B' },
    { rail: 'BRE_B', keyType: 'SINGLE_USE', requiresCustomer: true, ceilingInCents: 900_000 },
    { rail: 'BRE_B', ceilingInCents: null, apps: [{ name: 'Nequi', path: 'Bre-B' }] },
    { rail: 'PSE', banks },
    { kind: 'PAYMENT_LINK' },
    { kind: 'PAYMENT_LINK', rail: 'BRE_B' },
    { kind: 'PAYMENT_LINK', rail: 'PSE', bank: 'CO_BBVA' },
  ];
  const { name, email } = CUSTOMER;
  const requires = ['idType', 'idNumber', 'phone'];
  assert.deepEqual((await offerOf({ methods, customer: { name, email } })).methods, [
    { kind: 'PAYIN', rail: 'BRE_B', keyType: 'QR_CODE', requires: [], ceilingInCents: 1_155_200_000 },
    { kind: 'PAYIN', rail: 'BRE_B', keyType: 'SINGLE_USE', requires, ceilingInCents: 900_000 },
    {
      kind: 'PAYIN',
      rail: 'BRE_B',
      keyType: 'QR_CODE',
      requires: [],
      apps: [{ name: 'Nequi', path: 'Bre-B' }],
    },
    {
      kind: 'PAYIN',
      rail: 'PSE',
      // The merchant's first, then A to Z, and nothing that the contract does not know.
      banks: [
        { code: 'CO_NU', name: 'Nu', first: 1 },
        { code: 'CO_BBVA', name: 'BBVA' },
        { code: 'CO_NEQUI', name: 'Nequi', aliases: ['neki'] },
      ],
      requires,
    },
    { kind: 'PAYMENT_LINK', rail: null, bank: null },
    { kind: 'PAYMENT_LINK', rail: 'BRE_B', bank: null },
    { kind: 'PAYMENT_LINK', rail: 'PSE', bank: 'CO_BBVA' },
  ]);
});

test('the banks are those of PSE with their other names, and the test bank only where it is listed', async () => {
  const banksOf = async (order: object) =>
    (await offerOf(order)).methods.flatMap((method) => ('banks' in method ? method.banks : []));
  const real = PSE_BANKS.filter(({ testOnly }) => testOnly !== true);
  assert.equal(real.length, PSE_BANKS.length - 1);
  assert.deepEqual(await banksOf({}), sortBanks(real));
  const test = { code: 'CO_BANKA', name: 'Bank A' };
  assert.deepEqual(await banksOf({ methods: [{ rail: 'PSE', banks: [test] }] }), [test]);
});

test('an offer’s version changes with the price and the ways to pay, and with nothing else', async () => {
  const versionOf = async (order: object) => (await offerOf(order)).version;
  const version = await versionOf({});
  assert.ok(version.length <= 64);
  for (const same of [{ description: 'other words' }, { customer: CUSTOMER }, { currency: 'COP' }])
    assert.equal(await versionOf(same), version, JSON.stringify(same));
  const [capped, free] = [900_000, null].map((ceilingInCents) => ({
    methods: [{ rail: 'BRE_B', ceilingInCents }],
  }));
  assert.equal(await versionOf(capped!), await versionOf(free!), 'a ceiling only warns');
  const hinted = { methods: [{ rail: 'BRE_B', apps: [{ name: 'Nequi', path: 'Bre-B' }] }] };
  assert.equal(await versionOf(hinted), await versionOf(free!), 'a hint only helps');
  const pse = (...codes: string[]) => ({
    methods: [{ rail: 'PSE', banks: codes.map((code) => ({ code, name: code })) }],
  });
  const others = [
    { amountInCents: 100_001 },
    { methods: [{ rail: 'BRE_B' }] },
    { methods: [{ rail: 'BRE_B', keyType: 'SINGLE_USE' }] },
    { methods: [{ kind: 'PAYMENT_LINK' }] },
    { methods: [{ kind: 'PAYMENT_LINK', rail: 'PSE' }] },
    pse('CO_BBVA'),
    pse('CO_BBVA', 'CO_NEQUI'),
  ];
  const versions = await Promise.all(others.map(versionOf));
  assert.equal(new Set([version, ...versions]).size, others.length + 1);
});

test('an order that the merchant gives with a wrong price, currency or method is not offered', async () => {
  for (const wrong of [
    { amountInCents: 0 },
    { amountInCents: '100' },
    { amountInCents: undefined },
    { currency: 'USD' },
    { methods: [] },
    { methods: [{ rail: 'CARD' }] },
  ]) {
    const { status, problem } = await world.offer(newOrder(wrong));
    assert.deepEqual([status, problem.code], [500, 'internal_error'], JSON.stringify(wrong));
  }
});

test('a Bre-B key that needs a customer is made only for one whose data are complete', async () => {
  const order = newOrder({
    methods: [{ rail: 'BRE_B', requiresCustomer: true }],
    customer: { name: 'Ana P' },
  });
  const { name: _, ...rest } = CUSTOMER;
  const { phone: __, ...incomplete } = rest;
  const refused = await world.startBreb({ inlineCustomer: incomplete }, order);
  assert.deepEqual(refused.problem.errors, [{ field: 'inlineCustomer.phone', code: 'required' }]);
  const { status, attempt } = await world.startBreb({ inlineCustomer: rest }, order);
  assert.equal(status, 201);
  assert.deepEqual(world.payinOf(attempt.reference).inlineCustomer, { ...CUSTOMER, name: 'Ana P' });
});

test('a payment link takes the rail and the bank that the offer names, and no other', async () => {
  const link = (...methods: object[]) =>
    newOrder({ methods: methods.map((each) => ({ kind: 'PAYMENT_LINK', ...each })) });
  const bbva = { rail: 'PSE', bank: 'CO_BBVA' };
  const asked = (rail: string, bank?: string) => ({ rail, ...(bank !== undefined && { pse: { bank } }) });
  for (const [methods, wish, taken] of [
    [[{}], {}, true],
    [[{}], asked('BRE_B'), true],
    [[{}], asked('PSE', 'CO_NEQUI'), true],
    [[bbva], asked('PSE', 'CO_BBVA'), true],
    [[bbva], asked('PSE', 'CO_NEQUI'), false],
    [[bbva], asked('PSE'), false],
    [[bbva], {}, false],
    [[bbva, { rail: 'BRE_B' }], asked('BRE_B'), true],
    [[bbva, { rail: 'PSE' }], asked('PSE', 'CO_NEQUI'), true],
  ] as const) {
    const { status, problem } = await world.startLink(wish, link(...methods));
    const what = JSON.stringify([methods, wish]);
    if (taken) assert.equal(status, 201, what);
    else assert.equal(problem.code, 'method_unavailable', what);
  }
  const misplaced = await world.startLink(asked('BRE_B', 'CO_BBVA'), link({}));
  assert.equal(misplaced.problem.code, 'invalid_request', 'a bank belongs to PSE');
});

test('a bank is found in whichever of the offer’s lists it is', async () => {
  const order = () =>
    newOrder({
      methods: [
        { rail: 'PSE', banks: [{ code: 'CO_BBVA', name: 'BBVA' }] },
        { rail: 'BRE_B' },
        { rail: 'PSE', banks: [{ code: 'CO_NEQUI', name: 'El otro' }] },
      ],
    });
  const start = (bank: string) => world.startPse({ pse: { bank, personType: 'INDIVIDUAL' } }, order());
  for (const [bank, bankName] of [
    ['CO_BBVA', 'BBVA'],
    ['CO_NEQUI', 'El otro'],
  ] as const) {
    const { attempt } = await start(bank);
    const source = attempt.rail === 'PSE' ? attempt.sourceData : null;
    assert.deepEqual([source?.bank, source?.bankName], [bank, bankName]);
  }
  assert.equal((await start('CO_BOGOTA')).problem.code, 'method_unavailable');
});
