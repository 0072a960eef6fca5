/** Time, for everything that waits: the client, the backend kit and the sandbox. A test gives its own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds of a monotonic clock, counted from anywhere; `now` stands in when it is absent. */
  monotonic?(): number;
  /** Calls `run` once after the delay; the answer cancels it. */
  setTimer(delayMs: number, run: () => void): () => void;
}

export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

export function isoTimeOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : isoTime(epochMs);
}

/** `setTimeout` keeps its delay in 32 bits and fires at once beyond that. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(delayMs, run) {
    const timer = setTimeout(run, Math.min(Math.max(delayMs, 0), LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};

/** How fast a clock runs that is ahead of the machine's, so that the two meet again. */
const PACE_WHILE_AHEAD = 0.99;

/**
 * The time for waits, limits and schedules: a wall clock that never goes back. When the machine's clock is set back it
 * goes on by the monotonic one, a little slower, so that nothing that is due soon waits for the hour to come round
 * again. It follows a clock that is set forward, because monotonic clocks stand still while a machine sleeps.
 */
export function steadyClock(clock: Clock): Clock {
  const monotonic = () => (clock.monotonic === undefined ? clock.now() : clock.monotonic());
  let time = clock.now();
  let readAt = monotonic();
  return {
    now() {
      const at = monotonic();
      time = Math.max(clock.now(), time + Math.max(0, at - readAt) * PACE_WHILE_AHEAD);
      readAt = at;
      return Math.floor(time);
    },
    setTimer: (delayMs, run) => clock.setTimer(delayMs, run),
  };
}
