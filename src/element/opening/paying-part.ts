import type { Host } from '../host.js';
import { Part, adopt } from './part.js';

type PayingModule = typeof import('../paying/paying.js');

/** The second act, with its styles. */
export class PayingPart extends Part<PayingModule> {
  readonly #root: ShadowRoot;

  constructor(host: Host) {
    super(host, () => import('../paying/paying.js'));
    this.#root = host.renderRoot;
  }

  protected override arrived({ paying }: PayingModule): void {
    adopt(this.#root, paying.styles);
  }
}
