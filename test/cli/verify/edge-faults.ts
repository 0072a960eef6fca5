import {
  answered,
  answering,
  answerWith,
  asking,
  type Body,
  currentPayins,
  isCreate,
  isOffer,
  isProblem,
  isRead,
  isStart,
  jsonOf,
  orderOf,
  pathOf,
  shown,
  shownBy,
  withBody,
  withHeaders,
  without,
  withUrl,
} from './rewriting.js';
import { PAGE_ORIGIN, type Plant } from './wrapped-kit.js';

/** Faults in what pages ask and are answered: access, creating, one payin at a time, the form of answers. */

/** Every order is named by this token. */
function readsTokens(change: (token: string) => string | Promise<string>): Plant {
  return () => ({
    async edge(request, next) {
      const [, path = '', token = ''] = /^(.*\/orders\/)(.*)$/.exec(pathOf(request)) ?? [];
      if (isOffer(request)) {
        const order = encodeURIComponent(await change(decodeURIComponent(token)));
        return next(withUrl(request, new URL(path + order, request.url)));
      }
      const body = isCreate(request) ? await jsonOf(request) : {};
      if (typeof body['order'] !== 'string') return next(request);
      return next(withBody(request, { ...body, order: await change(body['order']) }));
    },
  });
}

/** Changes the body of every creation. */
const creating = (change: (body: Body) => Body): Plant =>
  asking(isCreate, async (request) => {
    const body = await jsonOf(request);
    return body['order'] === undefined ? request : withBody(request, change(body));
  });

const header = (name: string, value: string): Plant =>
  answering((answer) => withHeaders(answer, (headers) => headers.set(name, value)));

/** A new creation takes the place of the order's last one. */
function replacing(wish: (body: Body, current: unknown) => unknown): Plant {
  return () => {
    const payins = currentPayins();
    return {
      async edge(request, next) {
        if (!isStart(request)) return next(request);
        const body = await jsonOf(request);
        const current = payins.of(body['order']);
        if (current === undefined || !payins.isNewKey(request)) return payins.pass(request, next);
        return payins.pass(withBody(request, { ...body, replaces: wish(body, current) }), next);
      },
    };
  };
}

/** The first answer to a key is given to every request that `idOf` takes for the same. */
function remembersAnswers(idOf: (key: string, body: Body) => string): Plant {
  return () => {
    const answers = new Map<string, Response>();
    return {
      async edge(request, next) {
        const key = request.headers.get('idempotency-key');
        if (!isCreate(request) || key === null) return next(request);
        const id = idOf(key, await jsonOf(request));
        const known = answers.get(id);
        if (known !== undefined) return known.clone();
        const answer = await next(request);
        if (answer.ok) answers.set(id, answer.clone());
        return answer;
      },
    };
  };
}

const VIEW_OF_BASIC = [
  ...['id', 'status', 'rail', 'amountInCents', 'confirmedAmountInCents', 'currency', 'reference'],
  ...['createdAt', 'updatedAt', 'sourceData', 'errorCode'],
];

/** No fault: a Basic backend, which has no offers, no settlement and any number of payins. */
export const BASIC: readonly Plant[] = [
  () => ({
    edge: async (request, next) => (isOffer(request) ? new Response(null, { status: 404 }) : next(request)),
  }),
  shown((view) => Object.fromEntries(VIEW_OF_BASIC.map((name) => [name, view[name]]))),
  replacing((_, current) => current),
];

const ALLOW_ORIGIN = 'access-control-allow-origin';
let made = 0;

