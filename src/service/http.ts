import type { Reading } from '../contract/schema.js';
import { describeErrorBody, kindOfStatus, requestIdOf } from './answer-error.js';
import { BodyError, readBoundedText } from './bounded-body.js';
import type { Clock } from './clock.js';
import { pause, requireTimeout, startDeadline, untilAborted, type Deadline } from './deadline.js';
import { ServiceError, type ServiceErrorDetails, type ServiceErrorKind } from './errors.js';
import { OPERATIONS, type Credential, type Operation } from './operations.js';
import { RateGate } from './rate-gate.js';
import { parseRetryAfter, retryDelayMs, type RetryPolicy } from './retry.js';

/** One request to the service, tried as often as is safe. Everything about HTTP is in this file. */

export interface CallOptions {
  /** Calls it off. A call that was already sent may have happened all the same; the error says so. */
  readonly signal?: AbortSignal | undefined;
  /** How long one try may take; the client's `timeoutMs` when absent. */
  readonly timeoutMs?: number | undefined;
}

export interface Call<Value> {
  readonly operation: Operation;
  /** Segments of the path, not yet encoded. */
  readonly path: readonly string[];
  readonly query?: URLSearchParams;
  readonly body?: unknown;
  /** Texts of the request that belong to a person and must not come back in an error. */
  readonly personal?: readonly string[];
  readonly parse: (body: unknown) => Reading<Value>;
  readonly options: CallOptions;
}

export interface CallerSetup {
  readonly baseUrl: string;
  readonly fetch: (request: Request) => Promise<Response> | Response;
  readonly timeoutMs: number;
  readonly retry: RetryPolicy;
  readonly clock: Clock;
  readonly random: () => number;
  readonly credentialOf: (operation: Operation) => Credential;
  /** The credential's value, or undefined when the merchant gave none that can be used. */
  readonly revealCredential: (credential: Credential) => Promise<string | undefined>;
}

export type Caller = <Value>(call: Call<Value>) => Promise<Value>;

const MAX_ERROR_BODY_BYTES = 65_536;

/** The system calls that come before the first byte of a request. */
const BEFORE_SENDING = new Set(['connect', 'getaddrinfo']);
/** Errors without a system call whose code names the same step: undici's own timer, and Bun. */
const NOT_CONNECTED = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ConnectionRefused']);

export function createCaller(setup: CallerSetup): Caller {
  const gate = new RateGate();
  return async (call) => {
    const { repeat } = OPERATIONS[call.operation];
    if (call.options.timeoutMs !== undefined) requireTimeout(call.options.timeoutMs);
    for (let tries = 1; ; tries++) {
      await passGate(setup, gate, call);
      try {
        const answer = await tryOnce(setup, call);
        gate.answered(setup.clock.now());
        return answer;
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        if (error.status === 429) gate.refused(setup.clock.now(), error.retryAfterMs, setup.retry);
        const delayMs = retryDelayMs(error, repeat, tries, setup.retry, setup.random);
        if (delayMs === undefined) throw error;
        await pause(setup.clock, delayMs, call.options.signal).catch(() => {
          throw new ServiceError('aborted', call.operation);
        });
      }
    }
  };
}

/** Waits until the service may be asked again, when that is soon. What is called off here was never sent. */
async function passGate(setup: CallerSetup, gate: RateGate, call: Call<unknown>): Promise<void> {
  const remainingMs = gate.remainingMs(setup.clock.now());
  if (remainingMs === 0) return;
  const refusal = new ServiceError('rate_limited', call.operation, { retryAfterMs: remainingMs });
  if (remainingMs > setup.retry.maxRetryAfterMs) throw refusal;
  // Spread, so that those who waited together do not come back together.
  const spreadMs = setup.random() * setup.retry.baseDelayMs;
  await pause(setup.clock, remainingMs + spreadMs, call.options.signal).catch(() => {
    throw refusal;
  });
}

async function tryOnce<Value>(setup: CallerSetup, call: Call<Value>): Promise<Value> {
  const deadline = startDeadline(setup.clock, call.options.timeoutMs ?? setup.timeoutMs, call.options.signal);
  try {
    const credential = setup.credentialOf(call.operation);
    const secret = await reveal(setup, call, credential, deadline);
    const request = buildRequest(setup, call, credential, secret, deadline.signal);
    const sent = [secret, ...(call.personal ?? [])];
    const response = await send(setup, call, request, deadline);
    return response.ok
      ? await readAnswer(call, response, sent, deadline)
      : await readRefusal(setup, call, response, sent, deadline);
  } finally {
    deadline.release();
  }
}

