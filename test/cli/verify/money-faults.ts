import { failed } from './edge-faults.js';
import {
  answered,
  answerWith,
  type Body,
  isCreate,
  isEvent,
  isRead,
  jsonOf,
  orderOf,
  pathOf,
  shown,
  shownBy,
  withBody,
  withHeaders,
} from './rewriting.js';
import type { Around, Bench, Plant } from './wrapped-kit.js';
import { emptyPage } from '../../server/world.js';
import { WEBHOOK } from '../../support/kit.js';

/** Faults in what the service is asked and believed, in what events do, and in what the shop is told. */

/** The service is asked for a peso less, which the kit does not see. */
const asksForLess: Around = async (request, next) => {
  if (!pathOf(request).startsWith('/payins')) return next(request);
  const body = await jsonOf(request);
  const less = { ...body, amountInCents: Number(body['amountInCents']) - 100 };
  const answer = await next(isCreate(request) ? withBody(request, less) : request);
  const payin = await jsonOf(answer);
  if (typeof payin['amountInCents'] !== 'number') return answer;
  return answerWith(answer, { ...payin, amountInCents: payin['amountInCents'] + 100 });
};

/** What an event says of a payin, where it has the secret. */
async function claimOf(request: Request): Promise<Body> {
  if (!isEvent(request) || request.headers.get(WEBHOOK.header) !== WEBHOOK.secret) return {};
  return Object((await jsonOf(request))['data']) as Body;
}

/** Which order a reference is of, as creations show it. */
function ordersByReference() {
  const orders = new Map<unknown, string>();
  return {
    of: (reference: unknown) => orders.get(reference),
    edge: answered(async (answer, request) => {
      if (isCreate(request) && answer.ok)
        orders.set((await jsonOf(answer))['reference'], orderOf((await jsonOf(request))['order']));
      return answer;
    }),
  };
}

const untold = () => undefined;
const NO_HOOKS = { onConfirmed: untold, onAmountMismatch: untold, onDuplicatePayment: untold };

/** What the shop does about a payment fails the first time. */
function failingOnce({ shop }: Bench, isForgotten: boolean) {
  const failedFor = new Set<string>();
  const once = (act: (order: string, key: string) => void) => (notice: { order: string; key: string }) => {
    if (failedFor.has(notice.key)) return act(notice.order, notice.key);
    failedFor.add(notice.key);
    if (!isForgotten) throw new Error('the shop is closed');
  };
  return {
    options: {
      onConfirmed: once(shop.ship),
      onAmountMismatch: once(shop.review),
      onDuplicatePayment: once(shop.review),
    },
  };
}

/** No fault: the backend has to tell the shop again. */
export const SHOP_THAT_FAILS_AT_FIRST: Plant = (bench) => failingOnce(bench, false);

/** Reads of a payin at the service are answered with what it was, where `isStale` says so. */
function stale(isStale: (was: Body, id: string) => boolean): Around {
  const last = new Map<string, Response>();
  return async (request, next) => {
    const id = pathOf(request).split('/')[2] ?? '';
    const was = last.get(id);
    if (request.method === 'GET' && was !== undefined && isStale(await jsonOf(was), id)) return was.clone();
    const answer = await next(request);
    const { id: made } = await jsonOf(answer);
    if (answer.ok && typeof made === 'string') last.set(made, answer.clone());
    return answer;
  };
}

