import type { LogEntry, Measurement } from './log.js';
import { guardedStore, Orders } from './order-repository.js';
import type { CheckoutService } from './options.js';
import type { Settings } from './settings.js';
import type { Store } from './stores/store.js';
import { type OrderTokens, orderTokens } from './http/tokens.js';

/** What every part of a running checkout shares. It holds no state that another instance would miss. */
export interface Kit {
  readonly settings: Settings;
  readonly service: CheckoutService;
  readonly store: Store;
  readonly orders: Orders;
  readonly tokens: OrderTokens;
  now(): number;
  /** A merchant's logger that throws must not break a payment. */
  log(entry: LogEntry, error?: unknown): void;
  measure(measurement: Measurement): void;
  /** Runs on after the answer. Its failure is logged under the event's name; `idle` waits for it. */
  background(event: string, work: () => Promise<unknown>): Promise<void>;
  idle(): Promise<void>;
}

export function createKit(settings: Settings): Kit {
  const { options, clock } = settings;
  const store = guardedStore(options.store);
  const running = new Set<Promise<void>>();
  const secrets = options.orderSecret === undefined ? [] : [options.orderSecret].flat();

  const log = (entry: LogEntry, error?: unknown) => {
    try {
      options.log?.(entry, error);
    } catch {
      // Nobody is left to tell.
    }
  };
  return {
    settings,
    service: options.service,
    store,
    orders: new Orders(store, clock),
    tokens: orderTokens(secrets),
    now: () => clock.now(),
    log,
    measure(measurement) {
      try {
        options.metrics?.(measurement);
      } catch {
        // Counting is not worth a payment.
      }
    },
    background(event, work) {
      const run = (async () => {
        try {
          await work();
        } catch (error) {
          log({ level: 'error', event, code: errorName(error) }, error);
        }
      })();
      running.add(run);
      void run.finally(() => running.delete(run));
      return run;
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** The error's class, which says nothing of anybody; its message might. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
