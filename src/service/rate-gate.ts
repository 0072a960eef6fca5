import type { RetryPolicy } from './retry.js';

/** The longest pause after a 429, whatever `Retry-After` says: a very long one may be a mistake. */
const LONGEST_QUIET_MS = 30_000;

/**
 * Keeps the whole client quiet after a 429. Calls that each wait by themselves would go on exceeding the service's
 * limit together.
 */
export class RateGate {
  #quietUntil = -Infinity;
  #refusals = 0;

  remainingMs(now: number): number {
    return Math.max(0, this.#quietUntil - now);
  }

  refused(now: number, retryAfterMs: number | null, policy: RetryPolicy): void {
    const growingMs = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** Math.min(this.#refusals, 30));
    const quietMs = Math.min(retryAfterMs ?? growingMs, LONGEST_QUIET_MS);
    // Calls that were under way together are refused together: they count as one refusal.
    if (this.remainingMs(now) === 0) this.#refusals += 1;
    this.#quietUntil = Math.max(this.#quietUntil, now + quietMs);
  }

  answered(now: number): void {
    if (this.remainingMs(now) === 0) this.#refusals = 0;
  }
}
