import type { ReactiveController } from 'lit';
import type { Phase } from '../../machine/state.js';
import type { Host } from '../host.js';

/**
 * Keeps the room that the tallest screen so far has taken, so that what follows the checkout on the page does not jump
 * when a shorter one comes. Another width is another layout and starts anew.
 */
export class Place implements ReactiveController {
  readonly #host: Host;
  #observer: ResizeObserver | undefined;
  #card: Element | null = null;
  #phase: Phase = 'idle';
  #isNew = false;
  #width = 0;
  #tallest = 0;

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
  }

  /** The screen that is about to be drawn. */
  show(phase: Phase): void {
    this.#isNew = phase !== this.#phase;
    this.#phase = phase;
  }

  hostUpdated(): void {
    const card = this.#host.renderRoot.querySelector<HTMLElement>('.card');
    if (card !== this.#card) {
      this.hostDisconnected();
      this.#card = card;
      if (!card) return;
      this.#observer = new ResizeObserver(() => this.#settle(card));
      this.#observer.observe(card);
    }
    // In the frame that paints it: measured here it would be laid out twice.
    if (card && this.#isNew) requestAnimationFrame(() => this.#settle(card));
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
    this.#card = null;
  }

  #settle(card: HTMLElement): void {
    const { top, width, height } = card.getBoundingClientRect();
    if (width !== this.#width) this.#tallest = 0;
    this.#width = width;
    // The payer pressed a button whose answer brings a taller screen. What follows on the page makes room out of sight
    // at once, while it is the press that moves it, and not when the answer comes.
    const room = this.#phase === 'creating' ? innerHeight - top : 0;
    this.#tallest = Math.max(this.#tallest, height, room);
    card.style.marginBlockEnd = `${this.#tallest - height}px`;
  }
}
