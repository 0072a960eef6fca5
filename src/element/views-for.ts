import type { Choice } from '../machine/input.js';
import type { ViewName } from './lazy-views.js';

/** What is needed from a choice to its end, so that nothing has to be fetched once there is a payment. */
export function viewsFor({
  kind,
  rail,
}: Pick<Choice, 'kind'> & { readonly rail: string | null }): ViewName[] {
  if (kind === 'PAYMENT_LINK') return ['attempts', 'breb', 'pse', 'link'];
  return ['attempts', rail === 'PSE' ? 'pse' : 'breb'];
}
