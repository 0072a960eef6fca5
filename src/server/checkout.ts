import type { CheckoutOptions } from './options.js';

/** What a worker runtime hands beside a request, so that work may outlive the answer. */
export interface ExecutionContextLike {
  waitUntil(promise: Promise<unknown>): void;
}

export interface TickResult {
  /** Orders that were worked on. */
  readonly orders: number;
  /** More is due than was done. */
  readonly more: boolean;
}

export interface Checkout {
  /** The backend contract: mount it anywhere that speaks `Request` and `Response`. */
  fetch(request: Request, env?: unknown, context?: ExecutionContextLike): Promise<Response>;
  /** The token that a page gives to the widget as `order`. Needs `orderSecret`. */
  orderToken(orderId: string): Promise<string>;
  /** Background work where there is a process: reads, lookups, hooks. Returns how to stop it. */
  work(): () => Promise<void>;
  /** Background work where there is only a schedule: does what is due, for at most `budgetMs`, and returns. */
  tick(budgetMs?: number): Promise<TickResult>;
  /** Resolves when nothing that a request or a tick started is still running. */
  idle(): Promise<void>;
  /** Stops the work, lets waiters go and waits for what is running. The store is the caller's to close. */
  close(): Promise<void>;
}

export function createCheckout(_options: CheckoutOptions): Checkout {
  throw new Error('The checkout is being written');
}
