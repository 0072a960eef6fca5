import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { isPngDataUrl } from '../../src/contract/qr/png.js';
import { PayoutUnclearError, type CreatePayin, type ServiceClient } from '../../src/service.js';
import { CUSTOMER, failure, idle, LINK, PAYIN, PAYOUT } from './fixtures.js';
import { inWorld, nextChange, TRANSPORTS, type World } from './worlds.js';

/** One suite, run twice: against the sandbox in process and over TCP. */

const PSE_PAYIN: CreatePayin = {
  amountInCents: 8_000_000,
  currency: 'COP',
  rail: 'PSE',
  reference: 'order-pse',
  inlineCustomer: CUSTOMER,
  pse: { bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' },
  callbackUrl: 'https://shop.example/back?order=1',
};
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

async function createMany(client: ServiceClient, count: number): Promise<string[]> {
  const references = Array.from({ length: count }, (_, index) => `many-${index}`);
  for (const reference of references) await client.payins.create({ ...PAYIN, reference });
  return references;
}

const suite: Record<string, (world: World) => Promise<void>> = {
  async 'a Bre-B payin is created, read back, and confirmed'({ connect, sandbox, events, advance }) {
    const client = connect();
    const created = await client.payins.create(PAYIN);
    assert.deepEqual(
      [created.status, created.rail, created.reference, created.amountInCents, created.sourceData?.keyType],
      ['PROCESSING', 'BRE_B', PAYIN.reference, PAYIN.amountInCents, 'SINGLE_USE'],
    );
    assert.match(created.sourceData?.keyString ?? '', /^@\w+$/);
    assert.equal(created.sourceData?.qrString, null);
    assert.deepEqual(created.inlineCustomer, CUSTOMER);
    assert.deepEqual(await client.payins.retrieve(created.id), created);
    sandbox.engine.settle(created.id, 'CONFIRMED');
    const paid = await client.payins.retrieve(created.id);
    assert.deepEqual([paid.status, paid.confirmedAmountInCents], ['CONFIRMED', PAYIN.amountInCents]);
    await advance(0);
    assert.deepEqual(
      events.map(({ event }) => event),
      ['payin.processing', 'payin.confirmed'],
    );
  },

  async 'a QR_CODE payin carries a PNG image'({ connect }) {
    const payin = await connect().payins.create({ ...PAYIN, rail: 'BRE_B', breb: { keyType: 'QR_CODE' } });
    assert.ok(isPngDataUrl(payin.sourceData?.qrString ?? ''));
  },

  async 'a PSE payin gets its address a moment later'({ connect, advance }) {
    const client = connect();
    const created = await client.payins.create(PSE_PAYIN);
    assert.deepEqual([created.sourceData?.bank, created.sourceData?.pseUrl], ['CO_BANCOLOMBIA', null]);
    await advance(2_000);
    assert.match((await client.payins.retrieve(created.id)).sourceData?.pseUrl ?? '', /^http/);
  },

  async 'a bank the service does not know is invalid input, named by its field'({ connect }) {
    const pse = { bank: 'CO_NOBANK', personType: 'INDIVIDUAL' } as const;
    const error = await failure(connect().payins.create({ ...PSE_PAYIN, rail: 'PSE', pse }));
    assert.deepEqual(
      [error.kind, error.status, error.serviceCode],
      ['invalid_input', 400, 'invalid_request'],
    );
    assert.deepEqual(error.fields, [{ field: 'pse.bank', code: 'not_allowed' }]);
    assert.match(error.requestId ?? '', /^[\w-]{8,}$/);
  },

  async 'a repeated reference is a conflict'({ connect }) {
    const client = connect();
    await client.payins.create(PAYIN);
    const error = await failure(client.payins.create(PAYIN));
    assert.deepEqual(
      [error.kind, error.status, error.serviceCode, error.mayHaveHappened],
      ['conflict', 409, 'reference_taken', false],
    );
  },

  async 'what does not exist is not found'({ connect }) {
    const client = connect();
    assert.equal((await failure(client.payins.retrieve(UNKNOWN_ID))).kind, 'not_found');
    assert.equal((await failure(client.paymentLinks.retrieve(UNKNOWN_ID))).kind, 'not_found');
    assert.equal((await failure(client.keys.lookup('@noexiste1'))).kind, 'not_found');
  },

  async 'every operation is unauthorized with a wrong credential'({ connect }) {
    const client = connect({ apiKey: 'wrong', accessToken: 'wrong' });
    const calls = [
      client.payins.create(PAYIN),
      client.payins.retrieve(UNKNOWN_ID),
      client.findPayinByReference('x'),
      client.payouts.create(PAYOUT),
      client.keys.lookup('@ximenaq77'),
      client.paymentLinks.create(LINK),
      client.paymentLinks.retrieve(UNKNOWN_ID),
    ];
    for (const error of await Promise.all(calls.map(failure))) {
      assert.deepEqual([error.kind, error.status], ['unauthorized', 401], error.operation);
    }
  },

  async 'the other credential does not open an operation'({ connect }) {
    const client = connect({ auth: { 'payins.create': 'accessToken', 'paymentLinks.create': 'apiKey' } });
    assert.equal((await failure(client.payins.create(PAYIN))).kind, 'unauthorized');
    assert.equal((await failure(client.paymentLinks.create(LINK))).kind, 'unauthorized');
  },

  async 'the list is walked forward and back again, each payin once'({ connect }) {
    const client = connect();
    const newestFirst = (await createMany(client, 7)).reverse();
    const items: string[] = [];
    for await (const payin of client.payins.list({ pageSize: 3 })) items.push(payin.reference);
    assert.deepEqual(items, newestFirst);

    let lastCursor: string | undefined;
    for await (const { pageInfo } of client.payins.list({ pageSize: 3 }).pages()) {
      lastCursor = pageInfo.nextCursor ?? lastCursor;
    }
    assert.ok(lastCursor);
    const back: string[][] = [];
    for await (const page of client.payins.list({ pageSize: 3, cursor: lastCursor }).pages('backward')) {
      back.unshift(page.data.map(({ reference }) => reference));
    }
    assert.deepEqual(back.flat(), newestFirst);
  },

  async 'page sizes 1 and 100 are taken, and a made-up cursor is refused'({ connect }) {
    const client = connect();
    await createMany(client, 2);
    const lengths = async (pageSize: number) => {
      const found: number[] = [];
      for await (const page of client.payins.list({ pageSize }).pages()) found.push(page.data.length);
      return found;
    };
    assert.deepEqual([await lengths(1), await lengths(100)], [[1, 1], [2]]);
    const pages = client.payins.list({ cursor: 'made-up' }).pages()[Symbol.asyncIterator]();
    const error = await failure(pages.next());
    assert.deepEqual([error.kind, error.fields[0]?.field], ['invalid_input', 'cursor']);
  },

  async 'a payin is found by its reference, and another is not'({ connect }) {
    const client = connect();
    await createMany(client, 3);
    assert.equal((await client.findPayinByReference('many-1'))?.reference, 'many-1');
    assert.equal(await client.findPayinByReference('many-9'), null);
  },

  async 'a payin whose answer was lost is found by its reference'(world) {
    const client = world.connect();
    world.sandbox.engine.armMishap('error-after-work', 1);
    const error = await failure(client.payins.create(PAYIN));
    assert.deepEqual([error.kind, error.status, error.mayHaveHappened], ['unavailable', 500, true]);
    assert.equal(world.sandbox.engine.payins.length, 1, 'it was sent once');
    assert.equal((await client.findPayinByReference(PAYIN.reference))?.amountInCents, PAYIN.amountInCents);
  },

  async 'a creation that gets no answer times out and may have happened'(world) {
    world.sandbox.engine.armMishap('timeout-after-work', 1);
    const created = nextChange(world, 'payin');
    const call = failure(world.connect({ timeoutMs: 5_000 }).payins.create(PAYIN));
    await created;
    await world.clientClock.advance(5_000, idle);
    const error = await call;
    assert.deepEqual([error.kind, error.status, error.mayHaveHappened], ['timeout', null, true]);
  },

  async 'a read is repeated until a slow service answers in time'(world) {
    const client = world.connect({ timeoutMs: 2_000 });
    const { id } = await client.payins.create(PAYIN);
    world.sandbox.engine.setMishap('slow-answers', true);
    const reading = client.payins.retrieve(id);
    // The sandbox's clock stands still, so the first try ends only because the client gives up on it.
    await world.clientClock.advance(2_000, idle);
    world.sandbox.engine.setMishap('slow-answers', false);
    // The pause before the second try, which has all the time it needs.
    await world.clientClock.advance(250, idle);
    assert.equal((await reading).id, id);
  },

  async 'a payout follows lookup and confirmation, and its outcome comes as an event'(world) {
    const { connect, sandbox, events, advance } = world;
    const payout = await connect().payouts.send(PAYOUT, {
      confirmReceiver: (receiver) => receiver.keyString === PAYOUT.breb.keyString,
    });
    assert.deepEqual([payout.status, payout.sourceData?.keyString], ['PROCESSING', PAYOUT.breb.keyString]);
    sandbox.engine.settle(payout.id, 'DECLINED');
    await advance(0);
    assert.deepEqual(
      events.map(({ event }) => event),
      ['payout.processing', 'payout.declined'],
    );
  },

  async 'a payout to a key that was not looked up is refused'({ connect }) {
    const error = await failure(connect().payouts.create(PAYOUT));
    assert.deepEqual(error.fields, [{ field: 'breb.keyString', code: 'not_allowed' }]);
  },

  async 'a payout whose answer is lost is unclear, is sent once, and its event says what became of it'(
    world,
  ) {
    const client = world.connect();
    world.sandbox.engine.armMishap('error-after-work', 1);
    const error = await failure(client.payouts.send(PAYOUT, { confirmReceiver: () => true }));
    assert.ok(error instanceof PayoutUnclearError);
    assert.equal(error.origin, 'unavailable');
    const [payout, ...others] = world.sandbox.engine.payouts;
    assert.ok(payout);
    assert.equal(others.length, 0);
    world.sandbox.engine.settle(payout.id, 'CONFIRMED');
    await world.advance(0);
    const event = world.events.at(-1);
    assert.equal(event?.event, 'payout.confirmed');
    assert.equal(event.resource === 'payout' ? event.data.reference : '', PAYOUT.reference);
  },

  async 'a payment link lives one hour, and its end comes as an event'({ connect, events, advance }) {
    const client = connect();
    const link = await client.paymentLinks.create(LINK);
    assert.equal(link.status, 'PENDING');
    assert.equal(Date.parse(link.expiresAt ?? '') - Date.parse(link.createdAt), 3_600_000);
    assert.match(link.paymentLinkUrl, /^http/);
    await advance(3_599_999);
    assert.equal((await client.paymentLinks.retrieve(link.paymentLinkId)).status, 'PENDING');
    await advance(1);
    assert.equal((await client.paymentLinks.retrieve(link.paymentLinkId)).status, 'EXPIRED');
    assert.deepEqual(
      events.map(({ event }) => event),
      ['paymentlink.expired'],
    );
  },

  async 'a paid link is completed, and only the link’s own event comes'({
    connect,
    sandbox,
    events,
    advance,
  }) {
    const client = connect();
    const link = await client.paymentLinks.create({ ...LINK, rail: 'PSE', pse: { bank: 'CO_BANCOLOMBIA' } });
    assert.equal(link.rail, 'PSE');
    const pse = { rail: 'PSE', bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' } as const;
    sandbox.engine.settle(sandbox.engine.payLink(link.paymentLinkId, pse).id, 'CONFIRMED');
    assert.equal((await client.paymentLinks.retrieve(link.paymentLinkId)).status, 'COMPLETED');
    await advance(0);
    assert.deepEqual(
      events.map(({ event, resource }) => [event, resource]),
      [['paymentlink.completed', 'paymentlink']],
    );
  },

  async 'a status under another name stays open until that name is configured'({ connect, sandbox }) {
    const { id } = await connect().payins.create(PAYIN);
    sandbox.engine.setMishap('renamed-statuses', true);
    sandbox.engine.settle(id, 'CONFIRMED');
    const unknown = await connect().payins.retrieve(id);
    assert.deepEqual([unknown.status, unknown.statusName], ['PROCESSING', 'APPROVED']);
    const configured = connect({ statusNames: { APPROVED: 'CONFIRMED' } });
    assert.equal((await configured.payins.retrieve(id)).status, 'CONFIRMED');
  },

  async 'an amount that is left out is null'({ connect, sandbox }) {
    sandbox.engine.setMishap('amount-in-cents-omitted', true);
    assert.equal((await connect().payins.create(PAYIN)).amountInCents, null);
  },

  async 'a forged event with a wrong header is refused, and one with the right header is only a hint'(world) {
    const { connect, sandbox, events, refusals, advance } = world;
    const client = connect();
    sandbox.engine.armMishap('webhooks-forged', 1);
    await client.payins.create(PAYIN);
    await advance(0);
    assert.deepEqual(
      refusals.map(({ reason }) => reason),
      ['unauthorized'],
    );
    sandbox.engine.armMishap('webhooks-forged-with-secret', 1);
    const payin = await client.payins.create({ ...PAYIN, reference: 'order-forged' });
    await advance(0);
    assert.equal(events.at(-1)?.event, 'payin.confirmed');
    assert.equal((await client.payins.retrieve(payin.id)).status, 'PROCESSING');
  },
};

for (const transport of TRANSPORTS) {
  describe(`the client and the sandbox ${transport}`, () => {
    for (const [name, run] of Object.entries(suite)) it(name, () => inWorld(transport, run));
  });
}
