import type { Offer } from '../../contract/backend.js';
import type { Merchant, Method } from '../../contract/offer.js';

/** What the element's attributes say about an order whose backend has no offers. */
export interface BasicOrder {
  readonly amountInCents: number;
  readonly description: string | null;
  readonly merchant: Merchant;
  readonly methods: readonly Method[];
}

/** Stands in for what a Basic backend does not say. */
export interface BasicLevel {
  /** In place of the backend's offer; null when the page does not say what the order costs. */
  offer(nowMs: number): Promise<Offer | null>;
  /** A payin as it was passed through, completed to be read like an attempt. */
  complete(payin: Members, nowMs: number): Promise<Members>;
}

export function basicLevel(order: () => Promise<BasicOrder | null>, page: () => BasicPage): BasicLevel {
  return {
    async offer(nowMs) {
      const basic = await order();
      return basic && basicOffer(basic, nowMs);
    },
    complete: async (payin, nowMs) => completeBasicPayin(payin, page(), nowMs),
  };
}

/** An offer made of attributes. It has no version: nothing can move. */
function basicOffer(basic: BasicOrder, nowMs: number): Offer {
  const { amountInCents, description, merchant, methods } = basic;
  return {
    version: 'basic',
    amountInCents,
    currency: 'COP',
    description,
    merchant,
    methods: [...methods],
    hints: {},
    attempt: null,
    now: new Date(nowMs).toISOString(),
  };
}

/** What the page says beside a payin. */
export interface BasicPage {
  readonly order: string | null;
  readonly merchant: Merchant;
  readonly description: string | null;
}

export type Members = Readonly<Record<string, unknown>>;

/**
 * Completes a payin that a Basic backend passes through from the service, to be read like an attempt: what it does not
 * say is filled in from what the page knows, and the order is paid when this payin is.
 */
function completeBasicPayin(raw: Members, page: BasicPage, nowMs: number): Members {
  const { id, updatedAt, status } = raw;
  const confirmed = raw['confirmedAmountInCents'] ?? raw['amountInCents'];
  const state = confirmed === raw['amountInCents'] ? 'PAID' : 'AMOUNT_DIFFERS';
  return {
    kind: 'PAYIN',
    ...page,
    version: `${textOf(status)}.${textOf(updatedAt)}`,
    now: new Date(nowMs).toISOString(),
    ...raw,
    sourceData: usable(raw['sourceData']),
    settlement: {
      state: status === 'CONFIRMED' ? state : 'OPEN',
      by: status === 'CONFIRMED' ? id : null,
      duplicate: false,
    },
  };
}

/** The service's source data when there is enough of it to pay with; null until then. */
function usable(value: unknown): unknown {
  const raw = Object(value) as Members;
  if (!raw['keyString'] && !raw['bank']) return null;
  // The CUS is a number in some of the service's answers.
  return typeof raw['cus'] === 'number' ? { ...raw, cus: `${raw['cus']}` } : raw;
}

/** Not every value can become text: an object may bring a `toString` of its own. */
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
