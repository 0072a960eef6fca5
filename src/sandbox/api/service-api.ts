import type { Context, Hono } from 'hono';
import type { FieldError } from '../../contract/schema.js';
import {
  CreatePaymentLinkSchema,
  CreatePayinSchema,
  CreatePayoutSchema,
} from '../../contract/service/requests.js';
import type { Engine } from '../service/engine.js';
import { ApiError, invalid, readBody } from './http.js';
import { keyKind } from '../service/keys.js';
import type { ResourceRecord } from '../service/state.js';
import { viewLink, viewListedPayin, viewPayin, viewPayout } from '../service/views.js';

/**
 * The service's nine endpoints over HTTP: credentials, status codes, mishaps of answering. Here are the routes of the
 * sandbox; rules about requests are in the contract's schemas, what happens to money in `service`, HTML in `pages`.
 */

export interface Credentials {
  /** `x-api-key` of payins, payouts and key lookups. */
  readonly apiKey: string;
  /** `Authorization: Bearer` of payment links. */
  readonly accessToken: string;
}

const DEFAULT_PAGE_SIZE = 20;
const MAX_PAGE_SIZE = 100;

/** Everything the payment service answers; the rest are the sandbox's own pages. */
export const SERVICE_PATHS = ['/payins/*', '/payouts/*', '/breb/*', '/payment-links/*'] as const;

export function mountApi(app: Hono, engine: Engine, credentials: Credentials): void {
  const withApiKey = (context: Context) => {
    if (context.req.header('x-api-key') !== credentials.apiKey) throw new ApiError('unauthorized');
  };
  const withAccessToken = (context: Context) => {
    const [scheme, token, ...rest] = (context.req.header('authorization') ?? '').split(' ');
    if (scheme?.toLowerCase() !== 'bearer' || token !== credentials.accessToken || rest.length > 0) {
      throw new ApiError('unauthorized');
    }
  };

  /** Runs a creation, with the failures that scenarios put before and after it. */
  const create = async <R extends ResourceRecord>(
    context: Context,
    work: () => R,
    view: (record: R) => object,
  ) => {
    if (engine.failsBeforeWork()) throw new ApiError('service_unavailable');
    const record = work();
    const silent = engine.applies('timeout-after-work', record);
    if (silent || engine.applies('slow-answers', record)) {
      const { silenceMs, slowAnswerMs } = engine.timings;
      await pause(engine, silent ? silenceMs : slowAnswerMs, context.req.raw.signal);
    }
    if (silent) throw new ApiError('gateway_timeout');
    if (engine.applies('error-after-work', record)) throw new ApiError('internal_error');
    return context.json(view(record), 201);
  };

  const answer = async (context: Context, body: object) => {
    if (engine.applies('slow-answers')) {
      await pause(engine, engine.timings.slowAnswerMs, context.req.raw.signal);
    }
    return context.json(body);
  };

  app.post('/payins', async (context) => {
    withApiKey(context);
    const input = await readBody(context.req.raw, CreatePayinSchema);
    return create(
      context,
      () => engine.createPayin(input),
      (payin) => viewPayin(payin, engine.view),
    );
  });

  app.get('/payins', (context) => {
    withApiKey(context);
    const page = engine.listPayins(pageQuery(context));
    if (!page) throw invalid('cursor', 'format');
    return answer(context, {
      data: page.data.map((payin) => viewListedPayin(payin, engine.view)),
      pageInfo: {
        hasNext: page.nextCursor !== null,
        hasPrevious: page.previousCursor !== null,
        nextCursor: page.nextCursor,
        previousCursor: page.previousCursor,
      },
    });
  });

  app.get('/payins/:id', (context) => {
    withApiKey(context);
    const payin = engine.readPayin(context.req.param('id'));
    if (!payin) throw new ApiError('not_found');
    return answer(context, viewPayin(payin, engine.view));
  });

  app.post('/payouts', async (context) => {
    withApiKey(context);
    const input = await readBody(context.req.raw, CreatePayoutSchema);
    return create(
      context,
      () => engine.createPayout(input),
      (payout) => viewPayout(payout, engine.view),
    );
  });

  app.get('/breb/keys/:keyString', (context) => {
    withApiKey(context);
    const keyString = context.req.param('keyString');
    if (!keyKind(keyString)) throw invalid('keyString', 'format');
    return answer(context, engine.lookupKey(keyString));
  });

  app.post('/payment-links', async (context) => {
    withAccessToken(context);
    const input = await readBody(context.req.raw, CreatePaymentLinkSchema);
    return create(
      context,
      () => engine.createLink(input),
      (link) => viewLink(link, engine.view),
    );
  });

  app.get('/payment-links/:paymentLinkId', (context) => {
    withAccessToken(context);
    const link = engine.readLink(context.req.param('paymentLinkId'));
    if (!link) throw new ApiError('not_found');
    return answer(context, viewLink(link, engine.view));
  });
}

function pageQuery(context: Context) {
  const errors: FieldError[] = [];
  const [limit = String(DEFAULT_PAGE_SIZE), ...moreLimits] = context.req.queries('limit') ?? [];
  const [cursor, ...moreCursors] = context.req.queries('cursor') ?? [];
  if (moreLimits.length > 0 || !/^\d{1,3}$/.test(limit)) errors.push({ field: 'limit', code: 'format' });
  else if (Number(limit) < 1) errors.push({ field: 'limit', code: 'too_small' });
  else if (Number(limit) > MAX_PAGE_SIZE) errors.push({ field: 'limit', code: 'too_large' });
  if (moreCursors.length > 0) errors.push({ field: 'cursor', code: 'format' });
  if (errors.length > 0) throw new ApiError('invalid_request', { errors });
  return { limit: Number(limit), ...(cursor === undefined ? {} : { cursor }) };
}

/** Waits on the sandbox's clock, or until the caller gives up. */
function pause(engine: Engine, durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = engine.clock.setTimer(durationMs, resolve);
    signal.addEventListener(
      'abort',
      () => {
        cancel();
        resolve();
      },
      { once: true },
    );
  });
}
