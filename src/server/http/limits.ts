import { BodyError, readBoundedText } from '../../service/bounded-body.js';
import { safeUrl } from '../../contract/safe-url.js';
import type { Kit } from '../context.js';
import { type HeaderList, ProblemError } from './responses.js';
import type { Settings } from '../settings.js';
import { digest } from '../ids.js';

/** Who may ask, how much and how often. */

const MAX_BODY_BYTES = 16_384;
const PREFLIGHT_SECONDS = '600';

/** The origin a request's page must have to count as the checkout's own. */
function ownOrigin(settings: Settings, request: Request): string {
  return settings.publicOrigin ?? new URL(request.url).origin;
}

/** Headers that let a page of an allowed origin read the answer; none for any other. */
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
    // The merchant may have given the widget headers of its own; the origin is one it named itself.
    headers['access-control-allow-headers'] = /^[\w, -]{1,512}$/.test(asked)
      ? asked
      : 'content-type, idempotency-key';
    headers['access-control-max-age'] = PREFLIGHT_SECONDS;
  }
  return new Response(null, { status: 204, headers });
}

/**
 * Browsers send `Origin` with every POST. A page of another origin is refused before anything is read; a program
 * that sends none cannot be riding on anybody's cookies.
 */
export function requireOrigin(settings: Settings, request: Request): void {
  const origin = request.headers.get('origin');
  const foreign =
    origin === null
      ? request.headers.get('sec-fetch-site') === 'cross-site'
      : origin !== ownOrigin(settings, request) && !settings.allowedOrigins.has(origin);
  if (foreign) throw new ProblemError('origin_not_allowed');
}

/** The JSON of a POST. Reading stops at the bound, whatever length was declared. */
export async function readJsonBody(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json(?:\s*;|\s*$)/i.test(type)) throw new ProblemError('unsupported_media_type');
  try {
    return JSON.parse(await readBoundedText(request, MAX_BODY_BYTES)) as unknown;
  } catch (error) {
    const tooLarge = error instanceof BodyError && error.reason === 'too_large';
    throw new ProblemError(tooLarge ? 'payload_too_large' : 'invalid_request', {
      ...(tooLarge ? {} : { errors: [{ field: '', code: 'format' as const }] }),
    });
  }
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

const MINUTE_MS = 60_000;

/** Counts in the store, so that all instances share the limit. */
async function limit(kit: Kit, bucket: string, most: number, windowMs: number): Promise<void> {
  if (most === Infinity) return;
  const now = kit.now();
  if ((await kit.store.hit(bucket, windowMs, now)) <= most) return;
  kit.measure({ name: 'rate_limited', value: 1, unit: 'count', label: bucket.slice(0, 2) });
  const retryAfter = Math.max(1, Math.ceil((windowMs - (now % windowMs)) / 1000));
  throw new ProblemError('rate_limited', {}, { 'retry-after': String(retryAfter) });
}

/** Before anything is read: what one client may ask for. */
export async function limitClient(kit: Kit, request: Request, env: unknown): Promise<void> {
  const client = await clientBucket(kit, request, env);
  if (client !== undefined)
    await limit(kit, `cc:${client}`, kit.settings.rateLimits.createsPerClient, MINUTE_MS);
}

/** Once the order is known to be the caller's, so that nobody without one can use up what all share. */
export async function limitCreates(kit: Kit, orderId: string): Promise<void> {
  const { createsPerOrder, createsOverall } = kit.settings.rateLimits;
  await limit(kit, `co:${await digest(orderId)}`, createsPerOrder, MINUTE_MS);
  await limit(kit, 'ca', createsOverall, 1_000);
}

export async function limitOffers(kit: Kit, request: Request, env: unknown): Promise<void> {
  const client = await clientBucket(kit, request, env);
  if (client !== undefined) {
    await limit(kit, `of:${client}`, kit.settings.rateLimits.offersPerClient, MINUTE_MS);
  }
}

/** An address is personal data: only its digest is stored, and only for the window. */
async function clientBucket(kit: Kit, request: Request, env: unknown): Promise<string | undefined> {
  const { clientAddress = peerAddress } = kit.settings.options;
  const address = clientAddress(request, env);
  return address === undefined || address === '' ? undefined : digest(address);
}

/** Hono's Node adapter passes the incoming message as `env.incoming`. */
function peerAddress(_request: Request, env: unknown): string | undefined {
  const socket = (env as { incoming?: { socket?: { remoteAddress?: unknown } } } | undefined)?.incoming
    ?.socket;
  return typeof socket?.remoteAddress === 'string' ? socket.remoteAddress : undefined;
}

const READ_WINDOW_MS = 10_000;

/** Status reads are counted in this process: in the store a count would cost more than the read it limits. */
export class ReadLimiter {
  readonly #most: number;
  #counts = new Map<string, number>();
  #endsAt = 0;

  constructor(most: number) {
    this.#most = most;
  }

  hit(attemptId: string, now: number): void {
    if (now >= this.#endsAt) {
      this.#counts = new Map();
      this.#endsAt = now + READ_WINDOW_MS;
    }
    const count = (this.#counts.get(attemptId) ?? 0) + 1;
    this.#counts.set(attemptId, count);
    if (count <= this.#most) return;
    const retryAfter = Math.max(1, Math.ceil((this.#endsAt - now) / 1000));
    throw new ProblemError('rate_limited', {}, { 'retry-after': String(retryAfter) });
  }
}
