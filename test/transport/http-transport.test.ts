import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'vitest';
import { OfferSchema } from '../../src/contract/backend.js';
import { createHttpTransport } from '../../src/transport/http/http-transport.js';
import { offerOverHttp } from '../../src/transport/http/offer.js';
import type { Transport } from '../../src/transport/port.js';
import { NOON_MS, breb, link, offer } from '../machine/fixtures.js';
import { type Answer, against, failing, json, problem, serve } from './http-server.js';

const { signal } = new AbortController();

describe('asking a Full backend', () => {
  it('reads the offer of an order, encoded into the path', async () => {
    await against(json({ ...offer(), extra: 1 }), async (transport, asked) => {
      const loaded = await transport.offer("A 1/2?#'", { signal });
      assert.deepEqual(loaded, { offer: offer(), level: 'FULL' });
      assert.equal(asked[0]?.url, "/checkout/orders/A%201%2F2%3F%23'");
      assert.equal(asked[0].method, 'GET');
    });
  });

  it('sends no header on a read that would need a preflight, and the page’s cookies only when asked to', async () => {
    for (const credentials of [undefined, 'include'] as const) {
      const sent: RequestInit[] = [];
      const transport = createHttpTransport({
        backend: '/',
        fetch: async (_, init) => {
          sent.push(init ?? {});
          return Response.json(breb());
        },
        ...(credentials && { credentials }),
      });
      await transport.read({ kind: 'PAYIN', id: 'breb-1' }, { signal });
      assert.deepEqual(
        sent.map((init) => [[...new Headers(init.headers)], init.credentials]),
        [[[['accept', 'application/json']], credentials]],
      );
    }
  });

  it('takes no answer from a cache, neither the browser’s nor one on the way', async () => {
    await against(json(breb()), async (transport, asked) => {
      await transport.read({ kind: 'PAYIN', id: 'breb-1' }, { signal });
      // What fetch sends along when it may not use its own cache.
      assert.equal(asked[0]?.headers['cache-control'], 'no-cache');
    });
  });

  it('creates with the key in its header and the body as JSON', async () => {
    await against(json(breb(), 201), async (transport, asked) => {
      const body = {
        order: 'A-1042',
        rail: 'BRE_B',
        breb: { keyType: 'QR_CODE' },
        callbackUrl: 'https://shop.example/',
      } as const;
      assert.deepEqual(await transport.createPayin(body, { signal, idempotencyKey: 'k'.repeat(20) }), breb());
      const [one] = asked;
      assert.deepEqual([one?.method, one?.url], ['POST', '/checkout/payins']);
      assert.equal(one?.headers['idempotency-key'], 'k'.repeat(20));
      assert.equal(one.headers['content-type'], 'application/json');
      assert.deepEqual(JSON.parse(one.body), body);
    });
  });

  it('creates and reads links', async () => {
    await against(json(link()), async (transport, asked) => {
      const body = { order: 'A-1042', callbackUrl: 'https://shop.example/' };
      assert.deepEqual(await transport.createLink(body, { signal, idempotencyKey: 'k'.repeat(20) }), link());
      assert.deepEqual(await transport.read({ kind: 'PAYMENT_LINK', id: 'link-1' }, { signal }), link());
      assert.deepEqual(
        asked.map(({ method, url }) => `${method} ${url}`),
        ['POST /checkout/payment-links', 'GET /checkout/payment-links/link-1'],
      );
    });
  });

  it('encodes an id into the path, whatever a backend calls its attempts', async () => {
    await against(json(breb()), async (transport, asked) => {
      await transport.read({ kind: 'PAYIN', id: '../orders/a b?c#d' }, { signal });
      assert.equal(asked[0]?.url, '/checkout/payins/..%2Forders%2Fa%20b%3Fc%23d');
    });
  });

  it('waits only when it has something to wait for', async () => {
    await against(json(breb()), async (transport, asked) => {
      const target = { kind: 'PAYIN', id: 'breb-1' } as const;
      await transport.read(target, { signal });
      await transport.read(target, { signal, after: 'v 1&', waitSeconds: 25 });
      assert.deepEqual(
        asked.map(({ url }) => url),
        ['/checkout/payins/breb-1', '/checkout/payins/breb-1?after=v%201%26&wait=25'],
      );
    });
  });

  it('sends the page’s own headers, and takes a trailing slash', async () => {
    const server = await serve(json(offer()));
    const transport = createHttpTransport({
      backend: `${server.backend}/`,
      headers: { Authorization: 'Bearer t' },
    });
    await transport.offer('A-1042', { signal });
    await server.close();
    assert.equal(server.asked[0]?.headers.authorization, 'Bearer t');
    assert.equal(server.asked[0].url, '/checkout/orders/A-1042');
  });
});