async function reveal(
  setup: CallerSetup,
  call: Call<unknown>,
  credential: Credential,
  deadline: Deadline,
): Promise<string> {
  let secret: string | undefined;
  try {
    secret = await untilAborted(setup.revealCredential(credential), deadline.signal);
  } catch {
    throw new ServiceError(interruption(deadline) ?? 'unauthorized', call.operation);
  }
  if (secret === undefined) throw new ServiceError('unauthorized', call.operation);
  return secret;
}

function buildRequest(
  setup: CallerSetup,
  call: Call<unknown>,
  credential: Credential,
  secret: string,
  signal: AbortSignal,
): Request {
  const { method } = OPERATIONS[call.operation];
  const headers = new Headers({ accept: 'application/json' });
  if (credential === 'apiKey') headers.set('x-api-key', secret);
  else headers.set('authorization', `Bearer ${secret}`);
  if (call.body !== undefined) headers.set('content-type', 'application/json');
  const query = call.query === undefined || call.query.size === 0 ? '' : `?${call.query.toString()}`;
  const path = call.path.map(encodeURIComponent).join('/');
  return new Request(`${setup.baseUrl}/${path}${query}`, {
    method,
    headers,
    signal,
    // A redirect would carry the key to an address the merchant never named.
    redirect: 'manual',
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  });
}

async function send(
  setup: CallerSetup,
  call: Call<unknown>,
  request: Request,
  deadline: Deadline,
): Promise<Response> {
  try {
    // The wrapper turns an exception thrown at once into a rejection.
    return await untilAborted((async () => await setup.fetch(request))(), deadline.signal);
  } catch (error) {
    const kind = interruption(deadline) ?? 'network';
    const mayHaveHappened = writes(call) && !(kind === 'network' && wasNotSent(error));
    throw new ServiceError(kind, call.operation, { mayHaveHappened });
  }
}

async function readAnswer<Value>(
  call: Call<Value>,
  response: Response,
  sent: readonly string[],
  deadline: Deadline,
): Promise<Value> {
  const details: ServiceErrorDetails = {
    status: response.status,
    requestId: requestIdOf(response.headers, sent),
    mayHaveHappened: writes(call),
  };
  let body: unknown;
  try {
    const { maxAnswerBytes } = OPERATIONS[call.operation];
    body = JSON.parse(await readBoundedText(response, maxAnswerBytes, deadline.signal));
  } catch (error) {
    const kind = interruption(deadline) ?? (brokeOff(error) ? 'network' : 'unreadable_answer');
    throw new ServiceError(kind, call.operation, details);
  }
  const reading = call.parse(body);
  if (!reading.ok) throw new ServiceError('unreadable_answer', call.operation, details);
  return reading.value;
}

async function readRefusal(
  setup: CallerSetup,
  call: Call<unknown>,
  response: Response,
  sent: readonly string[],
  deadline: Deadline,
): Promise<never> {
  let body: unknown;
  try {
    body = JSON.parse(await readBoundedText(response, MAX_ERROR_BODY_BYTES, deadline.signal));
  } catch {
    // The status alone says enough; a body that hangs, breaks off or is no JSON must not hide it.
    body = undefined;
  }
  const kind = kindOfStatus(response.status);
  throw new ServiceError(kind, call.operation, {
    ...describeErrorBody(body, response.headers, sent),
    status: response.status,
    retryAfterMs: parseRetryAfter(response.headers.get('retry-after'), setup.clock.now()),
    mayHaveHappened: writes(call) && (kind === 'unavailable' || kind === 'unreadable_answer'),
  });
}

function interruption(deadline: Deadline): ServiceErrorKind | undefined {
  if (!deadline.signal.aborted) return undefined;
  return deadline.expired() ? 'timeout' : 'aborted';
}

function writes(call: Call<unknown>): boolean {
  return OPERATIONS[call.operation].method === 'POST';
}

function brokeOff(error: unknown): boolean {
  return error instanceof BodyError && error.reason === 'broken_off';
}

/**
 * True only when the failure names a step before the request: a code alone does not, because a read fails with
 * EHOSTUNREACH too. Node's fetch hides the system's error in `cause`, as a list when it tried several addresses;
 * Bun's has it on the error.
 */
function wasNotSent(error: unknown): boolean {
  return [error, error instanceof Error ? error.cause : undefined].some((failure) =>
    failure instanceof AggregateError ? failure.errors.every(isBeforeSending) : isBeforeSending(failure),
  );
}

function isBeforeSending(failure: unknown): boolean {
  const { syscall, code } = Object(failure) as { syscall?: unknown; code?: unknown };
  return BEFORE_SENDING.has(String(syscall)) || (syscall === undefined && NOT_CONNECTED.has(String(code)));
}
