import { SANDBOX_DEFAULTS } from '../../src/sandbox.js';
import { type Checkout, type CheckoutOptions, createCheckout, memoryStore } from '../../src/server.js';
import { createServiceClient, type ServiceClient, type ServiceClientOptions } from '../../src/service.js';
import { keptLog } from './kept-log.js';

/** The kit and the sandbox as tests set them up: each says only what it needs otherwise. */

export const WEBHOOK = {
  header: SANDBOX_DEFAULTS.webhookHeaderName,
  secret: SANDBOX_DEFAULTS.webhookHeaderValue,
};

/** What a sandbox is given to send its events to the kit at this address. */
export const eventsTo = (kitUrl: string) => [
  { url: `${kitUrl}/webhooks`, headerName: WEBHOOK.header, headerValue: WEBHOOK.secret },
];

export const sandboxClient = (options: Partial<ServiceClientOptions>): ServiceClient =>
  createServiceClient({
    baseUrl: 'https://service.test',
    apiKey: SANDBOX_DEFAULTS.apiKey,
    accessToken: SANDBOX_DEFAULTS.accessToken,
    ...options,
  });

export const createKit = (
  options: Partial<CheckoutOptions> & Pick<CheckoutOptions, 'service' | 'findOrder'>,
): Checkout =>
  createCheckout({
    store: memoryStore(),
    merchant: { name: 'Tienda' },
    orderSecret: 'a secret of the tests that is long enough',
    webhook: WEBHOOK,
    basePath: '/checkout',
    log: keptLog,
    onConfirmed: () => undefined,
    ...options,
  });
