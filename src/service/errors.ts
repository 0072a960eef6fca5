import type { FieldError } from '../contract/schema.js';
import type { Operation } from './operations.js';

/** Why a call failed. docs/service-client.md says what to do about each. */
export const SERVICE_ERROR_KINDS = [
  'invalid_input',
  'unauthorized',
  'not_found',
  'conflict',
  'rate_limited',
  'refused',
  'unavailable',
  'timeout',
  'network',
  'aborted',
  'unreadable_answer',
  'receiver_not_confirmed',
  'payout_unclear',
] as const;
export type ServiceErrorKind = (typeof SERVICE_ERROR_KINDS)[number];

const MESSAGES: Readonly<Record<ServiceErrorKind, string>> = {
  invalid_input: 'the input is not valid',
  unauthorized: 'the credential is missing or was not accepted',
  not_found: 'there is no such thing at the payment service',
  conflict: 'it conflicts with what the payment service already has, such as a repeated reference',
  rate_limited: 'the payment service takes no more requests for now',
  refused: 'the payment service refused the request',
  unavailable: 'the payment service failed',
  timeout: 'no answer came in time',
  network: 'the connection failed',
  aborted: 'the caller called it off',
  unreadable_answer: 'the answer of the payment service cannot be understood',
  receiver_not_confirmed: 'the receiver was not confirmed, so nothing was sent',
  payout_unclear:
    'it is unclear whether the payout was made. Do not send it again: it cannot be read back, so wait for its payout event',
};

export interface ServiceErrorDetails {
  readonly status?: number | null;
  readonly requestId?: string | null;
  readonly serviceCode?: string | null;
  readonly mayHaveHappened?: boolean;
  readonly fields?: readonly FieldError[];
  readonly retryAfterMs?: number | null;
}

/**
 * The one error of the client. Everything on it is safe to log: it is made of words from here, numbers, and text
 * of the service that passed `answer-error.ts`. The failure underneath is not kept as `cause`, because runtimes put
 * addresses and header values into theirs.
 */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError';
  readonly kind: ServiceErrorKind;
  readonly operation: Operation;
  /** The HTTP status, or null when no answer came. */
  readonly status: number | null;
  /** What to quote to the service's support. */
  readonly requestId: string | null;
  /** The service's own code for the failure, where it gives one. */
  readonly serviceCode: string | null;
  /** True when the service may have done what it was asked although this call failed. Always false for reads. */
  readonly mayHaveHappened: boolean;
  /** What is wrong with which field; an empty field name means the request as a whole. */
  readonly fields: readonly FieldError[];
  /** How long the service asked to wait, by `Retry-After`. */
  readonly retryAfterMs: number | null;

  constructor(kind: ServiceErrorKind, operation: Operation, details: ServiceErrorDetails = {}) {
    super(`${operation}: ${MESSAGES[kind]}`);
    this.kind = kind;
    this.operation = operation;
    this.status = details.status ?? null;
    this.requestId = details.requestId ?? null;
    this.serviceCode = details.serviceCode ?? null;
    this.mayHaveHappened = details.mayHaveHappened ?? false;
    this.fields = details.fields ?? [];
    this.retryAfterMs = details.retryAfterMs ?? null;
  }

  toJSON(): Readonly<Record<string, unknown>> {
    // An error's message is not enumerable, so JSON would leave it out.
    return Object.fromEntries([...Object.entries(this), ['message', this.message]]);
  }
}

/**
 * The service may have sent the money. There is no call that reads a payout back and no promise that a repeated
 * reference is refused, so only the payout's event can tell.
 */
export class PayoutUnclearError extends ServiceError {
  override readonly name = 'PayoutUnclearError';
  /** What made the answer unclear. */
  readonly origin: ServiceErrorKind;

  constructor(origin: ServiceError) {
    super('payout_unclear', origin.operation, origin);
    this.origin = origin.kind;
  }
}
