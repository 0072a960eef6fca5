import type { Level } from '../../../src/cli/verify/visit.js';
import type { Between } from './good-backend.js';

/**
 * Ways to get the contract wrong, each a thin layer over a backend that is right. `fails` names the lines of the
 * table that must catch it, and no other line may.
 */
export interface WrongBackend {
  readonly mistake: string;
  readonly level?: Level;
  /** Its page has another origin. */
  readonly isElsewhere?: true;
  readonly fails: readonly string[];
  readonly between: () => Between;
}

type Members = Record<string, unknown>;

const isCreation = (request: Request) => request.method === 'POST' && request.url.endsWith('/payins');
const isRead = (request: Request) => request.method === 'GET' && /\/payins\/[^/]+$/.test(pathOf(request));
const pathOf = (request: Request) => new URL(request.url).pathname;

/** The answer with another body. */
async function changed(response: Response, change: (body: Members) => unknown): Promise<Response> {
  const { status, headers } = response;
  const body = change((await response.json()) as Members);
  return new Response(JSON.stringify(body), { status, headers });
}

/** The answer with other headers. */
function reheaded(response: Response, change: (headers: Headers) => void): Response {
  const headers = new Headers(response.headers);
  change(headers);
  return new Response(response.body, { status: response.status, headers });
}

/** A request can be read once: the same one with another body or key. */
const again = (request: Request, body: string, key?: string) => {
  const headers = new Headers(request.headers);
  headers.delete('content-length');
  if (key !== undefined) headers.set('idempotency-key', key);
  return new Request(request.url, { method: 'POST', headers, body });
};

const attemptsOnly = (change: (attempt: Members) => unknown) => (body: Members) =>
  'settlement' in body ? change(body) : body;

