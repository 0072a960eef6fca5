import type { Clock } from '../service/clock.js';

export interface SkippingClock extends Clock {
  /** How far it is ahead of the clock below it. */
  readonly aheadMs: number;
  /** Moves time forward at once; what falls due on the way happens now. */
  skip(durationMs: number): void;
}

interface Waiting {
  readonly dueAtMs: number;
  readonly run: () => void;
  cancel: () => void;
}

/** A clock that runs like another and can be moved ahead, so that a key's lapse need not be waited for. */
export function skippingClock(below: Clock, startAheadMs = 0): SkippingClock {
  let aheadMs = startAheadMs;
  const waiting = new Set<Waiting>();
  const now = () => below.now() + aheadMs;
  const arm = (each: Waiting) => {
    each.cancel();
    each.cancel = below.setTimer(Math.max(0, each.dueAtMs - now()), () => {
      waiting.delete(each);
      each.run();
    });
  };

  return {
    now,
    get aheadMs() {
      return aheadMs;
    },
    setTimer(delayMs, run) {
      const each: Waiting = { dueAtMs: now() + Math.max(0, delayMs), run, cancel: () => undefined };
      waiting.add(each);
      arm(each);
      return () => {
        waiting.delete(each);
        each.cancel();
      };
    },
    skip(durationMs) {
      aheadMs += Math.max(0, durationMs);
      for (const each of [...waiting]) arm(each);
    },
  };
}
