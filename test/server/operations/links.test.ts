import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { LinkError, type LinkInput, type MerchantOrder } from '../../../src/server.js';
import { checkoutOf, openWorld, SHOP, type World, type WorldOptions } from '../world.js';

/** Links that a person makes, as the kit's own calls answer. */

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld(options));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const callbackUrl = `${SHOP}/gracias`;

async function refusal(work: Promise<unknown>): Promise<LinkError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof LinkError, String(error));
  return error;
}

test('why no link is made is said by a code', async () => {
  const opened = await open({
    orders: { paid: { amountInCents: 500_000 }, bank: { amountInCents: 500_000 } },
  });
  const { links } = checkoutOf(opened);
  const make = (input: Partial<LinkInput>) =>
    links.create({ callbackUrl, ...(input.order === undefined && { amountInCents: 500_000 }), ...input });
  const { attempt } = await opened.startBreb({}, 'paid');
  opened.engine.settle(opened.payinOf(attempt.reference).id, 'CONFIRMED');
  await opened.pass(2_000);
  await opened.startPse({}, 'bank');
  await opened.pass(5_000);
  await make({ reference: 'MESA-4' });

  const refused: readonly [string, Partial<LinkInput>][] = [
    ['already_paid', { order: 'paid' }],
    ['not_now', { order: 'bank' }],
    ['not_found', { order: 'nobody' }],
    ['reference_taken', { reference: 'MESA-4' }],
    ['invalid_input', { callbackUrl: 'gracias' }],
  ];
  for (const [code, input] of refused) assert.equal((await refusal(make(input))).code, code);
  assert.equal(opened.engine.links.length, 1, 'the service was asked for none of them');
});

/** An order of 500.000 cents that costs something else when its payer pays 300.000 of it. */
async function paidInPart(priceThen: number) {
  let answer = (): MerchantOrder | null => ({ amountInCents: 500_000 });
  const opened = await open({ options: { findOrder: () => answer() } });
  const costs = (amountInCents: number) => (answer = () => ({ amountInCents }));
  const { attempt } = await opened.startBreb();
  costs(priceThen);
  opened.engine.settle(opened.payinOf(attempt.reference).id, 'CONFIRMED', {
    confirmedAmountInCents: 300_000,
  });
  await opened.pass(2_000);
  return {
    opened,
    costs,
    answers: (next: typeof answer) => void (answer = next),
    link: () => checkoutOf(opened).links.create({ order: 'order-1', callbackUrl }),
  };
}

for (const [change, priceThen, priceNow, dueInCents] of [
  ['was lowered before the payment', 400_000, 400_000, 100_000],
  ['was lowered after the payment', 500_000, 400_000, 100_000],
  ['was raised', 500_000, 700_000, 400_000],
] as const) {
  test(`a link for an order whose price ${change} asks for what is missing, and completes it`, async () => {
    const { opened, costs, link } = await paidInPart(priceThen);
    costs(priceNow);
    const { amountInCents, serviceId } = await link();
    assert.equal(amountInCents, dueInCents);
    const payin = opened.engine.payLink(serviceId ?? '', { rail: 'BRE_B', keyType: 'QR_CODE' });
    opened.engine.settle(payin.id, 'CONFIRMED');
    await opened.pass(5_000);
    assert.deepEqual(
      opened.told.map(({ hook, paidInCents }) => [hook, paidInCents]),
      [
        ['onAmountMismatch', 300_000],
        ['onConfirmed', priceNow],
      ],
    );
  });
}

test('an order whose price was lowered to what was paid, or below, is complete and gets no link', async () => {
  const { opened, costs, link } = await paidInPart(500_000);
  costs(250_000);
  assert.equal((await refusal(link())).code, 'already_paid');
  await opened.pass(1_000);
  assert.deepEqual(
    opened.told.map(({ hook, excessInCents }) => [hook, excessInCents]),
    [
      ['onAmountMismatch', undefined],
      ['onConfirmed', undefined],
      ['onDuplicatePayment', 50_000],
    ],
  );
  assert.deepEqual(opened.engine.links, []);
});

test('a link for an order that the merchant no longer knows asks for what its last payment left', async () => {
  const { answers, link } = await paidInPart(400_000);
  answers(() => null);
  assert.equal((await link()).amountInCents, 100_000);
});

test('no link is made while findOrder does not say what the order costs', async () => {
  const { opened, costs, answers, link } = await paidInPart(400_000);
  const cause = new Error('The database is away');
  answers(() => {
    throw cause;
  });
  const isSaid = { name: 'KitError', message: /^findOrder did not say what the order costs/ };
  await assert.rejects(link(), { ...isSaid, cause });
  costs(0.5);
  await assert.rejects(link(), isSaid);
  assert.deepEqual(opened.engine.links, []);
});

test('a second link under the name of a link for no order asks for the sum of the first, not for an order’s price', async () => {
  const opened = await open({ options: { findOrder: () => ({ amountInCents: 1 }) } });
  const { links } = checkoutOf(opened);
  const { reference } = await links.create({ amountInCents: 500_000, callbackUrl });
  assert.equal((await links.create({ order: reference, callbackUrl })).amountInCents, 500_000);
});

test('one order has one link of a reference, also when the first has expired', async () => {
  const opened = await open({ orders: { mesa: { amountInCents: 500_000 } } });
  const { links } = checkoutOf(opened);
  const { attempt } = await opened.startBreb({}, 'mesa');
  opened.engine.settle(opened.payinOf(attempt.reference).id, 'CONFIRMED', {
    confirmedAmountInCents: 200_000,
  });
  await opened.pass(2_000);
  const input = { order: 'mesa', callbackUrl, reference: 'MESA-4' };
  const { id } = await links.create(input);
  await opened.pass(61 * 60_000);
  assert.equal((await links.find(id))?.state, 'EXPIRED');
  assert.equal((await refusal(links.create(input))).code, 'reference_taken');
  assert.equal(opened.engine.links.length, 1);
  assert.equal((await links.create({ ...input, reference: 'MESA-4-2' })).state, 'PENDING');
});

test('a link that the service refuses is shown as refused, under its reference and without an address', async () => {
  const opened = await open({
    network: (request, next) =>
      request.url.endsWith('/payment-links')
        ? Promise.resolve(Response.json({ code: 'invalid_input' }, { status: 422 }))
        : next(request),
  });
  const { links } = checkoutOf(opened);
  const made = await links.create({ amountInCents: 500_000, callbackUrl, reference: 'MESA-4' });
  assert.deepEqual([made.state, made.reference, made.url, made.serviceId], ['REFUSED', 'MESA-4', null, null]);
  assert.deepEqual(await links.find(made.id), made);
  await assert.rejects(links.list({ after: 'nowhere' }), RangeError);
  assert.equal(await links.find('nobody'), undefined);
  assert.equal((await refusal(links.setNote('nobody', 'x'))).code, 'not_found');
});

test('a link that was made a second time is found by the id of the one that is shown', async () => {
  const opened = await open();
  const { links } = checkoutOf(opened);
  opened.engine.armMishap('error-after-work', 1);
  const { id } = await links.create({ amountInCents: 500_000, callbackUrl });
  await opened.pass(60_000);
  const shown = await links.find(id);
  assert.deepEqual([shown?.state, opened.engine.links.length], ['PENDING', 2]);
  assert.deepEqual(await links.find(shown?.serviceId ?? ''), shown);
});
