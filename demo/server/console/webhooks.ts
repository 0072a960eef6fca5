import type { Checkout } from '../../../src/server.js';
import { verifyWebhook, type WebhookSecret } from '../../../src/service.js';
import type { openLinks } from './links.js';

interface WebhookParts {
  readonly checkout: Checkout;
  readonly links: Awaited<ReturnType<typeof openLinks>>;
  readonly webhook: WebhookSecret;
}

/**
 * The service has one address for all its events. Those of the console's own links are no order's: the checkout would
 * keep them as payments that nobody knows, and ask a person to look. Everything else is the checkout's to judge.
 */
export function receiveWebhooks({ checkout, links, webhook }: WebhookParts) {
  return async (request: Request): Promise<Response> => {
    // One that cannot be read is refused by the checkout.
    const event = await verifyWebhook(request.clone(), webhook).catch(() => null);
    const isOurs = event?.resource === 'paymentlink' && (await links.heard(event.data));
    return isOurs ? Response.json({ received: true }) : checkout.fetch(request);
  };
}
