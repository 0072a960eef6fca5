import type { ReactiveController } from 'lit';
import type { Host } from '../../host.js';

const ANNOUNCED_MINUTES = [1, 5];
const LATE_MS = 30_000;

/** Draws once a second while a screen counts down, and speaks only at five minutes and at one. */
export class Countdown implements ReactiveController {
  readonly #host: Host;
  #used = false;
  /** When the last mark that was said had been reached. */
  #spokenMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
  }

  /** What is left, as `14:32` (or `1:02:03`); null when nothing is, or for no moment. Both are of the same clock. */
  left(untilMs: number, nowMs: number, say: (minutes: number) => string): string | null {
    const seconds = Math.ceil((untilMs - nowMs) / 1_000);
    if (!(seconds > 0)) return null;
    this.#used = true;
    const minutes = ANNOUNCED_MINUTES.find((mark) => seconds <= mark * 60) ?? 0;
    const markMs = untilMs - minutes * 60_000;
    // A key that is born with less than a mark left has its time on the screen: no need to say it.
    if (minutes && markMs > this.#spokenMs && nowMs < markMs + LATE_MS) {
      this.#spokenMs = markMs;
      queueMicrotask(() => this.#host.announce(say(minutes)));
    }
    return [seconds / 3_600, (seconds / 60) % 60, seconds % 60]
      .map((part) => String(Math.floor(part)).padStart(2, '0'))
      .join(':')
      .replace(/^(?:00:)?0?/, '');
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
