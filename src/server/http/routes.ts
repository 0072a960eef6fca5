import { Hono, type Context } from 'hono';
import * as v from 'valibot';
import { StartLinkSchema, StartPayinSchema } from '../../contract/backend.js';
import { type FieldError, read, type Reading } from '../../contract/schema.js';
import { accessOrder, offerText } from './access.js';
import { AttemptTexts } from './attempt-text.js';
import { startAttempt, type StartBody } from './create-attempt.js';
import { watchedDueAt } from '../orders/next-task.js';
import {
  corsHeaders,
  limitClient,
  limitOffers,
  preflight,
  readJsonBody,
  ReadLimiter,
  requireOrigin,
} from './limits.js';
import { errorName, type Kit } from '../context.js';
import { type StoredOrder, StoreUnavailableError } from '../order-repository.js';
import { type AttemptRecord, keys, rowIds } from '../orders/record.js';
import { jsonText, problem, ProblemError } from './responses.js';
import type { Watch } from './long-poll.js';
import { receiveWebhook } from './receive-webhook.js';
import type { Worker } from '../work/worker.js';

const ROUTES = [
  { path: '/orders/:order', pattern: /^\/orders\/[^/]+$/, allow: 'GET' },
  { path: '/payins', pattern: /^\/payins$/, allow: 'POST' },
  { path: '/payins/:id', pattern: /^\/payins\/[^/]+$/, allow: 'GET' },
  { path: '/payment-links', pattern: /^\/payment-links$/, allow: 'POST' },
  { path: '/payment-links/:id', pattern: /^\/payment-links\/[^/]+$/, allow: 'GET' },
  { path: '/webhooks', pattern: /^\/webhooks$/, allow: 'POST' },
] as const;

const LONGEST_WAIT_SECONDS = 25;
const STORE_RETRY_SECONDS = '2';
/** As `randomId` makes them; nothing else is worth a look into the store. */
const ATTEMPT_ID = /^[\w-]{24}$/;

/** The routes of the backend contract. */
export function createApp(kit: Kit, worker: Worker, watch: Watch): Hono {
  const { settings } = kit;
  const app = new Hono();
  const routes = settings.basePath === '' ? app : app.basePath(settings.basePath);
  const texts = new AttemptTexts();
  const reads = new ReadLimiter(settings.rateLimits.readsPerAttempt);

  /** Goes on after the answer; a worker runtime is asked to stay alive for it. */
  const afterwards = (context: Context, work: () => Promise<unknown>) => {
    keepAlive(context, kit.background('work_failed', work));
  };
  const lookIfDue = (context: Context, { rowId, record }: StoredOrder) => {
    if (worker.canHelp(record)) afterwards(context, () => worker.look(rowId));
  };

  const handle = (route: string, work: (context: Context) => Promise<Response>) => {
    return async (context: Context): Promise<Response> => {
      const startedAt = kit.now();
      try {
        return await work(context);
      } catch (error) {
        return problem(toProblem(kit, route, error), corsHeaders(settings, context.req.raw));
      } finally {
        kit.measure({ name: 'request', value: kit.now() - startedAt, unit: 'ms', label: route });
      }
    };
  };

  const offer = handle('offer', async (context) => {
    const request = context.req.raw;
    await limitOffers(kit, request, context.env);
    const order = await accessOrder(kit, request, context.req.param('order') ?? '');
    const rowId = rowIds.order(order.orderId);
    const stored = await kit.orders.read(rowId);
    if (stored !== undefined) lookIfDue(context, stored);
    return jsonText(offerText(kit, order, stored?.record, kit.now()), 200, corsHeaders(settings, request));
  });

  const create = (kind: AttemptRecord['choice']['kind']) =>
    handle(kind === 'PAYIN' ? 'create_payin' : 'create_link', async (context) => {
      const request = context.req.raw;
      requireOrigin(settings, request);
      await limitClient(kit, request, context.env);
      const body = readStart(kind, await readJsonBody(request));
      const started = startAttempt(kit, request, body, (rowId) =>
        afterwards(context, () => worker.look(rowId)),
      );
      // The payer may leave while the service is being asked: its answer is stored all the same.
      keepAlive(
        context,
        kit.background('create_failed', () => started.catch(ignore)),
      );
      const { status, text } = await started;
      return jsonText(text, status, corsHeaders(settings, request));
    });

  const status = (kind: AttemptRecord['choice']['kind']) =>
    handle(kind === 'PAYIN' ? 'read_payin' : 'read_link', async (context) => {
      const request = context.req.raw;
      const id = context.req.param('id') ?? '';
      if (!ATTEMPT_ID.test(id)) throw new ProblemError('not_found');
      reads.hit(id, kit.now());
      const waiting = request.url.includes('?') ? readWaiting(context) : undefined;
      const { order, waited } =
        waiting === undefined
          ? { order: await findOrder(id), waited: false }
          : await hold(context, id, waiting, request.signal);
      const now = kit.now();
      const text = texts.of(order, id, kind);
      if (text === undefined) throw new ProblemError('not_found');
      if (text.lookAt <= now) lookIfDue(context, order);
      return jsonText(text.at(now, waited), 200, corsHeaders(settings, request));
    });

  async function findOrder(attemptId: string): Promise<StoredOrder> {
    const order = await kit.orders.find(keys.attempt(attemptId));
    if (order === undefined) throw new ProblemError('not_found');
    return order;
  }

  /** Holds the answer until the version differs, the time is up or the payer hangs up. */
  async function hold(
    context: Context,
    id: string,
    { after, waitMs }: Waiting,
    signal: AbortSignal,
  ): Promise<Held> {
    const until = kit.now() + waitMs;
    const isNews = ({ record }: StoredOrder) => String(record.version) !== after;
    const confirm = async () => {
      const order = await findOrder(id);
      return isNews(order) ? undefined : (watchedDueAt(order.record) ?? Infinity);
    };
    // By promises, so that no order is kept in memory for those who wait: only a function's own frame would.
    const heldOnce = () =>
      findOrder(id).then((order): Held | Promise<undefined> => {
        if (isNews(order) || signal.aborted || kit.now() >= until) return { order, waited: true };
        if (!watch.hasRoom) return { order, waited: false };
        lookIfDue(context, order);
        return watch.wait(order.rowId, until - kit.now(), signal, confirm).then(ignore);
      });
    let held: Held | undefined;
    while (held === undefined) held = await heldOnce();
    return held;
  }

  const webhook = handle('webhook', async (context) => {
    const rowIdsToWork = await receiveWebhook(kit, context.req.raw);
    for (const rowId of rowIdsToWork) afterwards(context, () => worker.follow(rowId));
    return jsonText('{"received":true}', 200, {});
  });

  routes.get('/orders/:order', offer);
  routes.post('/payins', create('PAYIN'));
  routes.get('/payins/:id', status('PAYIN'));
  routes.post('/payment-links', create('PAYMENT_LINK'));
  routes.get('/payment-links/:id', status('PAYMENT_LINK'));
  routes.post('/webhooks', webhook);
  const options = handle('preflight', async (context) => preflight(settings, context.req.raw));
  for (const { path } of ROUTES) routes.options(path, options);
  // One handler per path and method: a second one, for all methods, would cost every request a chain of them.
  app.notFound(
    handle('not_found', async (context) => {
      const path = context.req.path.slice(settings.basePath.length);
      const known = ROUTES.find(({ pattern }) => pattern.test(path));
      if (known === undefined || !context.req.path.startsWith(settings.basePath)) {
        throw new ProblemError('not_found');
      }
      throw new ProblemError('method_not_allowed', {}, { allow: known.allow });
    }),
  );
  return app;
}

