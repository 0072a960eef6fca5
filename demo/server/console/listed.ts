import type { Listed } from '../../../src/console.js';
import type { ShopDatabase } from '../database.js';

const AT_FIRST = 100;
/** More than anybody reads, and still one answer. */
const AT_MOST = 2_000;

type Table = 'console_links' | 'console_payouts' | 'shop_orders';

/** The newest rows of a table, as many as were asked for. */
export function newestRows<Row>(
  database: ShopDatabase,
  table: Table,
  asked: string | undefined,
): Promise<Row[]> {
  const wanted = Number(asked);
  const most = Number.isSafeInteger(wanted) ? Math.min(Math.max(wanted, AT_FIRST), AT_MOST) : AT_FIRST;
  return database.all<Row>(`select * from ${table} order by created_at desc, id limit $1`, most);
}

/** The same, and how many there are in all. */
export async function newestOf<Row>(
  database: ShopDatabase,
  table: Table,
  asked: string | undefined,
): Promise<Listed<Row>> {
  const rows = await newestRows<Row>(database, table, asked);
  const [counted] = await database.all<{ total: number | string }>(`select count(*) as total from ${table}`);
  return { rows, total: Number(counted?.total ?? 0) };
}
