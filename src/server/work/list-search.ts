import { ServiceError } from '../../service/errors.js';
import { nextPlace } from '../../service/payin-list.js';
import type { ServicePayin } from '../../service/resources.js';
import type { CheckoutService } from '../options.js';
import type { ReadBudget } from './read-budget.js';

const PAGE_SIZE = 100;
/** In one stretch; a list that goes on is searched further a little later. */
const MOST_PAGES = 20;
const STRETCH_MS = 10_000;
/** The service's clock and ours may differ. */
const CLOCK_MARGIN_MS = 3_600_000;

export interface Search {
  /** Where the stretch before this one ended; null for the beginning of the list. */
  readonly cursor: string | null;
  /** What is looked for was not made before this. */
  readonly since: number;
  readonly matches: (payin: ServicePayin) => boolean;
  /** One match is enough. */
  readonly one: boolean;
  readonly timeoutMs: number;
}

export interface Stretch {
  readonly found: readonly ServicePayin[];
  /** Where the search goes on; null when there is nothing further to find. */
  readonly cursor: string | null;
}

/**
 * Searches a stretch of the service's list. Its first page has had its turn in the read budget; each further one is read
 * only while the budget has room for pages, so that a search never holds up payers and events.
 */
export async function searchList(
  service: CheckoutService,
  budget: ReadBudget,
  now: () => number,
  search: Search,
): Promise<Stretch> {
  const { matches, one, timeoutMs } = search;
  const since = search.since - CLOCK_MARGIN_MS;
  const until = now() + STRETCH_MS;
  const found: ServicePayin[] = [];
  let { cursor } = search;
  try {
    const list = service.payins.list({ pageSize: PAGE_SIZE, timeoutMs, ...(cursor !== null && { cursor }) });
    let pages = 0;
    for await (const { data, pageInfo } of list.pages()) {
      budget.spend();
      pages += 1;
      found.push(...data.filter(matches));
      if (reachesBefore(data, since) || (one && found.length > 0)) return { found, cursor: null };
      cursor = nextPlace(pageInfo);
      if (cursor === null) return { found, cursor };
      if (pages >= MOST_PAGES || now() >= until || budget.spare('page') === 0) break;
    }
  } catch (error) {
    if (!(error instanceof ServiceError) || cursor === null) throw error;
    // The list no longer knows the place, or it failed on the way: what was found so far stays true.
    const isLost = cursor === search.cursor && error.kind === 'invalid_input';
    if (isLost) return searchList(service, budget, now, { ...search, cursor: null });
    if (cursor === search.cursor) throw error;
  }
  return { found, cursor };
}

/** Whether a list that shows the newest first has come to payins that are too old. */
function reachesBefore(data: readonly ServicePayin[], since: number): boolean {
  const [first, last] = [data[0], data.at(-1)];
  if (first === undefined || last === undefined) return false;
  const [newest, oldest] = [Date.parse(first.createdAt), Date.parse(last.createdAt)];
  return newest >= oldest && oldest < since;
}
