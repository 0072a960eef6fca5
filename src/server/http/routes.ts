import { Hono, type Context as HonoContext } from 'hono';
import { type CheckoutContext, failureFacts } from '../context.js';
import { OrderError } from '../kit-error.js';
import type { StoredOrder } from '../order-repository.js';
import { attemptJson } from '../orders/views/attempt-view.js';
import { watchedDueAt } from '../orders/next-task.js';
import { attemptById, type AttemptRecord } from '../orders/record.js';
import { StoreUnavailableError } from '../stores/guarded-store.js';
import type { Worker } from '../work/worker.js';
import { accessOrder } from './access.js';
import { identifyClient } from './client.js';
import { corsHeaders, preflight, requireOrigin } from './cors.js';
import { createAttempt } from './create-attempt.js';
import { Limits } from './limits.js';
import type { LongPoll } from './long-poll.js';
import { findOrder, holdAttempt, readWaiting, requireAttemptId } from './read-attempt.js';
import { readOffer } from './read-offer.js';
import { receiveWebhook } from './receive-webhook.js';
import { json, jsonText, problem, ProblemError } from './responses.js';

/**
 * The routes of the backend contract. This room turns requests into decisions and records into answers: who may ask,
 * how much and how often, what the wire looks like. What becomes of an order is decided in `orders`; asking the
 * service and running hooks is `work`.
 */

const ROUTES = [
  { path: '/orders/:order', pattern: /^\/orders\/[^/]+$/, allow: 'GET' },
  { path: '/payins', pattern: /^\/payins$/, allow: 'POST' },
  { path: '/payins/:id', pattern: /^\/payins\/[^/]+$/, allow: 'GET' },
  { path: '/payment-links', pattern: /^\/payment-links$/, allow: 'POST' },
  { path: '/payment-links/:id', pattern: /^\/payment-links\/[^/]+$/, allow: 'GET' },
  { path: '/webhooks', pattern: /^\/webhooks$/, allow: 'POST' },
] as const;

const STORE_RETRY_SECONDS = '2';

type Kind = AttemptRecord['choice']['kind'];

