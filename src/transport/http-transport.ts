import type { GenericSchema, InferOutput } from 'valibot';
import { type Attempt, AttemptSchema, OfferSchema, ProblemSchema } from '../contract/backend.js';
import { type FieldError, read } from '../contract/schema.js';
import type { BasicLevel, Members } from './basic.js';
import { later } from './page.js';
import { type LoadedOffer, type Transport, TransportError } from './port.js';

export interface HttpTransportOptions {
  /** Base address of the merchant's endpoints, absolute or relative to the page. */
  readonly backend: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly credentials?: RequestCredentials;
  /** `basic`: the backend has no offers, so that none is asked for. */
  readonly level?: string | null;
  /** What stands in for what a Basic backend does not say. */
  readonly basic?: BasicLevel;
  readonly fetch?: typeof fetch;
  readonly now?: () => number;
  readonly after?: typeof later;
}

const READ_TIMEOUT_MS = 15_000;
/** The kit may take this long to hear from the service before it answers 202. */
const CREATE_TIMEOUT_MS = 30_000;

/** Speaks the backend contract over HTTP, at both of its levels. */
export function createHttpTransport(options: HttpTransportOptions): Transport {
  const { now = Date.now, after = later } = options;
  // Looked up at each call: pages wrap `fetch`, and calling it as a method of something else throws.
  const request: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));
  const base = options.backend.replace(/\/$/, '');

  /** The JSON of a good answer, and how errors name the call: without the token or id in its path. */
  async function call(
    collection: string,
    member: string,
    { signal, timeoutMs, post }: { signal: AbortSignal; timeoutMs: number; post?: Post },
  ): Promise<Called> {
    const name = `${post ? 'POST' : 'GET'} ${base}${collection}${member && '/…'}:`;
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
      response = await request(base + collection + member, {
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
      throw new TransportError(timedOut ? 'TIMEOUT' : 'NETWORK', {
        message: `${name} no answer. Is the address right, the server up and this page’s origin allowed (CORS)?`,
        cause,
      });
    } finally {
      cancelTimeout();
      signal.removeEventListener('abort', abort);
    }
    const { status, headers } = response;
    if (response.ok) return { name, value: parseJson(text, name, { status }) };
    const facts = { status, retryAfterMs: retryAfterMs(headers.get('Retry-After'), now()) };
    const isProblem = /\/problem\+json/i.test(headers.get('Content-Type') ?? '');
    if (!isProblem) {
      const message = `${name} ${status}. ${ABSENT.includes(status) ? WRONG_BACKEND : 'See the log of your server.'}`;
      throw new TransportError('HTTP', { ...facts, message });
    }
    const problem = parse(ProblemSchema, { name, value: parseJson(text, name, facts) }, facts);
    const message = `${name} ${status} ${problem.code}${fieldsOf(problem.errors)}`;
    throw new TransportError('PROBLEM', { ...facts, problem, message });
  }

  /** The attempt in an answer of either level. */
  async function attemptFrom(called: Called): Promise<Attempt> {
    const payin = Object(called.value) as Members;
    const isFull = payin['kind'] === 'PAYMENT_LINK' || payin['settlement'] !== undefined;
    if (isFull || !options.basic) return parse(AttemptSchema, called);
    return parse(AttemptSchema, { ...called, value: await options.basic.complete(payin, now()) });
  }

  /** The offer that the attributes make; without one the call that would have given it has failed. */
  async function standIn(error: TransportError): Promise<LoadedOffer> {
    const offer = await options.basic?.offer(now());
    if (!offer) throw error;
    return { offer, level: 'BASIC' };
  }

  async function create(collection: string, body: unknown, signal: AbortSignal, idempotencyKey: string) {
    const post = { body, idempotencyKey };
    try {
      return await attemptFrom(await call(collection, '', { signal, post, timeoutMs: CREATE_TIMEOUT_MS }));
    } catch (error) {
      throw isAbsent(error) ? misconfigured(error) : error;
    }
  }

  return {
    async offer(order, { signal }) {
      if (options.level === 'basic') {
        const message = 'With level="basic" the element needs "amount-in-cents".';
        return standIn(new TransportError('MISCONFIGURED', { message }));
      }
      try {
        const path = `/${encodeURIComponent(order)}`;
        const called = await call('/orders', path, { signal, timeoutMs: READ_TIMEOUT_MS });
        return { offer: parse(OfferSchema, called), level: 'FULL' };
      } catch (error) {
        if (!isAbsent(error)) throw error;
        return standIn(misconfigured(error));
      }
    },

    createPayin: (body, { signal, idempotencyKey }) => create('/payins', body, signal, idempotencyKey),

    createLink: (body, { signal, idempotencyKey }) => create('/payment-links', body, signal, idempotencyKey),

    async read({ kind, id }, { signal, after, waitSeconds = 0 }) {
      const collection = kind === 'PAYIN' ? '/payins' : '/payment-links';
      const path = `/${encodeURIComponent(id)}`;
      const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}&wait=${waitSeconds}`;
      return attemptFrom(
        await call(collection, path + query, { signal, timeoutMs: READ_TIMEOUT_MS + waitSeconds * 1_000 }),
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

interface Called {
  readonly name: string;
  readonly value: unknown;
}

const WRONG_BACKEND =
  'Is "backend" the address of your checkout endpoints? A Basic one also needs "amount-in-cents".';

/** Statuses of a call that a backend does not have. */
const ABSENT = [404, 405, 501];

const isAbsent = (error: unknown): error is TransportError =>
  error instanceof TransportError && error.kind === 'HTTP' && ABSENT.includes(error.status);

const misconfigured = ({ status, message }: TransportError) =>
  new TransportError('MISCONFIGURED', { status, message });

function parseJson(text: string, name: string, facts: AnswerFacts): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const message = `${name} the answer is no JSON. ${WRONG_BACKEND}`;
    throw new TransportError('MALFORMED', { ...facts, message, cause });
  }
}

/** The value as the contract describes it. The error names the fields that are wrong, without what is in them. */
function parse<Schema extends GenericSchema>(
  schema: Schema,
  { name, value }: Called,
  facts: AnswerFacts = { status: 200 },
): InferOutput<Schema> {
  const reading = read(schema, value);
  if (reading.ok) return reading.value;
  const message = `${name} the answer breaks the contract${fieldsOf(reading.errors)}`;
  throw new TransportError('MALFORMED', { ...facts, message, cause: reading.errors });
}

/** ": amountInCents (required), status (format)" */
function fieldsOf(errors: readonly FieldError[] | undefined): string {
  const fields = (errors ?? []).map(({ field, code }) => `${field} (${code})`);
  return fields.length > 0 ? `: ${fields.join(', ')}` : '';
}

/** Seconds or a date, as a delay from now; null when absent or neither. */
function retryAfterMs(value: string | null, nowMs: number): number | null {
  if (!value) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - nowMs;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
