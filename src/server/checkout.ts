import type { Offer } from '../contract/backend.js';
import type { Reconciliation } from '../contract/merchant/sales.js';
import { offerOf, offerTag } from './http/read-offer.js';
import { createRoutes } from './http/routes.js';
import { createContext } from './context.js';
import type { CheckoutOptions } from './options.js';
import type { OrderRecord } from './orders/record.js';
import { readSettings } from './settings.js';
import { LongPoll } from './http/long-poll.js';
import { linkOperations, type LinkOperations } from './operations/links.js';
import { orderOperations, type OrderOperations } from './operations/orders.js';
import { payoutOperations, type PayoutOperations, type RefundOperations } from './operations/payouts.js';
import { checkoutStatus, type CheckoutStatus } from './operations/status.js';
import { reconcile, type ReconcileOptions } from './operations/reconcile.js';
import { Worker } from './work/worker.js';

/** What a worker runtime passes beside a request, so that work may outlive the answer. */
export interface ExecutionContextLike {
  waitUntil(promise: Promise<unknown>): void;
}

export interface TickResult {
  /** Orders that were worked on. */
  readonly orders: number;
  /** More is due and could be done at once. */
  readonly more: boolean;
}

export interface Checkout {
  /** The backend contract: mount it anywhere that speaks `Request` and `Response`. */
  fetch(request: Request, env?: unknown, execution?: ExecutionContextLike): Promise<Response>;
  /** The token that a page gives to the widget as `order`. Needs `orderSecret`. */
  orderToken(orderId: string): Promise<string>;
  /** The order that a token is for, or null: for pages of your own that are opened by it. */
  orderOf(token: string): Promise<string | null>;
  /**
   * The order's offer, for a page that brings it along: the widget inside shows it without asking first. Null when there
   * is no such order.
   */
  offer(orderId: string): Promise<Offer | null>;
  /**
   * The same as a tag that a page puts inside `<pay-checkout>`: one round trip less before the first screen. Empty when
   * the widget has to ask anyway: there is no such order, or an attempt is under way.
   */
  offerTag(orderId: string): Promise<string>;
  /** Background work where there is a process: reads, lookups, hooks. Returns how to stop it. */
  work(): () => Promise<void>;
  /** Background work where there is only a schedule: does what is due, for at most `budgetMs`, and returns. */
  tick(budgetMs?: number): Promise<TickResult>;
  /** How it is doing, for a health check or a dashboard. Never throws: a store that is away is part of the answer. */
  status(): Promise<CheckoutStatus>;
  /** Compares the service's payins of a time with the store, settles what was missed and finds what is unknown. */
  reconcile(options: ReconcileOptions): Promise<Reconciliation>;
  /** What a person may look at and put right. */
  readonly orders: OrderOperations;
  /** Payment links that a person makes, for an order or for none. */
  readonly links: LinkOperations;
  /** Money that is sent out. */
  readonly payouts: PayoutOperations;
  /** Money that goes back to the payer. */
  readonly refunds: RefundOperations;
  /** Resolves when nothing that a request or a tick started is still running. */
  idle(): Promise<void>;
  /** Stops the work, releases waiters and waits for what is running. The caller closes the store. */
  close(): Promise<void>;
}

/** How long a tick works by default: most schedules allow a minute. */
const DEFAULT_TICK_MS = 25_000;

/** @throws OptionsError when an option is missing or wrong, with what to do about it. */
export function createCheckout(options: CheckoutOptions): Checkout {
  const settings = readSettings(options);
  const context = createContext(settings);
  const worker = new Worker(context);
  const longPoll = new LongPoll({
    store: context.store,
    clock: settings.clock,
    maxWaiters: settings.maxWaiters,
    readsLeft: () => worker.readsLeft,
    async readNow(rowId) {
      let record: OrderRecord | undefined;
      await context.background('work_failed', async () => {
        record = (await worker.readNow(rowId))?.record;
      });
      return record;
    },
  });
  const app = createRoutes(context, worker, longPoll);
  const stops = new Set<() => Promise<void>>();

  return {
    // Hono's type allows a plain response too, but every route here is asynchronous.
    fetch: (request, env = {}, execution) => app.fetch(request, env, execution as never) as Promise<Response>,
    orderToken: (orderId) => context.tokens.sign(orderId),
    orderOf: async (token) => (await context.tokens.verify(token)) ?? null,
    offer: (orderId) => offerOf(context, orderId),
    offerTag: async (orderId) => offerTag(await offerOf(context, orderId)),
    work() {
      const stop = worker.work();
      const stopOnce = async () => {
        stops.delete(stopOnce);
        await stop();
      };
      stops.add(stopOnce);
      return stopOnce;
    },
    tick: (budgetMs = DEFAULT_TICK_MS) => worker.tick(budgetMs),
    status: () => checkoutStatus(context, worker, context.tally, longPoll.waiting),
    reconcile: (reconcileOptions) => reconcile(context, worker, reconcileOptions),
    orders: orderOperations(context, worker),
    links: linkOperations(context, worker),
    ...payoutOperations(context, worker),
    idle: () => context.idle(),
    async close() {
      longPoll.close();
      await Promise.all([...stops].map((stop) => stop()));
      await context.idle();
    },
  };
}
