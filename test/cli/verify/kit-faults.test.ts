import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { ORDERS_NEEDED } from '../../../src/cli/verify/plays.js';
import { verifyBackend } from '../../../src/cli/verify/run.js';
import { type Between, type GoodBackend, openBackend, PAGE_ORIGIN, WEBHOOK } from './good-backend.js';

/** The kit with something in front of it that makes it wrong in one way, and the check that must find it. */

const isCreate = ({ method, url }: Request) => method === 'POST' && url.endsWith('/payins');

/** The first answer to a key is given to every request that has it. */
function forgetsTheOrderOfAKey(): Between {
  const answers = new Map<string, Promise<Response>>();
  return async (request, next) => {
    const key = request.headers.get('idempotency-key');
    if (!isCreate(request) || key === null) return next(request);
    const known = answers.get(key);
    if (known !== undefined && (await known).ok) return (await known).clone();
    const answer = next(request);
    answers.set(
      key,
      answer.then((first) => first.clone()),
    );
    return answer;
  };
}

const comparesOriginsByTheirBeginning: Between = (request, next) => {
  const headers = new Headers(request.headers);
  if (headers.get('origin')?.startsWith(PAGE_ORIGIN) === true) headers.set('origin', PAGE_ORIGIN);
  return next(new Request(request, { headers }));
};

const comparesReturnAddressesByTheirBeginning: Between = async (request, next) => {
  if (!isCreate(request)) return next(request);
  const text = await request.text();
  const body = text.replace(/("callbackUrl":"https:\/\/shop\.example)[^"/]+/, '$1');
  return next(new Request(request.url, { method: 'POST', headers: request.headers, body }));
};

/** Every read that finds a payment ships, unless one has shipped before: looked up first, noted down afterwards. */
function shipsBeforeItClaims(backend: () => GoodBackend): Between {
  const shipped = new Set<string>();
  return async (request, next) => {
    const answer = await next(request);
    if (request.method !== 'GET' || !new URL(request.url).pathname.includes('/payins/')) return answer;
    const { order, reference, status } = (await answer.clone().json()) as Record<string, string>;
    if (reference === undefined || status !== 'CONFIRMED' || shipped.has(reference)) return answer;
    // real time: a shop that writes to its database and sends a message takes this long, and other reads come meanwhile
    await new Promise((resolve) => setTimeout(resolve, 100));
    const key = shipped.has(reference) ? crypto.randomUUID() : `confirmed.${reference}`;
    backend().shop.ship(backend().orderOf(order ?? ''), key);
    shipped.add(reference);
    return answer;
  };
}

describe('verify, with the kit behind a mistake', { concurrent: true }, () => {
  async function failures(between?: (backend: () => GoodBackend) => Between, raises = true) {
    const backend: GoodBackend = await openBackend(
      between?.(() => backend),
      [PAGE_ORIGIN],
    );
    const [order = '', ...spareOrders] = await backend.freshOrders(ORDERS_NEEDED);
    if (!raises) backend.shop.price = () => 4_290_000;
    try {
      const checks = await verifyBackend({
        backend: backend.url,
        order,
        spareOrders,
        level: 'full',
        origin: PAGE_ORIGIN,
        callbackUrl: `${PAGE_ORIGIN}/gracias`,
        sandbox: backend.sandboxUrl,
        shop: backend.shopUrl,
        raise: backend.shopUrl,
        webhook: WEBHOOK,
      });
      return checks.filter(({ outcome }) => outcome === 'fail').map(({ id }) => id);
    } finally {
      await backend.close();
    }
  }

  it('finds nothing where there is none', async () => {
    assert.deepEqual(await failures(), []);
  });
  it('finds a key that is taken for a second order', async () => {
    const found = await failures(forgetsTheOrderOfAKey);
    assert.ok(found.includes('idempotency-order'), String(found));
  });
  it('finds an origin that only begins like the shop’s', async () => {
    const found = await failures(() => comparesOriginsByTheirBeginning);
    assert.ok(found.includes('foreign-origin'), String(found));
  });
  it('finds a return address that only begins like the shop’s', async () => {
    assert.deepEqual(await failures(() => comparesReturnAddressesByTheirBeginning), ['return-url']);
  });
  it('finds that parallel reads of a payment ship more than once', async () => {
    const found = await failures(shipsBeforeItClaims);
    assert.ok(found.includes('play-paid'), String(found));
  });
  it('finds a price that stays as it was while a payin is open', async () => {
    assert.deepEqual(await failures(undefined, false), ['price-raised']);
  });
});
