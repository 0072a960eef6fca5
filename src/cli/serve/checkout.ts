import { createCheckout, type Checkout } from '../../server/checkout.js';
import type { LogEntry, Metrics } from '../../server/log.js';
import { OptionsError } from '../../server/settings.js';
import { createServiceClient } from '../../service/client.js';
import { CommandError } from '../command.js';
import { loadServeConfig, type ReadServeConfig } from './config.js';
import { openDatabase, type OpenDatabase } from './database.js';
import { ordersFrom, outcomesTo } from './shop.js';

/** The checkout that a config file describes, for `serve` and for those who look after it. */
export interface OpenCheckout {
  readonly config: ReadServeConfig;
  readonly checkout: Checkout;
  readonly database: OpenDatabase;
  /** Ends what runs and closes the database. */
  close(): Promise<void>;
}

export const DEFAULT_CONFIG = 'checkout.config.mjs';

export async function openCheckout(file: string, metrics?: Metrics): Promise<OpenCheckout> {
  const config = await loadServeConfig(file);
  const database = await openDatabase(config.own.database);
  const checkout = createOrExplain(config, database, metrics);
  return {
    config,
    checkout,
    database,
    async close() {
      await checkout.close();
      await database.store.close();
      await database.close();
    },
  };
}

/** One line of JSON each, as the log of `serve`. */
function logToStderr(entry: LogEntry): void {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`);
}

function createOrExplain(
  { own, kit }: ReadServeConfig,
  { store }: OpenDatabase,
  metrics: Metrics | undefined,
): Checkout {
  const { baseUrl, apiKey, accessToken } = own.service;
  try {
    return createCheckout({
      ...kit,
      store,
      service: createServiceClient({
        baseUrl,
        apiKey,
        ...(accessToken === undefined ? {} : { accessToken }),
      }),
      findOrder: ordersFrom(own.orders),
      orderSecret: own.orderSecret,
      ...outcomesTo(own.outcomes),
      log: logToStderr,
      ...(metrics && { metrics }),
    });
  } catch (error) {
    if (error instanceof OptionsError) throw new CommandError(error.message.replace('createCheckout: ', ''));
    throw error;
  }
}
