import type { MiddlewareHandler } from 'hono';
import type { Clock } from '../../service/clock.js';
import { sentText } from './http.js';

/** One request to the service's API and what was answered. */
export interface LoggedRequest {
  /** The `x-request-id` of the answer. */
  readonly id: string;
  readonly createdAtMs: number;
  readonly durationMs: number;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly status: number;
  /** JSON as it was sent; null when there was none or it was not read. */
  readonly sent: string | null;
  readonly answered: string;
}

export interface RequestLog {
  /** Newest first. */
  readonly entries: readonly LoggedRequest[];
  /** How many there ever were. */
  readonly count: number;
  clear(): void;
  readonly middleware: MiddlewareHandler;
}

const MAX_ENTRIES = 500;

/**
 * Keeps the last requests for the control page, so that a developer sees what their server sent. It lives in memory
 * only: a snapshot does not have it.
 */
export function createRequestLog(clock: Clock): RequestLog {
  const entries: LoggedRequest[] = [];
  let count = 0;

  return {
    get entries() {
      return entries.toReversed();
    },
    get count() {
      return count;
    },
    clear() {
      entries.length = 0;
      count += 1;
    },
    middleware: async (context, next) => {
      const createdAtMs = clock.now();
      const { pathname, search } = new URL(context.req.url);
      await next();
      count += 1;
      entries.push({
        id: context.res.headers.get('x-request-id') ?? String(count),
        createdAtMs,
        durationMs: clock.now() - createdAtMs,
        method: context.req.method,
        path: pathname + search,
        status: context.res.status,
        sent: sentText(context.req.raw),
        answered: await context.res.clone().text(),
      });
      if (entries.length > MAX_ENTRIES) entries.shift();
    },
  };
}
