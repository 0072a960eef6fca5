import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { PageFiles } from '../look/page-files.js';
import { type Credentials, mountApi, SERVICE_PATHS } from './api/service-api.js';
import { mountControlApi } from './api/control-api.js';
import type { EngineOptions } from './service/context.js';
import { createEngine, type Engine } from './service/engine.js';
import { EngineError } from './service/engine-error.js';
import { ApiError, errorResponse, refusalError, refuseOtherMethods } from './api/http.js';
import { createRequestLog } from './api/request-log.js';
import { mountPages } from './pages/routes.js';
import { createRandom, randomState } from './service/random.js';

/** What a fresh sandbox accepts and sends, so that the first request works without configuring anything. */
export const SANDBOX_DEFAULTS = {
  apiKey: 'sandbox-api-key',
  accessToken: 'sandbox-access-token',
  webhookHeaderName: 'x-webhook-secret',
  webhookHeaderValue: 'sandbox-webhook-secret',
} as const;

export interface SandboxOptions extends EngineOptions, Partial<Credentials> {
  /**
   * The files of the built control page, served at `/_/`: `pageFiles('control')` of `pay-checkout/node`. Without them
   * there is only the control API.
   */
  readonly controlPage?: PageFiles;
}

export interface Sandbox {
  /** Answers one request; mount it wherever requests come from. */
  fetch(request: Request): Promise<Response>;
  readonly engine: Engine;
  /** Everything it remembers, as JSON; give it back as the option `snapshot`. */
  snapshot(): unknown;
  /** Stops its timers and deliveries. */
  close(): void;
}

export class SandboxInProductionError extends Error {
  override readonly name = 'SandboxInProductionError';

  constructor() {
    super('The sandbox confirms payments that no payer made: it refuses to start with NODE_ENV=production');
  }
}

export function createSandbox(options: SandboxOptions = {}): Sandbox {
  if (environment()['NODE_ENV'] === 'production') throw new SandboxInProductionError();
  const engine = createEngine(options);
  const requestIds = createRandom(randomState(options.seed));
  const requests = createRequestLog(engine.clock);
  const app = new Hono();
  const idOf = new WeakMap<Request, string>();

  for (const path of SERVICE_PATHS) app.use(path, requests.middleware);
  app.use(async (context, next) => {
    // For a request whose path is literally `/*`, Hono runs this twice.
    const requestId = idOf.get(context.req.raw) ?? `req-${requestIds.letters(20)}`;
    idOf.set(context.req.raw, requestId);
    await next();
    context.header('x-request-id', requestId);
    if (!context.res.headers.has('cache-control')) context.header('cache-control', 'no-store');
  });
  app.onError((error, context) => {
    const requestId = idOf.get(context.req.raw) ?? '';
    if (error instanceof ApiError) return errorResponse(error, requestId);
    if (error instanceof EngineError) return errorResponse(refusalError(error.code), requestId);
    // The only exception Hono's own parts throw here: a form larger than a page takes.
    if (error instanceof HTTPException && error.status === 413) {
      return errorResponse(new ApiError('payload_too_large'), requestId);
    }
    return errorResponse(new ApiError('internal_error'), requestId);
  });
  app.notFound((context) => errorResponse(new ApiError('not_found'), idOf.get(context.req.raw) ?? ''));

  const credentials = {
    apiKey: options.apiKey ?? SANDBOX_DEFAULTS.apiKey,
    accessToken: options.accessToken ?? SANDBOX_DEFAULTS.accessToken,
  };
  mountApi(app, engine, credentials);
  mountControlApi(app, { engine, requests, credentials });
  refuseOtherMethods(app);
  mountPages(app, engine, options.controlPage);

  return {
    fetch: async (request) => app.fetch(request),
    engine,
    snapshot: engine.snapshot,
    close: engine.close,
  };
}

/** A browser has no `process`. */
function environment(): Readonly<Record<string, string | undefined>> {
  return (
    (globalThis as { process?: { env?: Readonly<Record<string, string | undefined>> } }).process?.env ?? {}
  );
}
