import type { PageInfo } from '../contract/service/resources.js';
import type { Clock } from './clock.js';
import { requireTimeout, startDeadline } from './deadline.js';
import { ServiceError } from './errors.js';
import type { CallOptions } from './http.js';
import { invalid } from './input.js';
import type { ServicePayin, ServicePayinPage } from './resources.js';

export interface ListOptions extends CallOptions {
  /** Payins per page, 1 to 100; the service's choice when absent. */
  readonly pageSize?: number | undefined;
  /** Where to start, from `pageInfo` of an earlier page; the beginning of the list when absent. */
  readonly cursor?: string | undefined;
}

export type ListDirection = 'forward' | 'backward';

/** Payins one by one, asking for the next page when the last one is used up. Each loop starts afresh. */
export interface PayinList extends AsyncIterable<ServicePayin> {
  /** Whole pages, from the starting cursor towards the end of the list or back towards its beginning. */
  pages(direction?: ListDirection): AsyncIterable<ServicePayinPage>;
}

export interface FindOptions {
  /** How long the whole search may take. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called before each page is asked for, by those who count their requests. */
  readonly onPage?: (() => void) | undefined;
}

export type FetchPage = (cursor: string | undefined, options: ListOptions) => Promise<ServicePayinPage>;

const MAX_PAGE_SIZE = 100;
const MAX_CURSOR_LENGTH = 1024;
const DEFAULT_FIND_TIMEOUT_MS = 20_000;

export function createPayinList(fetchPage: FetchPage, options: ListOptions): PayinList {
  const { pageSize, cursor } = options;
  if (pageSize !== undefined) requirePageSize(pageSize);
  if (cursor !== undefined && (cursor === '' || cursor.length > MAX_CURSOR_LENGTH)) {
    throw invalid('payins.list', 'cursor', 'format');
  }
  const pages = (direction: ListDirection = 'forward') => walk(fetchPage, options, direction);
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page.data;
    },
  };
}

function requirePageSize(pageSize: number): void {
  if (!Number.isInteger(pageSize)) throw invalid('payins.list', 'pageSize', 'wrong_type');
  if (pageSize < 1) throw invalid('payins.list', 'pageSize', 'too_small');
  if (pageSize > MAX_PAGE_SIZE) throw invalid('payins.list', 'pageSize', 'too_large');
}

async function* walk(
  fetchPage: FetchPage,
  options: ListOptions,
  direction: ListDirection,
): AsyncGenerator<ServicePayinPage, void, undefined> {
  const visited = new Set<string>();
  for (let cursor = options.cursor; ;) {
    const page = await fetchPage(cursor, options);
    yield page;
    const further = nextPlace(page.pageInfo, direction);
    if (further === null) return;
    // A list that goes in circles must not pass for a complete one.
    if (visited.has(further)) throw unreadableList();
    visited.add(further);
    cursor = further;
  }
}

/**
 * Where the list goes on after a page; null at its end.
 * @throws ServiceError when it goes on and does not say where: it must not pass for a complete one.
 */
export function nextPlace(pageInfo: PageInfo, direction: ListDirection = 'forward'): string | null {
  const { hasNext, nextCursor, hasPrevious, previousCursor } = pageInfo;
  const [hasMore, further] = direction === 'forward' ? [hasNext, nextCursor] : [hasPrevious, previousCursor];
  if (!hasMore) return null;
  if (further === null || further === '') throw unreadableList();
  return further;
}

const unreadableList = () => new ServiceError('unreadable_answer', 'payins.list', { status: 200 });

export async function findByReference(
  fetchPage: FetchPage,
  clock: Clock,
  reference: string,
  options: FindOptions,
): Promise<ServicePayin | null> {
  const { timeoutMs = DEFAULT_FIND_TIMEOUT_MS, signal, onPage } = options;
  requireTimeout(timeoutMs);
  const deadline = startDeadline(clock, timeoutMs, signal);
  const countedPage: FetchPage = (cursor, listOptions) => {
    onPage?.();
    return fetchPage(cursor, listOptions);
  };
  try {
    const list = createPayinList(countedPage, { pageSize: MAX_PAGE_SIZE, signal: deadline.signal });
    for await (const payin of list) if (payin.reference === reference) return payin;
    return null;
  } catch (error) {
    if (deadline.expired()) throw new ServiceError('timeout', 'payins.list');
    throw error;
  } finally {
    deadline.release();
  }
}
