import type { Attempt, Offer, Problem } from '../contract/backend.js';
import type { StartLink, StartPayin } from '../contract/start.js';
import type { ReturnId } from '../contract/return-id.js';

/**
 * How the widget asks the merchant's backend. `element.transport` may be replaced by the page: its own fetch,
 * GraphQL, a push channel, or the simulator. Every call throws a `TransportError` when it fails, and stops when its
 * signal is aborted. What a replacement returns is trusted like our own code: the HTTP one reads everything from the
 * wire through the schemas of the contract.
 */
export interface Transport {
  /** What there is to pay and how. */
  offer(order: string, options: CallOptions): Promise<LoadedOffer>;

  /** Creates a payin, or finds the one that the same key made. */
  createPayin(body: StartPayin, options: CreateOptions): Promise<Attempt>;

  /** The same for a hosted payment link. */
  createLink(body: StartLink, options: CreateOptions): Promise<Attempt>;

  /**
   * The attempt now. With `after`, a backend that can wait holds the answer until the version differs or
   * `waitSeconds` are over, and says so by `waited: true`; one that cannot is asked at intervals. A page that
   * receives changes (WebSocket, push) answers a waiting read when one comes.
   */
  read(target: ReturnId, options: ReadOptions): Promise<Attempt>;
}

export interface CallOptions {
  readonly signal: AbortSignal;
}

export interface CreateOptions extends CallOptions {
  readonly idempotencyKey: string;
}

export interface ReadOptions extends CallOptions {
  /** The version the widget has; absent when it wants an answer at once. */
  readonly after?: string;
  readonly waitSeconds?: number;
}

export interface LoadedOffer {
  readonly offer: Offer;
  /** `BASIC` when the backend has no offers and the element's attributes stand in. */
  readonly level: 'FULL' | 'BASIC';
}

export type TransportErrorKind =
  /** The backend refused, and said why: `problem` is set. */
  | 'PROBLEM'
  /** No answer: the device is offline, the backend is out of reach, or the browser refused the call (CORS). */
  | 'NETWORK'
  | 'TIMEOUT'
  /** An answer that breaks the contract. */
  | 'MALFORMED'
  /** An error status without a problem body: a proxy, a Basic backend. */
  | 'HTTP'
  /** There is no such call at this address, and no attributes stand in for it. */
  | 'MISCONFIGURED';

/** `message` is for the page's engineer: what was asked, and what came back. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly kind: TransportErrorKind;
  readonly problem: Problem | null;
  /** HTTP status, or 0 when there was no answer. */
  readonly status: number;
  /** From `Retry-After`, where it can be seen. */
  readonly retryAfterMs: number | null;

  constructor(
    kind: TransportErrorKind,
    facts: {
      message?: string;
      problem?: Problem;
      status?: number;
      retryAfterMs?: number | null;
      cause?: unknown;
    } = {},
  ) {
    super(facts.message ?? facts.problem?.code ?? kind, facts);
    this.kind = kind;
    this.problem = facts.problem ?? null;
    this.status = facts.status ?? 0;
    this.retryAfterMs = facts.retryAfterMs ?? null;
  }
}
