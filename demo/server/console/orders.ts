import type { PaymentNotice } from '../../../src/server.js';
import { ConsoleError } from './http.js';
import type { OrderDetail, OrderRow } from '../../../src/console.js';
import type { ShopDatabase } from '../database.js';
import type { openShop } from '../shop.js';

/** The shop's orders with what the kit's hooks recorded of each. */

const MOST_LISTED = 100;

export function openOrders(database: ShopDatabase, shop: ReturnType<typeof openShop>) {
  const look = async (id: string) => {
    const order = await shop.look(id);
    if (!order) throw new ConsoleError('not_found');
    const { amountInCents, createdAt, description, duplicates, lines, state } = order;
    return {
      row: { id: order.id, amountInCents, createdAt, description, duplicates, state },
      lines,
      notices: order.notices.length,
    };
  };

  return {
    async list(): Promise<OrderRow[]> {
      const ids = await database.all<{ id: string }>(
        `select id from shop_orders order by created_at desc, id limit ${MOST_LISTED}`,
      );
      return Promise.all(
        ids.map(async ({ id }) => {
          const { row, notices } = await look(id);
          return { ...row, notices };
        }),
      );
    },

    async one(id: string): Promise<OrderDetail> {
      const { row, lines } = await look(id);
      const notices = await database.all<{ key: string; hook: string; at: string; notice: string }>(
        'select key, hook, at, notice from shop_notices where order_id = $1 order by at, key',
        id,
      );
      return {
        ...row,
        lines,
        notices: notices.map(({ key, hook, at, notice }) => {
          const told = JSON.parse(notice) as PaymentNotice;
          return {
            key,
            hook,
            at,
            reference: told.reference,
            status: told.status,
            rail: told.rail,
            amountInCents: told.amountInCents,
            confirmedAmountInCents: told.confirmedAmountInCents,
            late: told.late,
          };
        }),
      };
    },
  };
}
