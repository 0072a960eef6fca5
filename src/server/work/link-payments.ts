import { isFinal, isPaid } from '../../contract/status.js';
import type { CheckoutContext } from '../context.js';
import type { LinkReading } from '../orders/link-payins.js';
import { observeLink, observePayin, sameId } from '../orders/observation.js';
import type { Located } from '../orders/record.js';
import { searchList } from './list-search.js';
import type { ReadBudget } from './read-budget.js';

/**
 * Reads a link and, once it is over or an event says that it was paid, a stretch of the service's list for the payins
 * that were made through it: only they say whether and how much was paid. What an earlier search has seen is not read
 * again.
 */
export async function readLink(
  context: CheckoutContext,
  budget: ReadBudget,
  serviceId: string,
  { attempt, submission }: Located,
  timeoutMs: number,
): Promise<LinkReading> {
  const link = await context.service.paymentLinks.retrieve(serviceId, { timeoutMs });
  const observed = observeLink(link);
  const isClaimed = submission.unverifiedEvents.some(({ status }) => isPaid(status));
  const beganAt = submission.search?.beganAt ?? context.now();
  if (!isFinal(link.status) && !isClaimed) return { observed, payins: [], search: 'none', beganAt };
  const { found, cursor } = await searchList(context.service, budget, () => context.now(), {
    cursor: submission.search?.cursor ?? null,
    since: submission.searchedAt ?? attempt.createdAt,
    matches: ({ paymentLinkId }) => paymentLinkId !== null && sameId(paymentLinkId, serviceId),
    one: false,
    timeoutMs,
  });
  return {
    observed,
    // The list shows the newest first, and the first to be paid settles the order.
    payins: found.map(observePayin).reverse(),
    search: cursor === null ? 'complete' : { beganAt, cursor },
    beganAt,
  };
}
