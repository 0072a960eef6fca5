import type { Checkout } from '../../../src/server.js';
import type { LogEvent } from '../../../src/console.js';
import type { ShopDatabase } from '../database.js';

interface SubjectParts {
  readonly checkout: Checkout;
  readonly database: ShopDatabase;
}

/** What an event is about, where the console has a page for it. Payouts and links of other programs have none. */
export function openSubjects({ checkout, database }: SubjectParts) {
  const isKnown = async (table: 'console_payouts' | 'console_links', serviceId: string) =>
    (await database.all(`select id from ${table} where service_id = $1`, serviceId)).length > 0;

  return async ({
    event,
    resourceId: id,
  }: Pick<LogEvent, 'event' | 'resourceId'>): Promise<Pick<LogEvent, 'subject' | 'order'>> => {
    const [resource] = event.split('.');
    if (resource === 'payout')
      return {
        subject: (await isKnown('console_payouts', id)) ? { section: 'payouts', id } : null,
        order: null,
      };
    const order = (await checkout.orders.find(id)) ?? null;
    if (resource === 'payin') return { subject: { section: 'payins', id }, order };
    const isLink = resource === 'paymentlink' && (order !== null || (await isKnown('console_links', id)));
    return { subject: isLink ? { section: 'links', id } : null, order };
  };
}
