import type { Around, Next, Plant } from './wrapped-kit.js';

/** How requests and answers are changed on their way. */

export type Body = Readonly<Record<string, unknown>>;

export const pathOf = ({ url }: Request) => new URL(url).pathname;
export const isCreate = (request: Request) =>
  request.method === 'POST' && pathOf(request).endsWith('/payins');
/** A payin or a payment link. */
export const isStart = (request: Request) =>
  isCreate(request) || (request.method === 'POST' && pathOf(request).endsWith('/payment-links'));
export const isEvent = (request: Request) =>
  request.method === 'POST' && pathOf(request).endsWith('/webhooks');
export const isOffer = (request: Request) => request.method === 'GET' && pathOf(request).includes('/orders/');
export const isRead = (request: Request) => request.method === 'GET' && pathOf(request).includes('/payins/');
export const isProblem = ({ headers }: Response) => headers.get('content-type')?.includes('problem') === true;

/** The shop's own name of an order, from its token. */
export const orderOf = (token: unknown) =>
  Buffer.from(String(token).split('.')[0] ?? '', 'base64url').toString();

/** The JSON in it, or an empty object. The original can still be read. */
export async function jsonOf(message: Request | Response): Promise<Body> {
  try {
    return Object(JSON.parse(await message.clone().text())) as Body;
  } catch {
    return {};
  }
}

export function withHeaders<Message extends Request | Response>(
  message: Message,
  change: (headers: Headers) => void,
): Message {
  const headers = new Headers(message.headers);
  change(headers);
  const changed =
    message instanceof Request
      ? new Request(message, { headers })
      : new Response(message.body, { status: message.status, headers });
  return changed as Message;
}

/** The same request with another body, or another address. */
export function withBody({ url, method, headers, signal }: Request, body: unknown): Request {
  return new Request(url, { method, headers: unsized(headers), body: JSON.stringify(body), signal });
}
export function withUrl({ method, headers, signal }: Request, url: string | URL): Request {
  return new Request(url, { method, headers, signal });
}

/** The same answer with another body or status. */
export function answerWith({ status, headers }: Response, body: unknown, newStatus = status): Response {
  return new Response(JSON.stringify(body), { status: newStatus, headers: unsized(headers) });
}

function unsized(given: Headers): Headers {
  const headers = new Headers(given);
  headers.delete('content-length');
  return headers;
}

/** Changes the requests that `isMeant` names. */
export function asking(
  isMeant: (request: Request) => boolean,
  change: (request: Request) => Request | Promise<Request>,
): Plant {
  return () => ({
    edge: async (request, next) => next(isMeant(request) ? await change(request) : request),
  });
}

/** Changes every answer. */
export function answering(
  change: (answer: Response, request: Request) => Response | Promise<Response>,
): Plant {
  return () => ({ edge: answered(change) });
}

export function answered(
  change: (answer: Response, request: Request) => Response | Promise<Response>,
): Around {
  return async (request, next) => {
    const asked = request.clone();
    return change(await next(request), asked);
  };
}

/** Changes what is shown of a payin, wherever it is shown. */
export function shownBy(change: (view: Body, request: Request) => Body): Around {
  return answered(async (answer, request) => {
    const body = await jsonOf(answer);
    const isView = (value: unknown) => typeof (Object(value) as Body)['reference'] === 'string';
    if (isView(body)) return answerWith(answer, change(body, request));
    const { attempt } = body;
    return isView(attempt)
      ? answerWith(answer, { ...body, attempt: change(attempt as Body, request) })
      : answer;
  });
}

export const shown =
  (change: (view: Body, request: Request) => Body): Plant =>
  () => ({ edge: shownBy(change) });

/** Keeps in mind which payin is the last of each order, by the order's token. */
export function currentPayins() {
  const ids = new Map<unknown, unknown>();
  const keys = new Set<string>();
  return {
    of: (order: unknown) => ids.get(order),
    isNewKey: (request: Request) => !keys.has(request.headers.get('idempotency-key') ?? ''),
    async pass(request: Request, next: Next) {
      const { order } = await jsonOf(request);
      keys.add(request.headers.get('idempotency-key') ?? '');
      const answer = await next(request);
      const { id } = await jsonOf(answer);
      if (answer.ok && id !== undefined) ids.set(order, id);
      return answer;
    },
  };
}

export const without = (members: Body, name: string): Body =>
  Object.fromEntries(Object.entries(members).filter(([each]) => each !== name));