export const WRONG_BACKENDS: readonly WrongBackend[] = [
  {
    mistake: 'takes the price from the browser',
    fails: ['no-amount'],
    between: () => {
      const prices = new Map<unknown, unknown>();
      const priced = attemptsOnly((attempt) => ({
        ...attempt,
        ...(prices.has(attempt['id']) ? { amountInCents: prices.get(attempt['id']) } : {}),
      }));
      return async (request, next) => {
        if (!isCreation(request))
          return isRead(request) ? changed(await next(request), priced) : next(request);
        const text = await request.text();
        const response = await next(again(request, text));
        if (!response.ok || !text.includes('amountInCents')) return response;
        const { amountInCents } = JSON.parse(text) as Members;
        return changed(response, (body) => {
          prices.set(body['id'], amountInCents);
          return priced(body);
        });
      };
    },
  },
  {
    mistake: 'forgets idempotency keys',
    level: 'basic',
    fails: ['idempotency'],
    between: () => {
      let current: unknown;
      return async (request, next) => {
        const key = request.headers.get('idempotency-key');
        if (!isCreation(request) || key === null) return next(request);
        const text = await request.text();
        if (!text.endsWith('}')) return next(again(request, text));
        const body = JSON.parse(text) as Members;
        const replacing = current === undefined ? body : { replaces: current, ...body };
        const response = await next(again(request, JSON.stringify(replacing), crypto.randomUUID()));
        if (!response.ok) return response;
        return changed(response, (attempt) => {
          current = attempt['id'];
          return attempt;
        });
      };
    },
  },
  {
    mistake: 'lets answers be cached',
    fails: ['headers'],
    between: () => async (request, next) =>
      reheaded(await next(request), (headers) => headers.set('cache-control', 'max-age=60')),
  },
  {
    mistake: 'refuses in words of its own',
    fails: ['errors'],
    between: () => async (request, next) => {
      const response = await next(request);
      // The 404 of an order has to be problem+json, or it means that there are no offers at all.
      if (response.ok || pathOf(request).includes('/orders/')) return response;
      const { code, attempt, offer } = (await response.json()) as Members;
      const { status } = response;
      return Response.json(
        { error: code, attempt, offer },
        { status, headers: { 'cache-control': 'no-store' } },
      );
    },
  },
  {
    mistake: 'shows somebody’s payin for an unknown id',
    fails: ['unknown-id'],
    between: () => {
      let somebodys = '';
      return async (request, next) => {
        if (!isRead(request)) return next(request);
        const response = await next(request);
        if (!response.ok) {
          const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
          return new Response(somebodys, { headers });
        }
        somebodys = await response.clone().text();
        return response;
      };
    },
  },
  {
    mistake: 'writes pesos where cents belong',
    fails: ['price'],
    between: () => async (request, next) => {
      const response = await next(request);
      if (!response.ok || pathOf(request).endsWith('/webhooks')) return response;
      return changed(
        response,
        attemptsOnly((attempt) => ({ ...attempt, amountInCents: Number(attempt['amountInCents']) / 100 })),
      );
    },
  },
  {
    mistake: 'passes the payer’s data on',
    fails: ['private'],
    between: () => async (request, next) => {
      const response = await next(request);
      if (!isRead(request) || !response.ok) return response;
      return changed(response, (attempt) => ({ ...attempt, inlineCustomer: { idNumber: '1000000001' } }));
    },
  },
  {
    mistake: 'claims to have waited without waiting',
    fails: ['waiting'],
    between: () => async (request, next) => {
      const { search } = new URL(request.url);
      if (!isRead(request) || search === '') return next(request);
      const response = await next(new Request(request.url.replace(search, '')));
      return response.ok ? changed(response, (attempt) => ({ ...attempt, waited: true })) : response;
    },
  },
  {
    mistake: 'takes events from anybody',
    fails: ['webhook-header'],
    between: () => async (request, next) => {
      const response = await next(request);
      return pathOf(request).endsWith('/webhooks')
        ? Response.json({ received: true }, { headers: { 'cache-control': 'no-store' } })
        : response;
    },
  },
  {
    mistake: 'believes an event without reading the payin',
    fails: ['webhook-forged'],
    between: () => {
      const claimed = new Set<unknown>();
      return async (request, next) => {
        if (pathOf(request).endsWith('/webhooks')) {
          const text = await request.text();
          const response = await next(again(request, text));
          const { event, data } = JSON.parse(text) as { event: string; data?: Members };
          if (response.ok && event === 'payin.confirmed') claimed.add(data?.['reference']);
          return response;
        }
        const response = await next(request);
        if (!isRead(request) || !response.ok) return response;
        return changed(response, (attempt) =>
          claimed.has(attempt['reference']) ? { ...attempt, status: 'CONFIRMED' } : attempt,
        );
      };
    },
  },
  {
    mistake: 'counts its payins',
    fails: ['ids'],
    between: () => {
      const inside: string[] = [];
      const outside = (id: unknown) => `checkout-payin-0000000${indexOf(String(id)) + 1}`;
      const indexOf = (id: string) => (inside.includes(id) ? inside.indexOf(id) : inside.push(id) - 1);
      const renamed = (value: unknown): unknown => {
        if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
        const members = Object.entries(value).map(([name, member]) => [name, renamed(member)]);
        const copy = Object.fromEntries(members) as Members;
        return 'settlement' in copy ? { ...copy, id: outside(copy['id']) } : copy;
      };
      const real = (text: string) =>
        text.replaceAll(/checkout-payin-0000000(\d)/g, (_, index) => inside[Number(index) - 1] ?? 'none');
      return async (request, next) => {
        const passed =
          request.method === 'POST'
            ? again(new Request(real(request.url), request), real(await request.text()))
            : new Request(real(request.url), { headers: request.headers });
        return changed(await next(passed), renamed);
      };
    },
  },
  {
    mistake: 'asks for its own credentials before it answers a preflight',
    isElsewhere: true,
    fails: ['cors-preflight'],
    between: () => async (request, next) =>
      request.method === 'OPTIONS' ? new Response('', { status: 401 }) : next(request),
  },
  {
    mistake: 'forgets the idempotency key among the headers of other origins',
    isElsewhere: true,
    fails: ['cors-preflight'],
    between: () => async (request, next) =>
      reheaded(await next(request), (headers) => {
        if (headers.has('access-control-allow-headers'))
          headers.set('access-control-allow-headers', 'Content-Type');
      }),
  },
  {
    mistake: 'lets other origins read only what went well',
    isElsewhere: true,
    fails: ['cors-answers'],
    between: () => async (request, next) =>
      reheaded(await next(request), (headers) => {
        if (headers.get('content-type')?.includes('problem')) headers.delete('access-control-allow-origin');
      }),
  },
  {
    mistake: 'repeats whatever origin it is sent, with cookies',
    isElsewhere: true,
    fails: ['cors-strangers'],
    between: () => async (request, next) =>
      reheaded(await next(request), (headers) => {
        const origin = request.headers.get('origin');
        if (origin === null) return;
        headers.set('access-control-allow-origin', origin);
        headers.set('access-control-allow-credentials', 'true');
      }),
  },
];
