import type { LinkView } from '../../../contract/merchant/console.js';
import { PagedList } from '../listed.js';

/** The payment links that were made here, with what became of each. */
export class ConsoleLinks extends PagedList<LinkView> {
  protected readonly section = 'links';

  protected about({ reference, concept, flow }: LinkView) {
    return { main: reference, about: concept ?? this.shell.words.links.flows[flow] };
  }
}
