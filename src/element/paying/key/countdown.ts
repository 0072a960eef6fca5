import type { ReactiveController } from 'lit';
import type { Host } from '../../host.js';

const ANNOUNCED_MINUTES = [1, 5];
const LATE_MS = 30_000;

/** Seconds are counted from here on: before, each of them would cost a frame that says nothing more. */
const LAST_SECONDS = 120;

/**
 * Draws while a screen counts down: once a minute until the last two, then once a second. Speaks only at five minutes and
 * at one.
 */
export class Countdown implements ReactiveController {
  readonly #host: Host;
  /** Until what is shown is no longer true; null while nothing is shown. */
  #goodForMs: number | null = null;
  /** When the last mark that was said had been reached. */
  #spokenMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
  }

  /** What is left, as `14 min`, `1 h 2 min` or at last `1:32`; null when nothing is, or for no moment. Both are of one clock. */
  left(untilMs: number, nowMs: number, say: (minutes: number) => string): string | null {
    const seconds = Math.ceil((untilMs - nowMs) / 1_000);
    if (!(seconds > 0)) return null;
    const counts = seconds < LAST_SECONDS;
    this.#goodForMs = counts ? 1_000 : ((seconds % 60) + 1) * 1_000;
    const minutes = ANNOUNCED_MINUTES.find((mark) => seconds <= mark * 60) ?? 0;
    const markMs = untilMs - minutes * 60_000;
    // A key that is born with less than a mark left has its time on the screen: no need to say it.
    if (minutes && markMs > this.#spokenMs && nowMs < markMs + LATE_MS) {
      this.#spokenMs = markMs;
      queueMicrotask(() => this.#host.announce(say(minutes)));
    }
    const whole = Math.floor(seconds / 60);
    if (counts) return `${whole}:${String(seconds % 60).padStart(2, '0')}`;
    return `${whole < 60 ? '' : `${Math.floor(whole / 60)} h `}${whole % 60} min`;
  }

  hostUpdated(): void {
    clearTimeout(this.#timer);
    if (this.#goodForMs !== null) {
      this.#timer = setTimeout(() => this.#host.requestUpdate(), this.#goodForMs);
    }
    this.#goodForMs = null;
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
  }
}
