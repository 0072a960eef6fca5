import type { Host } from '../host.js';
import { Part } from './part.js';

/** What a backend without offers needs: few have one, and a payment of theirs is made after it has come. */
export class BasicPart extends Part<typeof import('../basic-order.js')> {
  constructor(host: Host) {
    super(host, () => import('../basic-order.js'));
  }
}
