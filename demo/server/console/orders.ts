import { ConsoleProblemError } from '../../../src/console.js';
import type { Checkout, PaymentNotice } from '../../../src/server.js';
import type { Listed, OrderDetail, OrderRow } from '../../../src/console-page.js';
import type { ShopDatabase } from '../database.js';
import type { openShop } from '../shop.js';
import { pageOf } from './listed.js';

/** The shop's orders with what the kit's hooks recorded of each. */

interface OrderParts {
  readonly checkout: Checkout;
  readonly database: ShopDatabase;
  readonly shop: ReturnType<typeof openShop>;
}

export function openOrders({ checkout, database, shop }: OrderParts) {
  const look = async (id: string) => {
    const order = await shop.look(id);
    if (!order) throw new ConsoleProblemError('not_found');
    const { amountInCents, createdAt, description, lines, state } = order;
    const given = (await checkout.refunds.list(id)).filter((each) => each.state !== 'DRAFT');
    const arrived = given.filter((each) => each.state === 'CONFIRMED');
    const returnedInCents = arrived.reduce((sum, each) => sum + each.amountInCents, 0);
    const isOwed = (payin: string | null) => !arrived.some((each) => each.payment === payin);
    const duplicates = order.notices.filter(
      ({ hook, serviceId }) => hook === 'onDuplicatePayment' && isOwed(serviceId),
    ).length;
    return {
      row: { id: order.id, amountInCents, createdAt, description, duplicates, returnedInCents, state },
      lines,
      returns: given,
      notices: order.notices.length,
    };
  };

  return {
    async list(from: string | undefined): Promise<Listed<OrderRow>> {
      const { rows, ...page } = await pageOf<{ readonly id: string }>(database, 'shop_orders', from);
      const looked = rows.map(async ({ id }) => {
        const { row, notices } = await look(id);
        return { ...row, notices };
      });
      return { rows: await Promise.all(looked), ...page };
    },

    async one(id: string): Promise<OrderDetail> {
      const { row, lines, returns: given } = await look(id);
      const notices = await database.all<{ key: string; hook: string; at: string; notice: string }>(
        'select key, hook, at, notice from shop_notices where order_id = $1 order by at, key',
        id,
      );
      return {
        ...row,
        lines,
        returns: given,
        attempts: (await checkout.orders.show(id))?.attempts ?? [],
        notices: notices.map(({ key, hook, at, notice }) => {
          const said = JSON.parse(notice) as PaymentNotice;
          return {
            key,
            hook,
            at,
            reference: said.reference,
            kind: said.kind,
            serviceId: said.serviceId,
            status: said.status,
            rail: said.rail,
            amountInCents: said.amountInCents,
            confirmedAmountInCents: said.confirmedAmountInCents,
            late: said.late,
          };
        }),
      };
    },
  };
}