export const MONEY_FAULTS = {
  'asks for less than the offer says': () => ({
    service: asksForLess,
    edge: shownBy((view) => ({ ...view, amountInCents: Number(view['amountInCents']) - 100 })),
  }),
  'asks the service for another amount': () => ({ service: asksForLess }),
  'leaves the return id out': returning((url) => url.searchParams.delete('pay-return')),
  'adds a second return id': returning((url) => url.searchParams.append('pay-return', 'of-the-page')),

  'takes events from anyone': () => ({
    edge: (request, next) =>
      next(
        isEvent(request)
          ? withHeaders(request, (headers) => headers.set(WEBHOOK.header, WEBHOOK.secret))
          : request,
      ),
  }),
  'refuses events it does not know': () => ({
    edge: answered(async (answer, request) => {
      if (!isEvent(request) || !answer.ok) return answer;
      if (String((await jsonOf(request))['event']).startsWith('payin.')) return answer;
      const problem = { title: 'Unknown event', status: 400, code: 'webhook_unreadable' };
      return withHeaders(answerWith(answer, problem, 400), (headers) =>
        headers.set('content-type', 'application/problem+json'),
      );
    }),
  }),
  'fails at an unreadable event': () => ({
    edge: answered((answer, request) => (isEvent(request) ? failed(answer, 'webhook_unreadable') : answer)),
  }),
  'believes events': () => {
    const believed = new Set<unknown>();
    const show = shownBy((view) =>
      believed.has(view['reference'])
        ? { ...view, status: 'CONFIRMED', confirmedAmountInCents: view['amountInCents'] }
        : view,
    );
    return {
      async edge(request, next) {
        const { status, reference } = await claimOf(request);
        if (status === 'CONFIRMED') believed.add(reference);
        return show(request, next);
      },
    };
  },
  'ships at every event': ({ shop }) => {
    const orders = ordersByReference();
    let events = 0;
    return {
      async edge(request, next) {
        const { status, reference } = await claimOf(request);
        const order = orders.of(reference);
        if (status === 'CONFIRMED' && order !== undefined) shop.ship(order, `event-${++events}`);
        return orders.edge(request, next);
      },
    };
  },
  'ships before it claims': ({ shop, pause }) => {
    const shipped = new Set<unknown>();
    let ships = 0;
    return {
      options: { onConfirmed: untold },
      edge: answered(async (answer, request) => {
        const { order, reference, settlement } = await jsonOf(answer);
        const isPaid = (Object(settlement) as Body)['state'] === 'PAID';
        if (!isRead(request) || !isPaid || shipped.has(order)) return answer;
        // What a shop needs to write to its database and send a message.
        await pause(100);
        shop.ship(orderOf(order), `${String(reference)}-${++ships}`);
        shipped.add(order);
        return answer;
      }),
    };
  },

  'takes an unknown status for paid': () => ({
    service: answered(async (answer) => {
      const payin = await jsonOf(answer);
      return payin['status'] === 'APPROVED' ? answerWith(answer, { ...payin, status: 'CONFIRMED' }) : answer;
    }),
  }),
  'calls half the price paid': shown((view) => {
    const settlement = Object(view['settlement']) as Body;
    return settlement['state'] === 'AMOUNT_DIFFERS'
      ? { ...view, settlement: { ...settlement, state: 'PAID' } }
      : view;
  }),
  'ships whatever is confirmed': ({ shop }) => {
    const ship = ({ order, key }: { order: string; key: string }) => shop.ship(order, key);
    return { options: { onAmountMismatch: ship, onDuplicatePayment: ship } };
  },
  'asks no person about money that does not fit': () => ({
    options: { onAmountMismatch: untold, onDuplicatePayment: untold },
  }),
  'hides what was confirmed': shown((view) => ({ ...view, confirmedAmountInCents: null })),
  'takes declined for the end': () => ({ service: stale(({ status }) => status === 'DECLINED') }),
  'learns by events alone': () => {
    const named = new Set<unknown>();
    const read = stale((_, id) => !named.delete(id));
    return {
      async edge(request, next) {
        named.add((await claimOf(request))['id']);
        return next(request);
      },
      service: async (request, next) =>
        request.method === 'GET' && pathOf(request) === '/payins' ? emptyPage(null) : read(request, next),
    };
  },
  'sells a paid order again': () => ({
    edge: answered(async (answer) => {
      const { code, attempt } = await jsonOf(answer);
      if (code !== 'already_paid') return answer;
      const again = answerWith(answer, { ...(attempt as Body), id: crypto.randomUUID() }, 201);
      return withHeaders(again, (headers) => headers.set('content-type', 'application/json'));
    }),
  }),
  'forgets payins that were replaced': () => {
    const references = new Map<unknown, unknown>();
    const replaced = new Set<unknown>();
    return {
      edge: answered(async (answer, request) => {
        const { id, reference } = await jsonOf(answer);
        references.set(id, reference);
        if (isCreate(request) && answer.ok) replaced.add(references.get((await jsonOf(request))['replaces']));
        return answer;
      }),
      service: stale(({ reference }) => replaced.has(reference)),
    };
  },
  'says nothing of a second payment': shown((view) =>
    view['settlement'] === undefined
      ? view
      : { ...view, settlement: { ...(view['settlement'] as Body), duplicate: false } },
  ),
  'forgets what the shop did not take': (bench) => failingOnce(bench, true),
  'never tells the shop': () => ({ options: NO_HOOKS }),
  'keeps its price while a payin is open': ({ shop }) => {
    shop.canRaise = false;
    return {};
  },
} satisfies Record<string, Plant>;

/** Changes where the bank sends payers back to. */
function returning(change: (url: URL) => void): Plant {
  return () => ({
    async service(request, next) {
      if (!isCreate(request)) return next(request);
      const body = await jsonOf(request);
      const url = new URL(String(body['callbackUrl']));
      change(url);
      return next(withBody(request, { ...body, callbackUrl: url.href }));
    },
  });
}
