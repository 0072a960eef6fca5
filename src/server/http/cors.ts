import { safeUrl } from '../../contract/safe-url.js';
import type { Settings } from '../settings.js';
import { type HeaderList, ProblemError } from './responses.js';

/** Which pages may use the checkout, and where payers may be sent back to. */

const PREFLIGHT_SECONDS = '600';

/** The origin a request's page must have to count as the checkout's own. */
function ownOrigin(settings: Settings, request: Request): string {
  return settings.publicOrigin ?? new URL(request.url).origin;
}

/** Headers that let a page of an allowed origin read the answer. */
export function corsHeaders(settings: Settings, request: Request): HeaderList {
  if (settings.allowedOrigins.size === 0) return {};
  const origin = request.headers.get('origin');
  if (origin === null || !settings.allowedOrigins.has(origin)) return { vary: 'origin' };
  return {
    vary: 'origin',
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'retry-after',
  };
}

export function preflight(settings: Settings, request: Request): Response {
  const cors = corsHeaders(settings, request);
  const headers: HeaderList = { ...cors, 'cache-control': 'no-store' };
  if (cors['access-control-allow-origin'] !== undefined) {
    const asked = request.headers.get('access-control-request-headers') ?? '';
    headers['access-control-allow-methods'] = 'GET, POST';
    // The merchant may have given the widget further headers, and named this origin itself.
    headers['access-control-allow-headers'] = /^[\w, -]{1,512}$/.test(asked)
      ? asked
      : 'content-type, idempotency-key';
    headers['access-control-max-age'] = PREFLIGHT_SECONDS;
  }
  return new Response(null, { status: 204, headers });
}

/**
 * Browsers send `Origin` with every POST. A page of another origin is refused before anything is read; a program that
 * sends none carries no payer's cookies.
 */
export function requireOrigin(settings: Settings, request: Request): void {
  const origin = request.headers.get('origin');
  const foreign =
    origin === null
      ? request.headers.get('sec-fetch-site') === 'cross-site'
      : origin !== ownOrigin(settings, request) && !settings.allowedOrigins.has(origin);
  if (foreign) throw new ProblemError('origin_not_allowed');
}

/** Where the payer may come back to: within the allowed addresses, or the checkout's own origin without any. */
export function requireReturnUrl(settings: Settings, request: Request, callbackUrl: string): string {
  const prefixes =
    settings.returnPrefixes ??
    [ownOrigin(settings, request), ...settings.allowedOrigins].map((origin) => new URL(origin));
  const checked = safeUrl(callbackUrl, { pageProtocol: 'http:' });
  const url = checked === null ? undefined : new URL(checked);
  if (url === undefined || !prefixes.some((prefix) => covers(prefix, url))) {
    throw new ProblemError('return_url_not_allowed');
  }
  return url.href;
}

function covers(prefix: URL, url: URL): boolean {
  if (prefix.origin !== url.origin) return false;
  const path = prefix.pathname.replace(/\/$/, '');
  return url.pathname === path || url.pathname.startsWith(`${path}/`);
}
