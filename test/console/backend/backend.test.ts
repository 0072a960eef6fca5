import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type {
  LinkView,
  OrderDetail,
  PayinDetail,
  PayinReturns,
} from '../../../src/contract/merchant/console.js';
import { settle } from '../../server/turns.js';
import { openConsoleWorld, PAYOUT, SITE, startPayment, TOKEN, Visitor } from './world.js';

/** What the console's backend promises, asked as a browser asks. */

const READS = ['/session', '/live', '/payins', '/payins/x', '/payouts', '/links', '/banks'];

const CHANGES = [
  ['POST', '/keys'],
  ['POST', '/payouts'],
  ['POST', '/payouts/x/send'],
  ['DELETE', '/payouts/x'],
  ['POST', '/links'],
  ['POST', '/links/x/note'],
  ['POST', '/payouts/x/note'],
  ['DELETE', '/session'],
] as const;

describe('who may use the console', () => {
  it('refuses a request without a session, and asks the service nothing for it', async (t) => {
    const world = await openConsoleWorld(t);
    const stranger = Visitor.stranger(world);
    for (const path of [...READS, '/orders', '/nothing']) {
      const answer = await stranger.ask('GET', path);
      assert.equal(answer.status, 401, path);
      assert.deepEqual(await answer.json(), { code: 'unauthenticated', errors: [] });
      assert.equal(answer.headers.get('cache-control'), 'no-store');
    }
    for (const [method, path] of CHANGES) assert.equal((await stranger.ask(method, path, {})).status, 401);
    const invented = await stranger.ask('GET', '/payins', undefined, {
      cookie: 'pay_checkout_console=guess.99999999999999.guess',
    });
    assert.equal(invented.status, 401);
    assert.deepEqual(world.sent, []);
  });

  it('takes the token of the terminal and no other, and gives a cookie that scripts cannot read', async (t) => {
    const world = await openConsoleWorld(t);
    const stranger = Visitor.stranger(world);
    for (const token of ['', 'guess', TOKEN.slice(1), null, 7, { length: 3 }]) {
      assert.equal((await stranger.ask('POST', '/session', { token })).status, 401);
    }
    const answer = await stranger.ask('POST', '/session', { token: TOKEN });
    const cookie = answer.headers.get('set-cookie') ?? '';
    assert.match(cookie, /HttpOnly/);
    assert.match(cookie, /SameSite=Strict/);
    assert.match(cookie, /Path=\/console\/api/);
    const text = await answer.text();
    assert.ok(!text.includes('sandbox-api-key') && !text.includes(TOKEN), text);
    assert.ok(!text.includes(cookie.split(/[=;]/)[1] ?? ''), 'the session itself is only in the cookie');
  });

  it('keeps a session through a restart, and ends it after a day or when it is left', async (t) => {
    const world = await openConsoleWorld(t);
    const [one, other] = [await world.signIn(), await world.signIn()];
    world.restart();
    assert.equal((await one.ask('GET', '/session')).status, 200);
    assert.equal((await one.ask('DELETE', '/session')).status, 204);
    assert.equal((await one.ask('GET', '/session')).status, 401);
    assert.equal((await other.ask('GET', '/session')).status, 200);
    await world.clock.advance(24 * 3_600_000);
    assert.equal((await other.ask('GET', '/session')).status, 401);
  });

  it('refuses changes that a page of another origin sends with the cookie', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    const forgeries: Record<string, string | null>[] = [
      { 'x-console-csrf': null },
      { 'x-console-csrf': 'guess' },
      { 'x-console-csrf': (await world.signIn()).csrf },
      { origin: 'http://shop.test:4010' },
      { origin: 'https://elsewhere.test' },
      { origin: 'null' },
      { origin: null, 'sec-fetch-site': 'same-site' },
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
    ];
    for (const headers of forgeries) {
      for (const [method, path] of CHANGES) {
        const { status } = await visitor.ask(method, path, {}, headers);
        assert.equal(status, 403, `${method} ${path} ${JSON.stringify(headers)}`);
      }
    }
    const foreign = await Visitor.stranger(world).ask(
      'POST',
      '/session',
      { token: TOKEN },
      { origin: 'https://elsewhere.test' },
    );
    assert.equal(foreign.status, 403);
    for (const site of ['same-site', 'cross-site']) {
      for (const path of READS)
        assert.equal((await visitor.ask('GET', path, undefined, { 'sec-fetch-site': site })).status, 403);
    }
    assert.deepEqual(world.sent, []);
    const own = await visitor.ask('GET', '/session', undefined, { 'sec-fetch-site': 'same-origin' });
    assert.equal(own.status, 200);
  });

  it('refuses bodies that are too large or no JSON', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    const padded = (length: number) => ({ ...PAYOUT, padding: 'x'.repeat(length) });
    assert.equal((await visitor.ask('POST', '/payouts', padded(20_000))).status, 422);
    assert.equal((await visitor.ask('POST', '/payouts')).status, 422);
    assert.deepEqual(await visitor.list('/payouts'), []);
    assert.equal((await visitor.ask('POST', '/payouts', padded(10_000))).status, 201);
  });
});

