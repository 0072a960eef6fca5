import { BodyError, readBoundedText } from '../../service/bounded-body.js';
import type { CheckoutContext } from '../context.js';
import { type Client, UNKNOWN_CLIENT } from './client.js';
import { ProblemError } from './responses.js';

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

/**
 * The rate limits. Only the creates of a client are counted in the store: a client with many orders could otherwise
 * have payins created by each instance behind a load balancer. The other limits protect this instance, and
 * `maxAttempts` bounds the payins of one order for good, so that counting in memory is enough.
 */
export class Limits {
  readonly #context: CheckoutContext;
  readonly #creates: LocalLimiter;
  readonly #createsOfOrder: LocalLimiter;
  readonly #offers: LocalLimiter;
  readonly #refusals: LocalLimiter;
  readonly #reads: LocalLimiter;

  constructor(context: CheckoutContext) {
    this.#context = context;
    const { rateLimits } = context.settings;
    this.#creates = new LocalLimiter(rateLimits.createsOverall, 1_000);
    this.#createsOfOrder = new LocalLimiter(rateLimits.createsPerOrder, MINUTE_MS);
    this.#offers = new LocalLimiter(rateLimits.offersPerClient, MINUTE_MS);
    this.#refusals = new LocalLimiter(rateLimits.refusedPerClient, MINUTE_MS);
    this.#reads = new LocalLimiter(rateLimits.readsPerAttempt, 10_000);
  }

  /** Counted once the order is known to be the caller's, so that a stranger cannot use up what payers share. */
  async create(client: Client, orderId: string): Promise<void> {
    this.#hit('create_order', this.#createsOfOrder, orderId);
    await this.#createOfClient(client);
    // Last, so that a client who is refused uses up nothing of what all share.
    this.#hit('create', this.#creates, '');
  }

  async #createOfClient(client: Client): Promise<void> {
    const most = this.#context.settings.rateLimits.createsPerClient;
    if (client === UNKNOWN_CLIENT || most === Infinity) return;
    const now = this.#context.now();
    const count = await this.#context.store.hit(`cc:${client}`, MINUTE_MS, now);
    if (count > most) this.#refuse('create_client', MINUTE_MS - (now % MINUTE_MS));
  }

  offer(client: Client): void {
    if (client !== UNKNOWN_CLIENT) this.#hit('offer', this.#offers, client);
  }

  /** A request that proves no order. */
  refusal(client: Client): void {
    this.#context.measure({ name: 'order.refused', value: 1, unit: 'count' });
    this.#hit('refusal', this.#refusals, client);
  }

  read(attemptId: string): void {
    this.#hit('read', this.#reads, attemptId);
  }

  #hit(label: string, limiter: LocalLimiter, name: string): void {
    const waitMs = limiter.hit(name, this.#context.now());
    if (waitMs > 0) this.#refuse(label, waitMs);
  }

  #refuse(label: string, waitMs: number): never {
    this.#context.measure({ name: 'rate_limited', value: 1, unit: 'count', label });
    const seconds = Math.max(1, Math.ceil(waitMs / 1000));
    throw new ProblemError('rate_limited', {}, { 'retry-after': String(seconds) });
  }
}

/** More names than this are counted together, so that a stranger with many addresses cannot fill the memory. */
const MOST_NAMES = 100_000;

/** Counts hits by name in this process. */
export class LocalLimiter {
  readonly #most: number;
  readonly #windowMs: number;
  #counts = new Map<string, number>();
  #endsAt = 0;

  constructor(most: number, windowMs: number) {
    this.#most = most;
    this.#windowMs = windowMs;
  }

  /** How long to wait when there were too many; 0 when there were not. */
  hit(name: string, now: number): number {
    if (this.#most === Infinity) return 0;
    if (now >= this.#endsAt) {
      this.#counts = new Map();
      this.#endsAt = now + this.#windowMs;
    }
    const counted = this.#counts.size < MOST_NAMES || this.#counts.has(name) ? name : '';
    const count = (this.#counts.get(counted) ?? 0) + 1;
    this.#counts.set(counted, count);
    return count <= this.#most ? 0 : this.#endsAt - now;
  }
}
