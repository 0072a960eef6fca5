import { isFinal, type AttemptStatus } from '../../contract/status.js';
import { ServiceError } from '../../service/errors.js';
import { type CheckoutContext, failureFacts } from '../context.js';
import { DAY_MS, SLOW_READS_EVERY_MS, WATCH_FOR_MS } from '../orders/schedule.js';
import { affordable, type ReadBudget } from './read-budget.js';

const PAGE_SIZE = 100;
/** Fewer reads an hour than this are not worth a look at the list. */
const WORTH_READS = 200;
/** A page is worth it when it saves as many reads; otherwise the list is left alone for a day. */
const WORTH_PER_PAGE = 2;
/** Open payments that are remembered; what is beyond is read one by one. */
const MOST_REMEMBERED = 500_000;

interface Seen {
  readonly status: AttemptStatus;
  readonly at: number;
}

/**
 * What the service's list says of payments that have been open for long. They are read every hour, nearly always
 * without news, and one page of the list shows a hundred of them. The list only says that nothing has changed: news are
 * proved by a read of the payment itself.
 *
 * Whether pages are cheaper depends on how many other payments are in the list, which nobody says. So each hour is
 * counted: at its end the list is walked if there were enough reads, over at most half as many pages, and again an
 * hour later only if each page has saved two reads.
 */
export class PayinPages {
  readonly #context: CheckoutContext;
  readonly #budget: ReadBudget;
  #seen = new Map<string, Seen>();
  #hourBeganAt = -Infinity;
  #readsThisHour = 0;
  #servedThisHour = 0;
  #pages = 0;
  #quietUntil = -Infinity;
  #walking: Promise<void> | undefined;
  #isStopped = false;

  constructor(context: CheckoutContext, budget: ReadBudget) {
    this.#context = context;
    this.#budget = budget;
  }

  /** While the list is being walked, slow reads wait for it. */
  get walking(): boolean {
    return this.#walking !== undefined;
  }

  /** When the list last showed this payment as it is known here, newer than that; undefined when it must be read. */
  unchangedAt(serviceId: string, status: AttemptStatus, knownAt: number): number | undefined {
    const seen = this.#seen.get(serviceId.toLowerCase());
    const isUsable =
      seen?.status === status && seen.at > knownAt && seen.at + SLOW_READS_EVERY_MS > this.#context.now();
    if (isUsable) this.#servedThisHour += 1;
    else this.#readsThisHour += 1;
    return isUsable ? seen.at : undefined;
  }

  /** Begins to walk the list when that is worth it. Called before a slow read is due. */
  walkIfWorth(): void {
    const now = this.#context.now();
    if (this.walking || now - this.#hourBeganAt < SLOW_READS_EVERY_MS) return;
    const wanted = this.#readsThisHour + this.#servedThisHour;
    const wasted = this.#servedThisHour < WORTH_PER_PAGE * this.#pages;
    if (wasted) this.#quietUntil = now + DAY_MS;
    this.#hourBeganAt = now;
    this.#readsThisHour = 0;
    this.#servedThisHour = 0;
    this.#pages = 0;
    this.#seen = new Map();
    if (wanted < WORTH_READS || now < this.#quietUntil) return;
    this.#walking = this.#context
      .background('list_failed', () => this.#walk(wanted / WORTH_PER_PAGE))
      .then(() => {
        this.#walking = undefined;
      });
  }

  /** Ends a walk after its page. */
  stop(): void {
    this.#isStopped = true;
  }

  async #walk(mostPages: number): Promise<void> {
    const { service, settings } = this.#context;
    const since = this.#context.now() - WATCH_FOR_MS - DAY_MS;
    try {
      await affordable(settings.clock, this.#budget);
      for await (const { data, pageInfo } of service.payins.list({ pageSize: PAGE_SIZE }).pages()) {
        this.#pages += 1;
        const at = this.#context.now();
        for (const { id, status } of data) {
          if (!isFinal(status) && this.#seen.size < MOST_REMEMBERED) {
            this.#seen.set(id.toLowerCase(), { status, at });
          }
        }
        const isPast = data.length > 0 && data.every(({ createdAt }) => Date.parse(createdAt) < since);
        if (!pageInfo.hasNext || isPast || this.#pages >= mostPages || this.#isStopped) break;
        await affordable(settings.clock, this.#budget);
      }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      // What was seen until then stays true; the rest is read one by one.
      this.#context.log({ level: 'warn', event: 'list_failed', ...failureFacts(error) }, error);
    }
  }
}
