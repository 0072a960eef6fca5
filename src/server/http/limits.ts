import { BodyError, readBoundedText } from '../../service/bounded-body.js';
import type { CheckoutContext } from '../context.js';
import { ProblemError } from './responses.js';
import { digest } from '../ids.js';

/** How much may be asked, and how often. */

const MAX_BODY_BYTES = 16_384;

/** The JSON of a POST. Reading stops at the limit, whatever length was declared. */
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

const MINUTE_MS = 60_000;

/** Counts in the store, so that all instances share the limit. */
async function limit(
  context: CheckoutContext,
  bucket: string,
  most: number,
  windowMs: number,
): Promise<void> {
  if (most === Infinity) return;
  const now = context.now();
  if ((await context.store.hit(bucket, windowMs, now)) <= most) return;
  context.measure({ name: 'rate_limited', value: 1, unit: 'count', label: bucket.slice(0, 2) });
  throw rateLimited(windowMs - (now % windowMs));
}

function rateLimited(waitMs: number): ProblemError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new ProblemError('rate_limited', {}, { 'retry-after': String(seconds) });
}

/** Before anything is read: how often one client may create. */
export async function limitClient(context: CheckoutContext, request: Request, env: unknown): Promise<void> {
  const client = await clientBucket(context, request, env);
  if (client !== undefined)
    await limit(context, `cc:${client}`, context.settings.rateLimits.createsPerClient, MINUTE_MS);
}

/** Counted once the order is known to be the caller's, so that a stranger cannot use up the shared limit. */
export async function limitCreates(context: CheckoutContext, orderId: string): Promise<void> {
  const { createsPerOrder, createsOverall } = context.settings.rateLimits;
  await limit(context, `co:${await digest(orderId)}`, createsPerOrder, MINUTE_MS);
  await limit(context, 'ca', createsOverall, 1_000);
}

export async function limitOffers(context: CheckoutContext, request: Request, env: unknown): Promise<void> {
  const client = await clientBucket(context, request, env);
  if (client !== undefined) {
    await limit(context, `of:${client}`, context.settings.rateLimits.offersPerClient, MINUTE_MS);
  }
}

/** An address is personal data: only its digest is stored, and only for the window. */
async function clientBucket(
  context: CheckoutContext,
  request: Request,
  env: unknown,
): Promise<string | undefined> {
  const { clientAddress = peerAddress } = context.settings.options;
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
    throw rateLimited(this.#endsAt - now);
  }
}
