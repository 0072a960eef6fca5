import type { Host } from '../host.js';
import { Part, adopt } from './part.js';

type ModalModule = typeof import('../modal.js');

/** The dialog of a modal checkout, with its styles. Where it cannot be fetched the checkout stands in the page. */
export class ModalPart extends Part<ModalModule> {
  failed = false;
  readonly #root: ShadowRoot;

  constructor(host: Host) {
    super(host, () => import('../modal.js'));
    this.#root = host.renderRoot;
    this.load().catch(() => {
      this.failed = true;
      host.requestUpdate();
    });
  }

  protected override arrived({ modalStyles }: ModalModule): void {
    adopt(this.#root, modalStyles);
  }
}
