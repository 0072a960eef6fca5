import { isFinal } from '../../contract/status.js';
import type { CallOptions } from '../../service/http.js';
import type { ServicePayin } from '../../service/resources.js';
import type { CheckoutService } from '../options.js';
import { type Observation, observeLink, sameId } from '../orders/observation.js';
import type { ReadBudget } from './read-budget.js';

const PAGE_SIZE = 100;
const MOST_PAGES = 20;
/** The service's clock and ours may differ; nobody's link was paid before it was made. */
const CLOCK_MARGIN_MS = 3_600_000;

/**
 * Reads a link and, once it is over, the payins that were made through it: only they say whether and how much was paid.
 * An expired link may have been paid all the same.
 */
export async function readLink(
  service: CheckoutService,
  budget: ReadBudget,
  link: { readonly serviceId: string; readonly createdAt: number; readonly amountInCents: number },
  options: CallOptions,
): Promise<Observation> {
  const found = await service.paymentLinks.retrieve(link.serviceId, options);
  if (!isFinal(found.status)) return observeLink(found, [], link.amountInCents);
  const payins = await payinsOf(service, budget, link.serviceId, link.createdAt - CLOCK_MARGIN_MS, options);
  return observeLink(found, payins, link.amountInCents);
}

async function payinsOf(
  service: CheckoutService,
  budget: ReadBudget,
  linkId: string,
  since: number,
  options: CallOptions,
): Promise<ServicePayin[]> {
  const found: ServicePayin[] = [];
  let pages = 0;
  for await (const { data } of service.payins.list({ pageSize: PAGE_SIZE, ...options }).pages()) {
    budget.spend();
    found.push(
      ...data.filter(({ paymentLinkId }) => paymentLinkId !== null && sameId(paymentLinkId, linkId)),
    );
    pages += 1;
    if (pages >= MOST_PAGES || reachesBefore(data, since)) break;
  }
  return found;
}

/** Whether a list that shows the newest first has come to payins older than the link. */
function reachesBefore(data: readonly ServicePayin[], since: number): boolean {
  const [first, last] = [data[0], data.at(-1)];
  if (first === undefined || last === undefined) return false;
  const [newest, oldest] = [Date.parse(first.createdAt), Date.parse(last.createdAt)];
  return newest >= oldest && oldest < since;
}
