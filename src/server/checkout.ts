import { createApp, unavailable } from './http/routes.js';
import { createKit, type Kit } from './context.js';
import type { CheckoutOptions } from './options.js';
import type { OrderRecord } from './orders/record.js';
import { readSettings } from './settings.js';
import { Watch } from './http/long-poll.js';
import { Worker } from './work/worker.js';

/** What a worker runtime hands beside a request, so that work may outlive the answer. */
export interface ExecutionContextLike {
  waitUntil(promise: Promise<unknown>): void;
}

export interface TickResult {
  /** Orders that were worked on. */
  readonly orders: number;
  /** More is due than was done. */
  readonly more: boolean;
}

export interface Checkout {
  /** The backend contract: mount it anywhere that speaks `Request` and `Response`. */
  fetch(request: Request, env?: unknown, context?: ExecutionContextLike): Promise<Response>;
  /** The token that a page gives to the widget as `order`. Needs `orderSecret`. */
  orderToken(orderId: string): Promise<string>;
  /** Background work where there is a process: reads, lookups, hooks. Returns how to stop it. */
  work(): () => Promise<void>;
  /** Background work where there is only a schedule: does what is due, for at most `budgetMs`, and returns. */
  tick(budgetMs?: number): Promise<TickResult>;
  /** Resolves when nothing that a request or a tick started is still running. */
  idle(): Promise<void>;
  /** Stops the work, lets waiters go and waits for what is running. The store is the caller's to close. */
  close(): Promise<void>;
}

/** How long a tick works by default: most schedules allow a minute. */
const DEFAULT_TICK_MS = 25_000;

/** @throws OptionsError when an option is missing or wrong, with what to do about it. */
export function createCheckout(options: CheckoutOptions): Checkout {
  const settings = readSettings(options);
  const kit = createKit(settings);
  const worker = new Worker(kit);
  const watch = new Watch({
    store: kit.store,
    clock: settings.clock,
    maxWaiters: settings.maxWaiters,
    room: () => worker.room,
    async look(rowId) {
      let record: OrderRecord | undefined;
      await kit.background('work_failed', async () => {
        record = (await worker.look(rowId))?.record;
      });
      return record;
    },
  });
  const app = createApp(kit, worker, watch);
  const ready = migration(kit);
  const stops = new Set<() => Promise<void>>();

  return {
    fetch(request, env = {}, context) {
      const opening = ready();
      // Every route answers with a promise, which is handed on as it is.
      if (opening === undefined) return app.fetch(request, env, context as never) as Promise<Response>;
      return opening.then(
        () => app.fetch(request, env, context as never),
        (error: unknown) => unavailable(kit, request, error),
      );
    },
    orderToken: (orderId) => kit.tokens.sign(orderId),
    work() {
      const stop = worker.work(async () => ready());
      const stopOnce = async () => {
        stops.delete(stopOnce);
        await stop();
      };
      stops.add(stopOnce);
      return stopOnce;
    },
    async tick(budgetMs = DEFAULT_TICK_MS) {
      await ready();
      return worker.tick(budgetMs);
    },
    idle: () => kit.idle(),
    async close() {
      watch.close();
      await Promise.all([...stops].map((stop) => stop()));
      await kit.idle();
    },
  };
}

/** The store's tables are brought up to date once; until that has worked, each caller tries again. */
function migration(kit: Kit): () => Promise<void> | undefined {
  let state: 'new' | 'done' | Promise<void> = 'new';
  return () => {
    if (state === 'done') return undefined;
    if (state === 'new') {
      state = kit.store.migrate().then(
        () => {
          state = 'done';
        },
        (error: unknown) => {
          state = 'new';
          throw error;
        },
      );
    }
    return state;
  };
}