function ignore(): undefined {
  // Whoever asked has been told.
}

/** A worker runtime ends with the answer unless it is asked to stay; where there is a process there is no context. */
function keepAlive(context: Context, work: Promise<unknown>): void {
  try {
    context.executionCtx.waitUntil(work);
  } catch {
    // Hono throws where the runtime gave no context.
  }
}

function readStart(kind: AttemptRecord['choice']['kind'], body: unknown): StartBody {
  const reading = kind === 'PAYIN' ? readPayin(body) : readLink(body);
  if (!reading.ok) throw new ProblemError('invalid_request', { errors: reading.errors.slice(0, 64) });
  return reading.value;
}

function readPayin(body: unknown): Reading<StartBody> {
  const reading = read(StartPayinSchema, body);
  return reading.ok ? { ok: true, value: { ...reading.value, kind: 'PAYIN' } } : reading;
}

function readLink(body: unknown): Reading<StartBody> {
  const reading = read(StartLinkSchema, body);
  return reading.ok ? { ok: true, value: { ...reading.value, kind: 'PAYMENT_LINK' } } : reading;
}

interface Held {
  readonly order: StoredOrder;
  readonly waited: boolean;
}

interface Waiting {
  readonly after: string;
  readonly waitMs: number;
}

const AfterSchema = v.pipe(v.string(), v.maxLength(64));
const WaitSchema = v.pipe(v.string(), v.maxLength(4), v.regex(/^\d+$/), v.transform(Number));

/** Undefined when the caller does not want to wait. */
function readWaiting(context: Context): Waiting | undefined {
  const [after, wait] = [context.req.query('after'), context.req.query('wait')];
  if (after === undefined && wait === undefined) return undefined;
  const errors: FieldError[] = [];
  if (after !== undefined && !read(AfterSchema, after).ok) errors.push({ field: 'after', code: 'format' });
  const seconds = wait === undefined ? undefined : read(WaitSchema, wait);
  if (seconds?.ok === false) errors.push({ field: 'wait', code: 'format' });
  if (errors.length > 0) throw new ProblemError('invalid_request', { errors });
  if (after === undefined || !seconds?.ok || seconds.value === 0) return undefined;
  return { after, waitMs: Math.min(seconds.value, LONGEST_WAIT_SECONDS) * 1000 };
}

/** What went wrong, as the caller may know it; the rest is for the log. */
function toProblem(kit: Kit, route: string, error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  kit.log({ level: 'error', event: `${route}_failed`, code: errorName(error) }, error);
  return error instanceof StoreUnavailableError
    ? new ProblemError('store_unavailable', {}, { 'retry-after': STORE_RETRY_SECONDS })
    : new ProblemError('internal_error');
}

/** The answer while the store cannot even be opened. */
export function unavailable(kit: Kit, request: Request, error: unknown): Response {
  return problem(toProblem(kit, 'start', error), corsHeaders(kit.settings, request));
}
