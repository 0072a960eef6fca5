import type { PayoutView } from '../../../contract/merchant/payouts.js';
import { PagedList } from '../listed.js';

/** What was sent, what waits to be confirmed, and what waits for its event. */
export class ConsolePayouts extends PagedList<PayoutView> {
  protected readonly section = 'payouts';

  protected about({ receiver, reference }: PayoutView) {
    return { main: receiver.name, about: `${reference} · ${receiver.bank ?? receiver.key}` };
  }
}
