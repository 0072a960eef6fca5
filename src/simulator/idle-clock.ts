import { type Clock, systemClock } from '../service/clock.js';

/**
 * The system's clock, with timers that let a process end: a simulator that was not closed holds up no test run on a
 * server. A call that waits for an answer has a timer of its own, which does hold.
 */
export const idleClock: Clock = {
  now: systemClock.now,
  setTimer(delayMs, run) {
    const timer: unknown = setTimeout(run, Math.min(Math.max(delayMs, 0), LONGEST_TIMER_MS));
    // In a browser a timer is a number.
    if (typeof timer === 'object') (timer as { unref?: () => void }).unref?.();
    return () => clearTimeout(timer as number);
  },
};

/** `setTimeout` keeps its delay in 32 bits and fires at once beyond that. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
