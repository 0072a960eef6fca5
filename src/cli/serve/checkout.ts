import { isDeepStrictEqual } from 'node:util';
import { createCheckout, type Checkout } from '../../server/checkout.js';
import type { LogEntry, Metrics } from '../../server/log/log.js';
import { OptionsError } from '../../server/settings.js';
import { createServiceClient, type ServiceClient } from '../../service/client.js';
import { CommandError } from '../command.js';
import { loadServeConfig, readServeSecrets, type ReadServeConfig, type ServeSecrets } from './config.js';
import { openDatabase, type OpenDatabase } from './database.js';
import { ordersFrom, outcomesTo } from './shop.js';

/** The checkout that a config file describes, for `serve` and for the commands that look after its orders. */
export interface OpenCheckout {
  readonly config: ReadServeConfig;
  /** The present one: `rotate` puts another in its place. */
  readonly checkout: Checkout;
  readonly secrets: ServeSecrets;
  readonly service: ServiceClient;
  readonly database: OpenDatabase;
  /**
   * Reads the files of secrets again. When they have changed, a checkout with the new ones takes over and the one
   * before is returned, to be closed. @throws CommandError when they cannot be used: everything stays as it is.
   */
  rotate(): Promise<Checkout | undefined>;
  /** Ends what runs and closes the database. */
  close(): Promise<void>;
}

export const DEFAULT_CONFIG = 'checkout.config.mjs';

export async function openCheckout(file: string, metrics?: Metrics): Promise<OpenCheckout> {
  const config = await loadServeConfig(file);
  let secrets = await readServeSecrets(config);
  const database = await openDatabase(config.own.database);
  let service = serviceFor(config, secrets);
  let checkout = createOrExplain(config, secrets, service, database, metrics);
  return {
    config,
    get checkout() {
      return checkout;
    },
    get service() {
      return service;
    },
    get secrets() {
      return secrets;
    },
    database,
    async rotate() {
      const found = await readServeSecrets(config);
      if (isDeepStrictEqual(found, secrets)) return undefined;
      const nextService = serviceFor(config, found);
      const next = createOrExplain(config, found, nextService, database, metrics);
      const previous = checkout;
      [checkout, service, secrets] = [next, nextService, found];
      return previous;
    },
    async close() {
      await checkout.close();
      await database.store.close();
      await database.close();
    },
  };
}

/** One line of JSON each, as the log of `serve`. */
export function logToStderr(entry: LogEntry): void {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`);
}

function serviceFor({ own }: ReadServeConfig, { apiKey, accessToken }: ServeSecrets): ServiceClient {
  return createServiceClient({
    baseUrl: own.service.baseUrl,
    allowHttp: own.service.allowHttp,
    apiKey,
    ...(accessToken === undefined ? {} : { accessToken }),
  });
}

function createOrExplain(
  { own, kit }: ReadServeConfig,
  secrets: ServeSecrets,
  service: ServiceClient,
  { store }: OpenDatabase,
  metrics: Metrics | undefined,
): Checkout {
  const { webhook } = secrets;
  try {
    return createCheckout({
      ...kit,
      // What is missing is named by the kit.
      webhook: webhook as NonNullable<typeof webhook>,
      store,
      service,
      findOrder: ordersFrom(own.orders.url, secrets.orders[0]),
      orderSecret: secrets.order,
      ...outcomesTo({ ...own.outcomes, secrets: secrets.outcomes }),
      log: logToStderr,
      ...(metrics && { metrics }),
    });
  } catch (error) {
    if (error instanceof OptionsError) throw new CommandError(error.message.replace('createCheckout: ', ''));
    throw error;
  }
}
