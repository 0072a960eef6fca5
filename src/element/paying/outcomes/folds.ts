import type { ReactiveController } from 'lit';
import type { Host } from '../../host.js';

/** Opens the folded rows of a receipt while the page is printed, by our button or by the browser. */
export class Folds implements ReactiveController, EventListenerObject {
  readonly #host: Host;
  #folded: readonly Element[] = [];

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener('beforeprint', this);
    addEventListener('afterprint', this);
  }

  hostDisconnected(): void {
    removeEventListener('beforeprint', this);
    removeEventListener('afterprint', this);
  }

  /** Opens them before, and folds the same ones again after. */
  handleEvent({ type }: Event): void {
    if (type === 'beforeprint')
      this.#folded = [...this.#host.renderRoot.querySelectorAll('.receipt details:not([open])')];
    for (const fold of this.#folded) fold.toggleAttribute('open');
  }
}
