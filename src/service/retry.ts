import type { ServiceError } from './errors.js';
import type { RepeatRule } from './operations.js';

export interface RetryPolicy {
  /** Tries in all, the first one included; 1 turns retries off. */
  readonly maxTries: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  /** When the service asks for a longer pause than this, the error comes at once and says how long. */
  readonly maxRetryAfterMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = {
  maxTries: 3,
  baseDelayMs: 250,
  maxDelayMs: 4_000,
  maxRetryAfterMs: 10_000,
};

/** A longer time counts as a day: it is a mistake or an attack, and timers have a limit too. */
const MAX_RETRY_AFTER_MS = 86_400_000;

/** How long to wait before the next try, or undefined when there must be none. */
export function retryDelayMs(
  error: ServiceError,
  rule: RepeatRule,
  triesMade: number,
  policy: RetryPolicy,
  random: () => number,
): number | undefined {
  if (triesMade >= policy.maxTries || !mayRepeat(error, rule)) return undefined;
  const askedMs = error.retryAfterMs ?? 0;
  if (askedMs > policy.maxRetryAfterMs) return undefined;
  // Never below the base: jitter that starts at zero multiplies the load at the start of an outage.
  const ceilingMs = Math.max(
    policy.baseDelayMs,
    Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** triesMade),
  );
  return Math.max(askedMs, policy.baseDelayMs + random() * (ceilingMs - policy.baseDelayMs));
}

function mayRepeat(error: ServiceError, rule: RepeatRule): boolean {
  switch (rule) {
    case 'read':
      return ['network', 'timeout', 'unavailable', 'rate_limited'].includes(error.kind);
    case 'create':
      return error.kind === 'rate_limited' || (error.kind === 'network' && !error.mayHaveHappened);
    case 'never':
      return false;
    default:
      throw new TypeError(`unknown rule ${String(rule satisfies never)}`);
  }
}

/** `Retry-After` as seconds or as a date; null when it is absent or makes no sense. */
export function parseRetryAfter(value: string | null, nowMs: number): number | null {
  const trimmed = value?.trim() ?? '';
  if (trimmed.length > 64) return null;
  // Date.parse takes almost anything for a date, so only text that starts with the name of a day gets that far.
  const isDate = /^[A-Z][a-z]{2,8}, /.test(trimmed);
  const delayMs = isDate ? Date.parse(trimmed) - nowMs : /^\d+$/.test(trimmed) ? Number(trimmed) * 1000 : NaN;
  return Number.isNaN(delayMs) ? null : Math.min(Math.max(delayMs, 0), MAX_RETRY_AFTER_MS);
}
