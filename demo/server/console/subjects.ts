import type { Checkout } from '../../../src/server.js';
import type { LogEvent } from '../../../src/console-page.js';
import type { ShopDatabase } from '../database.js';

interface SubjectParts {
  readonly checkout: Checkout;
  readonly database: ShopDatabase;
}

/** Where the console shows what something is about. Payouts and links of other programs have no page here. */
export function openSubjects({ checkout, database }: SubjectParts) {
  const isOwnLink = async (serviceId: string) =>
    (await database.all('select id from console_links where service_id = $1', serviceId)).length > 0;
  /** Made here, or for an order. */
  const hasLink = async (id: string) =>
    (await isOwnLink(id)) || (await checkout.orders.find(id)) !== undefined;

  return {
    hasLink,

    async ofEvent({
      event,
      resourceId: id,
    }: Pick<LogEvent, 'event' | 'resourceId'>): Promise<Pick<LogEvent, 'subject' | 'order'>> {
      const order = (await checkout.orders.find(id)) ?? null;
      const about = (section: NonNullable<LogEvent['subject']>['section']) => ({
        subject: { section, id },
        order,
      });
      const [resource] = event.split('.');
      if (resource === 'payin') return about('payins');
      if (resource === 'payout' && (await checkout.payouts.find(id)) !== undefined) return about('payouts');
      if (resource === 'paymentlink' && (await hasLink(id))) return about('links');
      return { subject: null, order };
    },
  };
}
