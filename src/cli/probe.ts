import { PROBLEM_CONTENT_TYPE, PROBLEMS } from '../contract/problems.js';
import { readBoundedText } from '../service/bounded-body.js';

/** One answer of the backend under test, as far as the contract cares. */
export interface Answer {
  /** "GET /orders/…", as it is shown to people. */
  readonly request: string;
  /** The request as text, for the one who has to repair something. Secrets are left out. */
  readonly sent: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined when it is no JSON. */
  readonly body: unknown;
  readonly tookMs: number;
}

/** No answer at all, or none in time. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

export interface Sending {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a text as it is. */
  readonly body?: object | string;
  readonly timeoutMs?: number;
}

export interface ProbeSetup {
  readonly backend: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: (input: string, init: RequestInit) => Promise<Response>;
  readonly pause?: (durationMs: number) => Promise<void>;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
  /** Called when there is a reason for taking long. */
  readonly notice?: (text: string) => void;
}

export interface Probe {
  /** Every answer so far, for the checks that look at all of them. */
  readonly answers: readonly Answer[];
  send(path: string, sending?: Sending): Promise<Answer>;
  /** What a browser asks before a page of that origin may post there, and the headers it names. Not among `answers`. */
  preflight(
    path: string,
    origin: string,
  ): Promise<{ readonly answer: Answer; readonly asked: readonly string[] }>;
  pause(durationMs: number): Promise<void>;
}

const TIMEOUT_MS = 30_000;
const MAX_BODY_BYTES = 4_194_304;
const LONGEST_REST_SECONDS = 90;

/** Asks as a page would, and remembers every answer. */
export function createProbe(setup: ProbeSetup): Probe {
  const { fetch: ask = fetch, pause = realPause, notice = () => undefined } = setup;
  const { now = () => performance.now() } = setup;
  const base = setup.backend.replace(/\/$/, '');
  const answers: Answer[] = [];

  async function once(path: string, sending: Sending): Promise<Answer> {
    const { method = sending.body === undefined ? 'GET' : 'POST', body, timeoutMs = TIMEOUT_MS } = sending;
    const startedAt = now();
    let response: Response;
    let text: string;
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      response = await ask(base + path, {
        method,
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(method === 'OPTIONS' ? {} : setup.headers),
          ...sending.headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        redirect: 'manual',
        signal,
      });
      text = await readBoundedText(response, MAX_BODY_BYTES, signal);
    } catch (error) {
      throw new NoAnswerError(`${method} ${path}: ${reason(error, timeoutMs)}`);
    }
    const { status, headers } = response;
    const tookMs = now() - startedAt;
    const request = `${method} ${path}`;
    return { request, sent: asText(request, sending), status, headers, text, body: parsed(text), tookMs };
  }

  return {
    answers,
    pause,
    async send(path, sending = {}) {
      let answer = await once(path, sending);
      const restSeconds = Number(answer.headers.get('retry-after') ?? Number.NaN);
      if (codeOf(answer) === 'rate_limited' && restSeconds <= LONGEST_REST_SECONDS) {
        notice(`The backend limits how often it is asked; going on in ${restSeconds} s.`);
        await pause(restSeconds * 1_000);
        answer = await once(path, sending);
      }
      answers.push(answer);
      return answer;
    },
    async preflight(path, origin) {
      const own = Object.keys(setup.headers ?? {}).map((name) => name.toLowerCase());
      const asked = ['content-type', 'idempotency-key', ...own].sort();
      const headers = {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': asked.join(','),
      };
      return { answer: await once(path, { method: 'OPTIONS', headers }), asked };
    },
  };
}

export function isGood({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

export function isProblem({ headers }: Answer): boolean {
  return (headers.get('content-type') ?? '').toLowerCase().startsWith(PROBLEM_CONTENT_TYPE);
}

/** The stable code of a refusal, whatever type it came as; undefined when it has none of the contract's. */
export function codeOf({ body }: Answer): string | undefined {
  const { code } = Object(body) as { code?: unknown };
  return typeof code === 'string' && Object.hasOwn(PROBLEMS, code) ? code : undefined;
}

/** "404 not_found (application/problem+json)" */
export function describeAnswer(answer: Answer): string {
  const code = codeOf(answer);
  const type = (answer.headers.get('content-type') ?? 'no content type').split(';')[0];
  return `${answer.status}${code === undefined ? '' : ` ${code}`} (${type})`;
}

/** Headers whose values are ours or public; a secret's value is not shown. */
const SHOWN_HEADERS = ['idempotency-key', 'origin', 'content-type'];

function asText(request: string, { headers = {}, body }: Sending): string {
  const shown = Object.entries(headers).map(
    ([name, value]) => `${name}: ${SHOWN_HEADERS.includes(name.toLowerCase()) ? value : '…'}`,
  );
  const content = body === undefined ? [] : [typeof body === 'string' ? body : JSON.stringify(body)];
  return [request, ...shown, ...content].join('\n');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function reason(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === 'TimeoutError')
    return `no answer within ${timeoutMs / 1_000} s`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  return code ?? (cause instanceof Error ? cause.message : String(cause));
}

function realPause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}

/** A payer who does not exist. The document is the service's test number for a payment that is canceled. */
export const TEST_CUSTOMER = {
  name: 'Pago De Prueba',
  idType: 'CO_CC',
  idNumber: '1000000005',
  phone: '+573000000000',
  email: 'pago-de-prueba@example.com',
} as const;
