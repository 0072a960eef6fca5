import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { freePort } from '../../../scripts/tests/free-port.js';
import type { Result } from '../../../src/cli/checks.js';
import { ORDERS_NEEDED } from '../../../src/cli/verify/plays.js';
import { verifyBackend } from '../../../src/cli/verify/run.js';
import type { Level } from '../../../src/cli/verify/visit.js';
import { PROBLEMS } from '../../../src/contract/problems.js';
import type { Rail } from '../../../src/contract/kinds.js';
import { runCli } from '../cli-process.js';
import { WEBHOOK } from '../../support/kit.js';
import { type GoodBackend, openBackend, PAGE_ORIGIN } from './good-backend.js';
import { isLong } from '../../support/long.js';

/** Tried only when they are asked for. */
const OPTIONAL = [
  ...['webhook-header', 'webhook-event', 'webhook-unreadable', 'webhook-forged'],
  ...['cors-preflight', 'cors-answers', 'cors-strangers'],
  ...['service', 'service-amount', 'service-once', 'return-id'],
  ...['price-raised', 'idempotency-order'],
  ...['play-paid', 'play-declined', 'play-late', 'play-underpaid', 'play-unknown-status', 'play-duplicate'],
];

describe('pay-checkout verify', () => {
  let backend: GoodBackend;
  beforeAll(async () => {
    backend = await openBackend();
  });
  afterAll(() => backend.close());

  const verify = (order: string, level: Level, rail?: Rail) =>
    verifyBackend({
      backend: backend.url,
      order,
      level,
      rail,
      callbackUrl: `${new URL(backend.url).origin}/`,
    });

  it('passes the kit at the full level, webhook, payment link and another origin included', async () => {
    const elsewhere = await openBackend(undefined, [PAGE_ORIGIN]);
    const args = ['verify', elsewhere.url, '--order', await elsewhere.freshOrder()];
    const all = ['--webhook-secret', WEBHOOK.secret, '--origin', PAGE_ORIGIN, '--header', 'X-Shop: 1'];
    const { code, stdout, stderr } = await runCli([...args, ...all]);
    const other = 'a-secret-of-another-backend';
    const refused = await runCli([...args, '--webhook-secret', other]);
    await elsewhere.close();
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /\nok {4}idempotency {2,}\S/);
    assert.match(stdout, /\n35 passed, 0 failed, 12 not tried\n$/);
    assert.equal(stderr, '');
    assert.match(refused.stdout, /x-webhook-secret: …\n/);
    for (const text of [stdout, refused.stdout])
      assert.ok(!text.includes(WEBHOOK.secret) && !text.includes(other), 'a secret is not repeated');
  });

  it('gives JSON to programs, and 1 when something failed', async () => {
    const { code, stdout } = await runCli(['verify', `${backend.url}/`, '--json', '--order', 'made-up']);
    assert.equal(code, 1);
    const report = JSON.parse(stdout) as { failed: number; checks: readonly Result[] };
    assert.equal(report.failed, 1);
    const failed = report.checks.filter(({ outcome }) => outcome === 'fail');
    assert.deepEqual(
      failed.map(({ id, found }) => [id, found]),
      [['offer', 'the backend knows no such order']],
    );
    assert.match(failed[0]?.advice ?? '', /orderToken/);
  });

  it('passes the kit with PSE, whose payer data must not come back', async () => {
    const checks = await verify(await backend.freshOrder(), 'full', 'PSE');
    assert.deepEqual(named(checks, 'fail'), []);
    // A PSE payin is locked as soon as its bank address is there, which may be before or after these steps.
    const mayBeSkipped = [...OPTIONAL, 'replace', 'version', 'payment-link', 'other-rail'];
    assert.deepEqual(
      named(checks, 'skip').filter((id) => !mayBeSkipped.includes(id)),
      [],
    );
  });

  it('passes the kit at the basic level, with fewer checks', async () => {
    const checks = await verify(await backend.freshOrder(), 'basic');
    assert.deepEqual(named(checks, 'fail'), []);
    assert.deepEqual(named(checks, 'pass'), [
      ...['offer', 'create', 'price', 'idempotency', 'key-required', 'body-checked', 'no-amount'],
      ...['status', 'waiting', 'conditional'],
      ...['unknown-id', 'unknown-order', 'order-token', 'foreign-origin', 'content-type', 'other-rail'],
      ...['private', 'errors', 'headers'],
    ]);
  });

  // faults.test.ts plays the basic level too, without a server.
  for (const level of isLong ? (['full', 'basic'] as const) : (['full'] as const)) {
    it(`plays payments at the sandbox behind the kit, at the ${level} level`, async () => {
      const [order = '', ...spareOrders] = await backend.freshOrders(ORDERS_NEEDED);
      const { url, sandboxUrl, shopUrl } = backend;
      const checks = await verifyBackend({
        backend: url,
        order,
        spareOrders,
        level,
        callbackUrl: `${new URL(url).origin}/`,
        sandbox: sandboxUrl,
        shop: shopUrl,
        raise: shopUrl,
        webhook: WEBHOOK,
      });
      assert.deepEqual(
        checks.filter(({ id, outcome }) => outcome !== 'pass' && !id.startsWith('cors-')),
        [],
      );
    });
  }

  it('leaves other origins out with a word, and takes no path for an origin', async () => {
    const checks = await verify(await backend.freshOrder(), 'basic');
    const line = checks.find(({ id }) => id === 'cors-answers');
    assert.equal(line?.outcome, 'skip');
    assert.match(line.found, /--origin was not given/);
    const { code, stderr } = await runCli([
      ...['verify', backend.url, '--order', 'x', '--origin', 'https://shop.example/pagar'],
    ]);
    assert.equal(code, 2);
    assert.match(stderr, /https:\/\/shop\.example\./);
  });

  it('says that an origin is not let in, and what to do', async () => {
    const checks = await verifyBackend({
      backend: backend.url,
      order: await backend.freshOrder(),
      level: 'basic',
      origin: 'https://other.example',
      callbackUrl: `${new URL(backend.url).origin}/`,
    });
    const failed = checks.filter(({ outcome }) => outcome === 'fail');
    assert.deepEqual(
      failed.map(({ id }) => id),
      ['cors-preflight', 'cors-answers'],
    );
    assert.match(failed[1]?.advice ?? '', /allowedOrigins/);
  });

  it('can be run again on the same order', async () => {
    const order = await backend.freshOrder();
    for (let runs = 0; runs < 2; runs++) assert.deepEqual(named(await verify(order, 'full'), 'fail'), []);
  });

  for (const [code, found, fix] of [
    ['already_paid', 'the order is paid', /still to be paid/],
    ['too_many_attempts', 'the order has used all its attempts', /fresh order/],
    ['pse_in_progress', 'a PSE payment of the order is in progress', /fresh order/],
  ] as const) {
    it(`says what to do about an order that cannot be tried: ${code}`, async () => {
      const refusing = await openBackend((request, next) => {
        if (request.method !== 'POST') return next(request);
        const headers = { 'content-type': 'application/problem+json', 'cache-control': 'no-store' };
        const { status } = PROBLEMS[code];
        return Promise.resolve(Response.json({ status, code }, { status, headers }));
      });
      const checks = await verifyBackend({
        backend: refusing.url,
        order: await refusing.freshOrder(),
        level: 'full',
        callbackUrl: `${new URL(refusing.url).origin}/`,
      });
      await refusing.close();
      const creation = checks.find(({ id }) => id === 'create');
      assert.equal(creation?.outcome, 'fail');
      assert.equal(creation.found, found);
      assert.match(creation.advice ?? '', fix);
    });
  }

  it('waits when the backend limits how often it is asked, and says so', async () => {
    let refusals = 1;
    const limited = await openBackend((request, next) => {
      if (refusals-- <= 0) return next(request);
      const headers = { 'content-type': 'application/problem+json', 'retry-after': '7' };
      return Promise.resolve(new Response('{"code":"rate_limited"}', { status: 429, headers }));
    });
    const notices: string[] = [];
    const pauses: number[] = [];
    const checks = await verifyBackend({
      backend: limited.url,
      order: await limited.freshOrder(),
      level: 'basic',
      callbackUrl: `${new URL(limited.url).origin}/`,
      notice: (text) => notices.push(text),
      pause: (durationMs) => Promise.resolve(void pauses.push(durationMs)),
    });
    await limited.close();
    assert.deepEqual(named(checks, 'fail'), []);
    assert.deepEqual(pauses, [7_000]);
    assert.match(notices[0] ?? '', /going on in 7 s/);
  });

  it('finds an answer that is held although there is news', async () => {
    let ahead = 0;
    // A clock that runs ahead stands for the wait: only the measured time counts.
    const checks = await verifyBackend({
      backend: backend.url,
      order: await backend.freshOrder(),
      level: 'basic',
      callbackUrl: `${new URL(backend.url).origin}/`,
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        if (input.includes('an-old-version')) ahead += 21_000;
        return response;
      },
      now: () => performance.now() + ahead,
    });
    assert.deepEqual(named(checks, 'fail'), ['conditional']);
  });

  it('says a cause once: what cannot be tried without it is named after it', async () => {
    const { code, stdout } = await runCli(['verify', backend.url, '--order', 'made-up']);
    assert.equal(code, 1);
    assert.equal(stdout.split('FAIL').length - 1, 1);
    assert.match(stdout, /\n +sent +GET \/orders\/made-up\n +received +404 application\/problem\+json/);
    assert.match(stdout, /\n- +Not tried, offer failed: create, price, /);
  });

  it('says in one line that the backend does not answer', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const { code, stdout } = await runCli(['verify', url, '--order', 'x']);
    assert.equal(code, 1);
    assert.match(stdout, /FAIL {2}offer .*ECONNREFUSED\n +→ Start it, or give its address/);
    assert.match(stdout, /\n0 passed, 1 failed, 0 not tried\n$/);
  });
});

function named(checks: readonly Result[], outcome: Result['outcome']): string[] {
  return checks.filter((check) => check.outcome === outcome).map(({ id }) => id);
}