export function createRoutes(context: CheckoutContext, worker: Worker, longPoll: LongPoll): Hono {
  const { settings } = context;
  const app = new Hono();
  const routes = settings.basePath === '' ? app : app.basePath(settings.basePath);
  const limits = new Limits(context);

  /** Runs on after the answer; a worker runtime is asked to stay alive for it. */
  const afterwards = (c: HonoContext, work: () => Promise<unknown>) => {
    keepAlive(c, context.background('work_failed', work));
  };
  const readIfDue = (c: HonoContext, { rowId, record }: StoredOrder, now = context.now()) => {
    if ((watchedDueAt(record) ?? Infinity) > now || !worker.hasWork(record)) return;
    afterwards(c, () => worker.readNow(rowId));
  };

  const handle = (route: string, work: (c: HonoContext) => Promise<Response>) => {
    return async (c: HonoContext): Promise<Response> => {
      const startedAt = context.now();
      try {
        requireUnreadBody(context, c);
        return await work(c);
      } catch (error) {
        return problem(toProblem(context, route, error), corsHeaders(settings, c.req.raw));
      } finally {
        context.measure({ name: 'request', value: context.now() - startedAt, unit: 'ms', label: route });
      }
    };
  };

  const offer = handle('offer', async (c) => {
    const request = c.req.raw;
    const client = await identifyClient(context, request, c.env);
    const token = c.req.param('order') ?? '';
    const { orderId, order } = await accessOrder(context, request, token, () => limits.refusal(client));
    limits.offer(client);
    const { stored, view } = await readOffer(context, { orderId, order });
    if (stored !== undefined) readIfDue(c, stored);
    if (view === undefined) throw new ProblemError('not_found');
    return json(view, 200, corsHeaders(settings, request));
  });

  const create = (kind: Kind) =>
    handle(kind === 'PAYIN' ? 'create_payin' : 'create_link', async (c) => {
      const request = c.req.raw;
      requireOrigin(settings, request);
      const client = await identifyClient(context, request, c.env);
      const creating = createAttempt(context, worker, limits, request, kind, {
        client,
        afterwards: (work) => afterwards(c, work),
      });
      // The payer may leave while the service is asked: its answer is stored all the same.
      keepAlive(
        c,
        context.background('create_failed', () => creating.catch(() => undefined)),
      );
      const { status, attempt } = await creating;
      return json(attempt, status, corsHeaders(settings, request));
    });

  const status = (kind: Kind) =>
    handle(kind === 'PAYIN' ? 'read_payin' : 'read_link', async (c) => {
      const request = c.req.raw;
      const id = requireAttemptId(c.req.param('id'));
      limits.read(id);
      const waiting = request.url.includes('?') ? readWaiting(c) : undefined;
      const { order, waited } =
        waiting === undefined
          ? { order: await findOrder(context, id), waited: false }
          : await holdAttempt(context, longPoll, id, waiting, request.signal, (held) => readIfDue(c, held));
      const attempt = attemptById(order.record, id);
      if (attempt?.choice.kind !== kind) throw new ProblemError('not_found');
      const now = context.now();
      readIfDue(c, order, now);
      const text = attemptJson(order.record, attempt, now, waited);
      return jsonText(text, 200, corsHeaders(settings, request));
    });

  const webhook = handle('webhook', async (c) => {
    const changed = await receiveWebhook(context, c.req.raw);
    for (const rowId of changed) afterwards(c, () => worker.process(rowId));
    return json({ received: true }, 200, {});
  });

  routes.get('/orders/:order', offer);
  routes.post('/payins', create('PAYIN'));
  routes.get('/payins/:id', status('PAYIN'));
  routes.post('/payment-links', create('PAYMENT_LINK'));
  routes.get('/payment-links/:id', status('PAYMENT_LINK'));
  routes.post('/webhooks', webhook);
  const options = handle('preflight', async (c) => preflight(settings, c.req.raw));
  for (const { path } of ROUTES) routes.options(path, options);
  // One handler per path and method: a second one for all methods would make every request pass two.
  app.notFound(
    handle('not_found', async (c) => {
      const path = c.req.path.slice(settings.basePath.length);
      const known = ROUTES.find(({ pattern }) => pattern.test(path));
      if (known === undefined || !c.req.path.startsWith(settings.basePath)) {
        throw new ProblemError('not_found');
      }
      throw new ProblemError('method_not_allowed', {}, { allow: known.allow });
    }),
  );
  return app;
}

/** A body parser that runs before the checkout consumes the body, and the checkout cannot read it again. */
function requireUnreadBody(context: CheckoutContext, { req: { raw }, env }: HonoContext): void {
  const { incoming } = Object(env) as { incoming?: { readableEnded?: unknown } };
  if (raw.method !== 'POST' || !(raw.bodyUsed || incoming?.readableEnded === true)) return;
  context.logSparingly({
    level: 'error',
    event: 'body_already_read',
    message:
      'The body was read before the checkout saw it: mount the checkout before express.json() or any other body ' +
      'parser. See docs/integrate.md',
  });
  throw new ProblemError('internal_error', {
    detail: 'A body parser read the body before the checkout: mount the checkout first.',
  });
}

/** A worker runtime ends with the answer unless it is asked to stay. */
function keepAlive(c: HonoContext, work: Promise<unknown>): void {
  try {
    c.executionCtx.waitUntil(work);
  } catch {
    // Hono throws where there is no such runtime: a process stays alive by itself.
  }
}

/** What the caller may know of a failure; the rest goes to the log. */
function toProblem(context: CheckoutContext, route: string, error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const isOrders = error instanceof OrderError;
  const cause = isOrders ? error.cause : error;
  context.log(
    {
      level: 'error',
      event: `${route}_failed`,
      ...(isOrders && { order: error.order }),
      ...failureFacts(cause),
    },
    cause,
  );
  return cause instanceof StoreUnavailableError
    ? new ProblemError('store_unavailable', {}, { 'retry-after': STORE_RETRY_SECONDS })
    : new ProblemError('internal_error');
}
