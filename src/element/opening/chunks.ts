import type { Host } from '../host.js';
import { Chunk } from './chunk.js';

/** What is fetched after the opening. */

/** The second act. */
export class PayingChunk extends Chunk<typeof import('../paying/paying.js')> {
  constructor(host: Host) {
    super(host, () => import('../paying/paying.js'));
  }
}

/** What a backend without offers needs: few have one, and a payment of theirs is made after it has come. */
export class BasicChunk extends Chunk<typeof import('../basic-order.js')> {
  constructor(host: Host) {
    super(host, () => import('../basic-order.js'));
  }
}

/** The dialog of a modal checkout. Where it cannot be fetched the checkout stands in the page. */
export class ModalChunk extends Chunk<typeof import('../modal.js')> {
  failed = false;

  constructor(host: Host) {
    super(host, () => import('../modal.js'));
    this.load().catch(() => {
      this.failed = true;
      host.requestUpdate();
    });
  }
}
