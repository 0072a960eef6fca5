import type { Clock } from '../../service/clock.js';

const SOONEST_TURN_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

export type ReadUse = 'event' | 'payment' | 'page';
const KEPT_FROM = { event: 0, payment: 0.25, page: 0.5 } as const satisfies Record<ReadUse, number>;

/**
 * How often this instance may ask the service, over all payments. A quarter is kept for reads that an event asks for,
 * so that a crowd of watchers does not delay the news of a payment; another is kept from pages of the service's
 * list, so that searches do not delay those who watch.
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

  /** How many reads of this kind may be made now. */
  spare(use: ReadUse): number {
    const now = this.#now();
    const earned = (Math.max(0, now - this.#at) / 1000) * this.#perSecond;
    this.#tokens = Math.min(this.#capacity, this.#tokens + earned);
    this.#at = now;
    if (now < this.#pausedUntil) return 0;
    return Math.max(0, Math.floor(this.#tokens - this.#capacity * KEPT_FROM[use]));
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
  while (budget.spare('page') === 0) {
    await new Promise<void>((resolve) => clock.setTimer(AFFORD_EVERY_MS, resolve));
  }
  budget.spend();
}
