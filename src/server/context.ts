import { endsIn } from '../service/deadline.js';
import { ServiceError } from '../service/errors.js';
import { auditCount, auditLine, consoleLog } from './log/audit.js';
import type { LogEntry, Measurement } from './log/log.js';
import { OrderRepository } from './order-repository.js';
import { keyedDigest } from './ids.js';
import { Tally } from './log/tally.js';
import type { CheckoutService } from './options.js';
import { KitError } from './kit-error.js';
import { OptionsError, type Settings } from './settings.js';
import { guardedStore } from './stores/guarded-store.js';
import type { Store } from './stores/store.js';
import { type OrderTokens, orderTokens } from './order-tokens.js';

/** What all rooms of a running checkout share. It holds no state that another instance would miss. */
export interface CheckoutContext {
  readonly settings: Settings;
  readonly service: CheckoutService;
  readonly store: Store;
  readonly repository: OrderRepository;
  readonly tokens: OrderTokens;
  /** What this process has measured. */
  readonly tally: Tally;
  /** A digest under the merchant's secret. Without it an address could be found by trying all of them: there are few enough. */
  clientDigest(text: string): Promise<string>;
  now(): number;
  log(entry: LogEntry, error?: unknown): void;
  /** For what a stranger can cause as often as they like: one line a minute for each event and code. */
  logSparingly(entry: LogEntry): void;
  measure(measurement: Measurement): void;
  /** Runs on after the answer. Its failure is logged under the event's name; `idle` waits for it. */
  background(event: string, work: () => Promise<unknown>): Promise<void>;
  idle(): Promise<void>;
  /** The merchant's own code, which may hang. @throws HookTimeoutError when the time is up. */
  inTime<Value>(timeoutMs: number, work: () => Promise<Value>): Promise<Value>;
}

export class HookTimeoutError extends Error {
  override readonly name = 'HookTimeoutError';
}

const SPARINGLY_MS = 60_000;

export function createContext(settings: Settings): CheckoutContext {
  const { options, clock } = settings;
  const store = guardedStore(options.store);
  const tally = new Tally();
  const running = new Set<Promise<void>>();
  const secrets = options.orderSecret === undefined ? [] : [options.orderSecret].flat();

  const lastLines = new Map<string, number>();
  const takeLine = options.log ?? consoleLog(() => clock.now());
  const log = (entry: LogEntry, error?: unknown) => {
    try {
      takeLine(entry, error);
    } catch {
      // A throwing logger must not break a payment.
    }
  };
  const measure = (measurement: Measurement) => {
    try {
      tally.add(measurement);
      options.metrics?.(measurement);
    } catch {
      // Metrics that throw must not break a payment either.
    }
  };
  return {
    settings,
    service: options.service,
    store,
    tally,
    clientDigest: keyedDigest(secrets[0]),
    repository: new OrderRepository(store, clock, (order, entry) => {
      log(auditLine(order, entry));
      measure(auditCount(entry));
    }),
    tokens: orderTokens(secrets, () => clock.now(), settings.orderTokenLifetimeMs),
    now: () => clock.now(),
    log,
    logSparingly(entry) {
      const now = clock.now();
      const kind = `${entry.event} ${entry.code ?? ''}`;
      if (now - (lastLines.get(kind) ?? -Infinity) < SPARINGLY_MS) return;
      lastLines.set(kind, now);
      log(entry);
    },
    measure,
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
    async inTime(timeoutMs, work) {
      const run = work();
      if (await endsIn(clock, run, timeoutMs)) return run;
      throw new HookTimeoutError();
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** What a log line may say of a failure: the package's own sentences are safe to log, those of others are not. */
export function failureFacts(error: unknown): { code: string; message?: string } {
  if (error instanceof ServiceError) return { code: error.kind, message: error.message };
  const isOwn = error instanceof KitError || error instanceof OptionsError;
  return { code: errorName(error), ...(isOwn && { message: error.message }) };
}

/** The error's class. Its message might carry personal data. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
