import type { Choice } from '../machine/input.js';
import type { ViewName } from './lazy-views.js';

/** What is needed from a choice to its end, so that nothing has to be fetched once there is a payment. */
export function viewsFor(choice: Pick<Choice, 'kind'> & { readonly rail: string | null }): ViewName[] {
  const always = ['attempts', 'outcome'] as const;
  if (choice.kind === 'PAYMENT_LINK') return ['link', ...always];
  return choice.rail === 'BRE_B' ? ['breb', ...always] : [...always];
}
