import { BodyError, readBoundedText } from '../../service/bounded-body.js';
import type { CheckoutContext } from '../context.js';
import { type Client, UNKNOWN_CLIENT } from './client.js';
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
  if (client !== UNKNOWN_CLIENT) await limit(context, `cc:${client}`, createsPerClient, MINUTE_MS);
  await limit(context, 'ca', createsOverall, 1_000);
}

export async function limitOffers(context: CheckoutContext, client: Client): Promise<void> {
  if (client === UNKNOWN_CLIENT) return;
  await limit(context, `of:${client}`, context.settings.rateLimits.offersPerClient, MINUTE_MS);
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
