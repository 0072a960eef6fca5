import type { Line } from '../../../src/server/line.js';

/** Lines of attempts, as a store keeps them. */

export const HOUR_MS = 3_600_000;
/** Midnight in Colombia, and what to add to UTC for it. */
export const midnight = Date.UTC(2026, 2, 10, 5);
export const zoneMs = -5 * HOUR_MS;

export function line(id: string, changes: Partial<Line> = {}): Line {
  return {
    id,
    reference: `R-${id}`,
    rail: 'BRE_B',
    status: 'PENDING',
    amountInCents: 1_000,
    startedAt: midnight,
    shownAt: null,
    paidAt: null,
    paidInCents: 0,
    reason: null,
    ...changes,
  };
}

/** Shown at midnight and paid so long after it. */
export const paid = (id: string, waitMs: number, changes: Partial<Line> = {}) =>
  line(id, {
    status: 'CONFIRMED',
    shownAt: midnight,
    paidAt: midnight + waitMs,
    paidInCents: 1_000,
    ...changes,
  });
