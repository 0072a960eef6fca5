/** Time, for everything that waits: the client, the backend kit and the sandbox. A test gives its own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `run` once after the delay; the answer cancels it. */
  setTimer(delayMs: number, run: () => void): () => void;
}

/** `setTimeout` keeps its delay in 32 bits and fires at once beyond that. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(delayMs, run) {
    const timer = setTimeout(run, Math.min(Math.max(delayMs, 0), LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};