export const EDGE_FAULTS = {
  'ignores the signature of tokens': (bench) =>
    readsTokens((token) => (/^A-\d$/.test(orderOf(token)) ? bench.token(orderOf(token)) : token))(bench),
  'sells orders that do not exist': (bench) => readsTokens(() => bench.token('A-1'))(bench),
  'takes posts from any site': asking(isCreate, (request) =>
    withHeaders(request, (headers) => headers.delete('origin')),
  ),
  'compares origins by how they begin': asking(isCreate, (request) =>
    withHeaders(request, (headers) => {
      const page = new URL(request.url).origin;
      if (headers.get('origin')?.startsWith(page) === true) headers.set('origin', page);
    }),
  ),
  'takes text for JSON': asking(isCreate, (request) =>
    withHeaders(request, (headers) => headers.set('content-type', 'application/json')),
  ),
  'shows another payer’s payin for an unknown id': () => {
    let latest: Response | undefined;
    return {
      edge: answered((answer, request) => {
        if (isCreate(request) && answer.ok) latest = answer.clone();
        return isRead(request) && answer.status === 404 && latest !== undefined ? latest.clone() : answer;
      }),
    };
  },
  'counts its payins': () => {
    const own = new Map<string, string>();
    const renamed = (text: string, pairs: Iterable<readonly [string, string]>) =>
      [...pairs].reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
    const back = () => [...own].map(([id, counted]) => [counted, id] as const);
    return {
      async edge(request, next) {
        const url = renamed(request.url, back());
        const body = request.body === null ? null : renamed(await request.text(), back());
        const { method, headers, signal } = request;
        const answer = await next(new Request(url, { method, headers, body, signal }));
        const text = renamed(await answer.text(), own);
        return new Response(text === '' ? null : text, answer);
      },
      async service(request, next) {
        if (!isCreate(request)) return next(request);
        const text = await request.clone().text();
        const [, id] = /pay-return=([\w-]+)/.exec(text) ?? [];
        if (id === undefined) return next(request);
        own.set(id, `checkout-payin-${String(own.size).padStart(8, '0')}`);
        return next(withBody(request, JSON.parse(renamed(text, own))));
      },
    };
  },
  'sends payers anywhere': creating((body) => ({ ...body, callbackUrl: 'https://shop.test/gracias' })),
  'compares return addresses by how they begin': creating((body) => {
    const url = String(body['callbackUrl']);
    return url.startsWith('https://shop.test') ? { ...body, callbackUrl: 'https://shop.test/gracias' } : body;
  }),

  'takes the price from the browser': () => {
    const prices = new Map<unknown, unknown>();
    const show = shownBy((view) =>
      prices.has(view['id']) ? { ...view, amountInCents: prices.get(view['id']) } : view,
    );
    return {
      async edge(request, next) {
        const { amountInCents } = await jsonOf(request);
        return show(request, async (passed) => {
          const answer = await next(passed);
          if (amountInCents !== undefined && answer.ok)
            prices.set((await jsonOf(answer))['id'], amountInCents);
          return answer;
        });
      },
    };
  },
  'writes pesos where cents belong': shown((view) => ({
    ...view,
    amountInCents: Number(view['amountInCents']) / 100,
  })),
  'writes amounts as text': shown((view) => ({ ...view, amountInCents: String(view['amountInCents']) })),
  'changes the amount later': shown((view, request) =>
    isRead(request) ? { ...view, amountInCents: Number(view['amountInCents']) + 1 } : view,
  ),

  'forgets idempotency keys': asking(isCreate, (request) =>
    withHeaders(request, (headers) => {
      if (headers.has('idempotency-key')) headers.set('idempotency-key', `key-of-its-own-${++made}`);
    }),
  ),
  'makes two payins of two requests at once': () => {
    const first = new Map<string, Promise<Response>>();
    return {
      async edge(request, next) {
        const key = request.headers.get('idempotency-key');
        if (!isCreate(request) || key === null) return next(request);
        const body = await jsonOf(request);
        const earlier = first.get(key);
        if (earlier === undefined) {
          const answer = next(request);
          first.set(
            key,
            answer.then((each) => each.clone()),
          );
          const own = await answer;
          // Later requests find the key.
          first.delete(key);
          return own;
        }
        const { id } = await jsonOf(await earlier);
        const again = withHeaders(request, (headers) => headers.set('idempotency-key', `again-${key}`));
        return next(withBody(again, { ...body, replaces: id }));
      },
    };
  },
  'needs no idempotency key': asking(isCreate, (request) =>
    withHeaders(request, (headers) => {
      if (!headers.has('idempotency-key')) headers.set('idempotency-key', `key-of-its-own-${++made}`);
    }),
  ),
  'takes a key for another request': remembersAnswers((key, { order }) => `${key} ${String(order)}`),
  'takes a key for another order': remembersAnswers((key, { replaces }) => `${key} ${String(replaces)}`),
  'keeps keys by order': asking(isCreate, async (request) => {
    const { order } = await jsonOf(request);
    return withHeaders(request, (headers) => {
      const key = headers.get('idempotency-key');
      if (key !== null) headers.set('idempotency-key', `${key}-${String(order).split('.')[0] ?? ''}`);
    });
  }),
  'answers 200 for 201': answering(async (answer) =>
    answer.status === 201 ? answerWith(answer, await jsonOf(answer), 200) : answer,
  ),
  'fails at a broken body': answering(async (answer, request) => {
    const isReadable = Object.keys(await jsonOf(request)).length > 0;
    return isCreate(request) && !isReadable ? failed(answer, 'invalid_request') : answer;
  }),
  'leaves the reference out': shown((view) => without(view, 'reference')),

  'opens a second payin for a second tab': replacing((body, current) => body['replaces'] ?? current),
  'replaces any payin': replacing((body, current) => (body['replaces'] === undefined ? undefined : current)),
  'leaves the open payin out of the offer': answering(async (answer, request) =>
    isOffer(request) && answer.ok ? answerWith(answer, { ...(await jsonOf(answer)), attempt: null }) : answer,
  ),
  'takes old offers': creating((body) => without(body, 'offerVersion')),
  'never changes the version': () => {
    let version: unknown;
    const show = shownBy((view) => {
      version = view['version'];
      return { ...view, version: '1' };
    });
    return {
      edge(request, next) {
        const url = new URL(request.url);
        if (url.searchParams.get('after') === '1') url.searchParams.set('after', String(version));
        return show(isRead(request) ? withUrl(request, url) : request, next);
      },
    };
  },
  'changes the version at every read': shown((view) => ({ ...view, version: String(++made) })),
  'claims to have waited': () => ({
    async edge(request, next) {
      if (!isRead(request) || !request.url.includes('after=')) return next(request);
      const answer = await next(withUrl(request, new URL(pathOf(request), request.url)));
      return answerWith(answer, { ...(await jsonOf(answer)), waited: true });
    },
  }),

  'shows the payer’s data': shown((view) => ({ ...view, inlineCustomer: { idNumber: '1234' } })),
  'shows the payer’s data with PSE only': () => {
    let payer: unknown;
    const show = shownBy((view) => (view['rail'] === 'PSE' ? { ...view, payer } : view));
    return {
      async edge(request, next) {
        payer = (await jsonOf(request))['inlineCustomer'] ?? payer;
        return show(request, next);
      },
    };
  },
  'shows the organization': shown((view) => ({ ...view, organizationId: 'org-1' })),
  'lets answers be cached': header('cache-control', 'max-age=60'),
  'calls JSON a page': answering((answer) =>
    isProblem(answer) ? answer : withHeaders(answer, (headers) => headers.set('content-type', 'text/html')),
  ),
  'refuses in its own format': answering((answer) =>
    isProblem(answer)
      ? withHeaders(answer, (headers) => headers.set('content-type', 'application/json'))
      : answer,
  ),
  'refuses with another status': answering(async (answer) =>
    answer.status === 415 ? answerWith(answer, await jsonOf(answer), 400) : answer,
  ),
  'refuses with names of its own': answering(async (answer) => {
    const body = await jsonOf(answer);
    return body['code'] === 'idempotency_key_missing'
      ? answerWith(answer, { ...body, code: 'no_key' })
      : answer;
  }),

  'asks for credentials before a preflight': () => ({
    edge: async (request, next) =>
      request.method === 'OPTIONS' ? new Response(null, { status: 401 }) : next(request),
  }),
  'forgets the key among allowed headers': header('access-control-allow-headers', 'content-type'),
  'lets pages read only what went well': answering((answer) =>
    isProblem(answer) ? withHeaders(answer, (headers) => headers.delete(ALLOW_ORIGIN)) : answer,
  ),
  'repeats any origin with cookies': answering((answer, request) =>
    withHeaders(answer, (headers) => {
      headers.set(ALLOW_ORIGIN, request.headers.get('origin') ?? PAGE_ORIGIN);
      headers.set('access-control-allow-credentials', 'true');
    }),
  ),
} satisfies Record<string, Plant>;

/** A refusal with this code becomes a failure of the backend. */
export async function failed(answer: Response, code: string): Promise<Response> {
  const body = await jsonOf(answer);
  if (body['code'] !== code) return answer;
  return answerWith(answer, { ...body, code: 'internal_error', status: 500 }, 500);
}
