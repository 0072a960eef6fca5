import type { GenericSchema, InferOutput } from 'valibot';
import { type Attempt, AttemptSchema, OfferSchema, ProblemSchema } from '../contract/backend.js';
import { read } from '../contract/schema.js';
import { type BasicOrder, basicOffer, completeBasicPayin } from './basic.js';
import { later } from './page.js';
import { type Transport, TransportError } from './port.js';

export interface HttpTransportOptions {
  /** Base address of the merchant's endpoints, absolute or relative to the page. */
  readonly backend: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly credentials?: RequestCredentials;
  /** The element's order, and what stands in for its offer where the backend has none. */
  readonly order?: string | null;
  readonly basic?: () => Promise<BasicOrder | null>;
  readonly fetch?: typeof fetch;
  readonly now?: () => number;
  readonly after?: typeof later;
}

const READ_TIMEOUT_MS = 15_000;
/** The kit may take this long to hear from the service before it answers 202. */
const CREATE_TIMEOUT_MS = 30_000;

/** Speaks the backend contract over HTTP, at both of its levels. */
export function createHttpTransport(options: HttpTransportOptions): Transport {
  const { order = null, now = Date.now, after = later } = options;
  // Looked up at each call: pages wrap `fetch`, and calling it as a method of something else throws.
  const request: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));
  const base = options.backend.replace(/\/$/, '');

  /** The JSON of a good answer. */
  async function call(
    path: string,
    { signal, timeoutMs, post }: { signal: AbortSignal; timeoutMs: number; post?: Post },
  ): Promise<unknown> {
    signal.throwIfAborted();
    // Not AbortSignal.any with AbortSignal.timeout: browsers of 2023 lack the first.
    const controller = new AbortController();
    const abort = () => controller.abort();
    let timedOut = false;
    const cancelTimeout = after(timeoutMs, () => {
      timedOut = true;
      abort();
    });
    signal.addEventListener('abort', abort);
    let response: Response;
    let text: string;
    try {
      response = await request(base + path, {
        // Nothing beyond what a simple cross-origin GET may carry: a preflight would double the reads.
        headers: { Accept: 'application/json', ...(post && headersOf(post)), ...options.headers },
        ...(post && { method: 'POST', body: JSON.stringify(post.body) }),
        ...(options.credentials && { credentials: options.credentials }),
        cache: 'no-store',
        signal: controller.signal,
      });
      text = await response.text();
    } catch (cause) {
      signal.throwIfAborted();
      throw new TransportError(timedOut ? 'TIMEOUT' : 'NETWORK', { cause });
    } finally {
      cancelTimeout();
      signal.removeEventListener('abort', abort);
    }
    const { status, headers } = response;
    if (response.ok) return parseJson(text, { status });
    const facts = { status, retryAfterMs: retryAfterMs(headers.get('Retry-After'), now()) };
    const isProblem = /\/problem\+json/i.test(headers.get('Content-Type') ?? '');
    if (!isProblem) throw new TransportError('HTTP', facts);
    const problem = parse(ProblemSchema, parseJson(text, facts), facts);
    throw new TransportError('PROBLEM', { ...facts, problem });
  }

  /** The attempt in an answer of either level. */
  async function attemptFrom(value: unknown): Promise<Attempt> {
    const payin = Object(value) as Readonly<Record<string, unknown>>;
    const isFull = payin['kind'] === 'PAYMENT_LINK' || payin['settlement'] !== undefined;
    if (isFull) return parse(AttemptSchema, value);
    const basic = (await options.basic?.()) ?? null;
    return parse(AttemptSchema, completeBasicPayin(payin, { basic, order, nowMs: now() }));
  }

  async function create(path: string, body: unknown, signal: AbortSignal, idempotencyKey: string) {
    const post = { body, idempotencyKey };
    return attemptFrom(await call(path, { signal, post, timeoutMs: CREATE_TIMEOUT_MS }));
  }

  return {
    async offer(order, { signal }) {
      let value: unknown;
      try {
        value = await call(`/orders/${encodeURIComponent(order)}`, { signal, timeoutMs: READ_TIMEOUT_MS });
      } catch (error) {
        if (!(error instanceof TransportError) || error.kind !== 'HTTP') throw error;
        const basic = [404, 405, 501].includes(error.status) && (await options.basic?.());
        if (!basic) throw error;
        return { offer: basicOffer(basic, now()), level: 'BASIC' };
      }
      return { offer: parse(OfferSchema, value), level: 'FULL' };
    },

    createPayin: (body, { signal, idempotencyKey }) => create('/payins', body, signal, idempotencyKey),

    createLink: (body, { signal, idempotencyKey }) => create('/payment-links', body, signal, idempotencyKey),

    async read({ kind, id }, { signal, after, waitSeconds = 0 }) {
      const path = `/${kind === 'PAYIN' ? 'payins' : 'payment-links'}/${encodeURIComponent(id)}`;
      const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}&wait=${waitSeconds}`;
      return attemptFrom(
        await call(path + query, { signal, timeoutMs: READ_TIMEOUT_MS + waitSeconds * 1_000 }),
      );
    },
  };
}

interface Post {
  readonly body: unknown;
  readonly idempotencyKey: string;
}

const headersOf = ({ idempotencyKey }: Post) => ({
  'Content-Type': 'application/json',
  'Idempotency-Key': idempotencyKey,
});

interface AnswerFacts {
  readonly status: number;
  readonly retryAfterMs?: number | null;
}

function parseJson(text: string, facts: AnswerFacts): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new TransportError('MALFORMED', { ...facts, cause });
  }
}

/** The value as the contract describes it. The cause names the fields that are wrong, without what is in them. */
function parse<Schema extends GenericSchema>(
  schema: Schema,
  value: unknown,
  facts: AnswerFacts = { status: 200 },
): InferOutput<Schema> {
  const reading = read(schema, value);
  if (!reading.ok) throw new TransportError('MALFORMED', { ...facts, cause: reading.errors });
  return reading.value;
}

/** Seconds or a date, as a delay from now; null when absent or neither. */
function retryAfterMs(value: string | null, nowMs: number): number | null {
  if (!value) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - nowMs;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