const create = (transport: Transport) =>
  transport.createPayin(
    { order: 'A-1042', rail: 'BRE_B', breb: { keyType: 'QR_CODE' }, callbackUrl: 'https://shop.example/' },
    { signal, idempotencyKey: 'k'.repeat(20) },
  );

describe('reading an offer', () => {
  const readOffer = (offered: unknown, withAttempt: () => Promise<typeof OfferSchema>) => {
    const fetch = async () => Response.json(offered);
    return offerOverHttp({ backend: '/checkout', fetch }, withAttempt)('A-1042', { signal });
  };
  const unreachable = async () => Promise.reject(new Error('not fetched'));

  it('needs nothing of attempts where there is none', async () => {
    const { offer: read } = await readOffer(offer(), unreachable);
    assert.equal(read.attempt, null);
    assert.equal(read.amountInCents, offer().amountInCents);
  });

  it('fetches how an attempt is read where there is one, and fails when that cannot be fetched', async () => {
    const offered = offer({ attempt: breb() });
    assert.deepEqual((await readOffer(offered, async () => OfferSchema)).offer.attempt, breb());
    await assert.rejects(readOffer(offered, unreachable), /not fetched/);
  });
});

describe('when the backend says no', () => {
  it('gives the problem with what it is about', async () => {
    const said = { code: 'already_paid', status: 409, attempt: breb() };
    await against(problem(said), async (transport) => {
      const error = await failing(create(transport));
      assert.deepEqual([error.kind, error.problem], ['PROBLEM', said]);
    });
  });

  it('tells a proxy’s error page from the backend’s problem', async () => {
    await against(json('<h1>Bad gateway</h1>', 502), async (transport) => {
      const error = await failing(transport.read({ kind: 'PAYIN', id: 'x' }, { signal }));
      assert.deepEqual([error.kind, error.status], ['HTTP', 502]);
    });
  });

  it('reads Retry-After in seconds and as a date', async () => {
    for (const [value, expected] of [
      ['7', 7_000],
      ['120', 120_000],
      [new Date(NOON_MS + 9_000).toUTCString(), 9_000],
      [new Date(NOON_MS - 9_000).toUTCString(), 0],
      ['soon', null],
    ] as const) {
      await against(
        problem({ status: 429, ...{ code: 'rate_limited' } }, { 'Retry-After': value }),
        async (transport) => {
          assert.equal((await failing(transport.offer('A', { signal }))).retryAfterMs, expected);
        },
      );
    }
  });

  it('refuses answers that break the contract', async () => {
    const answers = [
      json({ ...breb(), amountInCents: 1.5 }),
      json({ ...breb(), sourceData: { keyType: 'QR_CODE' } }),
      json(null),
      ((_, response) => response.end('{"id":')) satisfies Answer,
      problem({ status: 409, ...{ code: 'never_heard_of' } }),
    ];
    for (const answer of answers) {
      await against(answer, async (transport) => {
        assert.equal(
          (await failing(transport.read({ kind: 'PAYIN', id: 'x' }, { signal }))).kind,
          'MALFORMED',
        );
      });
    }
  });

  it('says network when there is no answer or the answer breaks off', async () => {
    await against(
      (_, response) => response.destroy(),
      async (transport) => {
        assert.equal((await failing(transport.offer('A', { signal }))).kind, 'NETWORK');
      },
    );
    await against(
      (_, response) => {
        response.writeHead(200, { 'Content-Length': '100' });
        response.write('{', () => response.destroy());
      },
      async (transport) => {
        assert.equal((await failing(transport.offer('A', { signal }))).kind, 'NETWORK');
      },
    );
  });

  it('does not wait for ever', async () => {
    let timeout = { delayMs: 0, run: () => {} };
    const neverAnswers: typeof fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
      });
    const after = (delayMs: number, run: () => void) => {
      timeout = { delayMs, run };
      return () => {};
    };
    const transport = createHttpTransport({ backend: '/', fetch: neverAnswers, after });
    const waiting = { signal, after: 'v', waitSeconds: 25 };
    const reading = failing(transport.read({ kind: 'PAYIN', id: 'x' }, waiting));
    assert.equal(timeout.delayMs, 40_000);
    timeout.run();
    assert.equal((await reading).kind, 'TIMEOUT');
  });

  it('stops when it is aborted', async () => {
    let sent: RequestInit | undefined;
    const neverAnswers: typeof fetch = (_, init) => {
      sent = init;
      return new Promise(() => {});
    };
    const leaving = new AbortController();
    void createHttpTransport({ backend: '/', fetch: neverAnswers }).offer('A', { signal: leaving.signal });
    leaving.abort();
    assert.equal(sent?.signal?.aborted, true, 'the request ends with it');

    const stop = new AbortController();
    await against(
      () => stop.abort(),
      async (transport) => {
        await assert.rejects(transport.offer('A', { signal: stop.signal }), { name: 'AbortError' });
        await assert.rejects(transport.offer('A', { signal: stop.signal }), { name: 'AbortError' });
      },
    );
  });
});

