/** Time as the sandbox knows it. Everything that waits goes through one of these, so a test owns every second. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `fn` once after the delay; the answer cancels it. */
  setTimer(delayMs: number, fn: () => void): () => void;
}

export interface ManualClock extends Clock {
  /**
   * Moves time forward, firing what falls due in order, each at its own instant. `idle` is awaited after each, so
   * that work a timer started (a webhook, say) is over before time goes on.
   */
  advance(durationMs: number, idle?: () => Promise<void>): Promise<void>;
  /** When the next timer falls due, or undefined when none is waiting. */
  nextDueAtMs(): number | undefined;
}

/** `setTimeout` keeps its delay in 32 bits and fires at once beyond that. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function realClock(): Clock {
  return {
    now: () => Date.now(),
    setTimer(delayMs, fn) {
      const timer = setTimeout(fn, Math.min(Math.max(delayMs, 0), LONGEST_TIMER_MS));
      return () => clearTimeout(timer);
    },
  };
}

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
