import { type GenericSchema, type InferOutput, getDotPath, safeParse } from 'valibot';
import type { Problem } from '../../contract/backend.js';
import { later } from '../page.js';
import { TransportError } from '../port.js';

/** One call to the merchant's backend, and what its answer means. */

export interface HttpOptions {
  /** Base address of the merchant's endpoints, absolute or relative to the page. */
  readonly backend: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly credentials?: RequestCredentials;
  readonly fetch?: typeof fetch;
  readonly now?: () => number;
  readonly after?: typeof later;
}

/** Sends a request to a member of a collection, or to the collection itself where the member is empty. */
export type Call = (collection: string, member: string, options: CallOptions) => Promise<Called>;

interface CallOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly post?: Post;
}

interface Post {
  readonly body: unknown;
  readonly idempotencyKey: string;
}

/** The JSON of a good answer, and how errors name the call: without the token or id in its path. */
export interface Called {
  readonly name: string;
  readonly value: unknown;
}

export const READ_TIMEOUT_MS = 15_000;

/** `problemSchema` says which members of a refusal are read. */
export function createCall(options: HttpOptions, problemSchema: GenericSchema<unknown, Problem>): Call {
  const { now = Date.now, after = later } = options;
  // Looked up at each call: pages wrap `fetch`, and calling it as a method of something else throws.
  const request: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));
  const base = options.backend.replace(/\/$/, '');

  return async (collection, member, { signal, timeoutMs, post }) => {
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
    const problem = parse(problemSchema, { name, value: parseJson(text, name, facts) }, facts);
    const fields = problem.errors?.map(({ field, code }) => `${field} (${code})`) ?? [];
    const message = [`${name} ${status} ${problem.code}`, ...fields].join(', ');
    throw new TransportError('PROBLEM', { ...facts, problem, message });
  };
}

const headersOf = ({ idempotencyKey }: Post) => ({
  'Content-Type': 'application/json',
  'Idempotency-Key': idempotencyKey,
});

interface AnswerFacts {
  readonly status: number;
  readonly retryAfterMs?: number | null;
}

const WRONG_BACKEND =
  'Is "backend" the address of your checkout endpoints? A Basic one also needs "amount-in-cents".';

/** Statuses of a call that a backend does not have. */
const ABSENT = [404, 405, 501];

/** The error to report when a backend has no such call and nothing stands in for it; undefined for any other. */
export function absentCall(error: unknown): TransportError | undefined {
  if (!(error instanceof TransportError) || error.kind !== 'HTTP') return undefined;
  const { status, message } = error;
  return ABSENT.includes(status) ? new TransportError('MISCONFIGURED', { status, message }) : undefined;
}

function parseJson(text: string, name: string, facts: AnswerFacts): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const message = `${name} the answer is no JSON. ${WRONG_BACKEND}`;
    throw new TransportError('MALFORMED', { ...facts, message, cause });
  }
}

/** The value as the contract describes it. The error names the fields that are wrong, without what is in them. */
export function parse<Schema extends GenericSchema>(
  schema: Schema,
  { name, value }: Called,
  facts: AnswerFacts = { status: 200 },
): InferOutput<Schema> {
  // A pipe stops at its first fault, so a pattern never runs on text whose length was already refused.
  const { success, output, issues } = safeParse(schema, value, { abortPipeEarly: true });
  if (success) return output;
  const fields = issues.map((issue) => getDotPath(issue)).join(', ');
  throw new TransportError('MALFORMED', {
    ...facts,
    message: `${name} the answer breaks the contract: ${fields}`,
  });
}

/** Seconds or a date, as a delay from now; null when absent or neither. */
function retryAfterMs(value: string | null, nowMs: number): number | null {
  if (!value) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - nowMs;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
