import type { Listed } from '../../../src/console.js';
import type { ShopDatabase } from '../database.js';

const AT_FIRST = 100;
/** More than anybody reads, and still one answer. */
const AT_MOST = 2_000;

/** The newest rows of a table, as many as were asked for, and how many there are in all. */
export async function newestOf<Row>(
  database: ShopDatabase,
  table: 'console_links' | 'console_payouts' | 'shop_orders',
  asked: string | undefined,
): Promise<Listed<Row>> {
  const wanted = Number(asked);
  const most = Number.isSafeInteger(wanted) ? Math.min(Math.max(wanted, AT_FIRST), AT_MOST) : AT_FIRST;
  const rows = await database.all<Row>(`select * from ${table} order by created_at desc, id limit $1`, most);
  const [counted] = await database.all<{ total: number | string }>(`select count(*) as total from ${table}`);
  return { rows, total: Number(counted?.total ?? 0) };
}
