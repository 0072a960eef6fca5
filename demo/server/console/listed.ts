import type { Listed } from '../../../src/console-page.js';
import type { ShopDatabase } from '../database.js';

const PAGE_SIZE = 100;

type Table = 'console_links' | 'shop_orders';

/** A page of a table's rows, the newest first, from as many rows down as were asked for; at most the last page. */
export async function pageOf<Row>(
  database: ShopDatabase,
  table: Table,
  asked: string | undefined,
): Promise<Listed<Row>> {
  const [counted] = await database.all<{ total: number | string }>(`select count(*) as total from ${table}`);
  const total = Number(counted?.total ?? 0);
  const wanted = Number(asked);
  const lastPage = Math.max(0, Math.ceil(total / PAGE_SIZE) - 1) * PAGE_SIZE;
  const from = Number.isSafeInteger(wanted) ? Math.min(Math.max(wanted, 0), lastPage) : 0;
  const rows = await database.all<Row>(
    `select * from ${table} order by created_at desc, id limit $1 offset $2`,
    PAGE_SIZE,
    from,
  );
  return { rows, from, pageSize: PAGE_SIZE, total };
}
