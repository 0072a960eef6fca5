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

/** Counted once the order is known to be the caller's, so that a stranger cannot use up what payers share. */
export async function limitCreates(context: CheckoutContext, client: Client, orderId: string): Promise<void> {
  const { createsPerOrder, createsPerClient, createsOverall } = context.settings.rateLimits;
  await limit(context, `co:${await digest(orderId)}`, createsPerOrder, MINUTE_MS);
  if (client.own !== undefined) await limit(context, `cc:${client.own}`, createsPerClient, MINUTE_MS);
  await limit(context, 'ca', createsOverall, 1_000);
}

export async function limitOffers(context: CheckoutContext, client: Client): Promise<void> {
  if (client.own === undefined) return;
  await limit(context, `of:${client.own}`, context.settings.rateLimits.offersPerClient, MINUTE_MS);
}

/** Who asks, as far as it is known. Digests: an address is personal data, and they are stored only for the window. */
export interface Client {
  /** The client itself; undefined when it is unknown, or hidden behind a proxy that the options do not name. */
  readonly own: string | undefined;
  /** The client or whatever stands in front of it, for those who prove nothing. */
  readonly nearest: string;
}

/** How proxies name the client they ask for. */
const FORWARDING_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip'] as const;

export async function identifyClient(
  context: CheckoutContext,
  request: Request,
  env: unknown,
): Promise<Client> {
  const { clientAddress } = context.settings.options;
  const address = clientAddress === undefined ? peerAddress(env) : clientAddress(request, env);
  if (address === undefined || address === '') return { own: undefined, nearest: '' };
  const nearest = await context.clientDigest(address);
  const forwarded = FORWARDING_HEADERS.find((name) => request.headers.has(name));
  if (clientAddress !== undefined || forwarded === undefined) return { own: nearest, nearest };
  // All payers come from this address: to count by it would let one of them stop the others.
  context.logSparingly({
    level: 'warn',
    event: 'client_address_unset',
    code: forwarded,
    message: 'A proxy stands in front: set clientAddress, so that limits count clients. See docs/server.md',
  });
  return { own: undefined, nearest };
}

/** Hono's Node adapter passes the incoming message as `env.incoming`. */
function peerAddress(env: unknown): string | undefined {
  const socket = (env as { incoming?: { socket?: { remoteAddress?: unknown } } } | undefined)?.incoming
    ?.socket;
  return typeof socket?.remoteAddress === 'string' ? socket.remoteAddress : undefined;
}

/** More names than this are counted together, so that a stranger with many addresses cannot fill the memory. */
const MOST_NAMES = 100_000;

/** Counts in this process, where a count in the store would cost more than what it limits. */
export class LocalLimiter {
  readonly #most: number;
  readonly #windowMs: number;
  #counts = new Map<string, number>();
  #endsAt = 0;

  constructor(most: number, windowMs: number) {
    this.#most = most;
    this.#windowMs = windowMs;
  }

  hit(name: string, now: number): void {
    if (now >= this.#endsAt) {
      this.#counts = new Map();
      this.#endsAt = now + this.#windowMs;
    }
    const counted = this.#counts.size < MOST_NAMES || this.#counts.has(name) ? name : '';
    const count = (this.#counts.get(counted) ?? 0) + 1;
    this.#counts.set(counted, count);
    if (count <= this.#most) return;
    throw rateLimited(this.#endsAt - now);
  }
}
