import type { ReactiveController } from 'lit';
import type { ViewHost } from './view-context.js';

const ANNOUNCED_MINUTES = [5, 1];

/** Draws once a second while a screen counts down, and speaks only at five minutes and at one. */
export class Countdown implements ReactiveController {
  readonly #host: ViewHost;
  #used = false;
  #until = 0;
  #spoken = Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ViewHost) {
    this.#host = host;
    host.addController(this);
  }

  /** What is left, as `14:32` (or `1:02:03`), and null when nothing is. Both moments are of the same clock. */
  left(untilMs: number, nowMs: number, say: (minutes: number) => string): string | null {
    const seconds = Math.ceil((untilMs - nowMs) / 1_000);
    if (seconds <= 0) return null;
    this.#used = true;
    if (this.#until !== untilMs) {
      this.#until = untilMs;
      this.#spoken = Infinity;
    }
    const minutes = ANNOUNCED_MINUTES.findLast((mark) => seconds <= mark * 60);
    if (minutes !== undefined && minutes < this.#spoken) {
      // A key that is born with less than a mark left has its time on the screen: no need to say it.
      const late = seconds <= minutes * 60 - 30;
      this.#spoken = minutes;
      if (!late) queueMicrotask(() => this.#host.announce(say(minutes)));
    }
    const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
    if (parts[0] === 0) parts.shift();
    return parts.map((part, index) => String(part).padStart(index === 0 ? 1 : 2, '0')).join(':');
  }

  hostUpdated(): void {
    clearTimeout(this.#timer);
    if (this.#used) this.#timer = setTimeout(() => this.#host.requestUpdate(), 1_000);
    this.#used = false;
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
  }
}
