import type { ReactiveController } from 'lit';
import type { Phase } from '../../machine/state.js';
import type { Host } from '../host.js';

/**
 * Gives the checkout the height of its tallest screen so far, so that what follows it on the page does not jump when a
 * shorter one comes. Another width is another layout and starts anew. The height is known before a screen is drawn:
 * nothing is measured while drawing.
 */
export class StableHeight implements ReactiveController {
  readonly #host: Host;
  #observer: ResizeObserver | undefined;
  #card: Element | null = null;
  #phase: Phase = 'idle';
  #width = 0;
  #tallest = 0;

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
  }

  /** The screen that is about to be drawn. */
  show(phase: Phase): void {
    if (phase === 'creating' && phase !== this.#phase) requestAnimationFrame(this.#makeRoom);
    this.#phase = phase;
  }

  hostUpdated(): void {
    const card = this.#host.renderRoot.querySelector('.card');
    if (card === this.#card) return;
    this.hostDisconnected();
    this.#card = card;
    if (!card) return;
    this.#observer = new ResizeObserver(() => this.#measure(card));
    this.#observer.observe(card);
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
    this.#card = null;
  }

  /**
   * The payer pressed a button whose answer brings a taller screen. What follows on the page makes room out of sight at
   * once, while it is the press that moves it, and not when the answer comes.
   */
  readonly #makeRoom = (): void => {
    if (this.#card) this.#reserve(innerHeight - this.#card.getBoundingClientRect().top);
  };

  #measure(card: Element): void {
    const { width, height } = card.getBoundingClientRect();
    if (width !== this.#width) this.#tallest = 0;
    this.#width = width;
    this.#reserve(height);
  }

  #reserve(height: number): void {
    this.#tallest = Math.max(this.#tallest, height);
    const around = this.#card?.parentElement;
    if (around) around.style.minBlockSize = `${this.#tallest}px`;
  }
}
