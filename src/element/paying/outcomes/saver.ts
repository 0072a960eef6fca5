import type { ReactiveController } from 'lit';
import type { Host } from '../../host.js';

const SHOWN_MS = 4_000;

/** What became of saving a picture, on the screen for a while and in the live region. */
export class Saver implements ReactiveController {
  readonly #host: Host;
  said: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
  }

  say(text: string): void {
    this.hostDisconnected();
    this.said = text;
    this.#host.announce(text);
    this.#timer = setTimeout(() => {
      this.said = null;
      this.#host.requestUpdate();
    }, SHOWN_MS);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
  }
}
