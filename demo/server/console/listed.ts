import type { Listed } from '../../../src/console.js';
import type { ShopDatabase } from '../database.js';

const PAGE_SIZE = 100;

type Table = 'console_links' | 'console_payouts' | 'shop_orders';

/** A page of a table's rows, the newest first, from as many rows down as were asked for. */
export function pageOfRows<Row>(
  database: ShopDatabase,
  table: Table,
  asked: string | undefined,
): Promise<Row[]> {
  return database.all<Row>(
    `select * from ${table} order by created_at desc, id limit $1 offset $2`,
    PAGE_SIZE,
    offsetOf(asked),
  );
}

/** The same, where it stands, and how many there are in all. */
export async function pageOf<Row>(
  database: ShopDatabase,
  table: Table,
  asked: string | undefined,
): Promise<Listed<Row>> {
  const rows = await pageOfRows<Row>(database, table, asked);
  const [counted] = await database.all<{ total: number | string }>(`select count(*) as total from ${table}`);
  return { rows, from: offsetOf(asked), pageSize: PAGE_SIZE, total: Number(counted?.total ?? 0) };
}

function offsetOf(asked: string | undefined): number {
  const wanted = Number(asked);
  return Number.isSafeInteger(wanted) && wanted > 0 ? wanted : 0;
}