describe('the service’s list', () => {
  it('says that the service is away, and nothing else, when it cannot be reached', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    world.cutIn(() => Promise.reject(new TypeError('connect ECONNREFUSED 10.0.0.1:443 secret')));
    const asked = visitor.ask('GET', '/payins');
    // The client tries a few times.
    await world.clock.advance(60_000, () => settle());
    const answer = await asked;
    assert.equal(answer.status, 502);
    assert.deepEqual(await answer.json(), { code: 'service_away', errors: [] });
  });
});

describe('orders', () => {
  it('come with what they cost, what arrived, and which hook took it', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    const order = world.place({ description: 'Panela' });
    await startPayment(world, order);
    const look = async () => {
      const { description, amountInCents, paidInCents, missingInCents, notices } =
        await visitor.get<OrderDetail>(`/orders/${order}`);
      return [description, amountInCents, paidInCents, missingInCents, notices.map(({ hook }) => hook)];
    };
    assert.deepEqual(await look(), ['Panela', 2_360_000, 0, 2_360_000, []]);
    const [payin] = world.engine.payins;
    world.engine.settle(payin?.id ?? '', 'CONFIRMED');
    await world.settled();
    assert.deepEqual(await look(), ['Panela', 2_360_000, 2_360_000, 0, ['onConfirmed']]);
    assert.equal((await visitor.ask('GET', '/orders/A-NONE')).status, 404);
  });

  it('lead to their payins and links, and those back to them', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    const order = world.place({ methods: [{ kind: 'PAYMENT_LINK' }] });
    await startPayment(world, order, {}, 'payment-links');
    const [link] = world.engine.links;
    assert.ok(link);
    const payin = world.engine.payLink(link.id, { rail: 'BRE_B', keyType: 'QR_CODE' });
    world.engine.settle(payin.id, 'CONFIRMED');
    await world.settled();

    const { attempts } = await visitor.get<OrderDetail>(`/orders/${order}`);
    assert.deepEqual(
      attempts.map(({ kind, payments }) => [kind, payments[0]?.serviceId]),
      [['PAYMENT_LINK', link.id]],
    );
    const shown = await visitor.get<LinkView>(`/links/${link.id}`);
    assert.deepEqual(
      [shown.order, shown.reference, shown.state, shown.amountInCents],
      [order, link.reference, 'COMPLETED', link.amountInCents],
    );
    const detail = await visitor.get<PayinDetail & PayinReturns>(`/payins/${payin.id}`);
    assert.deepEqual([detail.order, detail.paymentLinkId, detail.hasLinkPage], [order, link.id, true]);

    // What another program made has no page here.
    const other = await world.service.paymentLinks.create({
      amountType: 'FIXED',
      amountInCents: 100_000,
      reference: 'DE-OTRO',
      callbackUrl: SITE,
    });
    const { id: alone } = world.engine.payLink(other.paymentLinkId, { rail: 'BRE_B', keyType: 'QR_CODE' });
    assert.equal((await visitor.get<PayinReturns>(`/payins/${alone}`)).hasLinkPage, false);
    assert.equal((await visitor.ask('GET', `/links/${other.paymentLinkId}`)).status, 404);
  });
});