describe('what an error says to the page’s engineer', () => {
  const load = (transport: Transport) => transport.offer('a-token', { signal });
  const read = (transport: Transport) =>
    transport.read({ kind: 'PAYIN', id: 'an-id' }, { signal, after: 'v1' });

  for (const [title, answer, call, kind, message] of [
    [
      'a wrong address',
      json('', 404),
      load,
      'MISCONFIGURED',
      /^GET \S+\/checkout\/orders\/…: 404\. Is "backend" .*"amount-in-cents"/,
    ],
    [
      'a Basic backend at a wrong address',
      json('', 404),
      create,
      'MISCONFIGURED',
      /^POST \S+\/checkout\/payins: 404\. Is "backend"/,
    ],
    [
      'a page in place of JSON',
      ((_, response) => response.end('<!doctype html>')) satisfies Answer,
      load,
      'MALFORMED',
      /^GET \S+\/orders\/…: the answer is no JSON\. Is "backend"/,
    ],
    [
      'the fields that break the contract',
      json({ ...offer(), amountInCents: '5', currency: 'USD' }),
      load,
      'MALFORMED',
      /contract: amountInCents, currency$/,
    ],
    [
      'a refusal with its fields',
      problem({
        status: 400,
        ...{ code: 'invalid_request', errors: [{ field: 'rail', code: 'not_allowed' }] },
      }),
      create,
      'PROBLEM',
      /^POST \S+\/payins: 400 invalid_request, rail \(not_allowed\)$/,
    ],
    [
      'no answer',
      ((_, response) => response.destroy()) satisfies Answer,
      load,
      'NETWORK',
      /^GET \S+\/orders\/…: no answer\..*CORS/,
    ],
    [
      'an error page',
      json('', 502),
      load,
      'HTTP',
      /^GET \S+\/orders\/…: 502\. See the log of your server\.$/,
    ],
    ['an error page of a read', json('', 502), read, 'HTTP', /^GET \S+\/payins\/…: 502\./],
  ] as const) {
    it(`${title}, and neither token nor id`, async () => {
      await against(answer, async (transport) => {
        const error = await failing(call(transport));
        assert.equal(error.kind, kind);
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /a-token|an-id/);
      });
    });
  }
});

describe('a call', () => {
  it('leaves no listener and no timer behind, however it ends', async () => {
    for (const answer of [
      json(offer()),
      json('', 500),
      ((_, response) => response.destroy()) satisfies Answer,
    ]) {
      const page = new AbortController();
      let timers = 0;
      const after = () => {
        timers++;
        return () => timers--;
      };
      await against(
        answer,
        async (transport) => {
          await transport.offer('A', { signal: page.signal }).catch(() => undefined);
        },
        { after },
      );
      assert.equal(getEventListeners(page.signal, 'abort').length, 0);
      assert.equal(timers, 0);
    }
  });
});
