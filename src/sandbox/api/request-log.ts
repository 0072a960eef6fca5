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

export type StatusClass = '2xx' | '4xx' | '5xx';

export function statusClass(status: number): StatusClass {
  return status < 400 ? '2xx' : status < 500 ? '4xx' : '5xx';
}

const MASK = '•••';
/** What a payer or a receiver can be known by; the service's own names for it. */
const PERSONAL = new Set([
  'name',
  'idNumber',
  'documentNumber',
  'phone',
  'email',
  'bankAccountNumber',
  'inlineCustomer',
  'keyString',
]);
const MAX_SHOWN = 8_000;

/** A key may be a person's phone or document. */
export function maskedPath(path: string): string {
  return path.replace(/^(\/breb\/keys\/).+$/, `$1${MASK}`);
}

/** JSON to read, with personal data masked; pictures and long lists are cut. */
export function maskedJson(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // It was refused for not being JSON: what it says may be anything.
    return `${MASK} (${text.length})`;
  }
  const masked = JSON.stringify(
    value,
    (key, inner: unknown) => {
      if (PERSONAL.has(key) && typeof inner !== 'object') return MASK;
      return typeof inner === 'string' && inner.startsWith('data:') ? `${inner.slice(0, 32)}…` : inner;
    },
    2,
  );
  return masked.length > MAX_SHOWN ? `${masked.slice(0, MAX_SHOWN)}\n…` : masked;
}
