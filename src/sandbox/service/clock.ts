import { type Clock, systemClock } from '../../service/clock.js';

export interface ManualClock extends Clock {
  /**
   * Moves time forward, firing what falls due in order, each at its own instant. `idle` is awaited after each, so
   * that work a timer started (a webhook, say) is over before time goes on.
   */
  advance(durationMs: number, idle?: () => Promise<void>): Promise<void>;
  /** When the next timer falls due, or undefined when none is waiting. */
  nextDueAtMs(): number | undefined;
}

export const realClock = (): Clock => systemClock;

export function manualClock(startMs = Date.UTC(2026, 0, 15, 15, 0, 0)): ManualClock {
  let nowMs = startMs;
  let order = 0;
  const timers = new Set<{ dueAtMs: number; order: number; fn: () => void }>();

  const next = () => {
    let soonest: { dueAtMs: number; order: number; fn: () => void } | undefined;
    for (const timer of timers) {
      const sooner =
        !soonest ||
        timer.dueAtMs < soonest.dueAtMs ||
        (timer.dueAtMs === soonest.dueAtMs && timer.order < soonest.order);
      if (sooner) soonest = timer;
    }
    return soonest;
  };

  return {
    now: () => nowMs,
    setTimer(delayMs, fn) {
      const timer = { dueAtMs: nowMs + Math.max(delayMs, 0), order: order++, fn };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    nextDueAtMs: () => next()?.dueAtMs,
    async advance(durationMs, idle) {
      const untilMs = nowMs + durationMs;
      await idle?.();
      for (let timer = next(); timer && timer.dueAtMs <= untilMs; timer = next()) {
        timers.delete(timer);
        nowMs = timer.dueAtMs;
        timer.fn();
        await idle?.();
      }
      nowMs = untilMs;
    },
  };
}
