import type { Clock } from '../../service/clock.js';

const SOONEST_TURN_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * How often this instance may ask the service, over all payments. A quarter is kept for reads that an event asks for,
 * so that a crowd of watchers does not delay the news that somebody paid.
 */
export class ReadBudget {
  readonly #perSecond: number;
  readonly #now: () => number;
  #tokens: number;
  #at: number;
  #lastTurnAt = 0;
  #pausedUntil = -Infinity;

  constructor(perSecond: number, now: () => number) {
    this.#perSecond = perSecond;
    this.#now = now;
    this.#tokens = this.#capacity;
    this.#at = now();
  }

  get #capacity(): number {
    return this.#perSecond * 2;
  }

  /** How many reads may be made now. */
  spare(prompted: boolean): number {
    const now = this.#now();
    const earned = (Math.max(0, now - this.#at) / 1000) * this.#perSecond;
    this.#tokens = Math.min(this.#capacity, this.#tokens + earned);
    this.#at = now;
    if (now < this.#pausedUntil) return 0;
    return Math.max(0, Math.floor(this.#tokens - (prompted ? 0 : this.#capacity / 4)));
  }

  spend(): void {
    this.#tokens -= 1;
  }

  /** The service takes no more for now: nothing is read before that, for any order. */
  pauseUntil(at: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, Math.min(at, this.#now() + LONGEST_PAUSE_MS));
  }

  /** When to try a postponed read again: one after the other, as fast as the budget allows. */
  nextTurnAt(): number {
    const spacingMs = 1000 / this.#perSecond;
    this.#lastTurnAt = Math.max(
      this.#now() + SOONEST_TURN_MS,
      this.#pausedUntil,
      this.#lastTurnAt + spacingMs,
    );
    return Math.ceil(this.#lastTurnAt);
  }
}

const AFFORD_EVERY_MS = 100;

/** Waits until a page may be read, and counts it. Payers and events come first. */
export async function affordable(clock: Clock, budget: ReadBudget): Promise<void> {
  while (budget.spare(false) === 0) {
    await new Promise<void>((resolve) => clock.setTimer(AFFORD_EVERY_MS, resolve));
  }
  budget.spend();
}
